"""What is measured: ours and a peer on the same inputs, and how far apart they must be.

Each row of CASES is a row of the table.
"""

from typing import NamedTuple

from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    confusion_matrix,
    mutual_info_score,
)

import sklearn_entropy_metrics as sem
from benchmarks import inputs
from benchmarks.measures import (
    Measure,
    against,
    all_measures,
    balance_of_log_loss,
    bootstrap,
    features,
    features_one_by_one,
    five_measures_of_a_fold,
    five_measures_of_stored_predictions,
    growth,
    growth_of_log_loss,
    importing,
    in_batches,
    interval,
    lazy_frame,
    many_features,
    many_labels,
    many_points,
    memory,
    memory_of_many_labels,
    one_classifier,
    pairs,
    probabilistic,
    probabilistic_memory,
    probability_scorer,
    stack,
    temperature_in_sample,
    weighted,
)
from benchmarks.peers import one_read, pycm_matrix, torchmetrics_matrix


class Case(NamedTuple):
    """One row of the table: `measure(effort)` gives our cost and the peer's.

    The ratio of ours to the peer's must lie between `least` and `limit`. Without a
    limit it is for reference.
    """

    name: str
    peer: str
    limit: float | None
    measure: Measure
    least: float = 0.0
    needs: str = "numpy"  # a package


