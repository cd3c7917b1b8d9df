"""Do states hold the attributes of what they are about? The mathematics of probing (grounding.txt, 4.2).

- Labels are sparse: `Labels`, `stacked`, `over_threshold`.
- Multi-label scores: `example_scores` (the paper's), `label_scores`, `attribute_type_scores`, `means_by`.
- The diagnostic classifier: `train` on `Examples` by `Training` gives a `Probe`.
- Is it the states, or the probe: `control_table` and `selectivity`, `shuffled` and `check_chance`,
  `description_length`, `learning_curve`.
- What needs no states: `random_scores`, `frequent_labels` with `constant`.
- The one number: `grolla`.
"""

from referee.metrics.probing.baselines import constant, frequent_labels, random_scores
from referee.metrics.probing.classifier import Epoch, Probe, initial, train
from referee.metrics.probing.controls import (
    AboveChance,
    Chance,
    chance,
    check_chance,
    control_table,
    selectivity,
    shuffled,
)
from referee.metrics.probing.curves import CurvePoint, learning_curve
from referee.metrics.probing.description import (
    DescriptionLength,
    Portion,
    description_length,
    marginal_bits,
)
from referee.metrics.probing.examples import Examples
from referee.metrics.probing.grolla import grolla
from referee.metrics.probing.labels import Labels, over_threshold, stacked
from referee.metrics.probing.reading import Linear
from referee.metrics.probing.scoring import (
    ExampleScores,
    LabelScores,
    attribute_type_scores,
    example_scores,
    label_scores,
    means_by,
)
from referee.metrics.probing.settings import Training

__all__ = [
    "AboveChance",
    "Chance",
    "CurvePoint",
    "DescriptionLength",
    "Epoch",
    "ExampleScores",
    "Examples",
    "LabelScores",
    "Labels",
    "Linear",
    "Portion",
    "Probe",
    "Training",
    "attribute_type_scores",
    "chance",
    "check_chance",
    "constant",
    "control_table",
    "description_length",
    "example_scores",
    "frequent_labels",
    "grolla",
    "initial",
    "label_scores",
    "learning_curve",
    "marginal_bits",
    "means_by",
    "over_threshold",
    "random_scores",
    "selectivity",
    "shuffled",
    "stacked",
    "train",
]
