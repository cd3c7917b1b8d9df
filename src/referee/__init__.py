"""Referee judges agents that talk about what they see."""

__version__ = "0.1.0"
