"""Judge classifiers by the information they transfer.

An extension of :mod:`sklearn.metrics`. Importing it registers its scorers with
scikit-learn by name, so that ``scoring="entropy_modulated_accuracy"`` works.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sklearn_entropy_metrics import _interrupt as _interrupt

# isort: split
# From here, since CPython imports scikit-learn more slowly from deep within.
from sklearn import metrics as _metrics  # noqa: F401

from sklearn_entropy_metrics import datasets, measure
from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.balance.probability import ProbabilityBalance
from sklearn_entropy_metrics.balance.source import SourceBalance
from sklearn_entropy_metrics.compare.bootstrap import bootstrap_balance
from sklearn_entropy_metrics.compare.confidence import confidence_interval
from sklearn_entropy_metrics.compare.folds import cross_val_tables
from sklearn_entropy_metrics.compare.independence import independence_test
from sklearn_entropy_metrics.compare.models import compare_models
from sklearn_entropy_metrics.compare.paired import compare_classifiers
from sklearn_entropy_metrics.compare.pairs import confusion_pairs
from sklearn_entropy_metrics.compare.segments import compare_segments
from sklearn_entropy_metrics.compare.selection import information_refit, rank_models
from sklearn_entropy_metrics.compare.win_loss import win_loss_equal
from sklearn_entropy_metrics.features import (
    PhiDeltaSelector,
    discriminant_features,
    phi_delta_features,
)
from sklearn_entropy_metrics.report.report import information_report
from sklearn_entropy_metrics.score.labels import (
    adjusted_normalized_information_score,
    confusion_entropy_loss,
    entropy_modulated_accuracy_score,
    normalized_information_score,
    normalized_information_transfer_score,
    variation_of_information_loss,
)
from sklearn_entropy_metrics.score.log_loss import (
    miscalibration_loss,
    pointwise_information,
    probability_information_score,
)
from sklearn_entropy_metrics.score.multilabel import multilabel_information_score
from sklearn_entropy_metrics.score.multimetric import (
    InformationScorer,
    information_scores,
)
from sklearn_entropy_metrics.score.probabilities import (
    mean_absolute_probability_error,
    probabilistic_confusion_entropy_loss,
)
from sklearn_entropy_metrics.score.rates import (
    characteristic_capability,
    discriminant_capability_score,
    phi_delta,
    unbiased_accuracy_score,
    unbiased_f1_score,
    unbiased_matthews_corrcoef,
    unbiased_precision_score,
)
from sklearn_entropy_metrics.score.scorers import (
    register_on_import,
    register_scorers,
    scorer_names,
    unregister_scorers,
)
from sklearn_entropy_metrics.table.accumulate import TableAccumulator
from sklearn_entropy_metrics.table.frames import tabulate_frame
from sklearn_entropy_metrics.table.probabilities import (
    probabilistic_confusion_matrix,
)
from sklearn_entropy_metrics.table.tabulate import contingency_table

if TYPE_CHECKING:
    from sklearn_entropy_metrics import display
    from sklearn_entropy_metrics.display import (
        EntropyTriangleDisplay,
        InformationDiagramDisplay,
        ModelComparisonDisplay,
        NormalizedInformationDisplay,
        PhiDeltaDisplay,
        ProbabilityBalanceDisplay,
        WinLossEqualDisplay,
    )

__version__ = "0.1.0"

__all__ = [
    "EntropyBalance",
    "EntropyTriangleDisplay",
    "InformationDiagramDisplay",
    "InformationScorer",
    "ModelComparisonDisplay",
    "NormalizedInformationDisplay",
    "PhiDeltaDisplay",
    "PhiDeltaSelector",
    "ProbabilityBalance",
    "ProbabilityBalanceDisplay",
    "SourceBalance",
    "TableAccumulator",
    "WinLossEqualDisplay",
    "adjusted_normalized_information_score",
    "bootstrap_balance",
    "characteristic_capability",
    "compare_classifiers",
    "compare_models",
    "compare_segments",
    "confidence_interval",
    "confusion_entropy_loss",
    "confusion_pairs",
    "contingency_table",
    "cross_val_tables",
    "datasets",
    "discriminant_capability_score",
    "discriminant_features",
    "display",
    "entropy_modulated_accuracy_score",
    "independence_test",
    "information_refit",
    "information_report",
    "information_scores",
    "mean_absolute_probability_error",
    "measure",
    "miscalibration_loss",
    "multilabel_information_score",
    "normalized_information_score",
    "normalized_information_transfer_score",
    "phi_delta",
    "phi_delta_features",
    "pointwise_information",
    "probabilistic_confusion_entropy_loss",
    "probabilistic_confusion_matrix",
    "probability_information_score",
    "rank_models",
    "register_scorers",
    "scorer_names",
    "tabulate_frame",
    "unbiased_accuracy_score",
    "unbiased_f1_score",
    "unbiased_matthews_corrcoef",
    "unbiased_precision_score",
    "unregister_scorers",
    "variation_of_information_loss",
    "win_loss_equal",
]


def __getattr__(name: str) -> Any:
    """Displays, which need matplotlib, are imported when they are first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    display = import_module(f"{__name__}.display")
    value = display if name == "display" else getattr(display, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_on_import()
del register_on_import
