"""The command line, one file a command.

The root knows only names and summaries, so that `referee --help` costs no import; a command's file,
and typer with it, is loaded when the command is called.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from referee.cli._table import COMMANDS, Command
from referee.errors import DataError, MissingExtra, RefereeError, TransferError

__all__ = ["COMMANDS", "main"]

_HELP = ("--help", "-h")
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code.

    0 done, 1 bad data or a system that refuses (a full disk), 2 a call that makes no sense,
    130 interrupted.
    """
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
    paths = [path for path in COMMANDS if path[: len(group)] == group]
    first = {path[0]: place for place, path in reversed(list(enumerate(paths)))}
    rows = {" ".join(path): COMMANDS[path] for path in sorted(paths, key=lambda p: first[p[0]])}
    width = max(map(len, rows))
    about = "Referee judges agents that talk about what they see.\n\n" if not group else ""
    title = " ".join(("referee", *group))
    listing = "\n".join(f"  {name:<{width}}  {entry.summary}" for name, entry in rows.items())
    return (
        f"{about}Usage: {title} COMMAND [ARGUMENTS]\n\nCommands:\n{listing}\n\n"
        f"'referee COMMAND --help' says more of a command; 'referee --version' the version.\n"
    )


def _run(path: tuple[str, ...], rest: list[str]) -> int:
    message: object
    try:
        return _called(path, rest)
    except (DataError, TransferError) as error:
        message, code = error, 1
    except RefereeError as error:
        message, code = error, 2
    except ModuleNotFoundError as error:
        message, code = _missing(error), 2
    except BrokenPipeError:
        raise
    except OSError as error:
        message, code = _refusal(error), 1
    except KeyboardInterrupt:
        message, code = "interrupted", _INTERRUPTED
    return _complain(message, code)


def _called(path: tuple[str, ...], rest: list[str]) -> int:
    import typer

    entry = COMMANDS[path]
    name = f"referee {' '.join(path)}"
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(epilog=entry.example)(_function(entry))
    try:
        code = app(rest, prog_name=name, standalone_mode=False)
    except typer.Exit as stop:
        return stop.exit_code
    except Exception as error:
        # typer's own usage errors know what to say, and share no public class
        said = getattr(error, "format_message", None)
        if said is None:
            raise
        return _complain(f"{said()} ('{name} --help' says more)", 2)
    if code == _INTERRUPTED:  # typer keeps the interrupt to itself
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _function(entry: Command) -> Callable[..., Any]:
    module, _, name = entry.target.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"referee.cli.{module}"), name)
    return function


def _complain(message: object, code: int) -> int:
    text = " ".join(str(message).split())
    sys.stderr.write(f"referee: {text}\n")
    return code


def _missing(error: ModuleNotFoundError) -> MissingExtra:
    """What to install for a module that is not there; a module that no extra brings is a defect."""
    from referee.cli._extras import bringing

    module = error.name or ""
    extra = bringing(module)
    if extra is None:
        raise error
    return MissingExtra(module.partition(".")[0], extra)


def _refusal(error: OSError) -> str:
    """What the system said, and of which file."""
    said = error.strerror or type(error).__name__
    return said if error.filename is None else f"{error.filename}: {said}"


def _script() -> None:
    """The console script: `main` on streams that may be closed, full, unread, or no UTF-8."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (open to the end)
            setattr(sys, name, nowhere)
        else:
            stream.reconfigure(errors="backslashreplace")
    try:
        code = main()
        sys.stdout.flush()
    except OSError as error:
        code = 1 if isinstance(error, BrokenPipeError) else _complain(_refusal(error), 1)
        # What is still to be written would make the interpreter complain when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
