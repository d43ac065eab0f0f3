"""The picture of the φ-δ plane: its layers in order, and the artists they make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.display import _axes, _points
from sklearn_entropy_metrics.display.phi_delta import layers
from sklearn_entropy_metrics.display.phi_delta.plane import Series, draw_plane


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
        self.outline = draw_plane(self.ax, self.prevalence, self.view)
        self.points = np.concatenate([one.points for one in self.series])
        self.artists = dict.fromkeys(_ARTISTS)
        self.bars: list[Any] = []

    def draw_aids(self, values: dict[str, ArrayLike], region: Any) -> None:
        """Draw what helps to read the plane."""
        if values.pop("information", None) is not None:
            contours, bar = layers.draw_information(self.ax, self.prevalence)
            self.artists["information_"] = contours
            self.bars.append(bar)
        if region is not None:
            areas = layers.draw_region(self.ax, region, self.prevalence)
            self.artists["region_"] = areas
        families, texts = layers.draw_isometrics(
            self.ax, values, self.prevalence, self.points
        )
        self.artists["isometric_lines_"] = families
        self.artists["texts_"] = {"isometrics": texts}
        self.artists["key_"] = layers.draw_key(self.ax, self.prevalence)

    def draw_curve(self, style: Any, annotate: bool) -> None:
        """Draw the only series as a line."""
        self._keep(
            "line_",
            [layers.draw_curve(self.ax, self.series[0], style)],
            annotate,
        )

    def draw_points(self, style: Any, annotate: bool) -> None:
        """Draw the points."""
        drawn = _points.draw_series(
            self.ax,
            [one.name for one in self.series],
            [one.points for one in self.series],
            style,
            start=layers.n_drawn(self.ax),
            sizes=(45, 20),
        )
        self._keep("scatter_", drawn, annotate)

    def _keep(self, attribute, artists, annotate):
        self.artists[attribute] = _axes.one_or_list(artists)
        if not annotate or self.view == "feature":
            self.entries += [
                (artist, one.name)
                for artist, one in zip(artists, self.series, strict=True)
                if one.name is not None
            ]

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
        self.entries += [(artist, kind) for artist in centers[:1]]
        self.entries += [(artist, _points.SPREAD) for artist in spreads[:1]]

    def write_names(self, named: dict[str, np.ndarray]) -> None:
        """Write the legend into a free corner, and names beside points."""
        legend = _axes.add_legend(self.ax, self.entries)
        if legend is not None and self.prevalence is not None and self.prevalence > 0.5:
            legend.set_loc("upper left")
        for text in () if legend is None else legend.get_texts():
            text.set_fontsize("small")
        self.artists["legend_"] = legend
        self.artists["colorbar_"] = _axes.one_or_list(self.bars)
        if named:
            from sklearn_entropy_metrics.display._labels import add_names

            lines = [self.outline.get_xy()]
            for family in self.artists["isometric_lines_"].values():
                lines += family.get_segments()
            self.artists["texts_"]["names"] = add_names(
                self.ax,
                list(named),
                np.stack(list(named.values())),
                self.points[np.isfinite(self.points).all(axis=1)],
                lines,
            )


_ARTISTS = (
    "scatter_",
    "line_",
    "hexbin_",
    "center_",
    "spread_",
    "isometric_lines_",
    "information_",
    "region_",
    "key_",
)
