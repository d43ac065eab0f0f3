"""Results of four numbers: an estimate, the ends of its interval, its error."""

import math
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from numbers import Real
from typing import Any

from scipy.special import ndtri
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_entropy_metrics._html import html_table, shorten
from sklearn_entropy_metrics._warn import warn


@dataclass(frozen=True)
class FourNumbers(Sequence):
    """A result whose first four fields can be unpacked like a tuple."""

    def __getitem__(self, index: Any) -> Any:
        return astuple(self)[:4][index]

    def __len__(self) -> int:
        return 4

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple | FourNumbers) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        numbers = list(asdict(self).items())[:4]
        shown = ", ".join(f"{name}={value:.3g}" for name, value in numbers)
        return f"{type(self).__name__}({shown})"

    def _repr_html_(self) -> str:
        fields = {name: x for name, x in asdict(self).items() if x not in (None, "")}
        cells = [f"{x:.4g}" if isinstance(x, float) else x for x in fields.values()]
        heads = [name.replace("_", " ") for name in fields]
        return html_table([cells], header=heads, caption=type(self).__name__)

    def to_frame(self) -> Any:
        """Return the result as a data frame with one row; needs pandas.

        Returns
        -------
        frame : pandas.DataFrame
        """
        import pandas as pd

        return pd.DataFrame([asdict(self)])


@dataclass(frozen=True, eq=False)
class ConfidenceInterval(FourNumbers):
    """What :func:`~sklearn_entropy_metrics.confidence_interval` returns.

    It is also a sequence of its first four attributes.

    Attributes
    ----------
    estimate : float
        The estimate of the metric.

    low, high : float
        The ends of the interval.

    standard_error : float
        Standard deviation of the estimate.

    plug_in : float
        The metric of the samples themselves.

    correction : float
        The plug-in value minus the estimate.

    confidence_level : float
        The share of such intervals that should contain the true value.

    metric : str
        The name of the metric.

    n_effective : float
        The number of independent samples that the samples count as.

    n_samples : float
        The number of samples.

    n_groups : int or None
        The number of groups of samples that belong together; None without groups.

    is_cross_validated : bool
        Whether the samples were predicted by the models of several folds.

    deviation : float
        Standard deviation of the effect of one independent sample.

    symbol : str
        What the metric is called in print.

    Examples
    --------
    >>> from sklearn_entropy_metrics import confidence_interval
    >>> interval = confidence_interval(table=[[45, 5], [10, 40]])
    >>> interval
    NI 0.388 [0.186, 0.540]
    >>> f"{interval:.2f}"
    '0.39 [0.19, 0.54]'
    >>> interval.samples_for(0.05)
    1206
    """

    estimate: float
    low: float
    high: float
    standard_error: float
    plug_in: float
    correction: float
    confidence_level: float
    metric: str
    n_effective: float
    n_samples: float = math.nan
    n_groups: int | None = None
    is_cross_validated: bool = False
    deviation: float = math.nan
    symbol: str = ""

    def __repr__(self) -> str:
        largest = max(abs(self.low), abs(self.high))
        numbers = format(self, ".3f" if 0.1 <= largest < 1000 else ".3g")
        groups = "" if self.n_groups is None else f", {self.n_groups} groups"
        folds = ", cross-validated" if self.is_cross_validated else ""
        return f"{shorten(self.symbol or self.metric, 30)} {numbers}{groups}{folds}"

    def __format__(self, spec: str) -> str:
        if not spec:
            return repr(self)
        estimate, low, high = (format(x, spec) for x in self[:3])
        return f"{estimate} [{low}, {high}]"

    def samples_for(self, half_width: float) -> int:
        """Return the number of samples that an interval of a wanted width needs.

        Further samples are taken to be like these: their effects vary as much, their
        weights are as unequal, and those of a group are as much alike.

        Parameters
        ----------
        half_width : float
            Half of the width, from the estimate to an end.

        Returns
        -------
        n_samples : int
        """
        if not half_width > 0 or math.isnan(self.standard_error):
            raise ValueError(
                "`half_width` must be positive, and the interval defined. Got "
                f"half_width={half_width} for {self!r}."
            )
        quantile = float(ndtri((1 + self.confidence_level) / 2))
        needed = (quantile * self.deviation / half_width) ** 2
        return math.ceil(needed * self.n_samples / self.n_effective)


@dataclass(frozen=True, eq=False)
class ClassifierComparison(FourNumbers):
    """What :func:`~sklearn_entropy_metrics.compare_classifiers` returns.

    It is also a sequence of its first four attributes.

    Attributes
    ----------
    difference : float
        The metric of the first classifier minus that of the second, as estimated by
        :func:`~sklearn_entropy_metrics.confidence_interval`.

    low, high : float
        The ends of the interval of the difference.

    p_value : float
        How often a difference at least as large, of either sign, would occur if it did
        not matter which classifier made which prediction.

    standard_error : float
        The standard error of the difference.

    plug_in_difference : float
        The difference of the samples themselves.

    confidence_level : float
        The share of such intervals that should contain the true difference.

    metric : str
        The name of the metric.

    Examples
    --------
    >>> from sklearn_entropy_metrics import compare_classifiers
    >>> y_true, y_pred = [0, 1] * 50, [0, 1] * 45 + [1, 0] * 5
    >>> guess = [0] * 100
    >>> comparison = compare_classifiers(y_true, y_pred, guess, "accuracy")
    >>> round(comparison.difference, 3), comparison.p_value < 0.05
    (0.4, True)
    """

    difference: float
    low: float
    high: float
    p_value: float
    standard_error: float
    plug_in_difference: float
    confidence_level: float
    metric: str

    def __repr__(self) -> str:
        numbers = "difference {:.3g} [{:.3g}, {:.3g}], p = {:.3g}".format(*self)
        return f"{shorten(self.metric, 30)}: {numbers}"


def check_confidence_level(confidence_level: float) -> float:
    """Return a confidence level as a float, or raise an error."""
    if not (isinstance(confidence_level, Real) and 0 < float(confidence_level) < 1):
        raise ValueError(
            "confidence_level must be a number between 0 and 1, neither included. Got "
            f"{confidence_level!r}."
        )
    return float(confidence_level)


def warn_of_undefined() -> None:
    """Warn that there is no value, and so no interval."""
    warn(
        "The metric is undefined for these samples; nan is returned.",
        UndefinedMetricWarning,
    )