CASES = [
    Case("int64, 10 classes", "confusion_matrix", 1 / 40, against(confusion_matrix)),
    Case("int64, 10 classes", "accuracy_score", 1 / 8, against(accuracy_score)),
    Case("int64, 10 classes", "mutual_info_score", None, against(mutual_info_score)),
    Case("int64, 10 classes", "PyCM", None, against(pycm_matrix), needs="pycm"),
    Case(
        "int64, 10 classes",
        "torchmetrics",
        None,
        against(torchmetrics_matrix),
        needs="torchmetrics",
    ),
    Case(
        "int64, 10⁷ samples",
        "one read of the inputs",
        3.5,
        against(one_read, n_samples=10**7),
    ),
    Case(
        "int64, 100 classes, 10⁷ samples",
        "one read of the inputs",
        6,
        against(one_read, n_samples=10**7, n_classes=100),
    ),
    Case("growth, 10⁵ to 10⁷ samples", "linear growth", 1.1, growth, least=0.9),
    Case(
        "10⁷ samples, 100 batches",
        "one shot",
        None,
        against(sem.entropy_modulated_accuracy_score, ours=in_batches, n_samples=10**7),
    ),
    Case(
        "lazy frame, 10⁷ rows", "polars group_by", 1.5, lazy_frame(), needs="narwhals"
    ),
    Case(
        "lazy frame, 10⁷ counts",
        "polars group_by",
        None,
        lazy_frame(count="n"),
        needs="narwhals",
    ),
    Case("int64, weighted", "confusion_matrix", 1 / 12, weighted),
    Case(
        "1,000 samples",
        "balanced_accuracy_score",
        1 / 18,
        against(balanced_accuracy_score, n_samples=1000),
    ),
    Case(
        "<U8 strings",
        "confusion_matrix",
        1 / 8,
        against(confusion_matrix, convert=inputs.strings),
    ),
    Case(
        "object strings, shared",
        "confusion_matrix",
        1 / 35,
        against(confusion_matrix, convert=inputs.shared_objects),
    ),
    Case(
        "object strings, distinct",
        "confusion_matrix",
        1 / 35,
        against(confusion_matrix, convert=inputs.distinct_objects),
    ),
    Case(
        "pandas categoricals",
        "confusion_matrix",
        1 / 100,
        against(confusion_matrix, convert=inputs.categorical),
        needs="pandas",
    ),
    Case(
        "polars strings",
        "confusion_matrix",
        1 / 15,
        against(confusion_matrix, convert=inputs.polars_strings),
        needs="polars",
    ),
    Case(
        "100,000 classes",
        "mutual_info_score",
        1 / 12,
        against(mutual_info_score, n_classes=100_000),
    ),
    Case("100,000 classes, memory", "the inputs", 8, memory(100_000)),
    Case(
        "500,000 classes",
        "mutual_info_score",
        1 / 16,
        against(mutual_info_score, n_classes=500_000),
    ),
    Case(
        "500,000 classes, NIT",
        "mutual_info_score",
        1 / 15,
        against(
            mutual_info_score,
            ours=sem.normalized_information_transfer_score,
            n_classes=500_000,
        ),
    ),
    Case(
        "500,000 classes, NI",
        "mutual_info_score",
        1 / 15,
        against(
            mutual_info_score, ours=sem.normalized_information_score, n_classes=500_000
        ),
    ),
    Case("500,000 classes, memory", "the inputs", 8, memory(500_000)),
    Case(
        "500,000 classes, all measures",
        "mutual_info_score",
        None,
        against(mutual_info_score, ours=all_measures, n_classes=500_000),
    ),
    Case("100,000 classes, confusions", "the table", 2, pairs),
    Case("30 labels twice, 200,000 rows", "np.unique(axis=0)", 1 / 3, many_labels),
    Case("30 labels twice, memory", "the inputs", 1 / 3, memory_of_many_labels),
    Case(
        "10⁶ tables of 3×3, MI, per table",
        "mutual_info_score",
        1 / 500,
        stack("mutual_information"),
    ),
    Case(
        "10⁶ tables of 3×3, MI and triangle",
        "mutual_info_score",
        None,
        stack("mutual_information", "joint_fractions"),
    ),
    Case("5 measures, 1,000 samples", "1 measure", 1.5, five_measures_of_a_fold),
    Case("5 measures, stored", "1 measure", 1.5, five_measures_of_stored_predictions),
    Case("bootstrap, 10⁵ samples", "matthews_corrcoef", 1 / 1000, bootstrap),
    Case("interval, 10 classes", "1,000 resamples", 1.5, interval(10)),
    Case("interval, 30 classes", "1,000 resamples", 0.5, interval(30)),
    Case("interval, 100 classes", "1,000 resamples", 0.2, interval(100)),
    Case("pCEN, 10 classes", "log_loss", 1 / 6, probabilistic),
    Case("pCEN, memory", "the probabilities", 0.05, probabilistic_memory),
    Case(
        "log loss split, best, 5 folds",
        "LogisticRegression.fit",
        8,
        balance_of_log_loss,
    ),
    Case("log loss split, temperature", "log_loss", 20, temperature_in_sample),
    Case("scoring, probability_information", "neg_log_loss", 20, probability_scorer),
    Case(
        "log loss split, growth",
        "linear growth",
        1.15,
        growth_of_log_loss,
        least=0.8,
    ),
    Case("φ, δ of 50,000 features", "chi2", 1 / 3, features),
    Case("φ, δ per feature", "mutual_info_classif", 1 / 100, features_one_by_one),
    Case("triangle, 100,000 points", "plain scatter", 1.2, many_points),
    Case("φ-δ, 100,000 points", "plain scatter", 2, many_features),
    *(
        Case(f"{name}, 1 classifier", "ConfusionMatrixDisplay", 1.3, measure)
        for name, measure in {
            "triangle": one_classifier(sem.EntropyTriangleDisplay),
            "φ-δ": one_classifier(sem.PhiDeltaDisplay, 2),
            "NI in ROC space": one_classifier(sem.NormalizedInformationDisplay, 2),
            "NI in the φ-δ plane": one_classifier(
                sem.NormalizedInformationDisplay, 2, space="phi_delta"
            ),
            "information diagram": one_classifier(sem.InformationDiagramDisplay),
        }.items()
    ),
    Case("import, CPU time", "import of scikit-learn", 1.15, importing),
]
