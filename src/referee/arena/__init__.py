"""Plays games in batches and keeps what was played."""
