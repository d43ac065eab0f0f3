"""The extended information diagram: the entropies of a balance as areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from matplotlib import axes, legend, lines, patches, text
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.balance.shrink import Smoothing
from sklearn_entropy_metrics.display import _display, comparison


class _Part(NamedTuple):
    """A part of a bar: its symbol, words and colour, and its perplexity's symbol."""

    symbol: str
    words: str
    color: str
    factor: str


_PARTS = {
    "mutual_information": _Part("MI", "transferred", _display.INFORMATION, "μ"),
    "conditional_entropy_true": _Part("H(X|Y)", "lost", _display.LOSS, "k(X|Y)"),
    "conditional_entropy_pred": _Part("H(Y|X)", "added", _display.LOSS, "m(Y|X)"),
    "divergence_true": _Part("ΔH(X)", "uneven classes", _display.IMBALANCE, "δ(X)"),
    "divergence_pred": _Part("ΔH(Y)", "uneven predictions", _display.IMBALANCE, "δ(Y)"),
}
# Bars and their parts, from the left, in each kind of picture.
_MI, _X, _Y, _DX, _DY = _PARTS
_BARS: dict[str, dict[str, tuple[str, ...]]] = {
    "joint": {"true": (_DX, _X, _MI), "pred": (_MI, _Y, _DY)},
    "split": {"true": (_MI, _X, _DX), "pred": (_MI, _Y, _DY)},
    "chain": {"true": (_X, _MI, _DX), "pred": (_Y, _MI, _DY)},
}
# Of several diagrams, the colours in words.
_COLORS = {
    "transferred": _display.INFORMATION,
    "lost; below: added": _display.LOSS,
    "uneven classes; predictions": _display.IMBALANCE,
}
# Middles of the bars of truth and prediction, and their height, as shares of a row.
_ROWS: dict[str, float] = {"true": -0.15, "pred": 0.19, "height": 0.27}
_BELOW: dict[str, float] = {"true": 0.1, "pred": 0.28, "height": 0.15}
# Inches: a diagram alone, and a row of several with what is above and below all.
_DIAGRAM, _ROW, _BORDER = 1.9, 0.62, 1.1
# Possible lengths of the scale bar in bits.
_SCALES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
# Points around the text of a part.
_GAP = 4


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

    texts_ : list of Text
        The words, symbols and numbers.

    lines_ : list of Line2D
        The bar of the scale, unless it is a chain.

    legend_ : matplotlib Legend
        The colours in words; of one diagram with all of its numbers.

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

    parts_: list[patches.Rectangle]
    texts_: list[text.Text]
    lines_: list[lines.Line2D]
    legend_: legend.Legend

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
        ax: axes.Axes | None = None,
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
        balance = _display.estimator_balance(estimator, X, y, given)
        name = _display.estimator_name(estimator, name)
        return cls(balance=balance, split=split, chain=chain, name=name).plot(ax)

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
        ax: axes.Axes | None = None,
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
        return cls(balance=balance, split=split, chain=chain, name=name).plot(ax)

    @classmethod
    def from_confusion_matrix(
        cls,
        matrix: Any,
        *,
        smoothing: Smoothing | None = None,
        split: bool = False,
        chain: bool = False,
        name: str | Sequence[str] | None = None,
        ax: axes.Axes | None = None,
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
        return cls(balance=balance, split=split, chain=chain, name=name).plot(ax)

    def plot(
        self, ax: axes.Axes | None = None, *, name: str | Sequence[str] | None = None
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
        is_one = isinstance(self.balance, EntropyBalance)
        height = _DIAGRAM if is_one else _ROW * len(bars)
        ax = self._set_axes(ax, (8, _BORDER + height))
        sizes = comparison.start_rows(ax, len(named))
        self._size = sizes["small"]
        shared = [-balance.mutual_information for _, balance in named]
        order = np.argsort(shared, kind="stable")
        ax.set_ylim(len(named) - (0.4 if self.chain else 0), -0.5)
        places = _ROWS
        if is_one:
            at, words = [_ROWS["true"], _ROWS["pred"]], ["truth X", "prediction Y"]
            comparison.name_beside(ax, at, words, self._size)
        else:
            names = [named[i][0] for i in order]
            self.texts_ += comparison.name_rows(ax, names, sizes["medium"])
            places = _BELOW if self.texts_ else _ROWS
        self._set_scale(bars)
        self._draw_legend(named[0][1] if is_one else None)
        # A layout takes room for the title.
        left = 1 if ax.figure.get_layout_engine() is None else 0.75
        pitch = left * 72 * float(_display.inches(ax)[1]) / abs(np.ptp(ax.get_ylim()))
        n_lines = places["height"] * pitch / (1.25 * self._size)
        for one, row in zip(bars, np.argsort(order), strict=True):
            self._draw_bars(one, row, places, n_lines)
        if not self.chain:
            self._draw_scale(len(named) - 0.25)
        name, balance = named[order[0]]
        title = _sentence(balance) if name is None else f"{name}: {_sentence(balance)}"
        comparison.write_title(ax, title, sizes["large"])
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
        many = isinstance(self.balance, Mapping)
        named: Any = self.balance if many else {None: self.balance}
        if isinstance(name, str):
            name = [name]
        titles = _display.point_names(name, len(named)) or named
        return list(zip(titles, named.values(), strict=True))

    def _bars(self, balance):
        """The edges of both bars in bits; they overlap in what X and Y share."""
        if self.split and self.chain:
            raise ValueError("Only one of split and chain may be true. Got both.")
        parts = [getattr(balance, part, np.nan) for part in _PARTS]
        if np.ndim(parts) > 1 or not np.isfinite(parts).all():
            raise ValueError(
                "`balance` must be an EntropyBalance of one table with defined "
                f"entropies, or a dict of them. Got {balance!r}."
            )
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

    def _number(self, bits):
        return _number(float(self._x(bits)))

    def _set_scale(self, bars):
        """Set the limits and fix how many points a bit takes."""
        ax = self.ax_
        self._end = max(bar[-1] for one in bars for bar in one.values()) or 1.0
        self._unit = comparison.width_inside(ax) / self._end
        if self.chain:
            ax.set_xscale("log", base=2)
            ticks = 2 ** np.arange(int(self._end + 1e-9) + 1)
            ticks = ticks[:: 1 + len(ticks) // 9]
            ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks], fontsize=self._size)
            ax.minorticks_off()
            ax.set_xlabel("effective classes", fontsize=self._size)
        else:
            ax.set_xticks([])
        ax.set_xlim(self._x([0, self._end + _GAP / self._unit]))
        ax.spines["bottom"].set_visible(False)

    def _draw_bars(self, bars, row, places, n_lines):
        """Draw the bars of truth and prediction."""
        for key, edges in bars.items():
            parts, at = _BARS[self._kind][key], row + places[key]
            for part, start, bits in zip(parts, edges, np.diff(edges), strict=False):
                x, stop = self._x([start, start + bits])
                corner = (x, at - places["height"] / 2)
                patch = patches.Rectangle(corner, stop - x, places["height"], zorder=2)
                patch.set(fc=_display.tint(_PARTS[part].color), lw=min(n_lines, 1.2))
                patch.set_edgecolor(self.ax_.get_facecolor())
                self.ax_.add_patch(patch)
                self.parts_.append(patch)
                self._write_part(part, start, bits, at, n_lines)

    def _write_part(self, part, start, bits, at, n_lines):
        """Write into a part what it is, as far as there is room."""
        look = _PARTS[part]
        symbol = look.factor if self.chain else look.symbol
        number = self._number(bits)
        equation = f"{symbol} {'' if number.startswith('<') else '= '}{number}"
        most = (bits * self._unit - _GAP) / (0.62 * self._size)  # characters
        if n_lines > 1 and len(equation) < most:
            has_words = n_lines > 2 and len(look.words) < most
            text = f"{look.words}\n{equation}" if has_words else equation
            ink = _display.ink_on(_display.tint(look.color))
            self._text(start + bits / 2, at, text, color=ink)

    def _draw_legend(self, balance):
        """Write the colours in words, of one diagram with all of its numbers."""
        words = {} if balance else _COLORS
        for part, look in _PARTS.items() if balance else ():
            number = self._number(getattr(balance, part))
            words[f"{look.words} {number}"] = look.color
        marks = {
            one: patches.Rectangle((0, 0), 1, 1, fc=_display.tint(color))
            for one, color in words.items()
        }
        self.legend_ = comparison.legend_above(self.ax_, marks, self._size)

    def _draw_scale(self, at):
        """Draw a line of a round number of bits."""
        bits = max(one for one in (_SCALES[0], *_SCALES) if one <= 0.6 * self._end)
        look: Any = {"lw": 1.5, "color": _display.text_color(), "clip_on": False}
        self.lines_ = self.ax_.plot([0, bits], [at, at], **look)
        unit = "bit" if bits == 1 else "bits"
        self._text(bits, at, f"  {bits:g} {unit}", ha="left")

    def _text(self, bits, y, text, **look):
        look = {"ha": "center", "va": "center", "linespacing": 1.35, **look}
        look["fontsize"] = self._size
        self.texts_.append(self.ax_.text(self._x(bits), y, text, **look))


def _sentence(balance):
    if not balance.entropy_true > 0:
        return "The true classes hold no information"
    shared, there = map(_number, (balance.mutual_information, balance.entropy_true))
    return f"{shared} of the {there} bits in the true classes reach the prediction"


def _number(value):
    """Two decimals, but none for whole numbers; small numbers are not shown as zero."""
    if abs(value - round(value)) < 1e-9:
        return str(round(value))
    return "< 0.01" if value < 0.005 else f"{value:.2f}"
