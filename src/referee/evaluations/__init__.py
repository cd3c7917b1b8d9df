"""Five evaluations, one module and one paper each."""
