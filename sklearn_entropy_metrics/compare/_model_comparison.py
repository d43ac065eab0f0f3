"""The result of a comparison of several models, as records, text and HTML."""

from dataclasses import asdict, dataclass
from typing import Any

from sklearn_entropy_metrics._html import html_table, html_text, shorten

# Values that differ by no more than this are equal but for round-off.
TIE = 1e-12
# Characters of a name in texts, and names in a sentence.
_NAME, _MOST = 36, 5


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

    def summary(self) -> str:
        """Which model is the best, and which tie with it, in a sentence or two.

        Returns
        -------
        summary : str
        """
        best, *others = self.models
        name = shorten(best.name, _NAME)
        words = (
            f"{name} is the best by {self.metric}: {best.estimate:.3f} "
            f"[{best.low:.3f}, {best.high:.3f}]."
        )
        tied = [shorten(one.name, _NAME) for one in others if one.tied_with_best]
        if len(tied) == len(others):
            return f"{words} No other model is significantly worse."
        if not tied:
            return f"{words} All others are significantly worse."
        names = ", ".join(tied[:_MOST]) + (", …" if len(tied) > _MOST else "")
        return f"{words} Not significantly worse: {names}."

    def rows(self) -> tuple[list[str], list[list[str]]]:
        """The models as texts, for tables.

        Returns
        -------
        heads : list of str

        rows : list of list of str
            A row for each model, the best first.
        """
        return ["model", "estimate", "low", "high", "rank", ""], [
            [
                str(one.name),
                *(f"{number:.3f}" for number in (one.estimate, one.low, one.high)),
                str(one.rank),
                "*" if one.tied_with_best and place > 0 else "",
            ]
            for place, one in enumerate(self.models)
        ]

    def __repr__(self) -> str:
        lines = text_lines(*self.rows(), width=_NAME)
        return "\n".join([self._title(), "", *lines, "", self._note()])

    def _repr_html_(self) -> str:
        heads, rows = self.rows()
        table = html_table(rows, header=heads, caption=self._title(), named_rows=True)
        return f"{table}<p>{html_text(self._note())}</p>"

    def _title(self):
        return title_of(self, f"{len(self.models)} models")

    def _note(self):
        n_pairs, n_tied = (
            len(self.pairs),
            sum(one.tied_with_best for one in self.models),
        )
        level = f"{1 - self.confidence_level:.4g}"
        adjusted = f", adjusted for {n_pairs} pairs" if n_pairs > 1 else ""
        if n_tied == 1:
            return f"all others are significantly worse: p ≤ {level}{adjusted}"
        if n_tied == len(self.models):
            return f"* no other model is significantly worse: p > {level}{adjusted}"
        return f"* not significantly worse than the best: p > {level}{adjusted}"


def title_of(comparison: Any, what: str) -> str:
    """The first line of a comparison of models or segments."""
    level = f"{100 * comparison.confidence_level:g}%"
    return f"{what} by {comparison.metric}, with {level} intervals"


def text_lines(heads: list[str], rows: list[list[str]], width: int) -> list[str]:
    """A table as lines of text: names of at most some characters, then numbers."""
    names = [shorten(row[0], width) for row in rows]
    width = max(map(len, names))
    return [
        f"{name:<{width}}{''.join(map(_text_cell, row[1:]))}".rstrip()
        for name, row in zip(["", *names], [heads, *rows], strict=True)
    ]


def _text_cell(cell):
    return f"  {cell}" if cell == "*" else f"{cell:>10}"
