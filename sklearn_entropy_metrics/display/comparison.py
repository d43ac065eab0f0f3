"""Estimates with their intervals in rows: models, best first, or segments."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Self, TypedDict, Unpack

import numpy as np
from matplotlib import axes, collections, legend, lines, text, transforms
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from sklearn_entropy_metrics._html import shorten
from sklearn_entropy_metrics.compare.models import compare_models
from sklearn_entropy_metrics.display import _display

# Inches per row, and above and below all rows.
_ROW, _BORDER = 0.4, 1.5
# Names longer than so many characters break at blanks; names that would take a larger
# share of the width than this are written above their rows.
_LONG, _SHARE = 24, 0.45
_AT_BLANKS: Any = {"break_long_words": False, "break_on_hyphens": False}
# The width of a character, in sizes of its font.
_CHARACTER = 0.58
# Texts have their full size on Axes so wide, in inches, and in rows so high, in points.
_WIDE, _PITCH = 3.6, 15
# Points between names and anything else.
_GAP = 8
# Points that numbers and words below Axes take.
_LABELS = 30


class ComparisonOptions(TypedDict, total=False):
    """Options of :meth:`ModelComparisonDisplay.plot`."""

    trend: Annotated[bool, False]


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

    points_: dict[str, collections.PathCollection]
    intervals_: collections.LineCollection
    line_: lines.Line2D | None
    band_: collections.PolyCollection
    texts_: list[text.Text]
    legend_: legend.Legend

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
        ax: axes.Axes | None = None,
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
        ax: axes.Axes | None = None,
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
        trend = _display.read_options(ComparisonOptions, options)["trend"]
        frame = self.frame()
        if trend and "n_samples" not in frame:
            raise ValueError("`trend` must be False: models have no order. Got True.")
        n_rows = len(frame["name"])
        ax = self._set_axes(ax, None if trend else (6.4, _BORDER + _ROW * n_rows))
        self._sizes = start_rows(ax, 1 if trend else n_rows)
        self.line_, self.texts_ = None, []
        (self._draw_trend if trend else self._draw_rows)(frame)
        shown = {**self.points_, "band": self.band_}
        words = _WORDS | ({"band": "all samples"} if "segments" in shown else {})
        entries = {words[key]: artist for key, artist in shown.items() if key in words}
        self.legend_ = legend_above(ax, entries, self._sizes["small"])
        title = self._sentence(frame) if name is None else name
        write_title(ax, title, self._sizes["large"])
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_rows,)
            The attributes of the records of the models, best first, or of the segments.
        """
        rows = getattr(self.comparison, "segments", None)
        rows = getattr(self.comparison, "models", rows)
        if rows is None:
            raise ValueError(
                "`comparison` must be what compare_models or compare_segments returns. "
                f"Got {self.comparison!r}."
            )
        keys = vars(rows[0])
        return {key: np.array([getattr(row, key) for row in rows]) for key in keys}

    def _draw_rows(self, frame):
        ax, size = self.ax_, self._sizes["medium"]
        self.texts_ = name_rows(ax, frame["name"], size)
        rows = np.arange(len(frame["name"])) + (0.25 if self.texts_ else 0)
        ends = [len(rows) - 0.4, -0.6]
        ax.set_ylim(*ends)
        self.band_ = ax.fill_betweenx(ends, *self._band(frame), **_shade())
        self.intervals_ = ax.hlines(rows, frame["low"], frame["high"], linewidth=1.8)
        self._draw_points(frame, frame["estimate"], rows)
        self._write_numbers(frame, rows)
        self._write_label(ax.set_xlabel, width_inside(ax))

    def _draw_points(self, frame, x, y):
        """Draw the estimates: filled, or hollow if they are worse than the best."""
        tied = frame.get("tied_with_best", np.full(len(x), True))
        first = "tied" if "tied_with_best" in frame else "segments"
        best, worse = map(_display.on_paper, (_display.INFORMATION, _display.LOSS))
        self.intervals_.set_color([best if one else worse for one in tied])
        look: Any = {"s": 0.46 * self._sizes["medium"] ** 2, "lw": 1.8, "zorder": 3}
        paper = self.ax_.get_facecolor()
        self.points_ = {
            key: self.ax_.scatter(x[some], y[some], fc=inside, ec=edge, **look)
            for key, some, inside, edge in (
                (first, tied, best, best),
                ("worse", ~tied, paper, worse),
            )
            if some.any()
        }

    def _write_numbers(self, frame, rows):
        """Write the numbers at the right end of the rows, beside all intervals."""
        ax, size, room = self.ax_, self._sizes["small"], width_inside(self.ax_)
        low, high = ax.get_xlim()
        look: Any = {"va": "center", "ha": "right", "fontsize": size}
        look["transform"] = ax.get_yaxis_transform()
        named = rows if self.texts_ else ax.get_yticks()
        numbers = (map(_number, frame[key]) for key in ("estimate", "low", "high"))
        texts = [
            ax.text(1, row, f"{estimate}  [{start}, {stop}]", **look)
            for row, estimate, start, stop in zip(rows, *numbers, strict=True)
            if estimate != "nan" and row in named
        ]
        if max(map(width_of, texts), default=0) > 0.3 * room:
            for text in texts:
                text.set_text(text.get_text().split()[0])
        self.texts_ += texts
        few = MaxNLocator(max(int(room / 60), 2), steps=(1, 2, 2.5, 5, 10))
        ax.set_xticks([one for one in few.tick_values(low, high) if low <= one <= high])
        share = min((max(map(width_of, texts), default=0) + size) / room, 0.6)
        ax.set_xlim(low, high + (high - low) * share / (1 - share))

    def _draw_trend(self, frame):
        ax, places = self.ax_, np.arange(len(frame["name"]))
        ends = [-0.5, len(places) - 0.5]
        self.band_ = ax.fill_between(ends, *self._band(frame), **_shade())
        self.intervals_ = ax.vlines(places, frame["low"], frame["high"], linewidth=1.8)
        color = _display.on_paper(_display.INFORMATION)
        (self.line_,) = ax.plot(places, frame["estimate"], color=color, linewidth=1.2)
        self._draw_points(frame, places, frame["estimate"])
        room = width_inside(ax) / len(places) / (_CHARACTER * self._sizes["medium"])
        wrap = textwrap.TextWrapper(max(int(room), 1), **_AT_BLANKS)
        names = [wrap.fill(str(one)) for one in frame["name"]]
        ax.set_xticks(places, names, parse_math=False)
        widest = max(map(width_of, ax.get_xticklabels()), default=0)
        step = int(np.ceil(len(places) * (widest + 6) / width_inside(ax)))
        ax.set_xticks(places[::step], names[::step], parse_math=False, linespacing=1)
        self._write_label(ax.set_ylabel, 0.7 * 72 * float(_display.inches(ax)[1]))

    def _band(self, frame):
        if "n_samples" in frame:
            return self.comparison.overall.low, self.comparison.overall.high
        return frame["low"][0], frame["high"][0]

    def _write_label(self, write, room):
        words = self.comparison.metric.replace("_", " ")
        level = f", with {100 * self.comparison.confidence_level:g} % intervals"
        write_label(write, words, level, self._sizes["medium"], room)

    def _sentence(self, frame):
        """What was found, in words."""
        names, values = frame["name"], frame["estimate"]
        if np.isnan(values).all():
            return "No row has an estimate"
        if "n_samples" in frame:
            ends = [np.nanargmin(values), np.nanargmax(values)]
            low, high = (f"{_number(values[one])} ({names[one]})" for one in ends)
            return f"From {low} to {high}"
        n_others = len(names) - 1
        n_tied = int(frame["tied_with_best"].sum()) - 1
        are = "is" if n_tied == 1 else "are"
        rest = "the other is" if n_others == 1 else "all others are"
        said = {0: rest, n_others: "no other model is"}
        others = said.get(n_tied, f"{n_tied} of the {n_others} others {are} not")
        best = "is among the best" if frame["rank"][1] == 1 else "is best"
        return f"{names[0]} {best}; {others} significantly worse"


