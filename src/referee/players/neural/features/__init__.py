"""Image features behind one seam: pictures, crops and regions through any vision model.

`open_extractor(name)` gives the model, `pictures` finds what it is to see, `crops` cuts it out, and
`extracting` writes the published layouts, which `referee.datasets.features` reads.
"""

from referee.players.neural.features.extractor import Extractor
from referee.players.neural.features.naming import open_extractor

__all__ = ["Extractor", "open_extractor"]
