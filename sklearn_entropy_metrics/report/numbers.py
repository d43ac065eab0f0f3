"""Tables and probabilities → the numbers of a report."""

from __future__ import annotations

import math
import warnings
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from scipy.optimize import linear_sum_assignment

from sklearn_entropy_metrics import measure
from sklearn_entropy_metrics.balance import probability
from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.compare.confidence import confidence_interval
from sklearn_entropy_metrics.compare.independence import independence_test
from sklearn_entropy_metrics.compare.pairs import confusion_pairs
from sklearn_entropy_metrics.measure import MEASURES
from sklearn_entropy_metrics.report import words
from sklearn_entropy_metrics.table.classes import ClassTable
from sklearn_entropy_metrics.table.probabilities import Samples

# Above this number of classes there are no intervals.
_MOST_CLASSES = 200
# The search for the best relabelling takes a dense table and cubic time; more samples
# of a large table are not shuffled, since chance explains little of it.
_MOST_RELABELLED, _MOST_SHUFFLED = 1000, 10**7
# Folds of the recalibration, if there are as many samples.
_FOLDS = 5
# Draws of the test of independence, and the level at which it rejects.
_DRAWS, _LEVEL = 199, 0.05
# The measures that have intervals, and the numbers of an interval.
_KEYS = "estimate", "low", "high", "standard_error", "plug_in"
MAIN = tuple(m for m in MEASURES.values() if m.section in ("accuracy", "transfer"))


@dataclass(frozen=True)
class Report:
    """The numbers of a report, and what its pictures need besides.

    Attributes
    ----------
    numbers : dict
        What ``information_report(..., output_dict=True)`` returns.

    table : ndarray or csr_array of shape (k, m)
        The table, true classes in rows.

    columns : list of str
        The names of the predicted classes.

    is_known : bool
        Whether predictions are better than chance.

    confidence_level : float or None
        The level of the intervals, if there are any.

    digits : int
        Number of decimal places.

    samples : Samples or None
        The probabilities, and their balance.
    """

    numbers: dict[str, Any]
    table: Any
    columns: list[str]
    is_known: bool
    confidence_level: float | None
    digits: int
    samples: Samples | None
    probabilities: probability.ProbabilityBalance | None


def report_of_table(
    given: ClassTable,
    samples: Samples | None,
    source: dict[str, Any],
    target_names: ArrayLike | None,
    confidence_level: float | None,
    digits: int,
) -> Report:
    """Report on a table, and on probabilities if there are any.

    Parameters
    ----------
    given : ClassTable
        The table and its classes. Measures that compare each class with its own
        predictions are NaN unless the columns are the classes of the rows.

    samples : Samples or None
        True classes and probabilities.

    source : dict
        What :func:`confidence_interval` takes: the table, or labels with their groups.

    target_names : array-like of shape (k,) or None
        Names of the true classes; by default, their labels.

    confidence_level : float or None
        The level of the intervals; None for a report without them.

    digits : int
        Number of decimal places.

    Returns
    -------
    report : Report
    """
    balance = EntropyBalance.from_confusion_matrix(given.table)
    names, support = _names(given.labels, target_names), _support(given)
    columns = _columns(given, names)
    intervals, notes = _intervals(given, confidence_level, source)
    if "sample_weight" in source:  # the tests know no weights of groups
        source = {"table": given}
    is_known = _is_known(given, balance, intervals, source, max(support) / sum(support))
    parts = "divergence", "mutual_information", "variation_of_information"
    information = {"mutual_information": balance.mutual_information}
    numbers: dict[str, Any] = {
        "task": {
            "n_samples": sum(support),
            "n_classes": balance.n_true_classes,
            "effective_classes": balance.effective_true_classes,
        },
        "baseline": _baseline(names, support),
        "transfer": information | _measures("transfer", balance, given),
        "triangle": dict(zip(parts, balance.joint_fractions.tolist(), strict=True)),
        "confusion_entropy": _confusion_entropies(balance, given, samples),
        "intervals": intervals,
        "accuracy": _accuracies(balance, given, is_known),
        "classes": _classes(balance, given, names, support),
        "confusions": _confusions(given, names, columns, source),
    }
    probabilities = None
    if samples is not None:
        cv = min(_FOLDS, len(samples.true)) if len(samples.true) > 1 else None
        probabilities = probability.balance_samples(samples, cv=cv)
        numbers["probabilities"] = probabilities.to_dict()
    stated = numbers
    if given.class_weight is not None:  # no sum of probabilities is right or wrong
        stated = numbers | {"accuracy": {"accuracy": math.nan, "is_exchanged": False}}
    numbers["verdict"] = words.verdict(stated, is_known)
    numbers["notes"] = [*notes, *words.notes(numbers, digits)]
    level = confidence_level if intervals else None
    shown = given.table, columns, is_known, level, digits
    return Report(numbers, *shown, samples, probabilities)