_WORDS = {
    "tied": "not significantly worse",
    "worse": "significantly worse",
    "band": "interval of the best",
}


def _shade():
    return {"color": _display.tint(_display.INFORMATION, 0.14), "linewidth": 0}


def _number(value):
    return f"{value:z.2f}".replace("-", "−")


def start_rows(ax: axes.Axes, n_rows: int) -> dict[str, float]:
    """Leave only the lower border of Axes; return the sizes of texts in points.

    They are smaller on narrow Axes and in low rows.
    """
    width, height = _display.inches(ax)
    factor = min(width / _WIDE, 72 * height / (n_rows + 2) / _PITCH, 1)
    words = ("small", "medium", "large")
    sizes = {word: _display.font_size(word, factor) for word in words}
    if factor < 0.9:  # a sentence takes few lines
        sizes["large"] = sizes["medium"]
    pad = 0.35 * sizes["medium"]  # small Axes have a small border, too
    ax.tick_params(labelsize=sizes["medium"], length=pad, pad=pad)
    ax.tick_params(axis="y", length=0)
    ax.spines[["left", "right", "top"]].set_visible(False)
    return sizes


def width_of(text: Any) -> float:
    """The width of a text in points."""
    return float(_display.size_of(text)[0])


def width_inside(ax: axes.Axes) -> float:
    """The width of Axes in points, which a layout makes smaller for names of rows."""
    width = 72 * float(_display.inches(ax)[0])
    if ax.figure.get_layout_engine() is None:
        return width
    names = [*ax.get_yticklabels(), ax.yaxis.label]
    return width - max(map(width_of, names)) - 2 * width_of(ax.yaxis.label)


