"""The picture of the φ-δ plane: its layers in order, and the artists they make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.display import _axes, _points
from sklearn_entropy_metrics.display.phi_delta import fit, frame, layers
from sklearn_entropy_metrics.display.phi_delta.plane import SELECTED, Series


@dataclass
class PlanePicture:
    """A φ-δ plane in the making, with the artists drawn so far.

    Attributes
    ----------
    ax : matplotlib Axes
        Where it is drawn.

    series : list of Series
        What is drawn.

    prevalence : float or None
        What the plane is corrected for.

    view : str
        What the points are, "classifier" or "feature".
    """

    ax: Any
    series: list[Series]
    prevalence: float | None
    view: str
    artists: dict[str, Any] = field(default_factory=dict)
    entries: list[tuple[Any, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.outline = frame.draw_frame(self.ax, self.prevalence, self.view)
        self.points = np.concatenate([one.points for one in self.series])
        self.artists = dict.fromkeys(_ARTISTS)
        self.aids: list[tuple[Any, str]] = []
        self.bars: list[Any] = []

    def draw_aids(self, values: dict[str, ArrayLike], region: Any) -> None:
        """Draw what helps to read the plane."""
        if values.pop("information", None) is not None:
            contours, bar = layers.draw_information(self.ax, self.prevalence)
            self.artists["information_"] = contours
            self.bars.append(bar)
        families = layers.draw_isometrics(self.ax, values, self.prevalence)
        self.artists["isometric_lines_"] = families
        self.values = values
        self.aids += [(lines, family) for family, lines in families.items()]
        if region is not None:
            areas = layers.draw_region(self.ax, region, self.prevalence)
            self.artists["region_"] = areas
            self.aids.append((areas[0], SELECTED))

    def draw_curve(self, style: Any) -> None:
        """Draw the only series as a line."""
        self._keep("line_", [layers.draw_curve(self.ax, self.series[0], style)])

    def draw_points(self, style: Any) -> None:
        """Draw the points."""
        drawn = _points.draw_series(
            self.ax,
            [one.name for one in self.series],
            [one.points for one in self.series],
            style,
            start=layers.n_drawn(self.ax),
            sizes=(45, 20),
        )
        self._keep("scatter_", drawn)

    def _keep(self, attribute, artists):
        self.artists[attribute] = _axes.one_or_list(artists)
        named = zip(artists, self.series, strict=True)
        self.entries = [(a, one.name) for a, one in named if one.name is not None]

    def draw_density(self) -> None:
        """Draw how many points there are where."""
        kind = "features" if self.view == "feature" else "points"
        hexagons, bar = layers.draw_density(self.ax, self.outline, self.points, kind)
        self.artists["hexbin_"] = hexagons
        self.bars.append(bar)

    def draw_clouds(self, kind: str) -> None:
        """Draw the centre of each cloud, and what holds 95 % of its points."""
        drawn = self.artists["scatter_"]
        drawn = drawn if isinstance(drawn, list) else [drawn]
        clouds = [
            (one.points, one.center, (*artist.get_facecolor()[0, :3], 1.0))
            for one, artist in zip(self.series, drawn, strict=True)
            if one.center is not None
        ]
        centers, spreads = _points.draw_clouds(self.ax, self.outline, clouds)
        self.artists["center_"] = _axes.one_or_list(centers)
        self.artists["spread_"] = _axes.one_or_list(spreads)
        self.aids += [(artist, kind) for artist in centers[:1]]
        self.aids += [(artist, _points.SPREAD) for artist in spreads[:1]]

    def write(self, named: dict[str, np.ndarray], annotate: Any) -> None:
        """Write names beside points or into the legend, and fit the plane to it all.

        Parameters
        ----------
        named : dict of str to ndarray of shape (2,)
            Names for points, and where they belong.

        annotate : bool, int or "auto"
            Whether to write them beside the points.
        """
        self.artists["colorbar_"] = _axes.one_or_list(self.bars)
        is_feature = self.view == "feature"
        self._write_legend([] if named and not is_feature else self.entries)
        names: Any = []
        if named:
            names = self._write_names(
                named, must_fit=annotate == "auto" and not is_feature
            )
            if names is None:
                self._write_legend(() if is_feature else self.entries)
        self.artists["texts_"]["names"] = names or []

    def _write_legend(self, entries):
        """Add to the legend, each aid once, and fit the plane to it."""
        legend = self.ax.get_legend()
        there = [] if legend is None else [one.get_text() for one in legend.get_texts()]
        aids = [(artist, name) for artist, name in self.aids if name not in there]
        entries = [*entries, *aids]
        look = fit.legend_look(self.ax, len(there) + len(entries), self.prevalence)
        self.artists["legend_"] = _axes.add_legend(self.ax, entries, **look)
        frame.fit_frame(self.ax, self.outline, self.prevalence, self.view)
        texts = self.artists.get("texts_") or {}
        for old in texts.get("isometrics", ()):
            old.remove()
        lines = self.artists["isometric_lines_"]
        self.artists["texts_"] = {
            "isometrics": layers.write_values(
                self.ax, self.values, lines, self.prevalence, self.points
            )
        }

    def _write_names(self, named, must_fit):
        """Write names beside points; None if they must fit and do not."""
        from sklearn_entropy_metrics.display import _labels

        border = self.outline.get_xy()
        lines = [border, border[[0, 2]], border[[1, 3]]]
        for family in self.artists["isometric_lines_"].values():
            lines += family.get_segments()
        add = _labels.add_names_that_fit if must_fit else _labels.add_names
        return add(
            self.ax,
            list(named),
            np.stack(list(named.values())),
            self.points[np.isfinite(self.points).all(axis=1)],
            lines,
            colors=self._colors_of(named),
            fontsize=_axes.Extent.of(self.ax).fontsize,
        )

    def _colors_of(self, names):
        """The colours of points, darker or lighter, for their names: as texts are."""
        if self.artists["scatter_"] is None or len(self.entries) < 2:
            return None
        colors = {name: artist.get_facecolor() for artist, name in self.entries}
        ink = np.array(_axes.text_color())
        return [
            0.65 * colors[name][0] + 0.35 * ink if len(colors.get(name, ())) else ink
            for name in names
        ]


_ARTISTS = (
    "scatter_",
    "line_",
    "hexbin_",
    "center_",
    "spread_",
    "isometric_lines_",
    "information_",
    "region_",
)
