"""Which extra brings a package, by what the installed package says of itself."""

from __future__ import annotations

import re
from importlib import metadata


def bringing(module: str) -> str | None:
    """The first extra, but for all of them, that installs the package of a module; None where none does."""
    wanted = _plain(module.partition(".")[0])
    for requirement in metadata.requires("referee") or ():
        package, _, marker = requirement.partition(";")
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", marker)
        (name,) = re.findall(r"^[\w.-]+", package)
        if extra and extra[1] != "all" and _plain(name) == wanted:
            return extra[1]
    return None


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
