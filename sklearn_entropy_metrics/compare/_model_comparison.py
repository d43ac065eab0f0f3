"""The result of a comparison of several models, as records, text and HTML."""

from dataclasses import asdict, dataclass
from typing import Any

from sklearn_entropy_metrics._html import html_table, html_text

# Values that differ by no more than this are equal but for round-off.
TIE = 1e-12


@dataclass(frozen=True)
class ComparedModel:
    """One of several models.

    Attributes
    ----------
    name : hashable
        Its name.

    estimate, low, high, standard_error : float
        The metric and its interval, as returned by
        :func:`~sklearn_entropy_metrics.confidence_interval`.

    rank : int
        1 for the best; equal estimates share the smaller rank.

    tied_with_best : bool
        Whether the samples do not show that the best model is better.
    """

    name: Any
    estimate: float
    low: float
    high: float
    standard_error: float
    rank: int
    tied_with_best: bool


@dataclass(frozen=True)
class ComparedPair:
    """Two of several models.

    Attributes
    ----------
    a, b : hashable
        Their names; the first has the better or an equal estimate.

    difference, low, high : float
        The metric of the first minus that of the second, and its interval, as returned
        by :func:`~sklearn_entropy_metrics.compare_classifiers`.

    p_value : float
        The p-value of this pair alone.

    adjusted_p_value : float
        The p-value adjusted for the number of pairs by Holm's method.
    """

    a: Any
    b: Any
    difference: float
    low: float
    high: float
    p_value: float
    adjusted_p_value: float


@dataclass(frozen=True, repr=False)
class ModelComparison:
    """What :func:`~sklearn_entropy_metrics.compare_models` returns.

    Attributes
    ----------
    models : list of ComparedModel
        Records with the attributes `name`, `estimate`, `low`, `high`,
        `standard_error`, `rank` and `tied_with_best`, the best model first.

    pairs : list of ComparedPair
        Records with the attributes `a`, `b`, `difference`, `low`, `high`, `p_value` and
        `adjusted_p_value`, in the order of the models.

    metric : str
        The name of the metric.

    greater_is_better : bool
        Whether models with greater values are better.

    confidence_level : float
        The level of all intervals.
    """

    models: list[ComparedModel]
    pairs: list[ComparedPair]
    metric: str
    greater_is_better: bool
    confidence_level: float

    @property
    def undecided(self) -> list[tuple[Any, Any]]:
        """Pairs whose estimates and difference name different winners."""
        sign = 1 if self.greater_is_better else -1
        estimates = {model.name: model.estimate for model in self.models}
        return [
            (pair.a, pair.b)
            for pair in self.pairs
            if sign * pair.difference < -TIE
            and sign * (estimates[pair.a] - estimates[pair.b]) > TIE
        ]

    def to_frame(self) -> Any:
        """Return the models as a data frame; needs pandas.

        Returns
        -------
        frame : pandas.DataFrame
            A row for each model, the best first.
        """
        import pandas as pd

        return pd.DataFrame(list(map(asdict, self.models)))

    def pairs_to_frame(self) -> Any:
        """Return the pairs as a data frame; needs pandas.

        Returns
        -------
        frame : pandas.DataFrame
            A row for each pair.
        """
        import pandas as pd

        return pd.DataFrame(list(map(asdict, self.pairs)))

    def __repr__(self) -> str:
        width = max(len(str(model.name)) for model in self.models)
        heads = ("estimate", "low", "high", "rank")
        lines = [self._title(), "", " " * width + "".join(f"{h:>10}" for h in heads)]
        for model in self.models:
            cells = f"{model.estimate:10.3f}{model.low:10.3f}{model.high:10.3f}"
            mark = "  *" if model.tied_with_best else ""
            lines.append(f"{model.name!s:<{width}}{cells}{model.rank:10}{mark}")
        first, *others = self._words()
        return "\n".join([*lines, "", f"* {first}", *others])

    def _repr_html_(self) -> str:
        heads = ("model", "estimate", "low", "high", "rank", "tied with best")
        rows = [
            [
                model.name,
                *(f"{x:.3f}" for x in (model.estimate, model.low, model.high)),
                model.rank,
                "yes" if model.tied_with_best else "no",
            ]
            for model in self.models
        ]
        table = html_table(rows, header=heads, caption=self._title())
        return f"{table}<p>{'<br>'.join(map(html_text, self._words()))}</p>"

    def _title(self):
        return (
            f"{len(self.models)} models by {self.metric}, with "
            f"{100 * self.confidence_level:g}% intervals"
        )

    def _words(self):
        n_pairs = len(self.pairs)
        words = [
            "tied with the best: not shown to be worse, p > "
            f"{1 - self.confidence_level:.4g} adjusted for {n_pairs} "
            f"pair{'s' if n_pairs > 1 else ''}"
        ]
        return words + [
            f"{a} and {b}: undecided, estimates and difference disagree"
            for a, b in self.undecided
        ]
