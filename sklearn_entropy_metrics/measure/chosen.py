"""A metric as users name or pass it → a function of tables."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics.balance.balance import EntropyBalance, balance_of_own
from sklearn_entropy_metrics.measure.catalog import MEASURES, Measure, find

Metric = Callable[[Any], Any]


class Chosen(NamedTuple):
    """A metric that was looked up.

    Attributes
    ----------
    function : callable
        Values of a stack of tables, or of one sparse table.

    measure : Measure or None
        The row of the catalogue; None for a function of the user.

    sign : int
        -1 to negate the function.
    """

    function: Metric
    measure: Measure | None
    sign: int

    @property
    def is_doubtful(self) -> bool:
        """Whether doubts about a table are doubts about its value."""
        return self.measure is not None and self.measure.metric is not None

    @property
    def counts_samples(self) -> bool:
        """Whether the value depends on the number of samples."""
        return self.measure is not None and self.measure.limit is not None

    def in_the_limit(self) -> "Chosen":
        """The limit of the metric for many samples: itself, unless adjusted."""
        if self.measure is None or self.measure.limit is None:
            return self
        measure = MEASURES[self.measure.limit]
        return Chosen(_of_tables(measure), measure, self.sign)


def choose_metric(metric: Any, shape: tuple[int, ...], is_square: bool) -> Chosen:
    """Look up a metric, and raise an error if it cannot be computed from the table.

    Parameters
    ----------
    metric : str or callable
        The name of a measure, a scoring string, a metric function of this package, or
        a function of tables.

    shape : (int, int)
        The shape of the table.

    is_square : bool
        Whether its columns stand for the classes of its rows.

    Returns
    -------
    chosen : Chosen
    """
    try:
        found = find(metric)
    except ValueError:
        return Chosen(_checked(metric), None, 1)
    if found.of_probabilities:
        raise ValueError(
            f"{found.name!r} is a metric of probabilities, which a table of labels "
            "does not contain: it cannot be resampled."
        )
    if found.of_several_labels:
        raise ValueError(
            f"{found.name!r} is a metric of several labels per sample, for which one "
            "table is not enough: it cannot be resampled."
        )
    if not found.takes(EntropyBalance(np.broadcast_to(0.0, shape))):
        raise ValueError(
            f"{found.name!r} needs a {found.input}. Got a table of shape {shape}."
        )
    if found.input != "table" and not is_square:
        raise ValueError(
            f"{found.name!r} compares each class with the predictions of the same "
            "class: labels and pred_labels must be the same classes."
        )
    return Chosen(_of_tables(found), found, found.sign_of(metric))


def is_greater_better(metric: Any) -> bool:
    """Whether greater values of a metric are better; True for a user's function."""
    try:
        found = find(metric)
    except ValueError:
        return True
    return found.sign * found.sign_of(metric) > 0


def _of_tables(measure):
    return lambda tables: measure(balance_of_own(tables))


def _checked(metric):
    """A user's function that must return a number for each table."""
    if not _takes_one_argument(metric):
        raise ValueError(
            "metric must be a function of tables, a scoring string, a metric function "
            f"of this package or one of {', '.join(MEASURES)}. Got {metric!r}."
        )

    def checked(tables):
        with np.errstate(all="ignore"):  # a resample may lack a class
            values = np.asarray(metric(tables), dtype=np.float64)
        if values.shape != tables.shape[:-2]:
            raise ValueError(
                "metric must return a number for each table of a stack: an array of "
                f"shape {tables.shape[:-2]} for tables of shape {tables.shape}. Got "
                f"shape {values.shape}."
            )
        if np.isinf(values).any():
            raise ValueError("metric must return finite numbers, or NaN. Got infinity.")
        return values

    return checked


def _takes_one_argument(metric):
    try:
        inspect.signature(metric).bind("tables")
    except TypeError:  # also of what is no function
        return False
    except ValueError:  # some functions have no signature
        return True
    return True
