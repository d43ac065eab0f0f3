"""The numbers of a report in words."""

from math import isnan, log2
from typing import Any, NamedTuple

from sklearn_entropy_metrics.score.report.content import Content

_PERCENT = "\u00a0%"  # which stays with its number
# What single numbers say that are no measures, by their sections and keys in the dict.
MEANINGS = {
    "task": {"effective_classes": "as uncertain as this many equally frequent classes"},
    "transfer": {
        "mutual_information": "what one prediction says about the true class",
    },
    "triangle": {
        "divergence": "missing: classes are not equally frequent",
        "mutual_information": "transferred",
        "variation_of_information": "lost in errors",
    },
    "accuracy": {
        "best_relabelling": "if the predicted classes had the best possible names",
    },
    "probabilities": {
        "information": "after recalibration, on other samples than it was fitted to",
        "stated_information": "negative if the probabilities mislead",
    },
}


class Headline(NamedTuple):
    """A key number for the reader, and what it means."""

    title: str
    value: str
    range: str


def percent(share: float) -> str:
    """A share in words."""
    return f"{100 * share:.1f}{_PERCENT}"


def signed_percent(share: float) -> str:
    """A share in words, with its sign."""
    return f"{100 * share:+.1f}{_PERCENT}".replace("-", "−")


def count(number: float) -> str:
    """A number of samples, or a weight."""
    if isinstance(number, int):
        return f"{number:,}"
    return f"{number:,.0f}" if 1e4 <= number < 1e15 else f"{number:.4g}"


def headlines(content: Content) -> list[Headline]:
    """The main numbers, corrected where possible."""
    numbers = content.numbers
    transfer, found = numbers["transfer"], []
    for title, key, observed in (
        (
            "of the information is transferred",
            "normalized_information",
            transfer["normalized_information"],
        ),
        ("of the predictions are right", "accuracy", numbers["accuracy"]["accuracy"]),
    ):
        if not isnan(observed):
            value, ends = _corrected(key, observed, content)
            found.append(Headline(title, percent(value), _in_words(ends, content)))
    if isnan(transfer["normalized_information"]):
        return found
    key = "entropy_modulated_accuracy"
    value, ends = _corrected(key, transfer[key], content)
    task = numbers["task"]
    ends = [1 / max(end, 1 / task["n_classes"]) for end in reversed(ends)]
    title = f"of {task['effective_classes']:.2f} classes still in question"
    left_open = _in_words(ends, content, "{:.2f}".format)
    return [*found, Headline(title, f"{1 / value:.2f}", left_open)]


def _corrected(key, observed, content):
    """The corrected value and its interval if there is one, or the observed value."""
    interval = content.numbers["intervals"].get(key)
    if interval is None or isnan(interval["estimate"]):
        return observed, ()
    ends = interval["low"], interval["high"]
    return interval["estimate"], () if isnan(ends[0]) else ends


def _in_words(ends, content, write=percent):
    """An interval in words, if there is one."""
    if not ends or content.confidence_level is None:
        return ""
    level = f"{100 * content.confidence_level:g}{_PERCENT}"
    return f"{level} interval: {' to '.join(map(write, ends))}"


def summary(content: Content) -> list[str]:
    """The main numbers as sentences."""
    numbers = content.numbers
    task, transfer = numbers["task"], numbers["transfer"]
    observed = transfer["normalized_information"]
    sentences = [
        f"{count(task['n_samples'])} samples of {task['n_classes']} classes, which are "
        f"as uncertain as {task['effective_classes']:.2f} equally frequent ones."
    ]
    if isnan(observed):
        return [*sentences, "There is no uncertainty that predictions could reduce."]
    entropy = log2(task["effective_classes"])
    sentences += [
        f"The predictions transfer {transfer['mutual_information']:.2f} of "
        f"{entropy:.2f} bits: {_share('normalized_information', observed, content)}.",
        "After a prediction, the true class is as uncertain as one of "
        f"{1 / transfer['entropy_modulated_accuracy']:.2f} equally likely classes.",
    ]
    accuracy = numbers["accuracy"]["accuracy"]
    if not isnan(accuracy):
        share = _share("accuracy", accuracy, content)
        sentences.append(f"The accuracy is {share}.")
    return sentences


def _share(key, observed, content):
    """A share as observed, as corrected, and its interval in words."""
    value, ends = _corrected(key, observed, content)
    said, corrected = percent(observed), percent(value)
    if corrected != said:
        said += f", or {corrected} when corrected for the number of samples"
    interval = _in_words(ends, content)
    return f"{said} ({interval})" if interval else said


def of_triangle(fractions: Any) -> str:
    """Where the entropy goes, from the three coordinates in the triangle."""
    divergence, information, variation = map(percent, fractions)
    return (
        f"{information} transferred, {variation} lost in errors, {divergence} missing "
        "because classes are not equally frequent"
    )


def of_probabilities(balance: dict[str, Any]) -> str:
    """The balance of the log loss as a sentence."""
    entropy, information, stated, decided = (
        f"{balance[key]:.2f}".replace("-", "−")
        for key in (
            "entropy",
            "information",
            "stated_information",
            "decision_information",
        )
    )
    return (
        f"Of the {entropy} bits of the classes, the probabilities know {information} "
        f"when recalibrated ({balance['recalibration']}), state {stated} as they are, "
        f"and keep {decided} when turned into decisions."
    )


def distrust(content: Content) -> list[str]:
    """What not to trust, or that nothing stands out."""
    return content.numbers["notes"] or [
        "Nothing stands out: there are enough samples, and no classes are exchanged."
        if content.numbers["intervals"]
        else "Nothing stands out, but there are no intervals to judge by."
    ]
