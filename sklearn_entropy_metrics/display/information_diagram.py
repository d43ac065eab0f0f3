"""The extended information diagram: the entropies of a balance as areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.isotonic import isotonic_regression

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.balance.shrink import Smoothing
from sklearn_entropy_metrics.display import _display, comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle
    from matplotlib.text import Text


class _Part(NamedTuple):
    """A part of a bar: its symbol, words and colour, and its perplexity's symbol."""

    symbol: str
    words: str
    color: str
    factor: str


_PARTS = {
    "mutual_information": _Part(
        r"\mathrm{MI}", "transferred", _display.INFORMATION, r"\mu"
    ),
    "conditional_entropy_true": _Part("H_{X|Y}", "lost", _display.LOSS, "k_{X|Y}"),
    "conditional_entropy_pred": _Part("H_{Y|X}", "added", _display.LOSS, "m_{Y|X}"),
    "divergence_true": _Part(
        r"\Delta H_X", "uneven classes", _display.IMBALANCE, r"\delta_X"
    ),
    "divergence_pred": _Part(
        r"\Delta H_Y", "uneven predictions", _display.IMBALANCE, r"\delta_Y"
    ),
}
# Bars and their parts, from the left, in each kind of picture.
_MI, _X, _Y, _DX, _DY = _PARTS
_BARS: dict[str, dict[str, tuple[str, ...]]] = {
    "joint": {"true": (_DX, _X, _MI), "pred": (_MI, _Y, _DY)},
    "split": {"true": (_MI, _X, _DX), "pred": (_MI, _Y, _DY)},
    "chain": {"true": (_X, _MI, _DX), "pred": (_Y, _MI, _DY)},
}
# Perplexities at the last two edges of the chains.
_LEVELS = {"true": ("k_X", "k"), "pred": ("m_Y", "m")}
# Of several diagrams, the colours in words.
_COLORS = {
    "transferred": _display.INFORMATION,
    "lost (above), added (below)": _display.LOSS,
    "uneven classes (above), predictions (below)": _display.IMBALANCE,
}
# Middles of the bars of truth and prediction, and their height, as shares of a row.
_ALONE: dict[str, Any] = {"true": -0.16, "pred": 0.13, "height": 0.2}
_CHAINS: dict[str, Any] = {"true": -0.25, "pred": 0.2, "height": 0.17}
_ROWS: dict[str, Any] = {"true": -0.15, "pred": 0.19, "height": 0.27}
_BELOW: dict[str, Any] = {"true": 0.1, "pred": 0.28, "height": 0.15}
# Inches: a diagram alone, and a row of several with what is above and below all.
_DIAGRAM, _ROW, _BORDER = (8, 3.1), 0.62, 1.1
# Possible lengths of the scale bar in bits, and where it is in a diagram alone.
_SCALES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
_SCALE_AT = 0.45
# Points between texts, and from a part to its text.
_GAP, _LEAD = 5, 7


