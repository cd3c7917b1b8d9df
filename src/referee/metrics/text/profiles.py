"""Tokenisation profiles: what is done to answers and references before words are compared.

Scores of one file move with them, so the profile's name stands beside every number. The words of
an answer for the averaged word vectors are here too (visdial.md 2.1 and 2.7).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.errors import UsageError
from referee.metrics.text.numbers import spell_numbers
from referee.metrics.text.ptb import ptb
from referee.metrics.text.short import short
from referee.metrics.text.treebank import retokenize, word_tokenize

Rewrite = Callable[[str], str]


def unchanged(text: str) -> str:
    """The text as it is."""
    return text


@dataclass(frozen=True)
class Profile:
    """One way to prepare texts: the rewriting of hypotheses, and for which metrics of references.

    `both_sides` holds the beginnings of the names of the metrics that rewrite references too; the
    empty beginning stands for all metrics.
    """

    name: str
    hypothesis: Rewrite
    both_sides: tuple[str, ...] = ()

    def reference_for(self, metric: str) -> Rewrite:
        """The rewriting of references for a metric, such as `bleu`, `cider_d` or `minilm`."""
        return self.hypothesis if metric.startswith(self.both_sides) else unchanged


_PROFILES = {
    found.name: found
    for found in (
        Profile("paper", retokenize, both_sides=("cider",)),
        Profile("released", retokenize),
        Profile("clean", unchanged),
        Profile("short", short, both_sides=("",)),
        Profile("ptb", ptb, both_sides=("",)),
    )
}

PROFILES = tuple(_PROFILES)


def profile(name: str) -> Profile:
    """A profile by name.

    - `paper`: nltk 3.4's words put together again, as the paper's numbers have it: both sides for
      CIDEr and CIDEr-D, the hypothesis only for BLEU, METEOR and the embeddings. ROUGE-L, which the
      paper does not print, goes with BLEU and METEOR.
    - `released`: the same, the hypothesis only, for every metric: what the public code does.
    - `clean`: strings as they come.
    - `short`: "Yes, there is a dog." is "yes", both sides, so that verbosity is not what is measured.
    - `ptb`: lower-case PTB tokens without punctuation, both sides, as coco-caption scores captions.

        >>> paper = profile("paper")
        >>> paper.hypothesis("yes, 5 others")
        'yes , 5 others'
        >>> paper.reference_for("cider_d")("yes, 5 others"), paper.reference_for("bleu")("yes, 5")
        ('yes , 5 others', 'yes, 5')
    """
    if name not in _PROFILES:
        raise UsageError(f"no tokenisation profile {name!r}: choose from {', '.join(_PROFILES)}")
    return _PROFILES[name]


def sentence_words(text: str) -> list[str]:
    """The words whose vectors make up a sentence for the CCA: steps 1 to 4 of visdial.md 2.1.

    Apostrophes go, digits become words, capitals go, and nltk 3.4 finds the words.

        >>> sentence_words("Don't know, 21?")
        ['dont', 'know', ',', 'twenty', 'one', '?']
    """
    return word_tokenize(spell_numbers(text.replace("'", "")).lower())


def fasttext_words(text: str) -> list[str]:
    """The words that the FastText score averages (visdial.md 2.7): punctuation stays where it is.

    >>> fasttext_words("Yes, 2 don't")
    ['yes,', 'two', "don't"]
    """
    return spell_numbers(text).lower().split()
