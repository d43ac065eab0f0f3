"""Puts the layers of an entropy triangle together."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.display import _axes, _points
from sklearn_entropy_metrics.display.triangle import aids, geometry, layers
from sklearn_entropy_metrics.display.triangle.data import (
    TriangleData,
    Values,
    mean_of_defined,
)


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
            return []  # of points that are told apart by a value, a mean says little
        clouds = [one.part for one in series if one.is_cloud]
        return [(part, mean_of_defined(joint[part])) for part in clouds]

    def draw_frame(self, zoom: bool, split: bool) -> None:
        """Draw the frame, by default of the whole triangle."""
        part = geometry.Triangle()
        if zoom:
            shown = [self.joint, *(center for _, center in self.clouds)]
            if split:
                shown += [self.data.fractions(of) for of in _SPLIT]
            part = geometry.enclosing_triangle(np.vstack(shown))
        self.outline = geometry.draw_triangle(self.ax, part)

    def draw_points(self, style: dict[str, Any], annotate: bool) -> None:
        """Scatter the points, with a colour bar if colours stand for values."""
        series, values = self.data.series, self.values
        named = len(series) == len(self.points) and series[0].name is not None
        alike = annotate or (self.path and named)
        shades = None if values is None else layers.make_shades(values, style)
        drawn = _points.draw_series(
            self.ax,
            [one.name for one in series],
            [self.points[one.part] for one in series],
            style,
            start=_points.n_series(self.ax),
            sizes=(50, 50),
            marker="o" if alike else None,
            shades=shades
            and [(shades.values[one.part], shades.mappable) for one in series],
        )
        self.colors = layers.point_colors(series, drawn, shades, len(self.points))
        has_bar = shades is not None and not (shades.is_order and named)
        self.artists["scatter_"] = _axes.one_or_list(drawn)
        self.artists["colorbar_"] = (
            layers.draw_colorbar(self.ax, shades) if has_bar else None
        )
        paths = [
            layers.draw_path(self.ax, self.points, run, shades)
            for run in (self.data.runs if self.path else ())
        ]
        self.artists["path_"] = _axes.one_or_list(paths)
        if not annotate:
            names = (one.name for one in series)
            pairs = zip(drawn, names, strict=True)
            self.entries += [
                (artist, name) for artist, name in pairs if name is not None
            ]

    def draw_clouds(self) -> None:
        """Draw the centre of each cloud, and where most of its points lie."""
        clouds = []
        for part, center in self.clouds:
            # All points of a cloud have one colour, unless colours have a meaning.
            alike = (self.colors[part] == self.colors[part.start]).all()
            color = self.colors[part.start] if alike else _axes.text_color()
            clouds.append((self.points[part], geometry.to_plane(center), color))
        centers, spreads = _points.draw_clouds(self.ax, self.outline, clouds)
        self.artists["center_"] = _axes.one_or_list(centers)
        self.artists["spread_"] = _axes.one_or_list(spreads)
        kind = "mean" if self.pooled is None else "pooled"
        if centers:
            self.entries.append((_axes.legend_mark("P"), kind))
        if spreads:
            self.entries.append((_spread_mark(), _points.SPREAD))

    def draw_split(self, split: bool) -> None:
        """Draw the points of the true and of the predicted classes."""
        self.artists |= {"split_scatter_": None, "split_lines_": None}
        if split:
            ends = [geometry.to_plane(self.data.fractions(of)) for of in _SPLIT]
            both, lines = layers.draw_split(self.ax, self.points, ends, self.colors)
            self.artists |= {"split_scatter_": both, "split_lines_": lines}
            self.entries.append((_axes.legend_mark("x"), "X, true"))
            circle = _axes.legend_mark("o", fillstyle="none")
            self.entries.append((circle, "Y, predicted"))
            self.split_points = ends

    def draw_aids(self, zones: bool, bound: bool, nit_shape: Any) -> None:
        """Draw what helps to read the triangle."""
        self.artists |= {"bound_lines_": None, "nit_lines_": None, "texts_": {}}
        if zones:
            self.artists["texts_"]["zones"] = aids.draw_zones(self.ax, self.outline)
        if bound:
            bounds = self.data.bounds(None if self.path else self.pooled)
            lines = aids.draw_bound(self.ax, self.outline, bounds)
            self.artists["bound_lines_"] = lines
            self.entries.append((lines, "class balance bound"))
        if nit_shape is not None:
            lines, texts = aids.draw_nit_lines(self.ax, self.outline, *nit_shape)
            self.artists["nit_lines_"] = lines
            self.artists["texts_"]["nit_lines"] = texts

    def write_legend(self, zones: bool) -> None:
        """Write the legend into the corner beside the triangle."""
        self.artists["legend_"] = legend = _axes.add_legend(self.ax, self.entries)
        if self.entries:
            box = legend.get_window_extent()
            geometry.make_room(self.ax, self.outline, box, beyond=1.5 if zones else 0)

    def write_names(self) -> None:
        """Write the names beside the points."""
        from sklearn_entropy_metrics.display._labels import add_names

        named = [one for one in self.data.series if one.name is not None]
        if not named:
            return
        lines = [self.outline.get_xy()]
        lines += [self.points[run] for run in (self.data.runs if self.path else ())]
        if self.split_points and len(self.points) <= 100:
            true, pred = self.split_points
            lines += list(np.stack([true, self.points, pred], axis=1))
        self.artists["texts_"]["names"] = add_names(
            self.ax,
            [str(one.name) for one in named],
            np.stack([self._anchor(one.part) for one in named]),
            np.vstack([self.points, *self.split_points]),
            lines,
        )

    def _anchor(self, part):
        """Where the name of a series belongs: its point, its centre or its end."""
        for cloud, center in self.clouds:
            if cloud == part:
                return geometry.to_plane(center)
        return self.points[part.stop - 1]


_SPLIT = ("true_fractions", "pred_fractions")


def _spread_mark():
    """A mark for the legend that stands for ellipses of any colour."""
    from matplotlib.patches import Patch

    color = _axes.text_color()[:3]
    return Patch(facecolor=(*color, 0.12), edgecolor=(*color, 0.9))
