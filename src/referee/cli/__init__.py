"""The command line, one file a command.

The root knows only names and summaries, so that `referee --help` costs no import; a command's file,
and typer with it, is loaded when the command is called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from referee.cli._table import COMMANDS, Command
from referee.errors import DataError, RefereeError, TransferError

__all__ = ["COMMANDS", "main"]

_HELP = ("--help", "-h")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0 done, 1 bad data, 2 a call that makes no sense."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["--version"]:
        from referee import __version__

        print(f"referee {__version__}")  # noqa: T201 (this is what the user asked for)
        return 0
    path, rest = _split(words)
    if path in COMMANDS:
        return _run(path, rest)
    unknown = [word for word in rest if word not in _HELP]
    if unknown:
        sys.stderr.write(f"referee: there is no command '{' '.join([*path, unknown[0]])}'\n\n")
    (sys.stderr if unknown else sys.stdout).write(_overview(path))
    return 2 if unknown else 0


def _split(words: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """The longest run of leading words that names a command or a group of commands, and the rest."""
    for length in (3, 2, 1):
        head = tuple(words[:length])
        if len(head) == length and any(path[:length] == head for path in COMMANDS):
            return head, words[length:]
    return (), words


def _overview(group: tuple[str, ...]) -> str:
    """The help of the root or of a group."""
    rows = {
        " ".join(path): entry for path, entry in COMMANDS.items() if path[: len(group)] == group
    }
    width = max(map(len, rows))
    about = "Referee judges agents that talk about what they see.\n\n" if not group else ""
    title = " ".join(("referee", *group))
    listing = "\n".join(f"  {name:<{width}}  {entry.summary}" for name, entry in rows.items())
    return (
        f"{about}Usage: {title} COMMAND [ARGUMENTS]\n\nCommands:\n{listing}\n\n"
        f"'referee COMMAND --help' says more of a command; 'referee --version' the version.\n"
    )


def _run(path: tuple[str, ...], rest: list[str]) -> int:
    import typer

    entry = COMMANDS[path]
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(epilog=entry.example)(_function(entry))
    try:
        code = app(rest, prog_name=f"referee {' '.join(path)}", standalone_mode=False)
    except (DataError, TransferError) as error:
        return _complain(error, 1)
    except RefereeError as error:
        return _complain(error, 2)
    except typer.Exit as stop:
        return stop.exit_code
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except Exception as error:
        # typer's own usage errors carry their exit code and know how to print themselves
        show = getattr(error, "show", None)
        if show is None:
            raise
        show()
        return int(getattr(error, "exit_code", 2))
    return code if isinstance(code, int) else 0


def _function(entry: Command) -> Callable[..., Any]:
    module, _, name = entry.target.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"referee.cli.{module}"), name)
    return function


def _complain(message: object, code: int) -> int:
    text = " ".join(str(message).split())
    sys.stderr.write(f"referee: {text}\n")
    return code


def _script() -> None:
    """The console script."""
    sys.exit(main())
