"""What each measure reacts to: Table 8 of Wang, Wei et al. (2013), by experiment.

Five ways to change the output of a classifier, each in a way that a measure either
must see or cannot see. The printed table says otherwise in places; the page on
confusion entropy marks them, and is held to this experiment and to the printed table.

- Probabilities do not know thresholds, so pCEN and rpCEN do not react to them.
- NI and the one-vs-rest areas of three classes depend on the class frequencies.
- Areas, except PAUC, do react when probability moves among the wrong classes: from
  M2 to M3 of the paper nothing else happens, and each of them falls.
- MAE and PAUC, like pCEN, see sums of probabilities only, not which sample got which.
  That is so for the change called "ranking" here. A change of the ranking that also
  changes these sums is seen by MAE, and by pCEN as well.
"""

from itertools import permutations
from pathlib import Path

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


def mean_squared_error(y_true, y_proba):
    return ((np.eye(3)[y_true] - y_proba) ** 2).mean()


def one_vs_one(area, weighted=False):
    """Mean of an area of class j against class k over all ordered pairs.

    AU1P weights the areas of class j by its share.
    """

    def mean(y_true, y_proba):
        total = 0.0
        for j, k in permutations(LABELS, 2):
            share = (y_true == j).mean() if weighted else 1 / 3
            total += share / 2 * area(y_proba[y_true == j, j], y_proba[y_true == k, j])
        return total

    return mean


def area(of_class, of_other):
    lead = of_class[:, None] - of_other
    return ((lead > 0) + 0.5 * (lead == 0)).mean()


def scored_area(of_class, of_other):
    """Each pair in the right order counts by its distance."""
    return np.maximum(of_class[:, None] - of_other, 0).mean()


def probabilistic_area(of_class, of_other):
    """Distance of the means."""
    return (of_class.mean() - of_other.mean() + 1) / 2


MEASURES = {
    "accuracy": of_labels(accuracy_score),
    "NI": of_labels(normalized_information_score),
    "CEN": of_labels(confusion_entropy_loss),
    "rCEN": of_labels(confusion_entropy_loss, relative=True),
    "pCEN": of_probabilities(probabilistic_confusion_entropy_loss),
    "rpCEN": of_probabilities(probabilistic_confusion_entropy_loss, relative=True),
    "MAE": of_probabilities(mean_absolute_probability_error),
    "MSE": of_probabilities(mean_squared_error),
    "AU1U": of_probabilities(roc_auc_score, multi_class="ovo", average="macro"),
    "AU1P": of_probabilities(one_vs_one(area, weighted=True)),
    "AUNU": of_probabilities(roc_auc_score, multi_class="ovr", average="macro"),
    "AUNP": of_probabilities(roc_auc_score, multi_class="ovr", average="weighted"),
    "PAUC": of_probabilities(one_vs_one(probabilistic_area)),
    "SAUC": of_probabilities(one_vs_one(scored_area)),
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
    """Probability and mistakes move to the first of the wrong classes.

    The true class keeps its probability, and no mistake is made or mended.
    """
    proba = PROBA.copy()
    for row, true, chosen in zip(proba, TRUE, predict(PROBA), strict=True):
        first, second = np.delete(LABELS, true)
        rest = row[first] + row[second]
        row[first] = min(rest, 0.99 * row[true]) if chosen == true else rest
        row[second] = rest - row[first]
    return TRUE, predict(proba), proba


CHANGES = {
    "threshold": change_threshold,
    "calibration": change_calibration,
    "ranking": change_ranking,
    "frequencies": change_frequencies,
    "distribution": change_distribution,
}

# threshold, calibration, ranking, frequencies, distribution
REACTS = {
    "accuracy": "yes no no yes no",
    "NI": "yes no no yes yes",
    "CEN": "yes no no yes yes",
    "rCEN": "yes no no no yes",
    "pCEN": "no yes no yes yes",
    "rpCEN": "no yes no no yes",
    "MAE": "no yes no yes no",
    "MSE": "no yes yes yes yes",
    "AU1U": "no no yes no yes",
    "AU1P": "no no yes yes yes",
    "AUNU": "no no yes yes yes",
    "AUNP": "no no yes yes yes",
    "PAUC": "no yes no no no",
    "SAUC": "no yes yes no yes",
}
# Table 8 as printed, where it says otherwise.
PRINTED = REACTS | {
    "NI": "yes no no no yes",
    "pCEN": "yes yes no yes yes",
    "rpCEN": "yes yes no no yes",
    "MAE": "no yes yes yes no",
    "AU1U": "no no yes no no",
    "AU1P": "no no yes yes no",
    "AUNU": "no no yes no no",
    "AUNP": "no no yes yes no",
    "PAUC": "no yes yes no no",
    "SAUC": "no yes yes no no",
}


def test_the_changes_are_what_they_say():
    before = PROBA
    for name in ("calibration", "ranking"):
        np.testing.assert_array_equal(CHANGES[name]()[1], predict(PROBA))
    _, _, calibrated = change_calibration()
    for column in LABELS:
        order = np.argsort(before[:, column], kind="stable")
        assert (np.diff(calibrated[order, column]) >= 0).all()
    _, pred, moved = change_distribution()
    own = np.arange(len(TRUE)), TRUE
    np.testing.assert_array_equal(moved[own], before[own])
    np.testing.assert_array_equal(pred == TRUE, predict(PROBA) == TRUE)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", MEASURES)
def test_reaction(name, change):
    before = MEASURES[name](TRUE, predict(PROBA), PROBA)
    after = MEASURES[name](*CHANGES[change]())
    expected = REACTS[name].split()[list(CHANGES).index(change)]
    assert (abs(after - before) > 1e-9) == (expected == "yes")


def test_a_ranking_in_the_words_of_the_paper_moves_both_or_none():
    """ "Changes in ranking that do not cross the class thresholds (but usually affect
    calibration)": who sees sums of probabilities only sees such a change, too.
    """
    pred, proba = predict(PROBA), PROBA.copy()
    right = np.flatnonzero(pred == TRUE)[::2]  # every other one becomes surer
    proba[right] = 0.5 * proba[right] + 0.5 * np.eye(3)[TRUE[right]]
    np.testing.assert_array_equal(predict(proba), pred)
    for name in ("MAE", "PAUC", "pCEN", "rpCEN"):
        before = MEASURES[name](TRUE, pred, PROBA)
        assert abs(MEASURES[name](TRUE, pred, proba) - before) > 1e-3


def test_the_page_shows_what_was_found_and_marks_where_the_paper_differs():
    page = Path(__file__).parents[2] / "docs" / "confusion_entropy.md"
    rows = {}
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 6 and cells[0] in REACTS:
            rows[cells[0]] = cells[1:]
    assert rows == {
        name: [
            cell if cell == printed else f"**{cell}**"
            for cell, printed in zip(
                REACTS[name].split(), PRINTED[name].split(), strict=True
            )
        ]
        for name in REACTS
    }


def test_the_list_of_slips_counts_the_cells_that_differ():
    page = Path(__file__).parents[2] / "docs" / "papers.md"
    differ = [
        found != printed
        for name in REACTS
        for found, printed in zip(
            REACTS[name].split(), PRINTED[name].split(), strict=True
        )
    ]
    assert f"| 2013, Table 8 | {sum(differ)} cells |" in page.read_text("utf-8")
