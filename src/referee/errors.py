"""Every error that Referee raises on purpose.

RefereeError
├── DataError       a file holds something that it should not
├── UsageError      a call or a command asks for something that makes no sense
├── MissingExtra    an optional dependency is not installed
├── MissingPlayer   a player's name resolves to nothing
├── SeatError       a player did not keep its seat's promise (too few answers, no distribution …)
└── TransferError   a download broke or came out different
"""

from __future__ import annotations

from pathlib import Path

_LONGEST = 300


def _short(text: str) -> str:
    # What is quoted from a file may be as long as the file, and an error is to be read.
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 30]} … {text[-27:]}"


class RefereeError(Exception):
    """The root: catch this one to catch them all."""


class DataError(RefereeError):
    """Bad data: says the file, the record, the field, and what was expected there."""

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        record: str | int | None = None,
        field: str | None = None,
        expected: str | None = None,
    ) -> None:
        self.message = _short(message)
        self.file = str(file) if file is not None else None
        self.record = _short(record) if isinstance(record, str) else record
        self.field = _short(field) if field is not None else None
        self.expected = _short(expected) if expected is not None else None
        super().__init__(self.message)

    def __str__(self) -> str:
        where = [self.file] if self.file else []
        if self.record is not None:
            where.append(f"record {self.record}")
        if self.field is not None:
            where.append(f"field {self.field}")
        text = f"{', '.join(where)}: {self.message}" if where else self.message
        return f"{text} (expected {self.expected})" if self.expected else text

    def located(
        self, *, file: str | Path | None = None, record: str | int | None = None
    ) -> DataError:
        """The same error with the place filled in where it was not known yet."""
        return DataError(
            self.message,
            file=self.file if self.file is not None else file,
            record=self.record if self.record is not None else record,
            field=self.field,
            expected=self.expected,
        )


class UsageError(RefereeError):
    """A call or a command that makes no sense as given."""


class MissingExtra(RefereeError):
    """An optional dependency that is not installed, and the extra that brings it."""

    def __init__(self, package: str, extra: str) -> None:
        self.package = package
        self.extra = extra
        super().__init__(f"{package} is not installed: pip install 'referee[{extra}]'")


class MissingPlayer(RefereeError):
    """A name that resolves to no player."""


class SeatError(RefereeError):
    """A player that did not keep the promise of its seat."""


class TransferError(RefereeError):
    """A download that broke, or whose bytes are not the published ones."""
