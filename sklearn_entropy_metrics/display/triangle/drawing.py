"""Draws the points of a triangle, what helps to read them, and their names."""

import math
from typing import Any

import numpy as np
from matplotlib import colormaps, rcParams
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.patches import Patch

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.display import _display, _points
from sklearn_entropy_metrics.display._names import Named, name_points
from sklearn_entropy_metrics.display.triangle import corners
from sklearn_entropy_metrics.display.triangle.frame import (
    OF_CLASSIFIERS,
    OF_SOURCES,
    find_frame,
)
from sklearn_entropy_metrics.display.triangle.geometry import (
    across,
    guides,
    to_plane,
)
from sklearn_entropy_metrics.display.triangle.shares import (
    TriangleData,
    mean_of_defined,
)

# A cloud of more points than this is an ellipse, unless they are asked for.
_MANY = 30
# The score of a guess is written if sides are longer, in points.
_ROOMY = 200
# What the limit of the class balance is called.
_LIMIT = "limit of these classes"
_ARTISTS = (
    *("colorbar_", "split_scatter_", "split_lines_", "guides_"),
    *("bound_lines_", "nit_lines_"),
)


class Drawing:
    """A triangle in the making, with the artists drawn so far.

    Parameters
    ----------
    data : TriangleData
        What is drawn.

    pooled : list of EntropyBalance
        The table of the folds of each series; empty if there are none.

    options : TriangleOptions
        Those of :meth:`EntropyTriangleDisplay.plot`.
    """

    def __init__(
        self, data: TriangleData, pooled: list[EntropyBalance], options: Any
    ) -> None:
        self.data, self.options = data, options
        self.style = dict(options["scatter_kwargs"] or {})
        self.values: Any = data.values(options["c"], options["path"])
        self.bounds = data.bounds(pooled) if options["bound"] else None
        self.uniform = data.uniform_entropies() if options["nit_lines"] else None
        of = ("true_fractions", "pred_fractions") if options["split"] else ()
        self.ends = [data.fractions(one) for one in of]
        self.points = to_plane(data.joint)
        self.are_folds = len(pooled) == len(data.series) and not options["path"]
        self.word = "all folds" if self.are_folds else "mean"
        self.marks = self._find_marks(pooled)
        self.artists: dict[str, Any] = dict.fromkeys(_ARTISTS) | {"texts_": {}}
        self.entries: list[tuple[Any, str]] = []
        self.lines: list[Any] = []
        self.shades: Any = None

    def _find_marks(self, pooled):
        """The shares of what stands for each series; None if it is its points."""
        series, joint = self.data.series, self.data.joint
        if self.are_folds:
            return [one.joint_fractions for one in pooled]
        if self.values is not None:
            return [None] * len(series)  # a mean of points with values says little
        most = 2 if self.options["points"] is False else _MANY
        return [
            mean_of_defined(joint[one.part]) if one.size > most else None
            for one in series
        ]

    def draw(self, ax: Any) -> dict[str, Any]:
        """Draw everything; return the artists by the names of attributes."""
        self.ax = ax
        words = OF_SOURCES if self.data.together else OF_CLASSIFIERS
        self.frame = find_frame(ax, words, self.options["words"])
        alone = not self.frame.shown and len(self.points) == 1 and not self.ends
        self.is_alone = alone and self.options["guides"] == "auto"
        marks = [mark for mark in self.marks if mark is not None]
        self.places = np.vstack([*marks, *self.ends, np.empty((0, 3))])
        shown = np.vstack([self.data.joint, self.places])
        self.frame.include(shown, self.options["zoom"])
        self._draw_points()
        self._draw_path()
        self._draw_marks()
        self._draw_split()
        self._draw_guides()
        self._draw_bound()
        self._draw_nit_lines()
        self._write()
        return self.artists

    def _draw_points(self):
        """Scatter the points, with a colour bar if colours stand for values."""
        series, values = self.data.series, self.values
        shades = self.shades = None if values is None else self._shade()
        alike = self.options["annotate"] is not False
        alike &= all(
            one.size == 1 or mark is not None
            for one, mark in zip(series, self.marks, strict=True)
        )
        size = (24 if self.ends or self.are_folds else 50) * self.frame.factor
        paper, ink = rcParams["axes.facecolor"], _display.text_color()
        look = {"edgecolor": paper if shades is None else ink}
        look |= {"marker": "o"} if alike or len(series) == 1 else {}
        drawn = _points.draw_series(
            self.ax,
            [one.name for one in series],
            [self.points[one.part] for one in series],
            self.style,
            start=_points.n_series(self.ax),
            sizes=(size, size),
            shades=shades and [(values.numbers[one.part], shades) for one in series],
            **look,
        )
        self.scatters = drawn
        self.colors = np.ones((len(self.points), 4))
        self.seen = np.ones(len(self.points), dtype=bool)
        for one, mark, artist in zip(series, self.marks, drawn, strict=True):
            if shades is None:
                self.colors[one.part, :3] = artist.get_facecolor()[0, :3]
            self.seen[one.part] = mark is None or self._shows_dots(one.size)
            artist.set_visible(self.seen[one.part.start])
        if shades is not None:
            self.colors = shades.to_rgba(np.ma.masked_invalid(values.numbers))
        for place in self.data.together:
            drawn[place].set_sizes(2 * drawn[place].get_sizes())
            drawn[place].set(edgecolor=ink, linewidth=1.5)
        self.artists["scatter_"] = _display.one_or_list(drawn)
        named = len(series) == len(self.points) and series[0].name is not None
        if shades is not None and not (values.is_order and named):
            self.artists["colorbar_"] = corners.draw_colorbar(
                self.frame, shades, values.label, values.is_order
            )

    def _shade(self):
        """Colours for values; the related keywords are taken from the style."""
        style = self.style
        cmap = style.pop("cmap", None) or _display.value_cmap()
        cmap = colormaps[cmap] if isinstance(cmap, str) else cmap
        # An undefined value leaves its point in the picture.
        shades = ScalarMappable(style.pop("norm", None), cmap.with_extremes(bad="0.6"))
        numbers = self.values.numbers
        shades.set_array(numbers[np.isfinite(numbers)])
        shades.set_clim(style.pop("vmin", None), style.pop("vmax", None))
        shades.autoscale_None()
        return shades

    def _shows_dots(self, size):
        """A cloud that an ellipse stands for is drawn without its points."""
        if self.options["points"] == "auto":
            return size <= _MANY or bool(self.options["scatter_kwargs"])
        return self.options["points"]

    def _draw_path(self):
        """Draw lines through the points in their order."""
        paths = []
        for run in self.data.runs if self.options["path"] else ():
            points = self.points[run]
            ends = list(np.stack([points[:-1], points[1:]], axis=1))
            lines = LineCollection(ends, linewidths=1.6, zorder=2.4)
            if self.values.is_order:
                order = self.values.numbers[run]
                lines.set(norm=self.shades.norm, cmap=self.shades.cmap)
                lines.set_array((order[:-1] + order[1:]) / 2)
            else:
                lines.set(color=_display.text_color(), alpha=0.5)
            paths.append(self.ax.add_collection(lines, autolim=False))
        self.lines += paths
        self.artists["path_"] = _display.one_or_list(paths)

    def _draw_marks(self):
        """Draw pooled tables; or the means of clouds, and where most points lie."""
        shape, ink = "D" if self.are_folds else "o", _display.text_color()
        self.centers, spreads = {}, []
        for one, mark in zip(self.data.series, self.marks, strict=True):
            if mark is None:
                continue
            color = ink if self.values is not None else self.colors[one.part.start]
            center = _points.draw_center(self.ax, to_plane(mark), color, shape)
            self.centers[one.part.start] = center
            if not self.are_folds:
                points = self.points[one.part]
                spreads.append(_points.draw_spread(self.ax, self.frame, points, color))
        spreads = [one for one in spreads if one is not None]
        self.lines += spreads
        self.artists["center_"] = _display.one_or_list([*self.centers.values()])
        self.artists["spread_"] = _display.one_or_list(spreads)
        if self.centers and any(one.name is not None for one in self.data.series):
            self.entries.append((_display.legend_mark(shape), self.word))
        if self.are_folds and self.seen.any():
            self.entries.append((_display.legend_mark("o", markersize=4), "one fold"))
        if spreads:
            patch = Patch(facecolor=(*ink[:3], 0.08), edgecolor=(*ink[:3], 0.9))
            self.entries.append((patch, _points.SPREAD))

    def _draw_split(self):
        """Draw the points of X, crosses, and of Y, circles, joined to the points."""
        if not self.ends:
            return
        true, pred = map(to_plane, self.ends)
        # Where all three coincide, the arms of the cross stick out of the point, and
        # the circle is around them.
        look: dict[str, Any] = {"linewidth": 1.4, "zorder": 4.5}
        look["label"] = _display.NO_LEGEND
        cross = self.ax.scatter(*true.T, marker="x", s=55, color=self.colors, **look)
        look |= {"facecolor": "none", "edgecolor": self.colors}
        circle = self.ax.scatter(*pred.T, marker="o", s=130, **look)
        joined = np.stack([true, self.points, pred], axis=1)
        lines = LineCollection(list(joined), colors=self.colors)
        lines.set(linewidth=0.9, alpha=0.7, zorder=2.6)
        self.ax.add_collection(lines, autolim=False)
        self.lines += [lines] if len(joined) <= 100 else []
        self.artists |= {"split_scatter_": [cross, circle], "split_lines_": lines}
        ring = _display.legend_mark("o", fillstyle="none")
        self.entries += [
            (_display.legend_mark("x"), "X, true classes"),
            (ring, "Y, predicted classes"),
        ]

    def _draw_guides(self):
        """Draw lines from points to the three scales."""
        joint = self.data.joint[np.isfinite(self.data.joint).all(axis=1)]
        wanted = self.is_alone and self.frame.level is not None
        if not (wanted or self.options["guides"] is True):
            return
        ends = [line for shares in joint for line in guides(self.frame.window, shares)]
        colors = self.frame.colors * len(joint)
        lines = LineCollection(ends, colors=colors, linestyles=(0, (1.5, 1.5)))
        lines.set(linewidth=1.6, zorder=1.7)
        self.artists["guides_"] = self.ax.add_collection(lines, autolim=False)
        self.lines.append(lines)
        if self.is_alone:
            self.frame.passing.append((lines, None))

    def _draw_bound(self):
        """Draw what class balances allow: a greatest 2MI' and a least ΔH'."""
        if self.bounds is None:
            return
        pairs = self.bounds[np.isfinite(self.bounds).all(axis=1)].round(9)
        ends = []
        for information, divergence in np.unique(pairs, axis=0):
            meeting = (divergence, information, 1 - divergence - information)
            ends.append(to_plane([(1 - information, information, 0), meeting]))
            ends.append(to_plane([(divergence, 0, 1 - divergence), meeting]))
        self.artists["bound_lines_"] = self._add_lines(ends, "dashed")
        self.lines[-1].set_clip_path(self.frame)

    def _draw_nit_lines(self):
        """Draw lines of equal NIT factor q, at 2MI' = 2 log2(q k) / log2(k m)."""
        if self.uniform is None:
            return
        window, true, bits = self.frame.window, self.uniform[0], sum(self.uniform) / 2
        heights = window.lower[1] + window.size * np.array([0.15, 0.3, 0.45, 0.6, 0.75])
        digits = 2 + math.ceil(-math.log10(window.size) - 1e-9)
        numbers = {f"{q:.{digits}g}" for q in np.exp2(bits * heights - true)}
        factors = np.sort(np.array(list(numbers), dtype=float))
        shares = ((np.log2(factors) + true) / bits - window.lower[1]) / window.size
        ends = [across(window.corners, 1, share) for share in shares]
        self.artists["nit_lines_"] = self._add_lines(ends, "dotted")
        look: dict[str, Any] = {"ha": "right", "va": "bottom", "alpha": 0.75}
        look |= {"fontsize": max(0.85 * self.frame.size("xtick.labelsize"), 6)}
        look |= {"xytext": (-9 * self.frame.factor, 1.5), "textcoords": "offset points"}
        words = [f"NIT factor q = {factors[0]:g}", *(f"q = {q:g}" for q in factors[1:])]
        self.artists["texts_"]["nit_lines"] = [
            self.ax.annotate(text, right, **look)
            for text, (right, _) in zip(words, ends, strict=True)
        ]

    def _add_lines(self, ends, linestyle):
        color = _display.text_color()
        lines = LineCollection(ends, colors=color, linestyles=linestyle, zorder=1.8)
        lines.set(linewidth=1.1, alpha=0.75)
        self.lines.append(lines)
        return self.ax.add_collection(lines, autolim=False)

    def _write(self):
        """Write names beside points, the shares of a single point, and the legend."""
        frame, annotate = self.frame, self.options["annotate"]
        dots = self.points[self.seen] if len(self.points) <= 500 else self.points[:0]
        places = np.vstack([dots, to_plane(self.places)])
        places = places[np.isfinite(places).all(axis=1)]
        given = places, [frame, *self.lines], frame.size("legend.fontsize")
        new, listed, fixed = self._names()
        naming = name_points(self.ax, listed, False, *given)
        naming = name_points(self.ax, new, annotate, *given)
        if annotate is not False:
            naming.labels.extend(name_points(self.ax, fixed, True, *given).labels)
        if self.is_alone:
            self._tell(naming.labels, given)
        self.artists["texts_"] |= {"names": naming.labels, "words": frame.worded}
        self.artists["legend_"] = corners.draw_legend(
            frame, naming.entries, self.entries
        )

    def _names(self):
        """Names that may become numbers, those for the legend, and those that stay."""
        new, listed, fixed = [], [], []
        for one, artist in zip(self.data.series, self.scatters, strict=True):
            first, last = one.part.start, one.part.stop - 1
            named = Named(one.name or "", self.points[last], self._ink(first), artist)
            if one.size == 1 or self.options["path"]:
                new.append(named)
            elif first in self.centers:
                center = self.centers[first]
                place, name = center.get_offsets()[0], one.name or self.word
                new.append(Named(name, place, named.color, center))
            elif one.name is not None:
                listed.append(named)
            elif one.size <= _MANY:
                numbers = enumerate(self.points[one.part], start=1)
                fixed += [named._replace(name=str(i), anchor=at) for i, at in numbers]
        if self.bounds is not None:
            ends = self.artists["bound_lines_"].get_segments()[:1]
            color = _display.text_color()
            fixed += [Named(_LIMIT, end.mean(axis=0), color, None) for end in ends]
        return [
            [one for one in some if one.name and np.isfinite(one.anchor).all()]
            for some in (new, listed, fixed)
        ]

    def _ink(self, place):
        """The colour of a name: a little darker than its point, to be read."""
        color = np.array(_display.text_color())
        if self.values is not None:
            return color
        return 0.75 * self.colors[place] + 0.25 * color

    def _tell(self, labels, given):
        """Write the score beside a point that is alone, and its shares as the title."""
        frame, joint = self.frame, self.data.joint
        if not np.isfinite(joint).all() or not self.data.balances:
            return
        (balance,) = self.data.balances
        score = np.ravel(balance.entropy_modulated_accuracy)[0]
        blind = 1 / np.ravel(balance.effective_true_classes)[0]
        text = f"EMA {score:.2f}"
        text += f" (guessing: {blind:.2f})" if frame.side > _ROOMY else ""
        name = self.data.series[0].name
        if frame.level is not None and name and labels:
            labels[0].set_text(f"{name}\n{text}")
            frame.passing.append((labels[0], name))
        elif frame.level is not None and self.options["annotate"] is not False:
            alone = Named(text, self.points[0], self._ink(0), None)
            labels += name_points(self.ax, [alone], True, *given).labels
            frame.passing += [(label, None) for label in labels]
        self.artists["texts_"]["shares"] = frame.title(joint[0])
