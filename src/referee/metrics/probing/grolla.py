"""GROLLA's one number."""

from __future__ import annotations


def grolla(
    gameplay: float,
    abstract: float,
    situated: float,
    abstract_situated: float,
    location: float,
    near: float,
    out: float,
) -> float:
    r"""The mean over the three tasks, each of which is the mean of its columns (Table 1's last column).

    $$ \frac13 \Bigl( G + \frac{A + S + AS + L}{4} + \frac{ND + OD}{2} \Bigr) $$

    with $G$ the gameplay accuracy, $A, S, AS, L$ the F1 of the attribute tasks, $ND, OD$ the accuracies
    of the zero-shot games. The unit is that of the columns. It is not the mean of the seven.

    Examples:
        >>> round(grolla(41.5, 46.8, 39.1, 48.5, 42.7, 31.3, 28.4), 1)
        38.5
    """
    attributes = (abstract + situated + abstract_situated + location) / 4
    return (gameplay + attributes + (near + out) / 2) / 3
