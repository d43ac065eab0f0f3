"""A metric as users name or pass it → a function of tables."""

import inspect
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics.balance.balance import balance_of_own
from sklearn_entropy_metrics.measure.against_rest import positive_class
from sklearn_entropy_metrics.measure.catalog import MEASURES, Measure, find_signed
from sklearn_entropy_metrics.table.classes import ClassTable

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

    is_turned : bool
        Whether the first of two classes is the positive one.
    """

    function: Metric
    measure: Measure | None
    sign: int
    is_turned: bool = False

    @property
    def heeds_warnings(self) -> bool:
        """Whether warnings about a table concern its value."""
        return self.measure is not None and self.measure.metric is not None

    @property
    def counts_samples(self) -> bool:
        """Whether the value depends on the number of samples."""
        return self.measure is not None and self.measure.limit is not None

    def in_the_limit(self) -> "Chosen":
        """The limit of the metric for many samples: itself, unless adjusted."""
        if self.measure is None or self.measure.limit is None:
            return self
        return _of_row(MEASURES[self.measure.limit], self.sign, self.is_turned)

    def influence(self, shares: np.ndarray) -> np.ndarray:
        """The gradient of a row of the catalogue, see ``Measure.influence``."""
        assert self.measure is not None
        if self.is_turned:
            return _turned(self.measure.influence(_turned(shares)))
        return self.measure.influence(shares)


def choose_metric(
    metric: str | Callable[..., Any], given: ClassTable, pos_label: Hashable = None
) -> Chosen:
    """Look up a metric, and raise an error if it cannot be computed from the table.

    Parameters
    ----------
    metric : str or callable
        What :func:`~sklearn_entropy_metrics.measure.catalog.find` takes, a function of
        tables, which has one required argument, or one of labels in the style of
        scikit-learn, ``metric(y_true, y_pred, *, sample_weight)``.

    given : ClassTable
        A table, or a stack of tables, with its classes.

    pos_label : label, default=None
        The positive class if it matters; by default, 1.

    Returns
    -------
    chosen : Chosen
    """
    try:
        measure, sign = find_signed(metric)
    except ValueError:
        if not callable(metric):
            raise
        if _is_of_labels(metric):
            return Chosen(_checked(_of_labels(metric, given)), None, 1)
        return Chosen(_checked(metric), None, 1)
    _check_row(measure, given.table.shape[-2:], given.is_square)
    is_turned = (
        measure.needs_positive
        and positive_class(given.labels.tolist(), 1 if pos_label is None else pos_label)
        == 0
    )
    return _of_row(measure, sign, is_turned)


def is_greater_better(metric: str | Callable[..., Any]) -> bool:
    """Whether greater values of a metric are better; True for a user's function."""
    try:
        measure, sign = find_signed(metric)
    except ValueError:
        return True
    if measure.scoring is None:
        raise ValueError(
            "`metric` must have its best value at an end of its range, or its values "
            f"cannot be ranked. Got {measure.name!r}, which is best at 0."
        )
    return measure.sign * sign > 0


def _of_row(measure, sign, is_turned):
    def function(tables):
        return measure(balance_of_own(_turned(tables) if is_turned else tables))

    return Chosen(function, measure, sign, is_turned)


def _turned(tables):
    return tables[..., ::-1, ::-1]


def _check_row(measure, shape, is_square):
    if measure.of_probabilities:
        raise ValueError(
            f"{measure.name!r} is a metric of probabilities, which a table of labels "
            "does not contain: pass them as `y_proba` or `y_probas`, where they are "
            "taken."
        )
    if measure.of_several_labels:
        raise ValueError(
            f"{measure.name!r} is a metric of several labels per sample, for which one "
            "table is not enough: `confidence_interval` takes the labels themselves."
        )
    if not measure.takes(shape):
        raise ValueError(
            f"{measure.name!r} needs a {measure.input}. Got a table of shape {shape}."
        )
    if measure.input != "table" and not is_square:
        raise ValueError(
            f"{measure.name!r} compares each class with the predictions of the same "
            "class: labels and pred_labels must be the same classes."
        )


def _is_of_labels(metric):
    """Whether a function takes labels, by the arguments that it accepts."""
    try:
        signature = inspect.signature(metric)
    except ValueError:  # some functions have no signature
        return False
    for arguments, options in ((1, {}), (2, {"sample_weight": None})):
        with suppress(TypeError):
            signature.bind(*[None] * arguments, **options)
            return arguments == 2
    raise ValueError(
        "`metric` must be a function of tables, with one required argument, or of "
        "labels, metric(y_true, y_pred, *, sample_weight). Got "
        f"{metric!r} with the arguments ({', '.join(signature.parameters)})."
    )


def _of_labels(metric, given):
    """The metric of tables that a metric of labels computes from their cells."""
    labels, pred_labels = given.labels, given.pred_labels
    if pred_labels is None:  # a bare rectangular table
        pred_labels = np.arange(given.table.shape[-1])

    def of_table(table):
        rows, columns = table.nonzero()
        weight = table[rows, columns]
        return metric(labels[rows], pred_labels[columns], sample_weight=weight)

    return lambda tables: [of_table(table) for table in tables]


def _checked(metric):
    """A user's function that must return a number for each table."""

    def checked(tables):
        with np.errstate(all="ignore"):  # a resample may lack a class
            values = np.asarray(metric(tables), dtype=np.float64)
        if values.shape != tables.shape[:-2]:
            raise ValueError(
                "`metric` must return a number for each table of a stack: an array of "
                f"shape {tables.shape[:-2]} for tables of shape {tables.shape}. Got "
                f"shape {values.shape}."
            )
        if np.isinf(values).any():
            raise ValueError(
                "`metric` must return finite numbers, or NaN. Got infinity."
            )
        return values

    return checked
