"""Intervals, tests and effect sizes for numbers that come from games, images and people.

- How sure is a mean, a ratio or any statistic, by game or by image: `bootstrap_interval`; by
  Student's t, `mean_interval` and `difference_interval`.
- The same where two things vary at once (worker and pool, image and annotator):
  `two_way_mean_interval`, `two_way_difference_interval`, `two_way_bootstrap_interval`.
- Do two runs on the same games differ: `paired_permutation`, `wilcoxon`, `mcnemar`,
  `paired_effect_size`.
- Do two runs on different games differ: `mann_whitney`, `superiority`.
- Are two runs the same for all that matters: `equivalence_paired`,
  `equivalence_independent`, and for any interval `equivalence_of_interval`.
- A share of right and wrong that resampling cannot judge, since all are right: `exact_proportion`.
- How many different words or questions there are among many: `kinds_interval`.
- Many values of the same games at once, from their sums: `totals_intervals`.
- Many tests at once: `holm`. Which rows of two runs belong together: `pair`.

Values are finite: what is missing is left out, and counted, by the caller.
"""

from referee.metrics.statistics.bootstrap import (
    bootstrap_interval,
    two_way_bootstrap_interval,
    weighted_correlation,
)
from referee.metrics.statistics.clusters import (
    cluster_means,
    difference_interval,
    mean_interval,
    two_way_difference_interval,
    two_way_mean_interval,
)
from referee.metrics.statistics.equivalence import (
    equivalence_independent,
    equivalence_of_interval,
    equivalence_paired,
)
from referee.metrics.statistics.kinds import kinds_interval
from referee.metrics.statistics.multiplicity import holm
from referee.metrics.statistics.paired import (
    mcnemar,
    paired_effect_size,
    wilcoxon,
)
from referee.metrics.statistics.pairing import pair
from referee.metrics.statistics.permutation import paired_permutation
from referee.metrics.statistics.proportions import exact_proportion
from referee.metrics.statistics.ranks import mann_whitney, superiority
from referee.metrics.statistics.results import Equivalence, Interval, SignificanceTest
from referee.metrics.statistics.totals import OfTotals, deviation_of, mean_of, totals_intervals

__all__ = [
    "Equivalence",
    "Interval",
    "OfTotals",
    "SignificanceTest",
    "bootstrap_interval",
    "cluster_means",
    "deviation_of",
    "difference_interval",
    "equivalence_independent",
    "equivalence_of_interval",
    "equivalence_paired",
    "exact_proportion",
    "holm",
    "kinds_interval",
    "mann_whitney",
    "mcnemar",
    "mean_interval",
    "mean_of",
    "pair",
    "paired_effect_size",
    "paired_permutation",
    "superiority",
    "totals_intervals",
    "two_way_bootstrap_interval",
    "two_way_difference_interval",
    "two_way_mean_interval",
    "weighted_correlation",
    "wilcoxon",
]
