"""`python -m referee` is `referee`."""

from referee.cli import _script

if __name__ == "__main__":
    _script()
