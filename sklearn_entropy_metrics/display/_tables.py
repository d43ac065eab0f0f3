"""Sources of data, for displays that do not yet take them from the base."""

from collections.abc import Mapping
from typing import Any

from sklearn_entropy_metrics.display._display import (
    check_classifier,
    each,
    estimator_balance,
    estimator_name,
    fold_tables,
    matrix_balance,
    prediction_balance,
)

__all__ = [
    "check_classifier",
    "each",
    "estimator_balance",
    "estimator_name",
    "fold_tables",
    "matrix_balance",
    "name_of",
    "prediction_balance",
]


def name_of(given: Any, name: Any, default: str) -> Any:
    """The name of an object; a dict has names, anything else a default."""
    return default if name is None and not isinstance(given, Mapping) else name
