"""Short forms of answers, so that a metric compares what is said and not how wordily.

People answer "yes", language models "Yes, there is a dog in the picture." The rules are few and
leave what they do not know; both sides go through them. In order:

1. Lower case, one kind of apostrophe, single spaces, no punctuation at the end. This alone is done
   to every answer.
2. An answer that opens with yes or no is that word: "yes", "yeah", "yep" …, or "no", "nope", "nah"
   before a comma, a period or a clause of its own ("no it is not"). "no people" is no such answer,
   nor is one that goes on with but, or, and ("yes and no").
3. "i think so" is yes, "i don't think so" and "not that i can see" are no, and so are clauses that
   only echo the question: "it is", "there aren't", "i cannot".
4. "i can't tell, it is too dark", "i'm not sure", "hard to say from here" are "can't tell", "not
   sure", "hard to tell"; "i don't know" is "don't know".
5. Frames fall: "it is red" is red, "they look like cows" cows, "there is a dog" dog, "i can see
   trees" trees, when at most three words are left and none of them begins another clause.
6. Tails fall: "in the picture", "that i can see", "i think"; so does an article at the beginning.
7. A count with at most one noun is the count in digits: "there are two dogs" is 2.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SUBJECT = r"(?:it|they|he|she|there|that|this|i|you|we)"
_BE = r"(?:is|are|was|were)"
_ECHO = r"(?:is|are|was|were|do|does|did|can|could|would|will|has|have)"
_PICTURE = r"(?:the|this) (?:picture|photo|photograph|image|shot|scene|frame)"
_NOUN_CLAUSE = (
    r"(?:i|i'm|i'd|it|it's|its|they|they're|he|he's|she|she's|there|there's|theres|you|we|that|this"
    r"|these|those|not|the|just|only|can't|cannot|isn't|aren't|don't|doesn't|sir)"
)

# What may follow a doubt and says no more than why.
_DOUBT = (
    r"(?:,? (?:for sure|from|in|at|because|if|what|where|which|how|too|it|it's|they|they're|he|she"
    r"|i(?! think| guess| believe| would| see))\b.*)?"
)
_CANNOT = r"(?:(?:i|you|we) )?(?:really )?(?:can't|cannot|can not|couldn't|unable to)(?: really)?"

# Answers that as a whole have a short form.
_WHOLE = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        (r"(?:no|yes),? (?:but|or|and)\b.*", None),
        (r"(?:yes|yeah|yea|yep|yup|yah|y)(?:\W.*)?", "yes"),
        (rf"(?:no|nope|nah|n)(?:\s*[,.;:!-].*|\s+{_NOUN_CLAUSE}\b.*)?", "no"),
        (r"i (?:think|believe|guess|suppose|assume) so(?:,? yes)?", "yes"),
        (r"i (?:don't|do not) (?:think|believe) so(?:,? no)?", "no"),
        (r"not that (?:i|you|we) (?:can |could )?(?:see|tell)(?:,? no)?", "no"),
        (rf"{_SUBJECT} {_ECHO}", "yes"),
        (rf"{_SUBJECT} (?:{_ECHO}(?:n't| not)|can't|cannot)|there's not", "no"),
        # What follows a doubt may still say something after all.
        (r".*\bbut\b.*", None),
        (rf"{_CANNOT} (?:tell|say|be sure){_DOUBT}", "can't tell"),
        (rf"(?:i'm |i am )?(?:really )?not (?:really )?(?:sure|certain){_DOUBT}", "not sure"),
        (rf"(?:i )?(?:don't|do not|dont) (?:really )?know{_DOUBT}", "don't know"),
        (rf"(?:it's |it is )?hard to (?:tell|say){_DOUBT}", "hard to tell"),
    )
)

_SEEM = r"(?:looks?|appears?|seems?)(?: to be| like)?"
_FRAMES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:it|they|he|she|that|this|these|those|there) (?:{_BE}|{_SEEM}) ",
        r"(?:it|he|she|that|there)'s |they're ",
        rf"{_SEEM} (?=\S)",
        r"(?:i|you|we) (?:can )?(?:only |just )?see ",
        rf"{_PICTURE} (?:is|shows) ",
    )
)
_NO_REST = re.compile(
    r"(?:it|so|that|this|not|no longer|to|like|hard|been|being|i|you|he|she|they|there|we|them|him|her|what"
    r"|how|because|if)\b"
)
_INNER_CLAUSE = re.compile(r"[,;.:]|\b(?:is|are|was|were|but|because|that|which|who|and|or|it|i)\b")
_TAIL = re.compile(
    rf",? (?:(?:that )?(?:i|you|we) (?:can )?(?:see|tell)|(?:visible )?in {_PICTURE}"
    r"|i (?:think|believe|guess)|at all|visible)"
)
_NO_END = re.compile(r"(?:.* )?(?:not|is|are|only|that|as|far|what|all|from|and|or|i|can)")
_ARTICLE = re.compile(
    r"(?:an?|the) (?!few\b|lot\b|little\b|bit\b|couple\b|while\b|.*\b(?:is|are|\w+n't)$)(?=\S+(?: \S+)?$)"
)

_NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
_DIGITS = {word: str(value) for value, word in enumerate(_NUMBER_WORDS.split())}
_COUNT = re.compile(
    rf"(?:only |just |about |around |exactly )?(\d+|{'|'.join(_DIGITS)})(?: of them| ([a-z]+))?"
)
# After these a number is no count of things, or more is said than a number.
_NO_THINGS = frozenset(
    (
        *("feet", "foot", "ft", "inch", "inches", "year", "years", "pm", "am", "percent", "hour"),
        *("hours", "minutes", "meters", "miles", "pounds", "story", "stories", "dollars", "cents"),
        *("or", "and", "to", "of", "is", "are", "has", "red", "white", "black", "blue", "green"),
        *("brown", "gray", "grey", "yellow", "orange", "pink", "purple", "other", "more", "side"),
    )
)
_LONGEST_REST = 3


@lru_cache(maxsize=1 << 17)
def short(text: str) -> str:
    """The short form of an answer, or the answer in lower case where no rule knows one.

    >>> [short(text) for text in ("Yes, there is a dog.", "no, i don't think so", "It's red!")]
    ['yes', 'no', 'red']
    >>> short("there are two dogs"), short("no people"), short("the sun is setting")
    ('2', 'no people', 'the sun is setting')
    """
    answer = " ".join(text.lower().replace("\u2019", "'").split()).rstrip(" .,!?;:")
    for rule, form in _WHOLE:
        if rule.fullmatch(answer):
            if form is not None:
                return form
            break
    return _counted(_without_article(_without_tail(_without_frame(_without_tail(answer)))))


def _without_frame(answer: str) -> str:
    for frame in _FRAMES:
        found = frame.match(answer)
        if not found:
            continue
        rest = answer[found.end() :]
        bare = _without_article(rest)
        if len(bare.split()) <= _LONGEST_REST and not (
            _NO_REST.match(rest) or _INNER_CLAUSE.search(rest)
        ):
            return rest
    return answer


def _without_tail(answer: str) -> str:
    for tail in _TAIL.finditer(answer):
        if tail.end() == len(answer) and not _NO_END.fullmatch(answer[: tail.start()]):
            return answer[: tail.start()]
    return answer


def _without_article(answer: str) -> str:
    return _ARTICLE.sub("", answer, count=1) if _ARTICLE.match(answer) else answer


def _counted(answer: str) -> str:
    found = _COUNT.fullmatch(answer)
    if not found or found[2] in _NO_THINGS:
        return answer
    return _DIGITS.get(found[1], found[1])
