"""What a metric returns where mathematics has no answer."""

import math
import warnings
from numbers import Real
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning


def replace_undefined(value: Any, by: float, reason: str) -> Any:
    """A value, or what the user wants in place of NaN.

    Parameters
    ----------
    value : float or ndarray
        Value or values of a metric, NaN where it is undefined.

    by : float
        The metric's argument `replace_undefined_by`. While it is NaN, a warning tells
        of the undefined value.

    reason : str
        Which metric is undefined and when.

    Returns
    -------
    value : float or ndarray
    """
    if not isinstance(by, Real) or isinstance(by, bool):
        raise ValueError(f"replace_undefined_by must be a number. Got {by!r}.")
    undefined = np.isnan(value)
    if not undefined.any():
        return value
    if math.isnan(by):
        warnings.warn(
            f"{reason}; nan is returned. Use `replace_undefined_by` to return a number "
            "without this warning.",
            UndefinedMetricWarning,
            stacklevel=3,
        )
    return np.where(undefined, by, value) if undefined.ndim else float(by)
