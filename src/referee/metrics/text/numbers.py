"""Numbers in words, as DenseVisDial's preprocessing writes them (visdial dialogues, answers.txt 4.1).

The reading is British ("one hundred and one") with commas between thousands, which is what the
inflect package of the time gives; sentences then lose the hyphens.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen"
)
_TENFOLD = "- - twenty thirty forty fifty sixty seventy eighty ninety"
_LARGE = (
    " thousand million billion trillion quadrillion quintillion sextillion septillion octillion"
    " nonillion decillion"
)
_ONES, _TENS, _THOUSANDS = (names.split(" ") for names in (_SMALL, _TENFOLD, _LARGE))

LONGEST = 3 * len(_THOUSANDS)
_DIGITS = re.compile(r"\d+")


@lru_cache(maxsize=65536)
def number_words(digits: str) -> str:
    """The words of a run of digits; leading zeros are not spoken.

    Numbers of more than 36 digits have no name here (nor in inflect, which refuses them): they are
    read digit by digit.

        >>> number_words("1234"), number_words("007"), number_words("1021")
        ('one thousand, two hundred and thirty-four', 'seven', 'one thousand and twenty-one')
    """
    value = str(int(digits)) if len(digits) <= LONGEST else _without_zeros(digits)
    if value == "0":
        return _ONES[0]
    if len(value) > LONGEST:
        return " ".join(_ONES[int(digit)] for digit in value)
    value = value.zfill(-(-len(value) // 3) * 3)
    names = reversed(_THOUSANDS[: len(value) // 3])
    triples = [int(value[at : at + 3]) for at in range(0, len(value), 3)]
    parts = [
        f"{_below_thousand(triple)} {name}".rstrip()
        for triple, name in zip(triples, names, strict=True)
        if triple
    ]
    # "one thousand and one", but "one thousand, one hundred".
    if len(parts) > 1 and " " not in parts[-1]:
        parts[-2:] = [f"{parts[-2]} and {parts[-1]}"]
    return ", ".join(parts)


def spell_numbers(text: str) -> str:
    """Every maximal run of digits in words, with spaces for hyphens.

    >>> spell_numbers("21 of them at 10:30")
    'twenty one of them at ten:thirty'
    """
    return _DIGITS.sub(lambda run: number_words(run[0]).replace("-", " "), text)


def _without_zeros(digits: str) -> str:
    plain = "".join(str(int(digit)) for digit in digits)
    return plain.lstrip("0") or "0"


def _below_thousand(value: int) -> str:
    hundreds, rest = divmod(value, 100)
    if not hundreds:
        return _below_hundred(rest)
    spoken = f"{_ONES[hundreds]} hundred"
    return f"{spoken} and {_below_hundred(rest)}" if rest else spoken


def _below_hundred(value: int) -> str:
    if value < len(_ONES):
        return _ONES[value]
    tens, ones = divmod(value, 10)
    return f"{_TENS[tens]}-{_ONES[ones]}" if ones else _TENS[tens]
