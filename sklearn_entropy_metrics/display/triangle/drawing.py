"""Draws the points of a triangle, what helps to read them, and their names."""

import math
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.patches import Patch

from sklearn_entropy_metrics.display import _display, _points
from sklearn_entropy_metrics.display._names import Named, fit_legend, name_points
from sklearn_entropy_metrics.display.triangle import frame, geometry
from sklearn_entropy_metrics.display.triangle.geometry import to_plane

# A cloud of more points than this is an ellipse, unless they are asked for.
_MANY = 30
# The score of a guess is written if sides are longer, in points.
_ROOMY = 200
# What the limit of the class balance is called.
_LIMIT = "limit of these classes"
# Artists that are drawn only if they are wanted.
_ARTISTS = "colorbar_ split_scatter_ split_lines_ guides_ bound_lines_ nit_lines_"


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

    def __init__(self, data, pooled, options):
        self.data, self.options = data, options
        self.style = dict(options["scatter_kwargs"] or {})
        needs = [key for key in ("split", "bound", "nit_lines") if options[key]]
        if data.together and (needs or isinstance(options["c"], str)):
            raise ValueError(
                f"`{(*needs, 'c')[0]}` needs predictions: an EntropyBalance. Got a "
                "SourceBalance."
            )
        self.values, self.label = data.values(options["c"], options["path"])
        self.is_order = options["c"] is None
        self.bounds = data.bounds(pooled) if options["bound"] else None
        self.uniform = data.uniform_entropies() if options["nit_lines"] else None
        of = ("true_fractions", "pred_fractions") if options["split"] else ()
        self.ends = [data.fractions(one) for one in of]
        self.points = to_plane(data.joint)
        self.colors = np.ones((len(self.points), 4))
        self.are_folds = len(pooled) == len(data.series) and not options["path"]
        self.word = "all folds" if self.are_folds else "mean"
        most = 2 if options["points"] is False else _MANY
        for i, one in enumerate(data.series):
            if self.are_folds:
                one.mark = pooled[i].joint_fractions
            elif one.size > most and self.values is None:
                # A mean of points with values would say little.
                one.mark = _points.mean_of(data.joint[one.part])
        self.artists: dict[str, Any] = dict.fromkeys(_ARTISTS.split()) | {"texts_": {}}
        self.entries: list[tuple[Any, str]] = []
        self.lines: list[Any] = []

    def draw(self, ax: Any) -> dict[str, Any]:
        """Draw everything; return the artists by the names of attributes."""
        self.ax = ax
        sides = frame.OF_SOURCES if self.data.together else frame.OF_CLASSIFIERS
        drawn = [patch for patch in ax.patches if isinstance(patch, frame.Frame)]
        self.frame = (drawn or [frame.Frame(ax, sides, self.options["words"])])[0]
        alone = not self.frame.shown and len(self.points) == 1 and not self.ends
        self.is_alone = alone and self.options["guides"] == "auto"
        marks = [one.mark for one in self.data.series if one.mark is not None]
        shown = np.vstack([self.data.joint, *marks, *self.ends])
        self.frame.include(shown, self.options["zoom"])
        self.places = to_plane(shown)
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
        series, values, ink = self.data.series, self.values, _display.text_color()
        # A legend needs markers, names beside points do not.
        by_marker = len(series) > 1 and (
            self.options["annotate"] is False
            or any(one.size > 1 and one.mark is None for one in series)
        )
        look: Any = {} if by_marker else {"marker": "o"}
        size = (24 if self.ends or self.are_folds else 50) * self.frame.factor
        if values is not None:
            self.shades = shades = self._shade()
            look |= {"norm": shades.norm, "cmap": shades.cmap, "edgecolor": ink}
        drawn = _points.draw_series(
            self.ax,
            [one.name for one in series],
            [self.points[one.part] for one in series],
            self.style,
            numbers=_points.n_series(self.ax) + np.arange(len(series)),
            sizes=(size, size),
            values=None if values is None else [values[one.part] for one in series],
            **look,
        )
        for one, artist in zip(series, drawn, strict=True):
            one.artist = artist
            if values is None:
                self.colors[one.part, :3] = artist.get_facecolor()[0, :3]
            shows = one.size <= _MANY or bool(self.options["scatter_kwargs"])
            if self.options["points"] != "auto":
                shows = self.options["points"]
            if one.mark is not None and not shows:
                artist.set_visible(False)
                self.places[one.part] = np.nan
        for artist in (drawn[place] for place in self.data.together):
            artist.set(sizes=2 * artist.get_sizes(), edgecolor=ink, linewidth=1.5)
        self.artists["scatter_"] = _display.one_or_list(drawn)
        if values is None:
            return
        self.colors = shades.to_rgba(np.ma.masked_invalid(values))
        named = len(series) == len(self.points) and series[0].name is not None
        if not (self.is_order and named):  # names explain an order
            bar = self.frame.draw_colorbar(shades, self.label, self.is_order)
            self.artists["colorbar_"] = bar

    def _shade(self):
        """Colours for values; the related keywords are taken from the style."""
        style = self.style
        cmap = style.pop("cmap", None) or _display.value_cmap()
        cmap = colormaps[cmap] if isinstance(cmap, str) else cmap
        # An undefined value leaves its point in the picture.
        shades = ScalarMappable(style.pop("norm", None), cmap.with_extremes(bad="0.6"))
        shades.set_array(self.values[np.isfinite(self.values)])
        shades.set_clim(style.pop("vmin", None), style.pop("vmax", None))
        shades.autoscale_None()
        return shades

    def _draw_path(self):
        """Draw lines through the points in their order."""
        paths = []
        for run in self.data.runs if self.options["path"] else ():
            points = self.points[run]
            ends = list(np.stack([points[:-1], points[1:]], axis=1))
            look: Any = {"alpha": 0.5}
            if self.is_order:
                order = self.values[run]
                look = {"colors": None, "array": (order[:-1] + order[1:]) / 2}
                look |= {"norm": self.shades.norm, "cmap": self.shades.cmap}
            paths.append(self._add_lines(ends, linewidth=1.6, zorder=2.4, **look))
        self.artists["path_"] = _display.one_or_list(paths)

    def _draw_marks(self):
        """Draw pooled tables; or the means of clouds, and where most points lie."""
        shape, ink = "D" if self.are_folds else "o", _display.text_color()
        marked = [one for one in self.data.series if one.mark is not None]
        spreads = []
        for one in marked:
            color = ink if self.values is not None else self.colors[one.part.start]
            one.center = _points.draw_center(self.ax, to_plane(one.mark), color, shape)
            if not self.are_folds:
                points = self.points[one.part]
                spreads += _points.draw_spread(self.ax, self.frame, points, color)
        self.lines += spreads
        self.artists["center_"] = _display.one_or_list([one.center for one in marked])
        self.artists["spread_"] = _display.one_or_list(spreads)
        if any(one.name is not None for one in marked):
            self.entries.append((_display.legend_mark(shape), self.word))
        if self.are_folds and any(one.artist.get_visible() for one in marked):
            self.entries.append((_display.legend_mark("o", markersize=4), "one fold"))
        if spreads:
            patch = Patch(facecolor=(*ink[:3], 0.08), edgecolor=(*ink[:3], 0.9))
            self.entries.append((patch, "95 % of points"))

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
        joined = list(np.stack([true, self.points, pred], axis=1))
        look = {"colors": self.colors, "linewidth": 0.9, "alpha": 0.7, "zorder": 2.6}
        lines = self._add_lines(joined, **look)
        self.artists |= {"split_scatter_": [cross, circle], "split_lines_": lines}
        ring = _display.legend_mark("o", fillstyle="none")
        self.entries.append((_display.legend_mark("x"), "X, true classes"))
        self.entries.append((ring, "Y, predicted classes"))

    def _draw_guides(self):
        """Draw lines from points to the three scales."""
        wanted = self.is_alone and self.frame.speaks
        if not (wanted or self.options["guides"] is True):
            return
        joint = self.data.joint[np.isfinite(self.data.joint).all(axis=1)]
        given = ((self.frame.window, shares) for shares in joint)
        ends = [line for one in given for line in geometry.guides(*one)]
        look: Any = {"linestyles": (0, (1.5, 1.5)), "linewidth": 1.6, "zorder": 1.7}
        lines = self._add_lines(ends, colors=self.frame.colors * len(joint), **look)
        self.artists["guides_"] = lines
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
        lines = self.artists["bound_lines_"] = self._add_lines(
            ends, linestyles="dashed", alpha=0.75
        )
        lines.set_clip_path(self.frame)

    def _draw_nit_lines(self):
        """Draw lines of equal NIT factor q, at 2MI' = 2 log2(q k) / log2(k m)."""
        if self.uniform is None:
            return
        window, true, bits = self.frame.window, self.uniform[0], sum(self.uniform) / 2
        heights = window.lower[1] + window.size * np.array([0.15, 0.3, 0.45, 0.6, 0.75])
        digits = 2 + math.ceil(-math.log10(window.size) - 1e-9)
        factors = np.exp2(bits * heights - true)
        factors = np.unique([float(f"{q:.{digits}g}") for q in factors])
        shares = ((np.log2(factors) + true) / bits - window.lower[1]) / window.size
        ends = [geometry.across(window.corners, 1, share) for share in shares]
        look: dict[str, Any] = {"linestyles": "dotted", "alpha": 0.75}
        self.artists["nit_lines_"] = self._add_lines(ends, **look)
        paper = {"facecolor": self.frame.get_facecolor(), "linewidth": 0, "pad": 0.5}
        look = {"ha": "right", "va": "bottom", "alpha": 0.75, "bbox": paper}
        look |= {"fontsize": max(0.85 * self.frame.size("xtick.labelsize"), 6)}
        look |= {"xytext": (-9 * self.frame.factor, 1.5), "textcoords": "offset points"}
        words = [f"NIT factor q = {factors[0]:g}", *(f"q = {q:g}" for q in factors[1:])]
        self.artists["texts_"]["nit_lines"] = [
            self.ax.annotate(text, right, **look)
            for text, (right, _) in zip(words, ends, strict=True)
        ]

    def _add_lines(self, ends, **look):
        """Draw lines, by default in the colour of texts; names keep clear of few."""
        usual: Any = {"linewidth": 1.1, "zorder": 1.8, "colors": _display.text_color()}
        lines = LineCollection(ends, **(usual | look))
        self.lines += [lines] if len(ends) <= 100 else []
        return self.ax.add_collection(lines, autolim=False)

    def _write(self):
        """Write names beside points, the shares of a single point, and the legend."""
        score, size = self._score(), self.frame.size("legend.fontsize")
        new, fixed = self._names()
        if score and not new:
            fixed.append(Named(score, self.points[0], self._ink(0), None))
        given = self.options["annotate"], self.places, [self.frame, *self.lines], size
        labels, entries = name_points(self.ax, new, *given, fixed)
        if score and labels:
            name = new[0].name if new else None
            label = labels[0 if new else -1]
            label.set_text(score if name is None else f"{name}\n{score}")
            self.frame.passing.append((label, name))
        words = self.frame.words if self.frame.speaks else []
        self.artists["texts_"] |= {"names": labels, "words": words}
        if self.is_alone and self.data.balances and np.isfinite(self.points).all():
            self.artists["texts_"]["shares"] = self.frame.title(self.data.joint[0])
        self.artists["legend_"] = fit_legend(
            self.ax, entries, self.entries, labels, size, self.frame.has_room
        )

    def _names(self):
        """Names that may become numbers, and those that stay; others are listed."""
        new, fixed, listed = [], [], []
        for one in self.data.series:
            place, ink = self.points[one.part.stop - 1], self._ink(one.part.start)
            if one.size == 1 or self.options["path"]:
                if one.name is not None:
                    new.append(Named(one.name, place, ink, one.artist))
            elif one.mark is not None:
                name = one.name or self.word
                new.append(Named(name, to_plane(one.mark), ink, one.center))
            elif one.name is not None:
                listed.append((one.artist, one.name))
            elif one.size <= _MANY:
                numbers = enumerate(self.points[one.part], start=1)
                fixed += [Named(str(i), at, ink, None) for i, at in numbers]
        self.entries = listed + self.entries
        if self.bounds is not None:
            ends = self.artists["bound_lines_"].get_segments()[:1]
            color = _display.text_color()
            fixed += [Named(_LIMIT, end.mean(axis=0), color, None) for end in ends]
        return new, fixed

    def _ink(self, place):
        """The colour of a name: a little darker than its point, to be read."""
        share = 0.75 if self.values is None else 0.0
        ink = np.array(_display.text_color())
        return share * self.colors[place] + (1 - share) * ink

    def _score(self):
        """What is written beside a point that is alone, if there is room for words."""
        has_score = self.is_alone and self.frame.speaks and self.data.balances
        if not (has_score and np.isfinite(self.points).all()):
            return ""
        (balance,) = self.data.balances
        score = np.ravel(balance.entropy_modulated_accuracy)[0]
        guess = 1 / np.ravel(balance.effective_true_classes)[0]
        beside = f"\n(guessing: {guess:.2f})" if self.frame.side > _ROOMY else ""
        return f"EMA {score:.2f}{beside}"
