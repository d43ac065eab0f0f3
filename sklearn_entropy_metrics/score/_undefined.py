"""What a metric returns and warns about if its value is undefined or means little."""

import math
from numbers import Real
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.table.classes import ClassTable


class _ZeroForPrediction(float):
    """NaN as `replace_undefined_by`, or 0 if the prediction is to blame."""


# Scoring strings return 0 where the prediction makes a metric undefined: NaN would win
# an argmax. Where y_true does, they return NaN as the metrics do.
ZERO_FOR_PREDICTION = _ZeroForPrediction("nan")


def finish(value: Any, counted: ClassTable | None, by: float, reason: str) -> Any:
    """Replace undefined values, and warn about undefined or doubtful ones.

    Parameters
    ----------
    value : float or ndarray
        Value or values of a metric, NaN where it is undefined.

    counted : ClassTable or None
        What the metric was computed from; None if its value is never doubtful, and
        undefined only because of y_true.

    by : float
        The metric's argument `replace_undefined_by`. If it is NaN, an undefined value
        comes with a warning.

    reason : str
        Which metric is undefined and when.

    Returns
    -------
    value : float or ndarray
    """
    if not isinstance(by, Real) or isinstance(by, bool):
        raise ValueError(f"replace_undefined_by must be a number. Got {by!r}.")
    if math.isfinite(value) if isinstance(value, float) else np.isfinite(value).all():
        warn_of_table(counted)
        return value
    if np.isinf(value).any():
        raise ValueError("The metric is infinite on these samples.")
    undefined = np.isnan(value)
    predicted = prediction_is_to_blame(counted)
    if predicted:
        warn_of_table(counted)
    if predicted and isinstance(by, _ZeroForPrediction):
        by = 0.0
        warn(f"{reason}; it scores 0 for this prediction.", UndefinedMetricWarning)
    elif math.isnan(by):
        warn(
            f"{reason}; nan is returned. Use `replace_undefined_by` to return a number "
            "without this warning.",
            UndefinedMetricWarning,
        )
    return np.where(undefined, by, value) if undefined.ndim else float(by)


def warn_of_table(counted: ClassTable | None) -> None:
    """Say why a value that is defined means little."""
    if counted is not None and counted.warning is not None:
        warn(counted.warning)


def prediction_is_to_blame(counted: ClassTable | None) -> bool:
    """Whether another prediction would make every measure defined.

    This is the case if y_true has two classes: then no measure is undefined because of
    it.
    """
    return counted is not None and len(np.flatnonzero(counted.table.sum(axis=1))) > 1
