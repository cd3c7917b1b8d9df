"""The answerers of answers.txt that hold no network: CCA, no CCA, and nearest neighbours.

| name | ranks by | writes |
| --- | --- | --- |
| `aq` | correlation of question and option | answers to the nearest training questions, by correlation |
| `aqi` | the same, of a model trained with images as well: AQI(Q) | the same |
| `aq-g` | as `aq` | such answers, drawn in proportion to the questions' correlation |
| `ncca` | centred cosine of the sentences' own vectors | as `aq`, of these |
| `nn-aq` | distance to the mean answer of the nearest training questions | the neighbours' answers |
| `nn-aqi` | the same of those neighbours whose images are most similar | the same |

Writing needs the training rounds: `visdial=F`, or `references=F`.
"""

from __future__ import annotations

import msgspec

from referee.errors import MissingPlayer, UsageError
from referee.players.cca.making import MAKERS, Given, Maker
from referee.players.cca.playing import Ranks, RanksAndWrites
from referee.players.naming import Settings

__all__ = ["Given", "Ranks", "RanksAndWrites", "build"]


def build(rest: str, settings: Settings) -> Ranks:
    """The player of `cca:<rest>?<settings>`."""
    name = f"cca:{rest}"
    if rest not in MAKERS:
        raise MissingPlayer(f"{name}: there are {', '.join(f'cca:{known}' for known in MAKERS)}")
    try:
        texts = {key: str(value) for key, value in settings.items()}
        given = msgspec.convert(texts, Given, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"{name}: {error}") from None
    fewest = min(given.on_the_fly, given.neighbours, given.alike)
    if fewest < 1:
        raise UsageError(f"{name}: {fewest} candidates or neighbours are none")
    return Maker(name, given, settings).player(MAKERS[rest])
