"""How the information diagram is drawn: bars, brackets, levels and their labels."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from sklearn.isotonic import isotonic_regression


class _Look(NamedTuple):
    symbol: str
    color: str
    edge: str
    hatch: str


# Green, red and yellow as in the papers, in hues that the colour-blind tell apart.
LOOKS = {
    "mutual_information": _Look("MI", "#2aa784", "#00553e", ""),
    "conditional_entropy_true": _Look("H_{X|Y}", "#e68a4f", "#8a3d00", "..."),
    "conditional_entropy_pred": _Look("H_{Y|X}", "#e68a4f", "#8a3d00", "oo"),
    "divergence_true": _Look(r"\Delta H_X", "#f0e442", "#8f8600", "\\\\\\"),
    "divergence_pred": _Look(r"\Delta H_Y", "#f0e442", "#8f8600", "///"),
}
# Bars and their parts, from below, in each kind of picture.
_MI, _X, _Y, _DX, _DY = LOOKS
BARS: dict[str, dict[str, tuple[str, ...]]] = {
    "joint": {"joint": (_X, _MI, _Y, _MI, _DX, _DY)},
    "split": {"true": (_MI, _X, _DX), "pred": (_MI, _Y, _DY)},
    "chain": {"true": (_X, _MI, _DX), "pred": (_Y, _MI, _DY)},
}
# Sums of neighbours in the joint bar: their first and last edge.
_SUMS = {"H_X": (0, 2), "H_Y": (1, 3), "H_{XY}": (0, 3), "H_X + H_Y": (0, 4)}
_SUMS |= {"H_{U_X} + H_{U_Y}": (0, 6)}
# Entropies and their perplexities at the edges of the chains, from below, and factors.
_LEVELS = {
    "true": {"H_{X|Y}": "k_{X|Y}", "H_X": "k_X", "H_{U_X}": "k"},
    "pred": {"H_{Y|X}": "m_{Y|X}", "H_Y": "m_Y", "H_{U_Y}": "m"},
}
_FACTORS = {
    "true": {"MI": r"\mu", r"\Delta H_X": r"\delta_X"},
    "pred": {"MI": r"\mu", r"\Delta H_Y": r"\delta_Y"},
}
_TICKS = ("true $X$", "predicted $Y$")


class Bar(NamedTuple):
    """Parts of a bar, from below, and where they start and stop."""

    parts: tuple[str, ...]
    edges: np.ndarray

    @classmethod
    def of(cls, balance, parts):
        entropies = [getattr(balance, part) for part in parts]
        return cls(parts, np.cumsum([0.0, *entropies]))


@dataclass
class DiagramPicture:
    """Bars on Axes whose x goes from 0 to 1; heights are given in bits."""

    ax: Any
    bars: dict[str, Bar]
    is_log: bool
    parts: list[Any] = field(default_factory=list)
    texts: list[Any] = field(default_factory=list)
    lines: list[Any] = field(default_factory=list)
    coupling: Any = None

    @property
    def top(self):
        """The height of the highest bar; one bit if there is nothing to show."""
        return max(bar.edges[-1] for bar in self.bars.values()) or 1.0

    @property
    def fontsize(self):
        """Small; smaller if the Axes are: chains have four columns side by side."""
        from matplotlib.font_manager import FontProperties

        width = 72 * self.ax.bbox.width / self.ax.figure.dpi
        most = width * (0.03 if self.is_log else 0.045)
        return min(FontProperties(size="small").get_size_in_points(), most)

    def y(self, bits):
        return np.exp2(bits) if self.is_log else np.asarray(bits)

    def draw_joint(self):
        (bar,) = self.bars.values()
        self._set_scales("entropy [bits]", [], [])
        self._stack(bar, 0.52, 0.7)
        symbols = [LOOKS[part].symbol for part in bar.parts]
        texts = map(_equation, symbols, np.diff(bar.edges))
        self._write(texts, _middles(bar), 0.7, 0.78, 0.1)
        for place, (symbol, ends) in enumerate(_SUMS.items()):
            self._bracket(0.47 - 0.1 * place, symbol, *bar.edges[list(ends)])

    def draw_split(self):
        tops = [bar.edges[-1] for bar in self.bars.values()]
        totals = map(_equation, ("H_{U_X}", "H_{U_Y}"), tops)
        names = list(map("{}\n{}".format, _TICKS, totals))
        self._set_scales("entropy [bits]", [0.3, 0.7], names)
        for side, bar in enumerate(self.bars.values()):
            left, right, x = abs(side - np.array([0.22, 0.38, 0.14]))
            self._stack(bar, left, right)
            symbols = [LOOKS[part].symbol for part in bar.parts]
            texts = map(_column, symbols[1:], np.diff(bar.edges)[1:])
            self._write(texts, _middles(bar)[1:], left, x, 0.2)
        self._couple(bar.edges[1])

    def draw_chains(self):
        self._set_scales("perplexity [effective classes]", [0.23, 0.77], _TICKS)
        for side, (name, bar) in enumerate(self.bars.items()):
            left, right, *x = abs(side - np.array([0.2, 0.26, 0.16, 0.3]))
            self._stack(bar, left, right)
            texts = map(_pair, _LEVELS[name].items(), bar.edges[1:])
            self._write(texts, bar.edges[1:], left, x[0], 0.2)
            texts = map(_pair, _FACTORS[name].items(), np.diff(bar.edges)[1:])
            self._write(texts, _middles(bar)[1:], right, x[1], 0.2)

    def _set_scales(self, label, ticks, names):
        limits = self.y(np.array([-0.04, 1.04]) * self.top)
        if self.is_log:
            self.ax.set_yscale("log", base=2)
            self.ax.yaxis.set_major_formatter("{x:g}")
            self.ax.minorticks_off()
        self.ax.set(xlim=(-0.05, 1), ylim=limits, ylabel=label)
        self.ax.set_xticks(ticks, names)
        self.ax.tick_params(axis="x", length=0)
        self.ax.spines[["top", "right", "bottom"]].set_visible(False)

    def _stack(self, bar, left, right):
        from matplotlib.patches import Rectangle

        left, right = sorted([left, right])
        edges = self.y(bar.edges)
        for part, low, height in zip(bar.parts, edges, np.diff(edges), strict=False):
            _, color, edge, hatch = LOOKS[part]
            patch = Rectangle((left, low), right - left, height, fc=color, ec=edge)
            patch.set_hatch(hatch)
            self.parts.append(self.ax.add_patch(patch))

    def _couple(self, height):
        """Join the mutual information of X and of Y, which is the same."""
        from matplotlib.patches import Rectangle

        look = LOOKS[_MI]
        patch = Rectangle((0.38, 0), 0.24, height, fc=look.color, alpha=0.35)
        self.coupling = self.ax.add_patch(patch)
        inside = height > self.top / 2
        y, va = (height / 2, "center") if inside else (height, "bottom")
        self._text(0.5, y, _column(look.symbol, height), ha="center", va=va)

    def _write(self, texts, heights, edge, x, gap):
        """Write texts beside a bar, far enough from each other, with lines to them."""
        steps = gap * self.top * np.arange(len(heights))
        margin = 0.05 * self.top
        places = steps + isotonic_regression(
            heights - steps, y_min=margin, y_max=self.top - margin - steps[-1]
        )
        ha, near = ("left", x - 0.01) if x > edge else ("right", x + 0.01)
        for text, height, place in zip(texts, heights, places, strict=True):
            self._line([edge, near], [height, place])
            self._text(x, place, text, ha=ha, va="center")

    def _bracket(self, x, symbol, low, high):
        """Mark a sum; what is written along the mark stays inside of the Axes."""
        self._line([x + 0.012, x, x, x + 0.012], [low, low, high, high])
        y = np.clip((low + high) / 2, 0.2 * self.top, 0.8 * self.top)
        text = _equation(symbol, high - low)
        self._text(x - 0.008, y, text, ha="right", va="center", rotation=90)

    def _line(self, x, bits):
        import matplotlib as mpl

        color = mpl.rcParams["axes.edgecolor"]
        self.lines += self.ax.plot(x, self.y(bits), color=color, linewidth=0.7)

    def _text(self, x, bits, text, **options):
        style = {"fontsize": self.fontsize, "parse_math": True, **options}
        self.texts.append(self.ax.text(x, self.y(bits), text, **style))


def _middles(bar):
    return (bar.edges[:-1] + bar.edges[1:]) / 2


def _number(value):
    """Four digits, but fewer for whole numbers and more than a zero for small ones."""
    if abs(value - round(value)) < 1e-9:
        return str(round(value))
    if value < 0.0005:
        return f"{value:.0e}"
    return f"{value:.{max(0, 4 - len(str(int(value))))}f}"


def _equation(symbol, value):
    return f"${symbol}$ = {_number(value)}"


def _column(symbol, value):
    return f"${symbol}$\n{_number(value)}"


def _pair(symbols, bits):
    """A perplexity and, below, its entropy."""
    entropy, perplexity = symbols
    return f"{_equation(perplexity, 2.0**bits)}\n{_equation(entropy, bits)}"
