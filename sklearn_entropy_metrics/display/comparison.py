"""Estimates with their intervals in rows: models, best first, or segments."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.compare.models import compare_models
from sklearn_entropy_metrics.display import _display

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PathCollection, PolyCollection
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

# Inches per row, and above and below all rows.
_ROW, _BORDER = 0.4, 1.5
# Names longer than so many characters break at blanks; names that would take a larger
# share of the width than this are written above their rows.
_LONG, _SHARE = 24, 0.45
_AT_BLANKS: Any = {"break_long_words": False, "break_on_hyphens": False}
# Texts have their full size on Axes so wide, in inches, and in rows so high, in points.
_WIDE, _PITCH = 3.6, 15
# Points that a layout leaves free beside Axes, and between names and anything else.
_FREE, _GAP = 12, 8
# Points that numbers and words below Axes take.
_LABELS = 26


class ComparisonOptions(TypedDict, total=False):
    """Options of :meth:`ModelComparisonDisplay.plot`."""

    trend: bool


_DEFAULTS: ComparisonOptions = {"trend": False}


class ModelComparisonDisplay(_display.Display):
    """Estimates of models or of segments with their intervals, a row each.

    The best model is on top. Models that are not significantly worse are filled and
    green, the others hollow and orange; the band is the interval of the best model.
    Overlapping intervals may still belong to models that differ: the marks come from
    paired tests, which use the fact that both models predicted the same samples.
    Segments keep their order; their band is the interval of all samples.

    Read more in the :ref:`User Guide <intervals>`.

    Parameters
    ----------
    comparison : ModelComparison or SegmentComparison
        The result of :func:`compare_models` or :func:`compare_segments`.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    points_ : dict of str to PathCollection
        The estimates: of the models "tied" with the best and of the "worse" ones, or of
        the "segments".

    intervals_ : LineCollection
        The interval of each row.

    line_ : matplotlib Line2D or None
        The line of a trend.

    band_ : matplotlib PolyCollection
        The interval of the best model, or of all samples.

    texts_ : list of Text
        The numbers of each row, and names that are written above their rows.

    legend_ : matplotlib Legend
        Marks and band in words.

    See Also
    --------
    compare_models : Compares models.
    compare_segments : Compares segments of the samples.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_entropy_metrics import ModelComparisonDisplay
    >>> y_true = [0] * 50 + [1] * 50
    >>> careful = [0] * 45 + [1] * 5 + [0] * 10 + [1] * 40
    >>> guessing = [0, 1] * 50
    >>> display = ModelComparisonDisplay.from_predictions(
    ...     y_true, {"guessing": guessing, "careful": careful}, random_state=0
    ... )
    >>> display.frame()["name"].tolist()
    ['careful', 'guessing']
    >>> plt.close(display.figure_)
    """

    points_: dict[str, PathCollection]
    intervals_: LineCollection
    line_: Line2D | None
    band_: PolyCollection
    texts_: list[Text]
    legend_: Legend

    def __init__(self, *, comparison: Any) -> None:
        self.comparison = comparison

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: Mapping[Any, ArrayLike],
        *,
        metric: str | Callable[..., Any] = "normalized_information",
        confidence_level: float = 0.95,
        random_state: Any = None,
        labels: ArrayLike | None = None,
        pred_labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Unpack[ComparisonOptions],
    ) -> Self:
        """Compare the predictions of models for the same samples, and draw them.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.

        y_pred : dict of name to array-like of shape (n_samples,)
            The predicted labels of two models or more.

        metric, confidence_level, random_state, labels, pred_labels, sample_weight
            As in :func:`compare_models`.

        name, ax, **options
            As in :meth:`plot`.

        Returns
        -------
        display : ModelComparisonDisplay
        """
        comparison = compare_models(
            y_true,
            y_pred,
            metric,
            confidence_level=confidence_level,
            random_state=random_state,
            labels=labels,
            pred_labels=pred_labels,
            sample_weight=sample_weight,
        )
        return cls(comparison=comparison).plot(ax, name=name, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        **options: Unpack[ComparisonOptions],
    ) -> Self:
        """Draw the models or segments.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure of suitable height.

        name : str, default=None
            The title. By default, it says what was found.

        trend : bool, default=False
            Whether to draw segments that are ordered, months for instance, as a line
            from left to right.

        Returns
        -------
        display : ModelComparisonDisplay
            The display itself.
        """
        chosen = _display.read_options(ComparisonOptions, _DEFAULTS, options)
        frame = self.frame()
        if chosen["trend"] and "n_samples" not in frame:
            raise ValueError("`trend` must be False for models, which have no order.")
        height = _BORDER + _ROW * len(frame["name"])
        ax = self._set_axes(ax, None if chosen["trend"] else (6.4, height))
        self.line_, self.texts_ = None, []
        if chosen["trend"]:
            self._draw_trend(frame)
        else:
            self._draw_rows(frame)
        words = self._sentence(frame) if name is None else name
        write_title(ax, words, self._sizes["large"])
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_rows,)
            The attributes of the records of the models, best first, or of the segments.
        """
        rows = getattr(self.comparison, "models", None)
        rows = getattr(self.comparison, "segments", None) if rows is None else rows
        if rows is None:
            raise ValueError(
                "`comparison` must be what compare_models or compare_segments returns. "
                f"Got {self.comparison!r}."
            )
        return {
            key: np.array([getattr(row, key) for row in rows]) for key in vars(rows[0])
        }

    def _draw_rows(self, frame):
        ax, rows = self.ax_, np.arange(len(frame["name"]), dtype=np.float64)
        self._sizes = row_sizes(ax, len(rows))
        ax.tick_params(labelsize=self._sizes["medium"])
        self.texts_ = name_rows(ax, frame["name"], self._sizes["medium"])
        rows += 0.25 if self.texts_ else 0
        ax.set_ylim(len(rows) - 0.4, -0.6)
        ends, color = [-0.6, len(rows) - 0.4], _display.tint(_display.INFORMATION, 0.14)
        self.band_ = ax.fill_betweenx(ends, *self._band(frame), color=color, lw=0)
        self.intervals_ = ax.hlines(rows, frame["low"], frame["high"], linewidth=1.8)
        self._draw_points(frame, frame["estimate"], rows)
        self._write_numbers(frame, rows)
        size = self._sizes["medium"]
        label = ax.set_xlabel(self._label(), parse_math=False, fontsize=size)
        if ax.figure.get_layout_engine() is None and width_of(label) > width_inside(ax):
            label.set_text(self._label().split(",")[0])
        break_lines(label, width_inside(ax))
        ax.spines[["left", "right", "top"]].set_visible(False)
        self._draw_legend()

    def _draw_points(self, frame, x, y):
        """Draw the estimates: filled, or hollow if they are worse than the best."""
        tied = frame.get("tied_with_best", np.full(len(x), True))
        first = "tied" if "tied_with_best" in frame else "segments"
        colors = {first: _display.on_paper(_display.INFORMATION)}
        colors["worse"] = _display.on_paper(_display.LOSS)
        each = [colors[first] if one else colors["worse"] for one in tied]
        self.intervals_.set_color(each)
        ground = self.ax_.get_facecolor()
        self.points_ = {
            key: self.ax_.scatter(
                x[which],
                y[which],
                s=0.46 * self._sizes["medium"] ** 2,
                facecolor=ground if key == "worse" else colors[key],
                edgecolor=colors[key],
                linewidth=1.8,
                zorder=3,
            )
            for key, which in ((first, tied), ("worse", ~tied))
            if which.any()
        }

    def _write_numbers(self, frame, rows):
        """Write the numbers at the right end of the rows, beside all intervals."""
        ax, size = self.ax_, self._sizes["small"]
        numbers = list(zip(frame["estimate"], frame["low"], frame["high"], strict=True))
        texts = [
            ax.text(1, row, _numbers(*one), va="center", ha="right", fontsize=size)
            for row, one in zip(rows, numbers, strict=True)
        ]
        width, room = max(map(width_of, texts)), width_inside(ax)
        if width > 0.3 * room:
            for text in texts:
                text.set_text(text.get_text().split()[0])
            width = max(map(width_of, texts))
        for text in texts:
            text.set_transform(ax.get_yaxis_transform())
        self.texts_ += texts
        leave_free(ax, (width + size) / room)

    def _draw_trend(self, frame):
        ax, places = self.ax_, np.arange(len(frame["name"]))
        self._sizes = row_sizes(ax, 1)
        ax.tick_params(labelsize=self._sizes["medium"])
        ends, shade = (
            [-0.5, len(places) - 0.5],
            _display.tint(_display.INFORMATION, 0.14),
        )
        self.band_ = ax.fill_between(ends, *self._band(frame), color=shade, lw=0)
        self.intervals_ = ax.vlines(places, frame["low"], frame["high"], linewidth=1.8)
        color = _display.on_paper(_display.INFORMATION)
        (self.line_,) = ax.plot(places, frame["estimate"], color=color, linewidth=1.2)
        self._draw_points(frame, places, frame["estimate"])
        names = list(map(str, frame["name"]))
        ax.set_xticks(places, names, parse_math=False)
        widths = [width_of(label) for label in ax.get_xticklabels()]
        step = int(np.ceil(len(places) * (max(widths) + 6) / width_inside(ax)))
        ax.set_xticks(places[::step], names[::step], parse_math=False)
        ax.set_ylabel(self._label(), parse_math=False, fontsize=self._sizes["medium"])
        ax.spines[["right", "top"]].set_visible(False)
        self._draw_legend()

    def _band(self, frame):
        if "n_samples" in frame:
            return self.comparison.overall.low, self.comparison.overall.high
        return frame["low"][0], frame["high"][0]

    def _label(self):
        level = f"{100 * self.comparison.confidence_level:g} %"
        return f"{self.comparison.metric.replace('_', ' ')}, with {level} intervals"

    def _draw_legend(self):
        shown = {**self.points_, "band": self.band_}
        words = _WORDS | ({"band": "all samples"} if "segments" in shown else {})
        entries = {words[key]: artist for key, artist in shown.items() if key in words}
        self.legend_ = legend_above(self.ax_, entries, self._sizes["small"])

    def _sentence(self, frame):
        """What was found, in words."""
        names, values = frame["name"], frame["estimate"]
        if "n_samples" in frame:
            low, high = np.nanargmin(values), np.nanargmax(values)
            return (
                f"From {values[low]:.2f} ({names[low]}) to {values[high]:.2f} "
                f"({names[high]})"
            ).replace("-", "−")
        n_others = len(names) - 1
        n_tied = int(frame["tied_with_best"].sum()) - 1
        if n_tied == 0:
            return f"{names[0]} is best; all others are significantly worse"
        if n_tied == n_others:
            return f"{names[0]} is best; no other model is significantly worse"
        are = "is" if n_tied == 1 else "are"
        return (
            f"{names[0]} is best; {n_tied} of the {n_others} others {are} not "
            "significantly worse"
        )


