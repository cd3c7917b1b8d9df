"""Players that follow a rule."""
