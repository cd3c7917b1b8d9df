"""Players that repeat a dialogue file."""
