"""Plays games in batches and keeps what was played."""

from referee.arena.playing import Plan, play, play_into

__all__ = ["Plan", "play", "play_into"]
