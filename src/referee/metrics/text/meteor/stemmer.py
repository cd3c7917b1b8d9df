"""Snowball's English stemmer (Porter2) as it was before Snowball 3.0, which METEOR 1.5 carries.

Later releases stem some hundreds of common words otherwise (`added`, `organization`, `emergency`), so
that no installable stemmer is a lasting substitute.
"""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")
_SHORTEST = 3
_WHOLE = {
    "skis": "ski",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
} | {word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")}
_FINISHED = frozenset(
    ("inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed")
)
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_SECOND = {
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "abli": "able",
    "entli": "ent",
    "izer": "ize",
    "ization": "ize",
    "ational": "ate",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "aliti": "al",
    "alli": "al",
    "fulness": "ful",
    "ousli": "ous",
    "ousness": "ous",
    "iveness": "ive",
    "iviti": "ive",
    "biliti": "ble",
    "bli": "ble",
    "fulli": "ful",
    "lessli": "less",
    "ogi": "og",
    "li": "",
}
_THIRD = {
    "tional": "tion",
    "ational": "ate",
    "alize": "al",
    "icate": "ic",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
    "ative": "",
}
_FOURTH = (
    "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion".split()  # noqa: SIM905
)


def _longest_first(suffixes: object) -> tuple[str, ...]:
    return tuple(sorted(suffixes, key=len, reverse=True))  # type: ignore[call-overload]


_SECOND_SUFFIXES = _longest_first(_SECOND)
_THIRD_SUFFIXES = _longest_first(_THIRD)
_FOURTH_SUFFIXES = _longest_first(_FOURTH)


def stem(word: str) -> str:
    """The stem of a lower-case word.

    >>> [stem(word) for word in ("sleepiness", "added", "organization", "'re", "dying")]
    ['sleepi', 'ad', 'organ', 're', 'die']
    """
    if word in _WHOLE:
        return _WHOLE[word]
    if len(word) < _SHORTEST:
        return word
    word = _with_consonant_y(word.removeprefix("'"))
    first = _first_region(word)
    second = _after_vowel_and_consonant(word, first)
    word = _plural(_possessive(word))
    if word not in _FINISHED:
        word = _past(word, first)
        word = _final_y(word)
        word = _derived(word, first)
        word = _derived_again(word, first, second)
        word = _ending(word, second)
        word = _last_letter(word, first, second)
    return word.replace("Y", "y")


def _with_consonant_y(word: str) -> str:
    """A y at the start or after a vowel acts as a consonant: it is written Y from here on."""
    if "y" not in word:
        return word
    letters = list(word)
    for place, letter in enumerate(letters):
        if letter == "y" and (place == 0 or letters[place - 1] in _VOWELS):
            letters[place] = "Y"
    return "".join(letters)


def _first_region(word: str) -> int:
    for beginning in ("gener", "commun", "arsen"):
        if word.startswith(beginning):
            return len(beginning)
    return _after_vowel_and_consonant(word, 0)


def _after_vowel_and_consonant(word: str, start: int) -> int:
    """Just after the first non-vowel that follows a vowel, or the end."""
    for place in range(start + 1, len(word)):
        if word[place] not in _VOWELS and word[place - 1] in _VOWELS:
            return place + 1
    return len(word)


def _ends_short(word: str) -> bool:
    """Whether the word ends in a short syllable."""
    if len(word) < 2 or word[-1] in _VOWELS or word[-2] not in _VOWELS:  # noqa: PLR2004
        return False
    return len(word) == 2 or (word[-1] not in "wxY" and word[-3] not in _VOWELS)  # noqa: PLR2004


def _has_vowel(letters: str) -> bool:
    return any(letter in _VOWELS for letter in letters)


def _possessive(word: str) -> str:
    for suffix in ("'s'", "'s", "'"):
        if word.endswith(suffix):
            return word[: -len(suffix)]
    return word


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]  # noqa: PLR2004
    if word.endswith("s") and not word.endswith(("us", "ss")) and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _past(word: str, first: int) -> str:
    for suffix in ("eedly", "eed"):
        if word.endswith(suffix):
            begin = len(word) - len(suffix)
            return word[:begin] + "ee" if begin >= first else word
    for suffix in ("ingly", "edly", "ing", "ed"):
        if word.endswith(suffix):
            shorter = word[: -len(suffix)]
            return _mended(shorter, first) if _has_vowel(shorter) else word
    return word


def _mended(word: str, first: int) -> str:
    """What is left of a past form or a participle, with its e back or its double letter single."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if word.endswith(_DOUBLES):
        return word[:-1]
    return word + "e" if len(word) == first and _ends_short(word) else word


def _final_y(word: str) -> str:
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:  # noqa: PLR2004
        return word[:-1] + "i"
    return word


def _derived(word: str, first: int) -> str:
    for suffix in _SECOND_SUFFIXES:
        if not word.endswith(suffix):
            continue
        begin = len(word) - len(suffix)
        before = word[begin - 1] if begin else ""
        if begin < first or (suffix == "ogi" and before != "l"):
            return word
        if suffix == "li" and (not before or before not in "cdeghkmnrt"):
            return word
        return word[:begin] + _SECOND[suffix]
    return word


def _derived_again(word: str, first: int, second: int) -> str:
    for suffix in _THIRD_SUFFIXES:
        if word.endswith(suffix):
            begin = len(word) - len(suffix)
            if begin < (max(first, second) if suffix == "ative" else first):
                return word
            return word[:begin] + _THIRD[suffix]
    return word


def _ending(word: str, second: int) -> str:
    for suffix in _FOURTH_SUFFIXES:
        if word.endswith(suffix):
            begin = len(word) - len(suffix)
            if begin < second or (suffix == "ion" and not word[:begin].endswith(("s", "t"))):
                return word
            return word[:begin]
    return word


def _last_letter(word: str, first: int, second: int) -> str:
    begin = len(word) - 1
    if word.endswith("e"):
        gone = begin >= second or (begin >= first and not _ends_short(word[:begin]))
        return word[:begin] if gone else word
    if word.endswith("ll") and begin >= second:
        return word[:begin]
    return word
