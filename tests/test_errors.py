"""Errors say where and what."""

from __future__ import annotations

import pytest

from referee import errors
from referee.errors import DataError, MissingExtra, RefereeError


def test_every_error_has_the_one_root() -> None:
    found = [thing for thing in vars(errors).values() if isinstance(thing, type)]
    raised = [thing for thing in found if issubclass(thing, Exception)]
    assert len(raised) > 5
    assert all(issubclass(error, RefereeError) for error in raised)


def test_a_data_error_names_file_record_field_and_what_was_expected() -> None:
    error = DataError("is red", file="a.json", record=3, field="$.id", expected="a number")
    assert str(error) == "a.json, record 3, field $.id: is red (expected a number)"


def test_what_an_error_quotes_of_a_file_is_cut_in_the_middle() -> None:
    """A value may be as long as the file it stands in; its begin and end are what is read."""
    error = DataError(f"{'a' * 10**7} is no number", record="b" * 1000, field="c" * 1000)
    assert len(str(error)) < 1000
    assert error.message.startswith("aaaa")
    assert error.message.endswith("is no number")


def test_a_place_is_filled_in_only_where_it_was_not_known() -> None:
    error = DataError("bad", record=3).located(file="a.json", record=9)
    assert (error.file, error.record) == ("a.json", 3)


def test_a_missing_extra_says_what_to_install() -> None:
    with pytest.raises(MissingExtra, match=r"pip install 'referee\[report\]'"):
        raise MissingExtra("jinja2", "report")
