"""Measures of tables: tables in, numbers out, vectorised over leading axes."""

from sklearn_entropy_metrics.measure.catalog import MEASURES, evaluate
from sklearn_entropy_metrics.measure.confusion import (
    confusion_entropy,
    confusion_entropy_per_class,
    mean_absolute_probability_error,
    probabilistic_confusion_entropy,
)
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
    "confusion_entropy",
    "confusion_entropy_per_class",
    "entropy_modulated_accuracy",
    "evaluate",
    "matthews_corrcoef",
    "mean_absolute_probability_error",
    "normalized_information",
    "normalized_information_transfer",
    "probabilistic_confusion_entropy",
    "variation_of_information",
]
