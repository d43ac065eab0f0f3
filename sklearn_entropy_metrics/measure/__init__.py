"""Measures of tables: tables in, numbers out, vectorised over leading axes."""

from sklearn_entropy_metrics.measure.catalog import MEASURES, evaluate
from sklearn_entropy_metrics.measure.chance import adjusted_normalized_information
from sklearn_entropy_metrics.measure.classes import one_vs_rest
from sklearn_entropy_metrics.measure.confusion import (
    confusion_entropy,
    confusion_entropy_per_class,
    mean_absolute_probability_error,
    probabilistic_confusion_entropy,
)
from sklearn_entropy_metrics.measure.familiar import (
    balanced_accuracy,
    cohen_kappa,
    f1,
    jaccard,
    precision,
    recall,
)
from sklearn_entropy_metrics.measure.maps import (
    normalized_information_from_accuracy,
    normalized_information_from_precision_recall,
    normalized_information_from_roc,
)
from sklearn_entropy_metrics.measure.multilabel import multilabel_information
from sklearn_entropy_metrics.measure.plane import (
    isometric_lines,
    mutual_information_from_phi_delta,
    normalized_information_from_phi_delta,
    phi_delta_corners,
    phi_delta_from_rates,
    rates_from_phi_delta,
    table_from_rates,
)
from sklearn_entropy_metrics.measure.probabilities import (
    miscalibration,
    probability_information,
)
from sklearn_entropy_metrics.measure.rates import (
    characteristic_capability,
    discriminant_capability,
    phi_delta,
    unbiased_accuracy,
    unbiased_f1,
    unbiased_matthews_corrcoef,
    unbiased_npv,
    unbiased_precision,
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
    "adjusted_normalized_information",
    "balanced_accuracy",
    "characteristic_capability",
    "cohen_kappa",
    "confusion_entropy",
    "confusion_entropy_per_class",
    "discriminant_capability",
    "entropy_modulated_accuracy",
    "evaluate",
    "f1",
    "isometric_lines",
    "jaccard",
    "matthews_corrcoef",
    "mean_absolute_probability_error",
    "miscalibration",
    "multilabel_information",
    "mutual_information_from_phi_delta",
    "normalized_information",
    "normalized_information_from_accuracy",
    "normalized_information_from_phi_delta",
    "normalized_information_from_precision_recall",
    "normalized_information_from_roc",
    "normalized_information_transfer",
    "one_vs_rest",
    "phi_delta",
    "phi_delta_corners",
    "phi_delta_from_rates",
    "precision",
    "probabilistic_confusion_entropy",
    "probability_information",
    "rates_from_phi_delta",
    "recall",
    "table_from_rates",
    "unbiased_accuracy",
    "unbiased_f1",
    "unbiased_matthews_corrcoef",
    "unbiased_npv",
    "unbiased_precision",
    "variation_of_information",
]
