"""Puts the layers of an entropy triangle together."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.display import _axes, _points
from sklearn_entropy_metrics.display.triangle import aids, detail, geometry, layers
from sklearn_entropy_metrics.display.triangle.data import (
    TriangleData,
    Values,
    mean_of_defined,
)
from sklearn_entropy_metrics.display.triangle.frame import Frame, Solo, find_frame
from sklearn_entropy_metrics.display.triangle.names import MOST, Named, write_names

_SPLIT = ("true_fractions", "pred_fractions")
# Points nearer than this share of the side hide each other.
_REACH = 0.004
# With more points than this, or in a larger cloud, hidden points are not searched.
_MANY, _CLOUD = 500, 50


@dataclass
class TrianglePicture:
    """An entropy triangle in the making, with the artists drawn so far.

    Attributes
    ----------
    ax : matplotlib Axes
        Where it is drawn.

    data : TriangleData
        What is drawn.

    values : Values or None
        What the colours of the points stand for.

    pooled : EntropyBalance, list of them or None
        The centre of all points, or of the points of each series, instead of a mean.

    path : bool
        Whether the points are steps of a path, not samples around a centre.
    """

    ax: Any
    data: TriangleData
    values: Values | None
    pooled: EntropyBalance | list[EntropyBalance] | None
    path: bool
    artists: dict[str, Any] = field(default_factory=dict)
    entries: list[tuple[Any, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.joint = self.data.fractions("joint_fractions")
        self.points = geometry.to_plane(self.joint)
        self.clouds = self._find_clouds()
        self.split_points: list[np.ndarray] = []
        self.handles: dict[int, Any] = {}

    def _find_clouds(self):
        """Points around a centre, and the centre; those on a path have none."""
        series, joint = self.data.series, self.joint
        if self.path or len(joint) < 2:
            return []
        if isinstance(self.pooled, EntropyBalance):
            # One cloud, even if each of its points has a name.
            return [(slice(0, len(joint)), self.pooled.joint_fractions)]
        if self.pooled is not None:
            pairs = zip(series, self.pooled, strict=True)
            return [(one.part, pooled.joint_fractions) for one, pooled in pairs]
        if self.values is not None:
            return []  # the mean of points with different values says little
        clouds = [one.part for one in series if one.is_cloud]
        return [(part, mean_of_defined(joint[part])) for part in clouds]

    def draw_frame(self, zoom: bool, split: bool, words: bool) -> None:
        """Draw the frame unless there is one, and let it include the points."""
        self.frame = find_frame(self.ax) or Frame(
            self.ax, self.data.words, speaks=words
        )
        shown = [self.joint, *(center for _, center in self.clouds)]
        if split:
            shown += [self.data.fractions(of) for of in _SPLIT]
        before = self.frame.part
        self.frame.include(np.vstack(shown), zoom)
        if self.frame.part != before:
            for drawn in self.frame.nit_lines:
                aids.place_nit_lines(self.ax, self.frame, drawn)
        self.outline = self.frame.outline
        self.artists["texts_"] = {"words": self.frame.worded}

    def draw_points(
        self, style: dict[str, Any], split: bool, annotate: bool | str
    ) -> None:
        """Scatter the points, with a colour bar if colours stand for values."""
        series, values = self.data.series, self.values
        n_names = len(self.frame.writings) + len(series)
        most = MOST if self.crowd is None else 2 * MOST
        fit = n_names <= most and not self.frame.crowded
        alike = annotate is True or (annotate == "auto" and fit)
        named = len(series) == len(self.points) and series[0].name is not None
        shades = None if values is None else layers.make_shades(values, style)
        drawn = _points.draw_series(
            self.ax,
            [one.name for one in series],
            [self.points[one.part] for one in series],
            style,
            start=_points.n_series(self.ax),
            sizes=(18, 18) if split else (50, 18 if self.clouds else 50),
            marker="o" if alike or (self.path and named) else None,
            shades=shades
            and [(shades.values[one.part], shades.mappable) for one in series],
            covered=self._covered(),
        )
        self.colors = layers.point_colors(series, drawn, shades, len(self.points))
        has_bar = values is not None and not (values.is_order and named)
        self.artists["scatter_"] = _axes.one_or_list(drawn)
        self.scatters = drawn
        self.artists["colorbar_"] = None
        if shades is not None and has_bar:
            bar = layers.draw_colorbar(self.ax, self.frame, shades)
            self.artists["colorbar_"] = bar
        paths = [
            layers.draw_path(self.ax, self.points, run, shades)
            for run in (self.data.runs if self.path else ())
        ]
        self.artists["path_"] = _axes.one_or_list(paths)

    def _covered(self):
        """By series, how many points lie over each of its points."""
        series, reach = self.data.series, _REACH * self.frame.part.size
        if len(self.points) + len(self.frame.marks) > _MANY:
            return None
        before, covered = self.frame.marks, []
        for one in series:
            points = self.points[one.part]
            if len(points) > _CLOUD:
                count = np.zeros(len(points))
            elif one.is_cloud:  # later points are drawn over earlier ones
                nothing = np.empty((0, 2))
                count = _points.count_covering(points[::-1], nothing, reach)[::-1]
            else:
                count = _points.count_covering(points, before, reach)
                before = np.vstack([before, points])
            covered.append(count)
        self.frame.marks = before
        return covered

    def draw_clouds(self, points: bool | str, wanted: bool) -> None:
        """Draw the centre of each cloud, and where most of its points lie."""
        centers, spreads = [], []
        for part, center in self.clouds:
            # All points of a cloud have one colour, unless colours have a meaning.
            alike = (self.colors[part] == self.colors[part.start]).all()
            color = self.colors[part.start] if alike else _axes.text_color()
            place = geometry.to_plane(center)
            cloud = [(self.points[part], place, color)]
            ((center_,), spread) = _points.draw_clouds(self.ax, self.outline, cloud)
            self._uncover(center_, place)
            self._show_dots(part, center_, points, wanted or not spread)
            centers.append(center_)
            spreads += spread
        self.artists["center_"] = _axes.one_or_list(centers)
        self.artists["spread_"] = _axes.one_or_list(spreads)
        kind = "mean" if self.pooled is None else "pooled"
        if centers:
            self.entries.append((_axes.legend_mark("o"), kind))
        if spreads:
            self.entries.append((_spread_mark(), _points.SPREAD))

    def _uncover(self, artist, place):
        """Leave a ring visible around a centre that another one covers."""
        place, frame = place[None], self.frame
        reach = _REACH * frame.part.size
        (level,) = _points.count_covering(place, frame.marks, reach)
        frame.marks = np.vstack([frame.marks, place])
        artist.set_sizes(artist.get_sizes() * _points.ring(level))
        artist.set_zorder(artist.get_zorder() - 0.01 * level)

    def _show_dots(self, part, center, points, wanted):
        """Hide the dots of a cloud whose ellipse says enough; its centre stands for it.

        Named folds are points in their own right.
        """
        for one, artist in zip(self.data.series, self.scatters, strict=True):
            if one.part == part and one.is_cloud:
                artist.set_visible(points is True or (points == "auto" and wanted))
                center.set_paths(artist.get_paths())
                self.handles[one.part.start] = center

    def draw_split(self, split: bool) -> None:
        """Draw the points of the true and of the predicted classes."""
        self.artists |= {"split_scatter_": None, "split_lines_": None}
        if split:
            ends = [geometry.to_plane(self.data.fractions(of)) for of in _SPLIT]
            both, lines = layers.draw_split(self.ax, self.points, ends, self.colors)
            self.artists |= {"split_scatter_": both, "split_lines_": lines}
            self.entries.append((_axes.legend_mark("x"), "X, true classes"))
            circle = _axes.legend_mark("o", fillstyle="none")
            self.entries.append((circle, "Y, predicted classes"))
            self.split_points = ends

    def draw_aids(self, guides: bool | str, bound: bool, nit_shape: Any) -> None:
        """Draw what helps to read the triangle."""
        self.artists |= {"bound_lines_": None, "nit_lines_": None, "guides_": None}
        alone = len(self.points) == 1 and len(self.frame.shown) == 1
        self.is_solo = alone and guides == "auto" and not self.split_points
        if guides is True or self.is_solo:
            lines = aids.draw_guides(self.ax, self.frame, self.joint)
            self.artists["guides_"] = lines
            if self.is_solo:
                self.frame.passing.append(lines)
        if bound:
            bounds = self.data.bounds(None if self.path else self.pooled)
            lines = aids.draw_bound(self.ax, self.outline, bounds)
            self.artists["bound_lines_"] = lines
            self.entries.append((lines, "limit of the class balance"))
        if nit_shape is not None:
            drawn = aids.draw_nit_lines(self.ax, self.frame, nit_shape)
            self.artists["nit_lines_"] = drawn.lines
            self.artists["texts_"]["nit_lines"] = drawn.texts
            self.entries.append((drawn.lines, "equal NIT factor q"))

    def find_crowd(self, wanted: bool) -> None:
        """Find what a detail of these Axes shows, if one is requested."""
        wanted |= self.frame.detail is not None
        alone = np.ones(len(self.joint), dtype=bool)
        for part, _ in self.clouds:
            alone[part] = False
        centers = [center for _, center in self.clouds]
        self.frame.seats.append(np.vstack([self.joint[alone], *centers]))
        every = np.vstack(self.frame.seats)
        self.crowd = detail.find_crowd(every) if wanted else None

    def draw_detail(self) -> None:
        """Show the crowd in its own triangle."""
        self.artists["inset_"] = self.crowd and detail.draw_detail(
            self.ax, self.frame, self.crowd
        )

    def write(self, annotate: bool | str) -> None:
        """Write names beside points or into the legend, and the shares of a point."""
        if self.is_solo and np.isfinite(self.joint).all():
            sentence = self.frame.say(self.ax, layers.sentence(self.joint[0]))
            self.artists["texts_"]["shares"] = [sentence]
        named = [
            (one, artist)
            for one, artist in zip(self.data.series, self.scatters, strict=True)
            if one.name is not None or (self.is_solo and annotate)
        ]
        new = [self._name(one, artist) for one, artist in named]
        labels, entries = write_names(
            self.ax,
            self.frame,
            new,
            self._parted(new) if annotate == "auto" else annotate,
            self._marks(),
            self._lines(),
        )
        self.artists["texts_"]["names"] = labels
        legend = _axes.add_legend(self.ax, [*entries, *self.entries])
        self.artists["legend_"] = legend
        if self.is_solo and labels:
            self.frame.solo = Solo(labels[0], named[0][0].name, *self._score())

    def _parted(self, new):
        """Write names if the triangle and its detail have few of them each."""
        if self.crowd is None or not new:
            return "auto"
        inside = detail.is_inside(self.crowd, np.stack([one.anchor for one in new]))
        return bool(max(inside.sum(), (~inside).sum()) <= MOST)

    def _name(self, one, artist):
        anchor = self._anchor(one.part)
        color = np.array(_axes.text_color())
        if self.values is None:  # a little darker than the point, to be read
            color = 0.75 * self.colors[one.part.start] + 0.25 * color
        name = "" if one.name is None else str(one.name)
        handle = self.handles.get(one.part.start, artist)
        return Named(name, anchor, color, handle)

    def _score(self):
        """The score of a single classifier, beside that of a blind guess."""
        (balance,) = self.data.balances
        score = np.ravel(balance.entropy_modulated_accuracy)[0]
        blind = 1 / np.ravel(balance.effective_true_classes)[0]
        return f"EMA {score:.2f}", f"(guessing: {blind:.2f})"

    def _anchor(self, part):
        """Where the name of a series belongs: its point, its centre or its end."""
        for cloud, center in self.clouds:
            if cloud == part:
                return geometry.to_plane(center)
        return self.points[part.stop - 1]

    def _marks(self):
        """Points that names keep clear of."""
        seen = [artist.get_visible() for artist in self.scatters]
        parts = [one.part for one in self.data.series]
        points = [self.points[p] for p, s in zip(parts, seen, strict=True) if s]
        centers = [geometry.to_plane(center)[None] for _, center in self.clouds]
        every = np.vstack([*points, *centers, *self.split_points])
        return every[np.isfinite(every).all(axis=1)]

    def _lines(self):
        """Lines that names keep clear of."""
        lines: list[Any] = [self.outline]
        lines += [self.points[run] for run in (self.data.runs if self.path else ())]
        if self.split_points and len(self.points) <= 100:
            true, pred = self.split_points
            lines += list(np.stack([true, self.points, pred], axis=1))
        aids = (self.artists[name] for name in ("guides_", "nit_lines_"))
        return lines + [artist for artist in aids if artist is not None]


def _spread_mark():
    """A mark for the legend that stands for ellipses of any colour."""
    from matplotlib.patches import Patch

    color = _axes.text_color()[:3]
    return Patch(facecolor=(*color, 0.08), edgecolor=(*color, 0.9))
