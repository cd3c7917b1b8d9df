"""What a user brings in a file of one's own: `./mine.py:Name` leads to an object, without a fork."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from referee.errors import RefereeError, UsageError


class Own(NamedTuple):
    """A name in a Python file."""

    file: Path
    attribute: str

    @property
    def digest(self) -> str:
        """What the file's content is known by: an edited file is another version."""
        return hashlib.sha256(self.file.read_bytes()).hexdigest()[:16]


def own(text: str) -> Own | None:
    """The file and the name in it, where the text is of that form.

    >>> own("./mine.py:Careful")
    Own(file=PosixPath('mine.py'), attribute='Careful')
    >>> own("scripted:people") is None
    True
    """
    file, colon, attribute = text.rpartition(":")
    return Own(Path(file), attribute) if colon and file.endswith(".py") else None


def load(what: Own) -> object:
    """The object of that name; UsageError says what the file holds instead."""
    if not what.file.is_file():
        raise UsageError(f"there is no file {what.file}")
    module = _module(what)
    if not what.attribute or not hasattr(module, what.attribute):
        wanted = f"no '{what.attribute}'" if what.attribute else "nothing named after the colon"
        raise UsageError(f"{wanted} in {what.file} (it holds {_offered(module)})")
    found: object = getattr(module, what.attribute)
    return found


def _module(what: Own) -> ModuleType:
    # Keyed by content, so that two files of one name are two modules and an edited file is new.
    title = f"referee_own_{what.file.stem}_{what.digest}"
    if title in sys.modules:
        return sys.modules[title]
    spec = importlib.util.spec_from_file_location(title, what.file)
    if spec is None or spec.loader is None:
        raise UsageError(f"{what.file} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[title] = module
    # What lies beside the file may be imported, as in a script; it hides nothing that is installed.
    beside = str(what.file.resolve().parent)
    if beside not in sys.path:
        sys.path.append(beside)
    try:
        spec.loader.exec_module(module)
    except RefereeError:
        del sys.modules[title]
        raise
    except (Exception, SystemExit) as error:
        del sys.modules[title]
        why = f"{type(error).__name__}: {error}"
        raise UsageError(f"{what.file} cannot be imported: {why}") from error
    return module


def _offered(module: ModuleType) -> str:
    mine = [
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_")
    ]
    return ", ".join(mine) or "nothing of its own"
