"""What each measure reacts to: Table 8 of Wang, Wei et al. (2013), by experiment.

Five ways to change the output of a classifier, each in a way that a measure either
must see or cannot see. The printed table says otherwise in five places, where the
experiment is clear: probabilities do not know thresholds, so pCEN and rpCEN do not
react to them; NI and the one-vs-rest AUC of three classes do depend on the frequencies
of the classes; the mean absolute error, like pCEN, sees the sum of the probabilities
only, not which sample got which.
"""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, roc_auc_score

from sklearn_entropy_metrics import (
    confusion_entropy_loss,
    mean_absolute_probability_error,
    normalized_information_score,
    probabilistic_confusion_entropy_loss,
)

RNG = np.random.default_rng(0)
TRUE = np.repeat([0, 1, 2], [60, 40, 30])
PROBA = 0.5 * np.eye(3)[TRUE] + 0.5 * RNG.dirichlet([1, 1, 1], len(TRUE))
PROBA[::4] = PROBA[::4][:, [1, 2, 0]]  # some are wrong
LABELS = [0, 1, 2]


def of_labels(metric, **options):
    return lambda y, pred, proba: metric(y, pred, **options)


def of_probabilities(metric, **options):
    return lambda y, pred, proba: metric(y, proba, **options)


def brier(y_true, y_proba):
    return ((np.eye(3)[y_true] - y_proba) ** 2).sum(axis=1).mean()


MEASURES = {
    "accuracy": of_labels(accuracy_score),
    "NI": of_labels(normalized_information_score),
    "CEN": of_labels(confusion_entropy_loss),
    "rCEN": of_labels(confusion_entropy_loss, relative=True),
    "pCEN": of_probabilities(probabilistic_confusion_entropy_loss),
    "rpCEN": of_probabilities(probabilistic_confusion_entropy_loss, relative=True),
    "MAE": of_probabilities(mean_absolute_probability_error),
    "Brier": of_probabilities(brier),
    "AU1U": of_probabilities(roc_auc_score, multi_class="ovo", average="macro"),
    "AUNU": of_probabilities(roc_auc_score, multi_class="ovr", average="macro"),
    "AUNP": of_probabilities(roc_auc_score, multi_class="ovr", average="weighted"),
}


def predict(proba, threshold=(1, 1, 1)):
    return np.argmax(proba * threshold, axis=1)


def change_threshold():
    """The same probabilities, but class 2 is predicted more readily."""
    return TRUE, predict(PROBA, (1, 1, 1.6)), PROBA


def change_calibration():
    """All probabilities closer to 1/3: neither decisions nor rankings change."""
    proba = 0.8 * PROBA + 0.2 / 3
    return TRUE, predict(proba), proba


def change_ranking():
    """Samples of one class become alike, with the same mean and the same decision."""
    proba, pred = PROBA.copy(), predict(PROBA)
    for true in LABELS:
        for chosen in LABELS:
            alike = (true == TRUE) & (pred == chosen)
            if alike.any():
                proba[alike] = PROBA[alike].mean(axis=0)
    return TRUE, predict(proba), proba


def change_frequencies():
    """Each sample of class 0 three times."""
    times = np.where(TRUE == 0, 3, 1)
    parts = (TRUE, predict(PROBA), PROBA)
    return tuple(np.repeat(part, times, axis=0) for part in parts)


def change_distribution():
    """Probability and mistakes move among the wrong classes."""
    proba, pred = PROBA.copy(), predict(PROBA)
    for sample, true in enumerate(TRUE):
        first, second = np.delete(LABELS, true)
        moved = min(1e-9, proba[sample, second])  # too little to change a ranking
        proba[sample, first] += moved
        proba[sample, second] -= moved
        if pred[sample] == second:
            pred[sample] = first
    return TRUE, pred, proba


CHANGES = {
    "threshold": change_threshold,
    "calibration": change_calibration,
    "ranking": change_ranking,
    "frequencies": change_frequencies,
    "distribution": change_distribution,
}

# threshold, calibration, ranking, frequencies, distribution
REACTS = {
    "accuracy": (True, False, False, True, False),
    "NI": (True, False, False, True, True),
    "CEN": (True, False, False, True, True),
    "rCEN": (True, False, False, False, True),
    "pCEN": (False, True, False, True, True),
    "rpCEN": (False, True, False, False, True),
    "MAE": (False, True, False, True, False),
    "Brier": (False, True, True, True, True),
    "AU1U": (False, False, True, False, False),
    "AUNU": (False, False, True, True, False),
    "AUNP": (False, False, True, True, False),
}


def test_the_changes_are_what_they_say():
    before = PROBA
    for name in ("calibration", "ranking"):
        np.testing.assert_array_equal(CHANGES[name]()[1], predict(PROBA))
    _, _, calibrated = change_calibration()
    for column in LABELS:
        order = np.argsort(before[:, column], kind="stable")
        assert (np.diff(calibrated[order, column]) >= 0).all()
    _, _, moved = change_distribution()
    own = np.arange(len(TRUE)), TRUE
    np.testing.assert_array_equal(moved[own], before[own])


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", MEASURES)
def test_reaction(name, change):
    before = MEASURES[name](TRUE, predict(PROBA), PROBA)
    after = MEASURES[name](*CHANGES[change]())
    expected = REACTS[name][list(CHANGES).index(change)]
    # The distribution of probability is moved by 1e-9 only.
    tolerance = 1e-13 if change == "distribution" else 1e-9
    assert (abs(after - before) > tolerance) == expected
