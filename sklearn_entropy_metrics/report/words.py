"""The numbers of a report in words: verdict, notes, titles and meanings."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from sklearn_entropy_metrics._html import shorten
from sklearn_entropy_metrics.compare.pairs import ConfusionPair
from sklearn_entropy_metrics.measure.catalog import MEASURES

# Classes that the verdict names, and confusions that a report lists, at most.
_MOST_NAMED, _MOST_CONFUSIONS = 3, 10
# From this share of right predictions on, the errors are counted instead.
_NEAR_PERFECT = 0.98
# Keys of the rates of a class in the dict, and the heads of their columns.
CLASS_RATES = "recall", "precision", "phi", "delta", "confusion_entropy"
CLASS_HEADS = "recall", "precision", "φ", "δ", "CEN_j"
CLASS_MEANINGS = (
    "Recall: share of the samples of the class that were found. Precision: share of "
    "the predictions of the class that are right. δ: recall minus the rate of false "
    "alarms; 1 if the class is never mistaken, 0 if it is guessed. φ: rate of false "
    "alarms minus rate of misses. CEN_j: confusion entropy of the class."
)
# Confusion entropies of labels and of probabilities are weighted in different ways.
_CRISP = "Confusion entropy, weighted by class"
_SOFT = "Confusion of probabilities, weighted by confusion"
# Further numbers: titles of the sections, and title and meaning of each number that is
# no measure of the catalogue.
_SECTIONS = {
    "task": "Task",
    "transfer": "Information",
    "triangle": "Entropy triangle",
    "confusion_entropy": _CRISP,
    "accuracy": "Accuracy",
    "probabilities": "Probabilities, in bits",
}
_TITLES = """
task.n_samples: samples
task.n_classes: classes (k)
task.effective_classes: effective classes (k_X); as many even classes are as uncertain
transfer.mutual_information: mutual information in bits (MI)
triangle.divergence: uneven (ΔH'); classes or predictions are uneven
triangle.mutual_information: shared (2MI'); by truth and prediction
triangle.variation_of_information: not shared (VI'); confused or ignored
confusion_entropy.modified_confusion_entropy: modified (MCEN)
accuracy.best_relabelling: best relabelling; with the best names of predicted classes
probabilities.entropy: entropy of the classes (H); what there is to know
probabilities.log_loss: log loss (L = H - I + M)
probabilities.information: information (I); provided after recalibration
probabilities.miscalibration: miscalibration (M); lost by wrong probabilities
probabilities.stated_information: information as stated (H - L); negative if misleading
probabilities.decision_information: information of the decisions
probabilities.decision_loss: lost by deciding
probabilities.normalized_information: share of the entropy (I / H)
probabilities.recalibration: recalibrated by
"""
_TITLED = dict(line.split(": ", 1) for line in _TITLES.strip().splitlines())


def percent(share: float) -> str:
    """A share in words; only 0 and 1 are printed as 0 and 100 %."""
    said = f"{100 * share:.1f}"
    if said == "100.0" and share < 1:
        return "more than 99.9\u00a0%"
    if said == "0.0" and share > 0:
        return "less than 0.1\u00a0%"
    return f"{said}\u00a0%"


def count(number: float) -> str:
    """A number of samples, or a weight."""
    if isinstance(number, int):
        return f"{number:,}"
    return f"{number:,.0f}" if 1e4 <= number < 1e15 else f"{number:.4g}"


def quoted(name: str) -> str:
    """A name in a sentence."""
    return f"'{shorten(name, 24)}'"


def verdict(numbers: dict[str, Any], is_known: bool) -> list[str]:
    """What the numbers mean, in one to four sentences without symbols.

    Parameters
    ----------
    numbers : dict
        The report as a dict.

    is_known : bool
        Whether predictions say more about the true classes than chance would.

    Returns
    -------
    sentences : list of str
    """
    if numbers["task"]["effective_classes"] == 1:
        only = quoted(numbers["baseline"]["largest_class"])
        return [
            f"All samples are of one class, {only}: there is nothing to tell apart."
        ]
    sentences = [_known(numbers, is_known)]
    if numbers["accuracy"]["is_exchanged"]:
        best = percent(numbers["accuracy"]["best_relabelling"])
        sentences.append(
            "The names of classes seem to be exchanged: with other names for the "
            f"predicted classes, {best} would be right."
        )
    elif missed := _missed(numbers, is_known):
        sentences.append(missed)
    return sentences


def _known(numbers, is_known):
    """How much the predictions say about the true class, and how many are right."""
    accuracy = numbers["accuracy"]["accuracy"]
    if accuracy == 1:
        return _all_right(numbers, is_known)
    share = percent(numbers["transfer"]["normalized_information"])
    said = f"The predictions provide {share} of the information about the true class"
    if numbers["transfer"]["mutual_information"] <= 1e-12:
        said = "The predictions say nothing about the true class"
    elif not is_known:
        said = (
            "The predictions say no more about the true class than chance could explain"
        )
    return f"{said}." if math.isnan(accuracy) else f"{said}; {_right(numbers)}."


def _all_right(numbers, is_known):
    """What it means that there is no error."""
    n_samples, said = numbers["task"]["n_samples"], "All predictions are right"
    if isinstance(n_samples, int):
        said = f"All {n_samples:,} predictions are right"
    low = numbers["intervals"].get("accuracy", {"low": None})["low"]
    if low is not None and low <= numbers["baseline"]["accuracy"]:
        if is_known:
            always = f"always answering {quoted(numbers['baseline']['largest_class'])}"
            return f"{said}, but {always} may be right as often in the long run."
        return f"{said}, but so few samples cannot rule out chance."
    more = f"; as few as {percent(low)} could be in the long run" if low else ""
    return f"{said}{more}."


def _right(numbers):
    """How many predictions are right, against always answering the largest class."""
    accuracy, baseline = numbers["accuracy"]["accuracy"], numbers["baseline"]
    always = f"always answering {quoted(baseline['largest_class'])}"
    floor = baseline["accuracy"]
    said = f"{percent(accuracy)} of them are right"
    if abs(accuracy - floor) < 1e-12:
        return f"{said}, and {always} is right as often"
    if accuracy < floor:
        return f"{said}, but {always} is right more often ({percent(floor)})"
    if accuracy >= _NEAR_PERFECT:
        said, floor = f"only {percent(1 - accuracy)} of them are wrong", 1 - floor
    said += f", against {percent(floor)} for {always}"
    interval = numbers["intervals"].get("accuracy")
    if interval is not None and interval["low"] <= baseline["accuracy"]:
        return f"{said}, which may be right as often in the long run"
    return said


def _missed(numbers, is_known):
    """The classes with a recall below half of the accuracy."""
    least = numbers["accuracy"]["accuracy"] / 2
    missed = [
        (row["recall"], -row["support"], name)
        for name, row in numbers["classes"].items()
        if row["recall"] < least
    ]
    if not missed:
        return ""
    worst = [name for *_, name in sorted(missed)[:_MOST_NAMED]]
    said = "; ".join(_recalled(name, numbers["classes"][name]) for name in worst)
    if n_more := len(missed) - len(worst):
        classes = "class was" if n_more == 1 else "classes were"
        said += f"; {n_more} more {classes} found less than half as often as average"
    if is_known and numbers["transfer"]["normalized_information"] >= 0.5:
        return f"Much is known, but unevenly: {said}."
    return f"{said[0].upper()}{said[1:]}."


def _recalled(name, row):
    """How many samples of a class were found."""
    support = row["support"]
    if not isinstance(support, int):
        return f"{percent(row['recall'])} of {quoted(name)} were found"
    if support == 1:
        return f"the one sample of {quoted(name)} was not found"
    hits = round(row["recall"] * support)
    few = f"only {hits:,} of" if hits else "none of the"
    return f"{few} {support:,} samples of {quoted(name)} were found"


def notes(numbers: dict[str, Any], digits: int) -> list[str]:
    """What not to trust, besides what the intervals warn of."""
    far = [
        f"{MEASURES[name].symbol} {interval['plug_in']:.{digits}f} (estimate "
        f"{interval['estimate']:.{digits}f})"
        for name, interval in numbers["intervals"].items()
        if _is_far(digits=digits, **interval)
    ]
    rates = [row["recall"] for row in numbers["classes"].values()]
    undefined = "recall, precision, " if all(map(math.isnan, rates)) else ""
    accuracy = numbers["accuracy"]
    stated = numbers.get("probabilities", {}).get("stated_information", 0)
    rules = {
        "Quote the estimates instead of these observed values, which are far off "
        f"because there are few samples: {', '.join(far)}.": far,
        f"The predicted classes differ from the true ones: accuracy, {undefined}φ, δ "
        "and confusion entropy are not defined.": math.isnan(accuracy["accuracy"]),
        "Exchanged names lower accuracy, recall and precision, but no measure of "
        "information.": accuracy["is_exchanged"],
        "The probabilities mislead: as they are, they say less than the class "
        "frequencies alone.": stated < 0,
    }
    return [note for note, is_true in rules.items() if is_true]


def _is_far(plug_in, estimate, low, high, standard_error, digits):
    """Whether an observed value should not be quoted."""
    off = abs(plug_in - estimate)
    if math.isnan(off) or f"{plug_in:.{digits}f}" == f"{estimate:.{digits}f}":
        return False
    return not low <= plug_in <= high or off > max(standard_error, 0.01)


def confusions(numbers: dict[str, Any]) -> list[str]:
    """The most surprising systematic confusions, a sentence each."""
    records = numbers["confusions"]
    said = [str(ConfusionPair(**record)) for record in records[:_MOST_CONFUSIONS]]
    n_more = len(records) - len(said)
    return [*said, *([f"… and {n_more} more"] if n_more else [])]


def of_probabilities(numbers: dict[str, Any]) -> list[str]:
    """The balance of the log loss in words, if there is one."""
    if "probabilities" not in numbers:
        return []
    balance = numbers["probabilities"]
    information, stated = balance["information"], balance["stated_information"]
    loses = balance["decision_loss"] > 0  # both are estimates
    kept = f"keeps {balance['decision_information']:.2f}" if loses else "loses nothing"
    said = f"as stated, {stated:.2f}"
    if stated < 0:
        said = f"as stated, they mislead by {-stated:.2f} bits"
    return [
        f"Knowing the class is worth {balance['entropy']:.2f} bits. Recalibrated, the "
        f"probabilities provide {max(information, 0):.2f} of them; {said}. Deciding "
        f"for the most probable class {kept}."
    ]


def further_sections(numbers: dict[str, Any]) -> Iterable[tuple[str, list[Any]]]:
    """Titles of sections, and the title, value and meaning of their numbers."""
    sections: dict[str, list[Any]] = {}
    for section, title in _SECTIONS.items():
        for key, value in numbers.get(section, {}).items():
            measure = MEASURES.get(key)
            is_soft = title == _CRISP and measure and measure.of_probabilities
            lines = sections.setdefault(_SOFT if is_soft else title, [])
            if said := _TITLED.get(f"{section}.{key}"):
                name, _, meaning = said.partition("; ")
                lines.append((name, value, meaning))
            elif measure and key not in numbers["baseline"]:
                lines.append((title_of(key), value, measure.meaning))
    return [(title, lines) for title, lines in sections.items() if lines]


def title_of(name: str) -> str:
    """The title of a measure, with its symbol."""
    measure = MEASURES[name]
    symbol = "" if measure.symbol == measure.title else f" ({measure.symbol})"
    return measure.title + symbol


def sorted_classes(classes: dict[str, Any], most: int) -> list[str]:
    """Names of the classes to list, the lowest recall first if there are many."""
    names = list(classes)
    if len(names) > 10:
        names.sort(key=lambda name: (math.isnan(r := classes[name]["recall"]), r))
    return names[:most]
