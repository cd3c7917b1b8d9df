"""The words of a question, as a tokeniser for tweets cuts them."""

from __future__ import annotations

import re

_WORD = re.compile(
    r"""
    [^\W\d_](?:[^\W\d_]|['\u2019\-_])+[^\W\d_]   # letters, apostrophes and hyphens inside a word
    | [+\-]?\d+[,/.:\-]\d+[+\-]?             # numbers with a sign inside: 1/2, 10:30
    | \w+                                    # any other word: a, 3, 2nd
    | \.(?:\s*\.)+                           # an ellipsis
    | \S                                     # anything else stands alone
    """,
    re.VERBOSE,
)


def words(question: str) -> list[str]:
    """The words of a question in lower case; its question mark is one of them.

    They are those of NLTK's TweetTokenizer(preserve_case=False) for what people ask; addresses, smileys
    and telephone numbers, which it keeps whole, are cut here.

    >>> words("Is it the man's T-shirt?"), words("2nd from left ?")
    (['is', 'it', 'the', "man's", 't-shirt', '?'], ['2nd', 'from', 'left', '?'])
    """
    return _WORD.findall(question.lower())