_WORDS = {
    "tied": "not significantly worse",
    "worse": "significantly worse",
    "band": "interval of the best",
}


def _numbers(estimate, low, high):
    return f"{estimate:.2f}  [{low:.2f}, {high:.2f}]".replace("-", "−")


def row_sizes(ax: Axes, n_rows: int) -> dict[str, float]:
    """Sizes of texts in points: smaller on narrow Axes and in low rows."""
    width, height = _display.inches(ax)
    factor = min(width / _WIDE, 72 * height / (n_rows + 2) / _PITCH, 1)
    words = ("small", "medium", "large")
    return {word: _display.font_size(word, factor) for word in words}


def width_of(text: Any) -> float:
    """The width of a text in points."""
    return float(text.get_window_extent().width * 72 / text.figure.dpi)


def width_inside(ax: Axes) -> float:
    """The width of Axes in points, which a layout makes smaller for names of rows."""
    width = 72 * float(_display.inches(ax)[0])
    spec = ax.get_subplotspec()
    if spec is None or ax.figure.get_layout_engine() is None:
        return width
    share = len(spec.colspan) / spec.get_gridspec().ncols
    names = max(map(width_of, ax.get_yticklabels()), default=0)
    return 72 * share * ax.figure.bbox.width / ax.figure.dpi - names - _FREE