def _names(labels, target_names):
    names = [str(name) for name in (labels if target_names is None else target_names)]
    if not len(names) == len(set(names)) == len(labels):
        raise ValueError(
            f"target_names must be distinct, one for each of the {len(labels)} classes "
            f"{labels}. Got {names}."
        )
    return names


def _columns(given, names):
    if given.pred_labels is None:
        return [str(place) for place in range(given.table.shape[1])]
    named = dict(zip(given.labels.tolist(), names, strict=True))
    return [named.get(label, str(label)) for label in given.pred_labels.tolist()]


def _support(given):
    """Numbers of samples of the classes as ints, or weights as floats."""
    whole = given.size is None and given.total < 2**63 and not (given.support % 1).any()
    return given.support.astype(np.int64 if whole else np.float64).tolist()


def _intervals(given, confidence_level, source):
    """Intervals of the main measures, and what their warnings or absence mean."""
    reason = _no_intervals(given)
    if confidence_level is None or reason:
        return {}, [one for one in (given.warning, reason) if one]
    source, intervals = source | {"confidence_level": confidence_level}, {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for one in MAIN:
            if one.input == "table" or given.is_square:
                interval = confidence_interval(metric=one.name, **source)
                intervals[one.name] = {key: getattr(interval, key) for key in _KEYS}
    notes = {str(one.message): 0 for one in caught if one.category is UserWarning}
    # A warning may repeat another one after its own words.
    return intervals, [one for one in notes if sum(one in more for more in notes) == 1]


def _no_intervals(given):
    """Why there are no intervals, if it is so."""
    if _holds_probabilities(given):
        return "No intervals: the table holds probabilities, not samples."
    if _is_large(given):
        return f"No intervals: the table is sparse or has over {_MOST_CLASSES} classes."
    if given.n_samples < 2 - 1e-9:
        return f"No intervals: they need at least 2 samples. Got {given.n_samples:.3g}."
    return ""


def _holds_probabilities(given):
    """Whether nothing says how many samples there were."""
    is_bare = given.size is None and given.table.dtype.kind == "f"
    return given.class_weight is not None or (is_bare and given.total <= 1 + 1e-9)


def _is_known(given, balance, intervals, source, largest):
    """Whether predictions say more about the true classes than chance could."""
    if balance.mutual_information <= 0 or balance.entropy_true == 0:
        return False
    if not _is_large(given):
        with warnings.catch_warnings(), suppress(ValueError):  # of weights, for example
            warnings.simplefilter("ignore")
            options = source | {"n_resamples": _DRAWS, "random_state": 0}
            return independence_test(**options).p_value <= _LEVEL
    floors = {"normalized_information": 0.0, "accuracy": largest}
    if intervals:
        return any(one["low"] > floors.get(name, 1) for name, one in intervals.items())
    if given.table.dtype.kind == "f" or given.total > _MOST_SHUFFLED:
        return True
    sides = (np.repeat(np.arange(len(x)), x) for x in map(given.table.sum, (1, 0)))
    true, pred = map(np.random.default_rng(0).permutation, sides)
    chance = EntropyBalance.from_predictions(true, pred).mutual_information
    return balance.mutual_information - chance > 0.01 * balance.entropy_true


def _is_large(given):
    return sp.issparse(given.table) or max(given.table.shape) > _MOST_CLASSES


def _baseline(names, support):
    """What always answering the largest class gives."""
    largest, k = int(np.argmax(support)), len(names)
    place = np.arange(k), np.full(k, largest)
    constant = sp.csr_array((np.asarray(support, float), place), shape=(k, k))
    values = {m.name: float(m(constant)) for m in MAIN}
    return {"largest_class": names[largest], **values}


def _measures(section, balance, given):
    """The measures of tables that the catalogue puts into a section."""
    return {
        one.name: one(balance) if one.input == "table" or given.is_square else math.nan
        for one in MEASURES.values()
        if one.section == section and not one.of_probabilities
    }


def _confusion_entropies(balance, given, samples):
    """The confusion entropies of labels, and of probabilities if there are any."""
    values = _measures("confusion_entropy", balance, given)
    modified = partial(MEASURES["confusion_entropy"], balance, modified=True)
    values["modified_confusion_entropy"] = modified() if given.is_square else math.nan
    soft = given if samples is None else samples.soft_table()
    if soft.class_weight is not None:
        values |= {
            name: one(soft.table, class_weight=soft.class_weight)
            for name, one in MEASURES.items()
            if one.section == "confusion_entropy" and one.of_probabilities
        }
    return values


def _accuracies(balance, given, is_known):
    """Accuracy, plain and under the best relabelling of the predictions."""
    measures, table = _measures("accuracy", balance, given), balance.table
    if table.shape[0] > _MOST_RELABELLED or not given.is_square:
        return measures | {"best_relabelling": None, "is_exchanged": None}
    dense = table.toarray() if sp.issparse(table) else table
    total = dense.sum(dtype=np.float64)
    order = linear_sum_assignment(dense, maximize=True)[1]
    moved = np.flatnonzero(order != np.arange(len(order)))
    places = (moved, moved), (moved, order[moved])
    lost, won = (float(dense[place].sum(dtype=np.float64) / total) for place in places)
    # The best of many relabellings wins some samples by chance alone, the more so the
    # more classes it may exchange, but hardly most of their samples.
    is_most = 2 * won > dense[moved].sum(dtype=np.float64) / total
    size = 9 if is_most else max(9, 2 * math.lgamma(len(moved) + 1))
    chance = math.sqrt(size * (won + lost) / given.n_samples)
    # So does one that calls a class by the name of a larger one.
    before, after = (dense.sum(1)[i] @ (dense.sum(0)[j] / total) for i, j in places)
    is_better = won * before >= lost * after * (1 + 1e-9)
    return measures | {
        "best_relabelling": measures["accuracy"] + max(won - lost, 0.0),
        "is_exchanged": bool(is_known and won - lost > chance and is_better),
    }


def _classes(balance, given, names, support):
    """Support, rates and confusion of each class."""
    rates = np.full((5, len(names)), math.nan)
    if _shares_classes(given):
        rates[:2] = _recall_and_precision(given)
    if given.is_square:
        rates[2:4] = measure.phi_delta(balance, average=None)
        rates[4] = measure.confusion_entropy_per_class(balance)
    keys = "support", *words.CLASS_RATES
    rows = zip(support, *rates.tolist(), strict=True)
    return {
        name: dict(zip(keys, row, strict=True))
        for name, row in zip(names, rows, strict=True)
    }


def _shares_classes(given):
    return (given.columns_of_hits >= 0).any()


def _recall_and_precision(given):
    """Hits as shares of the rows and of the columns of the same classes."""
    table = sp.csr_array(given.table, dtype=np.float64)
    columns = given.columns_of_hits
    rows = np.flatnonzero(columns >= 0)
    own = sp.csr_array((np.ones(len(rows)), (rows, columns[rows])), table.shape)
    hits = table.multiply(own).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return hits / table.sum(axis=1), hits / (own @ table.sum(axis=0))


def _confusions(given, names, columns, source):
    """Systematic confusions, with the classes as the report names them."""
    if not _shares_classes(given) or _holds_probabilities(given):
        return []
    true = dict(zip(given.labels.tolist(), names, strict=True))
    pred = dict(zip(given.pred_labels.tolist(), columns, strict=True))
    return [
        asdict(replace(pair, true=true[pair.true], pred=pred[pair.pred]))
        for pair in confusion_pairs(**source).pairs
    ]
