"""Measures of tables: tables in, numbers out, vectorised over leading axes."""

from sklearn_entropy_metrics.measure.catalog import MEASURES, evaluate
from sklearn_entropy_metrics.measure.transfer import (
    accuracy,
    entropy_modulated_accuracy,
    matthews_corrcoef,
    normalized_information,
    normalized_information_transfer,
    variation_of_information,
)

__all__ = [
    "MEASURES",
    "accuracy",
    "entropy_modulated_accuracy",
    "evaluate",
    "matthews_corrcoef",
    "normalized_information",
    "normalized_information_transfer",
    "variation_of_information",
]
