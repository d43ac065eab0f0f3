"""How the information diagram is drawn: two bars, words in their parts, a scale."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from sklearn.isotonic import isotonic_regression

from sklearn_entropy_metrics.display import _axes


class _Look(NamedTuple):
    symbol: str
    words: str
    color: str
    factor: str  # its perplexity, in the chains


LOOKS = {
    "mutual_information": _Look(
        r"\mathrm{MI}", "transferred", _axes.INFORMATION, r"\mu"
    ),
    "conditional_entropy_true": _Look("H_{X|Y}", "not learnt", _axes.LOSS, "k_{X|Y}"),
    "conditional_entropy_pred": _Look("H_{Y|X}", "noise added", _axes.LOSS, "m_{Y|X}"),
    "divergence_true": _Look(
        r"\Delta H_X", "imbalance of the data", _axes.IMBALANCE, r"\delta_X"
    ),
    "divergence_pred": _Look(
        r"\Delta H_Y", "prefers classes", _axes.IMBALANCE, r"\delta_Y"
    ),
}
# Bars and their parts, from the left, in each kind of picture.
_MI, _X, _Y, _DX, _DY = LOOKS
BARS: dict[str, dict[str, tuple[str, ...]]] = {
    "joint": {"true": (_DX, _X, _MI), "pred": (_MI, _Y, _DY)},
    "split": {"true": (_MI, _X, _DX), "pred": (_MI, _Y, _DY)},
    "chain": {"true": (_X, _MI, _DX), "pred": (_Y, _MI, _DY)},
}
# Perplexities at the last two edges of the chains.
_LEVELS = {"true": ("k_X", "k"), "pred": ("m_Y", "m")}
_NAMES = {"true": "truth\n$X$", "pred": "prediction\n$Y$"}
# Lower and upper edges of the bars, as shares of the height; chains are farther apart.
_ROWS = {"true": (0.56, 0.75), "pred": (0.29, 0.48)}
_CHAIN_ROWS = {"true": (0.63, 0.78), "pred": (0.2, 0.35)}
# The height of the scale bar, and its possible lengths in bits.
_SCALE_AT = 0.05
_SCALES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
# Points between texts, and from a part to its text; the distance of lines.
_GAP, _LEAD, _SPACING = 5, 7, 1.35


class Bar(NamedTuple):
    """Parts of a bar, from the left, and where they start and stop in bits."""

    parts: tuple[str, ...]
    edges: np.ndarray

    @classmethod
    def of(cls, balance, parts, start=0.0):
        entropies = [getattr(balance, part) for part in parts]
        return cls(parts, np.cumsum([start, *entropies]))


def stack_bars(balance: Any, kind: str) -> dict[str, Bar]:
    """The bars of a kind of plot; those of X and Y overlap in what they share."""
    parts = BARS[kind]
    true = Bar.of(balance, parts["true"])
    start = true.edges[-2] if kind == "joint" else 0.0
    return {"true": true, "pred": Bar.of(balance, parts["pred"], start)}


@dataclass
class DiagramPicture:
    """Bars on Axes whose y goes from 0 to 1; their lengths are given in bits."""

    ax: Any
    bars: dict[str, Bar]
    kind: str
    parts: list[Any] = field(default_factory=list)
    texts: list[Any] = field(default_factory=list)
    lines: list[Any] = field(default_factory=list)
    coupling: Any = None

    def __post_init__(self) -> None:
        import matplotlib as mpl

        self.rows = _CHAIN_ROWS if self.kind == "chain" else _ROWS
        # The end of the longer bar; one bit if there is nothing to show.
        self.end = max(bar.edges[-1] for bar in self.bars.values()) or 1.0
        self.width = _axes.Extent.of(self.ax).width
        most = _axes.font_size(mpl.rcParams["axes.labelsize"], 0.9)
        self.fontsize = float(np.clip(self.width / 36, 5, most))
        # Only symbols in the parts if two lines are higher than a bar.
        low, high = self.rows["true"]
        self.brief = (high - low) * self._height() < 2 * _SPACING * self.fontsize

    def draw(self) -> None:
        """Draw bars and what is written about them."""
        self._make_room()
        for name, bar in self.bars.items():
            self._draw_bar(bar, *self.rows[name])
        if self.kind != "chain":
            self._couple()
        for name, bar in self.bars.items():
            self._label_bar(name, bar)
        if self.brief:
            return  # numbers in the parts are enough
        if self.kind == "chain":
            self._draw_levels()
        else:
            self._draw_scale()

    def x(self, bits: Any) -> Any:
        return np.exp2(bits) if self.kind == "chain" else np.asarray(bits)

    def _make_room(self):
        """Write what the bars are to their left, and set the limits."""
        ax = self.ax
        names = [
            self._text(0, np.mean(self.rows[name]), words, ha="right", fontsize=1.1)
            for name, words in _NAMES.items()
        ]
        if self.brief:
            for text in names:
                text.set_text(text.get_text().replace("\n", " "))
        room = max(self._length(text) for text in names) + 2 * _GAP
        self.unit = (self.width - room - _GAP) / self.end  # points for a bit
        low, high = -room / self.unit, self.end + _GAP / self.unit
        for text in names:
            text.set_x(self.x(-_GAP / self.unit))
        if self.kind == "chain":
            ax.set_xscale("log", base=2)
        ax.set(xlim=self.x([low, high]), ylim=(0, 1))
        ax.set_yticks([])
        ax.spines[:].set_visible(False)
        self.low = low
        if self.kind == "chain" and not self.brief:
            self._set_ticks()
        else:
            ax.set_xticks([])

    def _set_ticks(self):
        ticks = 2 ** np.arange(int(self.end + 1e-9) + 1)
        ticks = ticks[:: 1 + len(ticks) // 9]
        names = ["1 effective class", *(f"{tick:g}" for tick in ticks[1:])]
        self.ax.set_xticks(ticks, names, fontsize=self.fontsize)
        self.ax.minorticks_off()

    def _draw_bar(self, bar, low, high):
        import matplotlib as mpl
        from matplotlib.patches import Rectangle

        edges = self.x(bar.edges)
        for part, start, width in zip(bar.parts, edges, np.diff(edges), strict=False):
            patch = Rectangle((start, low), width, high - low, zorder=2)
            patch.set_facecolor(_axes.tint(LOOKS[part].color))
            patch.set_edgecolor(mpl.rcParams["axes.facecolor"])
            patch.set_linewidth(1.5)
            self.parts.append(self.ax.add_patch(patch))

    def _couple(self):
        """Join the mutual information of X and of Y, which is the same."""
        from matplotlib.patches import Rectangle

        start, stop = self.bars["pred"].edges[:2]
        low, high = self.rows["pred"][1], self.rows["true"][0]
        color = _axes.tint(_axes.INFORMATION, 0.25)
        patch = Rectangle((start, low), stop - start, high - low, fc=color, lw=0)
        self.coupling = self.ax.add_patch(patch)

    def _label_bar(self, name, bar):
        """Write into the parts what they are, or beside those that are too narrow."""
        low, high = self.rows[name]
        middles = (bar.edges[:-1] + bar.edges[1:]) / 2
        outside = []
        for part, at, bits in zip(bar.parts, middles, np.diff(bar.edges), strict=True):
            color = "white" if part == _MI else _axes.text_color()
            label = self._text(at, (low + high) / 2, self._words(part, bits))
            label.set(color=color, zorder=3)
            if self._length(label) > bits * self.unit - _GAP:
                label.remove()
                self.texts.remove(label)
                outside.append((part, at, bits))
        if outside:
            side = 1 if name == "true" else -1
            parts, places, bits = zip(*outside, strict=True)
            texts = list(map(self._words, parts, bits))
            colors = [_axes.on_paper(LOOKS[part].color) for part in parts]
            self._write_beside(texts, places, high if side > 0 else low, side, colors)

    def _words(self, part, bits):
        look = LOOKS[part]
        if self.kind == "chain":
            equation = _equation(look.factor, 2.0**bits)
        else:
            equation = _equation(look.symbol, bits)
        return equation if self.brief else f"{look.words}\n{equation}"

    def _write_beside(self, texts, places, edge, side, colors):
        """Write texts above or below a bar, apart from each other, with lines to it."""
        look = {"va": "bottom" if side > 0 else "top"}
        at = edge + side * _LEAD / self._height()
        labels = [
            self._text(place, at, text, color=color, **look)
            for text, place, color in zip(texts, places, colors, strict=True)
        ]
        widths = np.array([self._length(label) for label in labels]) + _GAP
        if widths.sum() > self.width:  # symbols without words
            for label in labels:
                label.set_text(label.get_text().split("\n")[-1])
            widths = np.array([self._length(label) for label in labels]) + _GAP
        for label, place, x in zip(
            labels, places, self._spread(places, widths), strict=True
        ):
            label.set_x(self.x(x))
            self._line([place, x], [edge, at - side * 1 / self._height()])

    def _spread(self, places, widths):
        """Where to write texts of some widths, in bits, near to their places."""
        half = widths / 2 / self.unit
        steps = np.concatenate([[0], np.cumsum(half[:-1] + half[1:])])
        first = self.low + half[0]
        last = self.end + _GAP / self.unit - half[-1] - steps[-1]
        near = np.asarray(places) - steps
        return steps + isotonic_regression(near, y_min=first, y_max=max(first, last))

    def _draw_levels(self):
        """Write the perplexities at the edges of the chains, between them."""
        for name, bar in self.bars.items():
            side = -1 if name == "true" else 1
            edge = self.rows[name][0] if side < 0 else self.rows[name][1]
            texts = list(map(_equation, _LEVELS[name], np.exp2(bar.edges[-2:])))
            colors = [_axes.text_color()] * 2
            self._write_beside(texts, bar.edges[-2:], edge, side, colors)

    def _draw_scale(self):
        """Draw a line of a round number of bits."""
        bits = max(scale for scale in (_SCALES[0], *_SCALES) if scale <= 0.6 * self.end)
        self._line([0, bits], [_SCALE_AT, _SCALE_AT])
        self.lines[-1].set(linewidth=1.5, color=_axes.text_color())
        unit = "bit" if bits == 1 else "bits"
        self._text(bits, _SCALE_AT, f"  {bits:g} {unit}", ha="left")

    def _line(self, bits, y):
        import matplotlib as mpl

        color = mpl.rcParams["axes.edgecolor"]
        self.lines += self.ax.plot(self.x(bits), y, color=color, linewidth=0.7)

    def _text(self, bits, y, text, *, fontsize=1.0, **look):
        style = {"ha": "center", "va": "center", "linespacing": _SPACING, **look}
        label = self.ax.text(self.x(bits), y, text, **style)
        label.set_fontsize(fontsize * self.fontsize)
        self.texts.append(label)
        return label

    def _length(self, text):
        """The width of a text in points."""
        return text.get_window_extent().width * 72 / self.ax.figure.dpi

    def _height(self):
        """The height of the Axes in points."""
        return self.ax.get_window_extent().height * 72 / self.ax.figure.dpi

    def write_title(self, name: str | None, balance: Any) -> None:
        """Write how much is transferred in a sentence, after the name, if any.

        If there is no room for the sentence, only the name is written.
        """
        sentence = _sentence(balance)
        title = sentence if name is None else f"{name}: {sentence}"
        size = min(self.width / (0.55 * len(title)), 1.25 * self.fontsize)
        if name is not None and (self.brief or size < 0.95 * self.fontsize):
            title, size = name, 1.25 * self.fontsize
        self.ax.set_title(title, parse_math=False, fontsize=size)


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
    return (
        f"${symbol}$ {number}" if number.startswith("<") else f"${symbol}$ = {number}"
    )