def name_rows(ax: Axes, names: Sequence[Any], size: float) -> list[Any]:
    """Name the rows from the top; return the names that are written above their rows.

    Names that are too long for the room at the left of the Axes break at blanks, and if
    that is not enough, they go above their rows.
    """
    from matplotlib.transforms import offset_copy

    broken = [textwrap.fill(str(one), _LONG, **_AT_BLANKS) for one in names]
    ax.set_yticks(range(len(names)), broken, parse_math=False, fontsize=size)
    ax.tick_params(axis="y", length=0)
    lines = max(name.count("\n") + 1 for name in broken)
    pitch = 72 * float(_display.inches(ax)[1]) / (len(names) + 4)
    widest = max(map(width_of, ax.get_yticklabels()))
    if widest < room_at_left(ax) and 1.25 * lines * size < pitch:
        return []
    ax.set_yticks([])
    # Two thirds of the row at most, one third for what it shows.
    size = max(min(size, pitch / 2.4), 6)
    figure: Any = ax.figure
    above = offset_copy(ax.get_yaxis_transform(), figure, 0, size / 4, units="points")
    look: Any = {"transform": above, "fontsize": size, "va": "bottom"}
    return [
        ax.text(0, row, str(name), parse_math=False, **look)
        for row, name in enumerate(names)
    ]


