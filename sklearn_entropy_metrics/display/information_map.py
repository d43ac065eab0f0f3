"""Normalized information over the spaces in which classifiers are usually judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, Self, TypedDict, Unpack

import numpy as np
from matplotlib import axes, collections, contour, legend, lines, patches, text
from matplotlib.ticker import FixedLocator
from numpy.typing import ArrayLike

from sklearn_entropy_metrics._html import shorten
from sklearn_entropy_metrics.balance.balance import float_or_array
from sklearn_entropy_metrics.display import _display, _names, _points, comparison
from sklearn_entropy_metrics.display.phi_delta import plane
from sklearn_entropy_metrics.display.phi_delta import points as plane_points
from sklearn_entropy_metrics.measure import maps
from sklearn_entropy_metrics.table.classes import known_labels

Space = Literal[
    "roc", "precision_recall", "phi_delta", "accuracy", "precision", "recall"
]
_NI = "normalized_information"
# What is drawn along x and y, and how axes are called.
_COLUMNS = {
    "roc": ("fpr", "tpr"),
    "precision_recall": ("recall", "precision"),
    "phi_delta": ("phi", "delta"),
    "accuracy": ("accuracy", _NI),
    "precision": ("precision", _NI),
    "recall": ("recall", _NI),
}
_LABELS = {"fpr": "false positive rate", "tpr": "true positive rate"}
_MAPS = ("roc", "precision_recall", "phi_delta")
# The values of the lines between the contours of a map.
_LEVELS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
_CHANCE, _SWAPPED = "no information", "just as informative,\nanswers swapped"
_INFEASIBLE = "no such classifier"


class MapOptions(TypedDict, total=False):
    """Options of :meth:`NormalizedInformationDisplay.plot`."""

    annotate: Annotated[bool | Literal["auto"], "auto"]
    scatter_kwargs: Annotated[dict[str, Any] | None, None]


class NormalizedInformationDisplay(_display.Display):
    r"""Normalized information (NI) of two classes against other measures.

    For a given share of positives, NI is a function of the false and true positive
    rate, and so of precision and recall or of φ and δ: these spaces are filled with its
    contours. Accuracy, precision or recall alone only bound NI: against these its
    bounds are drawn [1]_. Swapping the predictions does not
    change NI, so the worst classifiers are as informative as the best.

    Use :meth:`from_estimator`, :meth:`from_predictions` or
    :meth:`from_confusion_matrix` to take the prevalence from data and draw classifiers.
    All parameters are kept as attributes.

    Read more in the :ref:`User Guide <normalized_information>`.

    Parameters
    ----------
    prevalence : float
        Share of positives, strictly between 0 and 1.

    space : {"roc", "precision_recall", "phi_delta", "accuracy", "precision", "recall"}
        The space to draw NI in, by default "roc". Axes are those of
        :class:`~sklearn.metrics.RocCurveDisplay` and
        :class:`~sklearn.metrics.PrecisionRecallDisplay`, which can be drawn on top.

    fpr, tpr : float or array-like of shape (n_classifiers,), default=None
        False and true positive rates of classifiers on data of this prevalence.

    name : str or list of str, default=None
        The name of the classifiers, or a name for each.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    contour_, contour_lines_ : matplotlib QuadContourSet or None
        The filled contours of a map, and the lines between them.

    chance_level_ : matplotlib Line2D or None
        Where a map is 0.

    infeasible_ : matplotlib Polygon or None
        Precisions that no classifier can reach, in grey.

    region_, lower_ : matplotlib PolyCollection and Line2D, or None
        The possible values of NI, and their lower bound.

    upper_ : list of Line2D or None
        Both sides of the upper bound, on which one cell of the table is empty.

    scatter_ : matplotlib PathCollection, list of them or None
        The classifiers, one for each name.

    legend_ : matplotlib Legend or None
        Names, and bounds in words.

    texts_ : dict of str to list of Text
        The values on the "contours" of a map, its "notes" in words, and the "names" of
        classifiers.

    See Also
    --------
    sklearn_entropy_metrics.normalized_information_score : NI of labels.

    Notes
    -----
    Figure 2 of [1]_ places the lower bound at an accuracy A where one cell is empty.
    The true bound is lower: :math:`1 - h(A) / h(\pi)` or 0, with the prevalence
    :math:`\pi` and the entropy h of two classes. This is Fano's inequality.

    References
    ----------
    .. [1] Y. Wang and B.-G. Hu (2009). "Derivations of normalized mutual information
       in binary classifications". FSKD 2009, 155-163.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_entropy_metrics import NormalizedInformationDisplay
    >>> y_true = [0] * 50 + [1] * 50
    >>> y_pred = [0] * 45 + [1] * 5 + [0] * 25 + [1] * 25
    >>> display = NormalizedInformationDisplay.from_predictions(y_true, y_pred)
    >>> display.frame()["classifier_normalized_information"].round(4)
    array([0.1468])
    >>> plt.close(display.figure_)
    """

    contour_: contour.QuadContourSet | None
    contour_lines_: contour.QuadContourSet | None
    chance_level_: lines.Line2D | None
    infeasible_: patches.Polygon | None
    region_: collections.PolyCollection | None
    lower_: lines.Line2D | None
    upper_: list[lines.Line2D] | None
    scatter_: collections.PathCollection | list[collections.PathCollection] | None
    legend_: legend.Legend | None
    texts_: dict[str, list[text.Text]]

    def __init__(
        self,
        *,
        prevalence: float,
        space: Space = "roc",
        fpr: ArrayLike | None = None,
        tpr: ArrayLike | None = None,
        name: str | Sequence[str] | None = None,
    ) -> None:
        if space not in _COLUMNS:
            raise ValueError(
                f"`space` must be {', '.join(map(repr, _COLUMNS))}. Got {space!r}."
            )
        _display.check_prevalence(prevalence)
        false, true = map(np.asarray, (fpr, tpr))
        if (fpr is None) != (tpr is None) or false.shape != true.shape:
            raise ValueError(
                "`fpr` and `tpr` must be given together and have the same shape. Got "
                f"{fpr!r} and {tpr!r}."
            )
        self.prevalence = prevalence
        self.space = space
        self.fpr = fpr
        self.tpr = tpr
        self.name = name

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        space: Space = "roc",
        name: str | Sequence[str] | None = None,
        ax: axes.Axes | None = None,
        **options: Unpack[MapOptions],
    ) -> Self:
        """Draw a fitted classifier, at the prevalence of the data.

        Parameters
        ----------
        estimator : classifier or dict of str to classifier
            A fitted classifier of two classes, or several with their names.

        X : array-like of shape (n_samples, n_features)
            Samples to predict.

        y : array-like of shape (n_samples,)
            Their true labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        pos_label : int, float, bool or str, default=None
            The positive class. By default, the greater of the two labels.

        space : str, default="roc"
            As in :class:`NormalizedInformationDisplay`.

        name : str or list of str, default=None
            The name of the classifier. By default, that of its class.

        ax, **options
            Where to draw, and keywords of :meth:`plot`.

        Returns
        -------
        display : NormalizedInformationDisplay
        """

        def tabulate(one):
            given = known_labels(one), None, sample_weight
            return plane_points.tabulate_classes(y, one.predict(X), *given)

        name = _display.estimator_name(estimator, name)
        tables = _display.each_classifier(tabulate, estimator)
        rates = _read_rates(tables, pos_label, name)
        return cls(**rates, space=space).plot(ax, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike | Mapping[str, ArrayLike],
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        space: Space = "roc",
        name: str | Sequence[str] | None = None,
        ax: axes.Axes | None = None,
        **options: Unpack[MapOptions],
    ) -> Self:
        """Draw predicted labels, at the prevalence of the true ones.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels, of two classes.

        y_pred : array-like of shape (n_samples,) or dict of str to array-like
            Predicted labels, or those of several classifiers with their names.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        pos_label : int, float, bool or str, default=None
            The positive class. By default, the greater of the two labels.

        space : str, default="roc"
            As in :class:`NormalizedInformationDisplay`.

        name : str or list of str, default=None
            The name of the classifier.

        ax, **options
            Where to draw, and keywords of :meth:`plot`.

        Returns
        -------
        display : NormalizedInformationDisplay
        """
        given = None, None, sample_weight
        tables = _display.each(
            lambda one: plane_points.tabulate_classes(y_true, one, *given), y_pred
        )
        rates = _read_rates(tables, pos_label, name)
        return cls(**rates, space=space).plot(ax, **options)

    @classmethod
    def from_confusion_matrix(
        cls,
        matrices: Any,
        *,
        space: Space = "roc",
        name: str | Sequence[str] | None = None,
        ax: axes.Axes | None = None,
        **options: Unpack[MapOptions],
    ) -> Self:
        """Draw a confusion matrix, or several with the same share of positives.

        Parameters
        ----------
        matrices : array-like of shape (..., 2, 2), sparse matrix or dict
            Counts, weights or probabilities ``[[TN, FP], [FN, TP]]``: one matrix, a
            stack, or a dict of names to matrices.

        space : str, default="roc"
            As in :class:`NormalizedInformationDisplay`.

        name : str or list of str, default=None
            The name of the classifier, or of each.

        ax, **options
            Where to draw, and keywords of :meth:`plot`.

        Returns
        -------
        display : NormalizedInformationDisplay
        """
        tables = _display.each(plane_points.split_matrix, matrices)
        return cls(**_read_rates(tables, None, name), space=space).plot(ax, **options)

    def plot(
        self,
        ax: axes.Axes | None = None,
        *,
        name: str | Sequence[str] | None = None,
        **options: Unpack[MapOptions],
    ) -> Self:
        """Draw the map or the bounds, and the classifiers.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure. The classifiers are added to
            Axes that already show the same space at the same prevalence.

        name : str or list of str, default=None
            Names to use instead of those of the display.

        annotate : bool or "auto", default="auto"
            Whether to write names beside the classifiers instead of in a legend. "auto"
            writes numbers there if the names do not fit, and a numbered list.

        scatter_kwargs : dict, default=None
            Keyword arguments of :meth:`matplotlib.axes.Axes.scatter`.

        Returns
        -------
        display : NormalizedInformationDisplay
            The display itself.
        """
        chosen = _display.read_options(MapOptions, options)
        columns = self._describe()
        points = np.stack([columns[key] for key in _COLUMNS[self.space]], axis=1)
        names = self._names(self.name if name is None else name)
        parts = np.array_split(points, len(names))
        ax = self._set_axes(ax)
        self._size = _display.font_size("medium", _display.font_factor(ax))
        self._draw_space(points)
        # Contours are light where most classifiers are.
        look: Any = {"edgecolor": "black", "linewidth": 0.7, "clip_on": False}
        numbers = _points.n_series(ax) + np.arange(len(names))
        look |= {"numbers": numbers, "sizes": (60, 60)}
        drawn = _points.draw_series(ax, names, parts, chosen["scatter_kwargs"], **look)
        self.scatter_ = _display.one_or_list(drawn)
        listed = self._write_names(names, parts, drawn, chosen["annotate"])
        self.legend_ = self._draw_legend(listed, points)
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot.

        Returns
        -------
        frame : dict of str to ndarray
            For a map, the grid: its two coordinates and "normalized_information", of
            shape (n, n), NaN where it is not determined. Otherwise "accuracy",
            "precision" or "recall" and the bounds "lower" and "upper", of shape (n,).
            With classifiers, also their names (``""`` for none), rates and measures,
            of shape (n_classifiers,), under keys that begin with ``classifier_``.
        """
        frame, columns = self._compute(), self._describe()
        if not len(columns["fpr"]):
            return frame
        names = [one or "" for one in self._names(self.name)]
        columns["name"] = np.resize(names, len(columns["fpr"]))
        return frame | {f"classifier_{key}": one for key, one in columns.items()}

    def _describe(self):
        given = (self.fpr, self.tpr)
        fpr, tpr = (np.atleast_1d([] if one is None else one) for one in given)
        return maps.describe_rates(fpr, tpr, self.prevalence)

    def _compute(self):
        """The grid of a map, or the bounds."""
        if self.space not in _MAPS:
            return maps.bound_information(self.space, self.prevalence)
        columns = maps.map_information(self.space, self.prevalence)
        return {key: columns[key] for key in (*_COLUMNS[self.space], _NI)}

    def _names(self, name):
        """A name for each series of points: a list has one for every point."""
        return _display.point_names(name, np.size(self._describe()["fpr"])) or [name]

    def _draw_space(self, points):
        """Draw the map or the bounds, unless they are there already."""
        ax, key = self.ax_, f"information {self.space} {self.prevalence:.12g}"
        drawn = vars(ax).setdefault(key, {})  # kept, and pickled, with the Axes
        if not drawn or next(iter(drawn.values())).axes is None:  # or cleared
            is_map = self.space in _MAPS
            drawn |= self._draw_map(points) if is_map else self._draw_bounds()
            text = f"{self._information()} with {100 * self.prevalence:.3g} % positives"
            comparison.write_title(ax, text, self._size, loc="center")
        if self.space == "phi_delta":
            self._outline = plane.draw_plane(ax, None)
        declared = NormalizedInformationDisplay.__annotations__
        vars(self).update(dict.fromkeys(declared) | drawn)
        self.texts_ = drawn["texts_"] | {"names": []}

    def _information(self):
        is_narrow = self._size < _display.font_size("medium")
        return "NI" if is_narrow else "normalized information (NI)"

    def _label_axes(self):
        ax = self.ax_
        for axis, key in zip((ax.xaxis, ax.yaxis), _COLUMNS[self.space], strict=True):
            words = _LABELS.get(key, self._information() if key == _NI else key)
            axis.set_label_text(words, fontsize=self._size)
            pad, axis.labelpad = 0.35 * self._size, self._size - 6
            axis.set_tick_params(labelsize=self._size, pad=pad, length=pad)
            axis.set_ticks([0, 0.5, 1])
        ax.set(xlim=(0, 1), ylim=(0, 1))

    def _draw_map(self, points):
        """Fill the space with contours of normalized information."""
        ax, prevalence = self.ax_, self.prevalence
        x, y, ni = self._compute().values()
        frame = ax.patch
        if self.space == "phi_delta":
            frame = plane.draw_plane(ax, None, note=None)
            # The map covers the grid, and the corners say what φ and δ are.
            ax.grid(visible=False)
            for axis, symbol in ((ax.xaxis, "φ"), (ax.yaxis, "δ")):
                axis.set_label_text(symbol)
                axis.set_major_locator(FixedLocator([-1, 0, 1]))
        else:
            self._label_axes()
            ax.set_aspect("equal")
        ni, cmap = np.ma.masked_invalid(ni), _display.information_cmap()
        # Above the shade of the diamond and below its lines.
        look: Any = {"levels": np.linspace(0, 1, 11), "cmap": cmap, "zorder": 1}
        filled = ax.contourf(x, y, ni, **look)
        filled.set_edgecolor("face")  # no gaps between the bands in a PDF
        look = {"colors": "black", "linewidths": 0.7, "alpha": 0.8, "zorder": 1.1}
        lines = ax.contour(x, y, ni, levels=_LEVELS, **look)
        guesses = maps.describe_rates([1e-9, 1], [1e-9, 1], prevalence)
        look = {"color": "black", "linestyle": "--", "linewidth": 1, "zorder": 1.3}
        (chance,) = ax.plot(*(guesses[key] for key in _COLUMNS[self.space]), **look)
        artists = {"contour_": filled, "contour_lines_": lines, "chance_level_": chance}
        if self.space == "precision_recall":
            recall = np.linspace(0, 1, 201)
            least = maps.least_precision(recall, prevalence)
            look = {"facecolor": "0.9", "edgecolor": "0.4", "lw": 0.8, "zorder": 1.2}
            (area,) = ax.fill([*recall, 1], [*least, 0], **look)
            artists["infeasible_"] = area
        return artists | {"texts_": self._write_words(lines, points, frame)}

    def _write_words(self, lines, points, frame):
        """Write what places mean, and the values on lines, where there is room."""
        ax, size, p = self.ax_, max(0.83 * self._size, 6), self.prevalence
        places: dict[str, Any] = {
            "roc": {_CHANCE: (0.5, 0.5, 45), _SWAPPED: (0.72, 0.22, 0)},
            "precision_recall": {
                _CHANCE: (0.25, p, 0),
                _INFEASIBLE: (0.72, 0.4 * maps.least_precision(0.72, p), 0),
            },
            "phi_delta": {_SWAPPED: (0, -0.45, 0)},
        }
        look: Any = {"ha": "center", "va": "center", "fontsize": size}
        ax.apply_aspect()
        notes = [
            ax.text(x, y, text, rotation=turn, rotation_mode="anchor", **look)
            for text, (x, y, turn) in places[self.space].items()
        ]
        # One value a level: the other line of each has a note instead.
        middles = [[one[len(one) // 2] for one in some] for some in lines.allsegs[1:4]]
        spots = [max(some, key=lambda spot: spot[1]) for some in middles if some]
        values = ax.clabel(lines, manual=spots, fmt="%g", inline=False, fontsize=size)
        kept: list[Any] = []
        points = ax.transData.transform(points)
        for word in [*notes, *values]:
            box = word.get_window_extent().padded(4)
            others = box.count_overlaps(kept) + box.padded(size).count_contains(points)
            is_inside = frame.contains_points(box.corners()).all()
            word.set_visible(bool(is_inside) and not others)
            kept += [box] if word.get_visible() else []
            word.set(color="black", bbox={"fc": "#f6fbf9", "lw": 0, "pad": 1})
            word.set(zorder=1.35, in_layout=False)  # below classifiers
        return {"contours": list(values), "notes": notes}

    def _draw_bounds(self):
        """Draw the range of normalized information, given another measure."""
        ax, space, prevalence = self.ax_, self.space, self.prevalence
        x, lower, upper = self._compute().values()
        self._label_axes()
        shade = _display.tint(_display.INFORMATION, 0.15)
        region = ax.fill_between(x, lower, upper, color=shade, lw=0, zorder=1)
        # On either side of its turn, one cell of the table is empty at the upper bound.
        cells = ("TN", "FN" if space == "precision" else "FP")
        if space == "accuracy" and prevalence < 0.5:
            cells = ("TP", "FN")
        turn = prevalence if space == "precision" else 0.5
        look: Any = {"color": _display.on_paper(_display.INFORMATION), "zorder": 2}
        drawn = []
        for part, values, dashes, words in (
            (x <= turn, upper, "-", f"upper bound, {cells[0]} = 0"),
            (x >= turn, upper, "--", f"upper bound, {cells[1]} = 0"),
            (x >= 0, lower, "-.", "lower bound"),
        ):
            look |= {"linestyle": dashes, "label": words, "clip_on": False}
            drawn += ax.plot(x[part], values[part], **look)
        artists = {"region_": region, "upper_": drawn[:2], "lower_": drawn[2]}
        return artists | {"texts_": {"contours": [], "notes": []}}

    def _write_names(self, names, parts, drawn, annotate):
        """Write names beside classifiers, or numbers; return the list of names."""
        parts = [part[np.isfinite(part).all(axis=1)] for part in parts]
        # Maps are light in any style.
        ink = "black" if self.space in _MAPS[:2] else _display.text_color()
        new = [
            _names.Named(name, part.mean(axis=0), ink, artist)
            for name, part, artist in zip(names, parts, drawn, strict=True)
            if name is not None and len(part)
        ]
        curves = [*self.ax_.lines]
        curves += [self._outline] if self.space == "phi_delta" else []
        given = (new, annotate, np.vstack(parts), curves, self._size)
        self.texts_["names"], listed = _names.name_points(self.ax_, *given)
        return listed

    def _draw_legend(self, listed, points):
        """Draw the legend where there is room: beside a diamond, or on the space."""
        ax, names = self.ax_, self.texts_["names"]
        bounds: list[Any] = [*(self.upper_ or []), self.lower_]
        others = [(one, one.get_label()) for one in bounds if one]

        # Between both sides of the upper bound there is room.
        loc = "lower right" if self.space in _MAPS else "upper center"
        fits = partial(plane.covers_no_point, loc=loc, points=points)
        if self.space == "phi_delta":
            fits = partial(plane.fit_plane, ax, self._outline)
        given = listed, others, names, 0.75 * self._size, fits
        legend = _names.fit_legend(ax, *given)
        if legend is not None and self.space != "phi_delta":
            legend.borderaxespad = 0.6
            # A layout may move words towards the legend.
            box = legend.get_window_extent().padded(2 * self._size)
            for word in self.texts_["contours"] + self.texts_["notes"]:
                if word.get_window_extent().overlaps(box):
                    word.set_visible(False)
        return legend


def _read_rates(split: Any, pos_label: Any, name: Any) -> dict[str, Any]:
    """Parameters of a display of one classifier, or of several on the same data."""
    for one in split.values() if isinstance(split, Mapping) else [split]:
        if len(one.classes) > 2 or one.of_several:
            raise ValueError(
                "The target y is not binary. Got multiclass type of target, with the "
                f"classes {shorten(one.classes, 80)}."
            )
    tables, name = plane_points.choose_points(split, pos_label, name)
    sums = tables.sum(axis=-1)
    if not sums.all():
        raise ValueError(
            "Normalized information is undefined with one true class only. Got "
            f"{sums.tolist()} negatives and positives."
        )
    prevalence = np.ravel(sums[..., 1] / sums.sum(axis=-1))
    if np.ptp(prevalence) > 1e-9:
        raise ValueError(
            "Normalized information depends on the share of positives, which must be "
            f"the same for all. Got {', '.join(f'{one:.3g}' for one in prevalence)}."
        )
    fpr, tpr = map(float_or_array, np.moveaxis(tables[..., 1] / sums, -1, 0))
    return {"fpr": fpr, "tpr": tpr, "prevalence": float(prevalence[0]), "name": name}