def name_rows(ax: Any, names: Sequence[Any], size: float) -> list[Any]:
    """Name the rows from the top; return the names that are written above their rows.

    Names that are too long for the room at the left of the Axes break at blanks, and if
    that is not enough, they go above their rows. Above low rows they would cover what
    these show: there they are shortened, and Axes that no layout moves become narrower.
    """
    broken = [textwrap.fill(str(one), _LONG, **_AT_BLANKS) for one in names]
    ax.set_yticks(range(len(names)), broken, parse_math=False, fontsize=size)
    lines = max(name.count("\n") + 1 for name in broken)
    width, height = 72 * _display.inches(ax)
    pitch, room = height / (len(names) + 4), room_at_left(ax)
    widest = max(map(width_of, ax.get_yticklabels()), default=0)
    if widest < room and 1.25 * lines * size < pitch:
        return []
    # Two thirds of the row at most, one third for what it shows.
    is_low, size = pitch / 2.4 < 6, max(min(size, pitch / 2.4), 6)
    if is_low and room:
        step = int(np.ceil(1.25 * size / pitch))  # of very many, some
        name_beside(ax, range(0, len(names), step), names[::step], size)
        return []
    ax.set_yticks([])
    move = transforms.ScaledTranslation(0, size / 288, ax.figure.dpi_scale_trans)
    above = ax.get_yaxis_transform() + move
    look: Any = {"transform": above, "fontsize": size, "va": "bottom"}
    short = (shorten(str(one), int(width / (_CHARACTER * size))) for one in names)
    return [
        ax.text(0, row, name, parse_math=False, **look)
        for row, name in enumerate(short)
    ]


def name_beside(ax: Any, at: Any, names: Sequence[Any], size: float) -> None:
    """Name rows at the left of Axes, which become narrower if there is little room."""
    share = _SHARE * 72 * float(_display.inches(ax)[0])
    most = int(max(room_at_left(ax), share) / (_CHARACTER * size))
    short = [shorten(str(one), most) for one in names]
    ax.set_yticks(at, short, parse_math=False, fontsize=size)
    missing = max(map(width_of, ax.get_yticklabels()), default=0) - room_at_left(ax)
    if missing > 0 and ax.figure.get_layout_engine() is None:
        box = ax.get_position(original=True)
        box.x0 += missing * ax.figure.dpi / 72 / ax.figure.bbox.width
        ax.set_position(box)
        ax.set_in_layout(True)  # of a layout that comes later


def room_at_left(ax: axes.Axes) -> float:
    """The points that names may take: a share of what a layout lays out, or what is."""
    figure: Any = ax.figure
    # Names of one of several Axes that share their rows would be those of all.
    alone = len(ax.get_shared_y_axes().get_siblings(ax)) == 1
    if figure.get_layout_engine() is not None:
        return alone * _SHARE * 72 * float(_display.inches(ax)[0])
    left, others = ax.bbox.x0, [one.bbox.x1 for one in figure.axes if one is not ax]
    beside = max((one for one in others if one <= left), default=0)
    return alone * (float(left - beside) * 72 / figure.dpi - _GAP)


def legend_above(ax: axes.Axes, entries: Mapping[str, Any], size: float) -> Any:
    """Add a legend at the top of the Axes, which make room for it above the rows."""
    # About so wide are an entry's mark and its words.
    widths = [(_CHARACTER * len(one) + 2.5) * size for one in entries]
    for n_columns in range(len(widths), 0, -1):
        if sum(map(max, np.array_split(widths, n_columns))) < width_inside(ax):
            break
    marks = [(mark, words) for words, mark in entries.items()]
    look: Any = {"loc": "upper left", "ncols": n_columns, "columnspacing": 1.2}
    legend = _display.write_legend(ax, marks, fontsize=size, **look)
    height = _display.size_of(legend)[1] + size
    # A layout takes room for the title and for words below from the Axes.
    left = 1 if ax.figure.get_layout_engine() is None else 0.8
    share = min(height / 72 / (left * float(_display.inches(ax)[1])), 0.65)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + (high - low) * share / (1 - share))
    return legend


def write_label(write, words, more, size, room):
    """Write what is measured beside an axis, and more if it fits."""
    label = write(words + more, parse_math=False, fontsize=size, labelpad=size - 6)
    if _display.size_of(label).max() > room:
        label.set_text(words)


def write_title(ax: axes.Axes, words: str, size: float, loc: Any = "left") -> None:
    """Write a title, in as many lines as there is room for above the Axes.

    If the whole does not fit, it ends at its semicolon, or else at its colon; if that
    does not fit either, there is none.
    """
    title = ax.set_title(words, loc=loc, fontsize=size, parse_math=False)
    # Names of other rows in a grid may take a little more room.
    room = 0.9 * width_inside(ax) / max(width_of(title), 1)
    most = max(int(len(words) * room), 1)
    for shorter in (words, words.split("; ")[0], words.split(": ")[0], ""):
        lines = textwrap.wrap(shorter, most, **_AT_BLANKS)
        title.set_text("\n".join(lines))
        if 1.3 * size * len(lines) <= _room_above(ax):
            return


def _room_above(ax):
    """The points above Axes that are free for a title: a layout makes room for it."""
    figure, top = ax.figure, ax.bbox.y1
    if figure.get_layout_engine() is not None:
        return np.inf
    above = [one.bbox.y0 for one in figure.axes if one.bbox.y0 >= top]
    end, taken = (min(above), _LABELS) if above else (figure.bbox.y1, _GAP)
    return (end - top) * 72 / figure.dpi - taken