def room_at_left(ax: Axes) -> float:
    """The points that names may take: a share of what a layout lays out, or what is."""
    box, figure = ax.get_window_extent(), ax.figure
    spec = ax.get_subplotspec()
    if figure.get_layout_engine() is not None and spec is not None:
        share = len(spec.colspan) / spec.get_gridspec().ncols
        return float(_SHARE * share * figure.bbox.width * 72 / figure.dpi)
    others = [one.get_window_extent() for one in figure.axes if one is not ax]
    beside = [one.x1 for one in others if one.x1 <= box.x0]
    return float(box.x0 - max(beside, default=0)) * 72 / figure.dpi - _GAP


def leave_free(ax: Axes, share: float) -> None:
    """Leave a share of the width free at the right; ticks end before it."""
    low, high = ax.get_xlim()
    ticks = [one for one in ax.get_xticks() if low <= one <= high]
    every = 1 if width_inside(ax) > 45 * len(ticks) else 2
    ax.set_xticks(ticks[::every])
    ax.set_xlim(low, high + (high - low) * share / (1 - min(share, 0.6)))


def legend_above(ax: Axes, entries: Mapping[str, Any], size: float) -> Any:
    """Add a legend at the top of the Axes, which make room for it above the rows."""
    look: Any = {"loc": "upper left", "fontsize": size, "frameon": False}
    look |= {"borderaxespad": 0, "borderpad": 0, "columnspacing": 1.2}
    look |= {"handlelength": 1, "handletextpad": 0.5}
    for n_columns in range(len(entries), 0, -1):
        legend = ax.legend(
            list(entries.values()), list(entries), ncols=n_columns, **look
        )
        if width_of(legend) < width_inside(ax):
            break
    height = legend.get_window_extent().height * 72 / ax.figure.dpi + size
    # A layout takes room for the title and for words below from the Axes.
    left = 1 if ax.figure.get_layout_engine() is None else 0.8
    share = min(height / 72 / (left * float(_display.inches(ax)[1])), 0.5)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + (high - low) * share / (1 - share))
    return legend


def break_lines(text: Any, room: float) -> int:
    """Break a text that is wider than the room, in points; return the lines it has."""
    words = text.get_text()
    most = max(int(len(words) * room / max(width_of(text), 1)), 1)
    lines = textwrap.wrap(words, most, **_AT_BLANKS)
    text.set_text("\n".join(lines))
    return len(lines)


def write_title(ax: Axes, words: str, size: float) -> None:
    """Write a title at the left, in as many lines as there is room for above the Axes.

    If the whole does not fit, it ends at its semicolon, or else at its colon; if that
    does not fit either, there is none.
    """
    title = ax.set_title(words, loc="left", fontsize=size, parse_math=False)
    most_lines = _room_above(ax) / (1.3 * size)
    for end in (None, "; ", ": "):
        title.set_text(words.split(end)[0] if end else words)
        if break_lines(title, width_inside(ax)) <= most_lines:
            return
    title.set_text("")


def _room_above(ax):
    """The points above Axes that are free for a title: a layout makes room for it."""
    box, figure = ax.get_window_extent(), ax.figure
    if figure.get_layout_engine() is not None:
        return np.inf
    others = [one.get_window_extent() for one in figure.axes if one is not ax]
    above = [one.y0 for one in others if one.y0 >= box.y1]
    labels = _LABELS if above else _GAP
    top = min(above, default=figure.bbox.y1)
    return (top - box.y1) * 72 / figure.dpi - labels