class InformationDiagramDisplay(_display.Display):
    r"""Extended information diagram of a classifier.

    The entropies of true classes X and predicted classes Y are drawn as parts of two
    bars, so that areas are in proportion [1]_: one bar for
    :math:`H_{UX} = \Delta H_X + H_{X|Y} + \mathrm{MI}` and one for
    :math:`H_{UY} = \mathrm{MI} + H_{Y|X} + \Delta H_Y`. There are three pictures:

    - the bars overlap in the mutual information, which both have, as :math:`H_X` and
      :math:`H_Y` do; both together are as long as
      :math:`\Delta H_X + H_{XY} + \Delta H_Y`;
    - ``split=True``: both bars start with the mutual information, which makes it easy
      to compare their other parts;
    - ``chain=True``: the same as factors of perplexities, on a logarithmic scale [2]_.
      True classes go from :math:`k` to :math:`k_X = k / \delta_X`, to
      :math:`k_{X|Y} = k_X / \mu` and to 1, predicted ones from :math:`m` to
      :math:`m_Y`, to :math:`m_{Y|X}` and to 1.

    Use the constructors to compute and draw. All parameters are kept as attributes.

    Read more in the :ref:`User Guide <entropy_triangle>`.

    Parameters
    ----------
    balance : EntropyBalance or dict of str to EntropyBalance
        The balance of one table, or several by name: these are drawn as rows on one
        scale, those that transfer most on top.

    split : bool, default=False
        Whether both bars start at the same place.

    chain : bool, default=False
        Whether to draw the chains of perplexities. Only one of `split` and `chain`
        may be true.

    name : str or list of str, default=None
        The name of the classifier, or of each; the title begins with it.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    parts_ : list of Rectangle
        The parts of the bars, in the order of :meth:`frame`.

    coupling_ : Rectangle, list of Rectangle or None
        The link between the mutual information of the two bars. Chains have none.

    texts_ : list of Text
        The words, symbols and numbers.

    lines_ : list of Line2D
        The lines from parts to their texts, and the bar of the scale.

    legend_ : matplotlib Legend or None
        The colours in words, of several diagrams.

    See Also
    --------
    EntropyTriangleDisplay : Shares of entropy of many classifiers in one plot.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2010). "Two
       information-theoretic tools to assess the performance of multi-class
       classifiers". Pattern Recognition Letters 31(12), 1665-1671.
    .. [2] F. J. Valverde-Albacete and C. Peláez-Moreno (2014). "100% classification
       accuracy considered harmful: the normalized information transfer factor explains
       the accuracy paradox". PLoS ONE 9(1), e84217.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_entropy_metrics import InformationDiagramDisplay
    >>> display = InformationDiagramDisplay.from_confusion_matrix(
    ...     [[15, 0, 5], [0, 15, 5], [0, 0, 20]], split=True
    ... )
    >>> display.frame()["entropy"].round(3)
    array([0.959, 0.626, 0.   , 0.959, 0.541, 0.085])
    >>> plt.close(display.figure_)
    """

    parts_: list[Rectangle]
    coupling_: Rectangle | list[Rectangle] | None
    texts_: list[Text]
    lines_: list[Line2D]
    legend_: Legend | None

    def __init__(
        self,
        *,
        balance: EntropyBalance | Mapping[str, EntropyBalance],
        split: bool = False,
        chain: bool = False,
        name: str | Sequence[str] | None = None,
    ) -> None:
        self.balance = balance
        self.split = split
        self.chain = chain
        self.name = name

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        pred_labels: ArrayLike | None = None,
        smoothing: Smoothing | None = None,
        split: bool = False,
        chain: bool = False,
        name: str | Sequence[str] | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the diagram of a fitted classifier, or of several.

        Parameters
        ----------
        estimator : classifier or dict of str to classifier
            A fitted classifier, or several with their names.

        X, y, sample_weight, labels, pred_labels, smoothing
            As in :meth:`EntropyBalance.from_estimator`.

        split, chain : bool, default=False
            The kind of plot.

        name : str or list of str, default=None
            The beginning of the title. By default, the name of the class of the
            classifier.

        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure.

        Returns
        -------
        display : InformationDiagramDisplay
        """
        given = _display.Given(labels, pred_labels, sample_weight, smoothing)
        caller = f"{cls.__name__}.from_estimator"
        balance = _display.estimator_balance(caller, estimator, X, y, given)
        name = _display.estimator_name(estimator, name)
        display = cls(balance=balance, split=split, chain=chain, name=name)
        return display.plot(ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike | Mapping[str, ArrayLike],
        *,
        sample_weight: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        pred_labels: ArrayLike | None = None,
        smoothing: Smoothing | None = None,
        split: bool = False,
        chain: bool = False,
        name: str | Sequence[str] | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the diagram of true and predicted labels, or of several predictions.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.

        y_pred : array-like of shape (n_samples,) or dict of str to array-like
            Predicted labels, or those of several classifiers with their names.

        sample_weight, labels, pred_labels, smoothing
            As in :meth:`EntropyBalance.from_predictions`.

        split, chain, name, ax
            As in :meth:`from_estimator`. By default, there is no name.

        Returns
        -------
        display : InformationDiagramDisplay
        """
        given = _display.Given(labels, pred_labels, sample_weight, smoothing)
        balance = _display.prediction_balance(y_true, y_pred, given)
        display = cls(balance=balance, split=split, chain=chain, name=name)
        return display.plot(ax)

    @classmethod
    def from_confusion_matrix(
        cls,
        matrix: Any,
        *,
        smoothing: Smoothing | None = None,
        split: bool = False,
        chain: bool = False,
        name: str | Sequence[str] | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the diagram of a confusion matrix, or of several.

        Parameters
        ----------
        matrix : array-like or sparse of shape (n_true_classes, n_pred_classes) or dict
            Counts, weights or probabilities, true classes in rows; or a dict of names
            to such matrices, whose sizes may differ.

        smoothing : {"empirical_bayes"}, default=None
            How to estimate the joint distribution from few samples, as in
            :meth:`EntropyBalance.from_confusion_matrix`.

        split, chain, name, ax
            As in :meth:`from_estimator`. By default, there is no name.

        Returns
        -------
        display : InformationDiagramDisplay
        """
        balance = _display.matrix_balance(matrix, smoothing)
        display = cls(balance=balance, split=split, chain=chain, name=name)
        return display.plot(ax)

    def plot(
        self, ax: Axes | None = None, *, name: str | Sequence[str] | None = None
    ) -> Self:
        """Draw the diagram.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure of suitable height.

        name : str or list of str, default=None
            Names to use instead of those of the display.

        Returns
        -------
        display : InformationDiagramDisplay
            The display itself.
        """
        named = self._named(self.name if name is None else name)
        bars = [self._bars(balance) for _, balance in named]
        self.parts_, self.texts_, self.lines_ = [], [], []
        self._couplings: list[Any] = []
        self.legend_ = None
        if isinstance(self.balance, Mapping):
            self._set_axes(ax, (8, _BORDER + _ROW * len(bars)))
            self._draw_rows(named, bars)
        else:
            self._set_axes(ax, _DIAGRAM)
            ((title, balance),) = named
            self._draw_alone(title, balance, bars[0])
        self.coupling_ = _display.one_or_list(self._couplings)
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_parts,)
            For each part: the name of its diagram (``""`` for none); its bar ("true"
            or "pred"); the attribute of the balance that it shows; its entropy in bits;
            its perplexity, two to the power of that; where it starts and stops on the
            scale of the plot.
        """
        frames = [self._frame_of(*one) for one in self._named(self.name)]
        return {key: np.concatenate([one[key] for one in frames]) for key in frames[0]}

    def _frame_of(self, name, balance):
        bars = self._bars(balance)
        parts = [part for bar in _BARS[self._kind].values() for part in bar]
        entropy = np.array([getattr(balance, part) for part in parts])
        edges = np.array(list(bars.values()))
        edges = np.exp2(edges) if self.chain else edges
        return {
            "name": np.repeat("" if name is None else str(name), len(parts)),
            "bar": np.repeat(list(bars), len(parts) // len(bars)),
            "part": np.array(parts),
            "entropy": entropy,
            "perplexity": np.exp2(entropy),
            "start": edges[:, :-1].ravel(),
            "stop": edges[:, 1:].ravel(),
        }

    def _named(self, name):
        """The title and the balance of each diagram."""
        titles: list[str | None] = [None]
        balances: list[Any] = [self.balance]
        if isinstance(self.balance, Mapping):
            titles, balances = list(self.balance), list(self.balance.values())
        if name is not None:
            titles = [name] if isinstance(name, str) else list(name)
        if len(titles) != len(balances):
            raise ValueError(
                f"name must have an entry for each of {len(balances)} diagrams. Got "
                f"{len(titles)}."
            )
        return list(zip(titles, balances, strict=True))

    def _bars(self, balance):
        """The edges of both bars in bits; they overlap in what X and Y share."""
        if self.split and self.chain:
            raise ValueError("Only one of split and chain may be true. Got both.")
        _check_one_table(balance)
        true, pred = (
            np.cumsum([0, *(getattr(balance, part) for part in parts)])
            for parts in _BARS[self._kind].values()
        )
        start = true[-2] if self._kind == "joint" else 0.0
        return {"true": true, "pred": pred + start}

    @property
    def _kind(self):
        return "chain" if self.chain else "split" if self.split else "joint"

    def _x(self, bits):
        return np.exp2(bits) if self.chain else np.asarray(bits)

    def _set_scale(self, bars, size):
        """Set the limits and fix how many points a bit takes."""
        ax = self.ax_
        self._end = max(bar[-1] for one in bars for bar in one.values()) or 1.0
        self._unit = comparison.width_inside(ax) / self._end
        self._size = size
        if self.chain:
            ax.set_xscale("log", base=2)
            ticks = 2 ** np.arange(int(self._end + 1e-9) + 1)
            ticks = ticks[:: 1 + len(ticks) // 9]
            ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks], fontsize=size)
            ax.minorticks_off()
            ax.set_xlabel("effective classes", fontsize=size)
        else:
            ax.set_xticks([])
        ax.set_xlim(self._x([0, self._end + _GAP / self._unit]))
        ax.spines[:].set_visible(False)
        ax.tick_params(axis="y", length=0)

    def _draw_bars(self, bars, row, places):
        """Draw the bars of truth and prediction, and join what they share."""
        import matplotlib as mpl
        from matplotlib.patches import Rectangle

        ground, height = mpl.rcParams["axes.facecolor"], places["height"]
        for key, edges in bars.items():
            low, at = row + places[key] - height / 2, self._x(edges)
            for part, x, width in zip(
                _BARS[self._kind][key], at, np.diff(at), strict=False
            ):
                look = {"fc": _display.tint(_PARTS[part].color), "ec": ground}
                patch = Rectangle((x, low), width, height, lw=1.2, zorder=2, **look)
                self.ax_.add_patch(patch)
                self.parts_.append(patch)
        if not self.chain:
            start, stop = bars["pred"][:2]
            low, high = (row + places[key] for key in ("true", "pred"))
            light = _display.tint(_display.INFORMATION, 0.25)
            join = Rectangle((start, low), stop - start, high - low, fc=light, lw=0)
            self._couplings.append(self.ax_.add_patch(join))

    def _draw_rows(self, named, bars):
        """Draw several diagrams on one scale, the colours in words above."""
        from matplotlib.patches import Rectangle

        ax, names = self.ax_, [str(name) for name, _ in named]
        told = [balance.mutual_information for _, balance in named]
        order = np.argsort(np.negative(told), kind="stable")
        sizes = comparison.row_sizes(ax, len(names))
        ax.set_ylim(len(names) - 0.4, -0.5)
        in_order = [names[i] for i in order]
        above = comparison.name_rows(ax, in_order, sizes["medium"])
        self.texts_ += above
        self._set_scale(bars, sizes["small"])
        places = _BELOW if above else _ROWS  # of names
        pitch = 72 * float(_display.inches(ax)[1]) / (len(names) + 2)
        is_high = places["height"] * pitch > 1.25 * self._size
        for one, row in zip(bars, np.argsort(order), strict=True):
            self._draw_bars(one, row, places)
            for key, edges in one.items():
                if is_high:
                    self._write_parts(key, edges, row + places[key], brief=True)
        marks = {
            words: Rectangle((0, 0), 1, 1, fc=_display.tint(color))
            for words, color in _COLORS.items()
        }
        self.legend_ = comparison.legend_above(ax, marks, sizes["small"])
        if not self.chain:
            self._draw_scale(len(names) - 0.25)
            ax.set_ylim(len(names), ax.get_ylim()[1])
        name, balance = named[order[0]]
        comparison.write_title(ax, f"{name}: {_sentence(balance)}", sizes["large"])

    def _draw_alone(self, name, balance, bars):
        """Draw one diagram, with words in its parts or beside them."""
        ax = self.ax_
        width, height = 72 * _display.inches(ax)
        places = _CHAINS if self.chain else _ALONE
        size = _display.font_size("medium", 0.9 * min(width / 290, 1))
        brief = places["height"] * height < 2.6 * size
        words = ["truth $X$", "prediction $Y$"]
        words = words if brief else [one.replace(" ", "\n") for one in words]
        ax.set_ylim(0.5, -0.5)
        at = [places[key] for key in bars]
        ax.set_yticks(at, words, fontsize=1.1 * size)
        widest = max(map(comparison.width_of, ax.get_yticklabels()))
        if widest > comparison.room_at_left(ax):
            ax.set_yticks(at, ["$X$", "$Y$"], fontsize=1.1 * size)
        self._set_scale([bars], size)
        self._draw_bars(bars, 0, places)
        for key, edges in bars.items():
            outside = self._write_parts(key, edges, places[key], brief)
            self._write_beside(outside, key, places, brief)
        if self.chain and not brief:
            self._write_levels(bars, places)
        if not self.chain:
            self._draw_scale(_SCALE_AT)
        sentence = _sentence(balance)
        title = f"{sentence[0].upper()}{sentence[1:]}" if name is None else name
        title = title if name is None else f"{name}: {sentence}"
        comparison.write_title(ax, title, 1.2 * size)

    def _write_parts(self, key, edges, at, brief):
        """Write into the parts what they are; return those that are too narrow."""
        outside = []
        for part, start, stop in zip(
            _BARS[self._kind][key], edges, edges[1:], strict=False
        ):
            ink = _display.ink_on(_display.tint(_PARTS[part].color))
            look = {
                "color": ink,
                "zorder": 3,
                "va": "center_baseline" if brief else "center",
            }
            words = self._words(part, stop - start, brief)
            text = self._text((start + stop) / 2, at, words, **look)
            if comparison.width_of(text) > (stop - start) * self._unit - _GAP:
                self.texts_.remove(text)
                text.remove()
                outside.append((part, start, stop))
        return outside

    def _words(self, part, bits, brief):
        look = _PARTS[part]
        symbol, value = (look.factor, 2.0**bits) if self.chain else (look.symbol, bits)
        equation = _equation(symbol, value)
        return equation if brief else f"{look.words}\n{equation}"

    def _write_beside(self, outside, key, places, brief):
        """Write parts above or below their bar, apart from each other, with lines."""
        texts = [self._words(part, b - a, brief) for part, a, b in outside]
        colors = [_display.on_paper(_PARTS[part].color) for part, *_ in outside]
        at = [(start + stop) / 2 for _, start, stop in outside]
        side = -1 if key == "true" else 1
        self._spread(texts, at, places[key] + side * places["height"] / 2, side, colors)

    def _write_levels(self, bars, places):
        """Write the perplexities at the edges of the chains, between them."""
        for key, edges in bars.items():
            side = 1 if key == "true" else -1
            texts = list(map(_equation, _LEVELS[key], np.exp2(edges[-2:])))
            edge = places[key] + side * places["height"] / 2
            self._spread(texts, edges[-2:], edge, side, [_display.text_color()] * 2)

    def _spread(self, texts, places, edge, side, colors):
        """Write texts beside an edge, as near to their places as they have room."""
        if not texts:
            return
        step = side * _LEAD / 72 / float(_display.inches(self.ax_)[1])
        look = {"va": "bottom" if side < 0 else "top"}
        labels = [
            self._text(at, edge + step, text, color=color, **look)
            for text, at, color in zip(texts, places, colors, strict=True)
        ]
        half = np.array([comparison.width_of(one) + _GAP for one in labels])
        half /= 2 * self._unit
        steps = np.concatenate([[0], np.cumsum(half[:-1] + half[1:])])
        # Names of the bars leave room at the left of the Axes.
        first, last = half[0] - 50 / self._unit, self._end - half[-1] - steps[-1]
        near = np.asarray(places) - steps
        spread = isotonic_regression(near, y_min=first, y_max=max(first, last)) + steps
        for label, at, x in zip(labels, places, spread, strict=True):
            label.set_x(self._x(x))
            self._line([at, x], [edge, edge + 0.85 * step])

    def _draw_scale(self, at):
        """Draw a line of a round number of bits."""
        bits = max(one for one in (_SCALES[0], *_SCALES) if one <= 0.6 * self._end)
        self._line([0, bits], [at, at], linewidth=1.5, color=_display.text_color())
        unit = "bit" if bits == 1 else "bits"
        self._text(bits, at, f"  {bits:g} {unit}", ha="left", va="center")

    def _line(self, bits, y, **look):
        import matplotlib as mpl

        look = {"color": mpl.rcParams["axes.edgecolor"], "linewidth": 0.7, **look}
        self.lines_ += self.ax_.plot(self._x(bits), y, clip_on=False, **look)

    def _text(self, bits, y, text, **look):
        style = {"ha": "center", "linespacing": 1.35, "fontsize": self._size, **look}
        self.texts_.append(self.ax_.text(self._x(bits), y, text, **style))
        return self.texts_[-1]


def _check_one_table(balance):
    if not isinstance(balance, EntropyBalance):
        got = type(balance).__name__
    elif balance.table.ndim != 2:
        got = f"a stack of tables of shape {balance.table.shape}"
    elif not np.isfinite([getattr(balance, part) for part in _PARTS]).all():
        got = "a table whose entropies are undefined"
    else:
        return
    raise ValueError(f"balance must be an EntropyBalance of one table. Got {got}.")


def _sentence(balance):
    if not balance.entropy_true > 0:
        return "the true classes hold no information"
    told, there = balance.mutual_information, balance.entropy_true
    return (
        f"{_number(told)} of the {_number(there)} bits in the true classes reach the "
        "prediction"
    )


def _number(value):
    """Two decimals, but none for whole numbers; small numbers are not shown as zero."""
    if abs(value - round(value)) < 1e-9:
        return str(round(value))
    return "< 0.01" if value < 0.005 else f"{value:.2f}"


def _equation(symbol, value):
    number = _number(value)
    equals = "" if number.startswith("<") else "= "
    return f"${symbol}$ {equals}{number}"
