"""Normalized information over the spaces in which classifiers are usually judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.display import _axes, _tables
from sklearn_entropy_metrics.display.information_map import layers, spaces, words
from sklearn_entropy_metrics.table.classes import known_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection, PolyCollection
    from matplotlib.colorbar import Colorbar
    from matplotlib.contour import QuadContourSet
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.patches import Polygon
    from matplotlib.text import Text

Space: TypeAlias = Literal[
    "roc", "precision_recall", "phi_delta", "accuracy", "precision", "recall"
]
_ARTISTS = (
    "contour_",
    "contour_lines_",
    "chance_level_",
    "infeasible_",
    "region_",
    "lower_",
    "named_points_",
)


class NormalizedInformationDisplay:
    r"""Normalized information (NI) of two classes against other measures.

    For a given share of positives, NI is a function of the false and true positive
    rate, and so of precision and recall or of φ and δ: these spaces are filled with its
    contours. Accuracy, precision or recall alone only bound NI: against these its
    bounds are drawn, with the points that [1]_ names. Swapping the predictions does not
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

    named_points_ : matplotlib PathCollection or None
        The points that the paper names.

    scatter_ : matplotlib PathCollection, list of them or None
        The classifiers, one for each name.

    colorbar_, legend_ : matplotlib Colorbar and Legend
        Or None.

    texts_ : dict of str to list of Text
        The values on the "contours" of a map and its "notes" in words; the texts of
        "named_points" and of classifiers, "names".

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

    ax_: Axes
    figure_: Figure
    contour_: QuadContourSet | None
    contour_lines_: QuadContourSet | None
    chance_level_: Line2D | None
    infeasible_: Polygon | None
    region_: PolyCollection | None
    lower_: Line2D | None
    upper_: list[Line2D] | None
    named_points_: PathCollection | None
    scatter_: PathCollection | list[PathCollection] | None
    colorbar_: Colorbar | None
    legend_: Legend | None
    texts_: dict[str, list[Text]]

    def __init__(
        self,
        *,
        prevalence: float,
        space: Space = "roc",
        fpr: ArrayLike | None = None,
        tpr: ArrayLike | None = None,
        name: str | Sequence[str] | None = None,
    ) -> None:
        _check_parameters(type(self).__name__, prevalence, space, fpr, tpr)
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
        ax: Any = None,
        annotate: bool | Literal["auto"] = "auto",
        colorbar: bool = True,
        contour_kwargs: dict[str, Any] | None = None,
        scatter_kwargs: dict[str, Any] | None = None,
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

        ax, annotate, colorbar, contour_kwargs, scatter_kwargs
            As in :meth:`plot`.

        Returns
        -------
        display : NormalizedInformationDisplay
        """

        def tabulate_one(one):
            _tables.check_classifier(one, f"{cls.__name__}.from_estimator")
            known = known_labels(one)
            if known is not None and len(classes := np.asarray(known.classes)) != 2:
                raise ValueError(
                    "Expected 'estimator' to be a binary classifier. Got "
                    f"{len(classes)} classes instead."
                )
            return spaces.tabulate_rates(
                y, one.predict(X), known, sample_weight, pos_label
            )

        found = _tables.each(tabulate_one, estimator)
        name = _tables.estimator_name(estimator, name)
        return cls(**spaces.gather(found, name), space=space).plot(
            ax,
            annotate=annotate,
            colorbar=colorbar,
            contour_kwargs=contour_kwargs,
            scatter_kwargs=scatter_kwargs,
        )

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
        ax: Any = None,
        annotate: bool | Literal["auto"] = "auto",
        colorbar: bool = True,
        contour_kwargs: dict[str, Any] | None = None,
        scatter_kwargs: dict[str, Any] | None = None,
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
            The name of the classifier. By default, "Classifier".

        ax, annotate, colorbar, contour_kwargs, scatter_kwargs
            As in :meth:`plot`.

        Returns
        -------
        display : NormalizedInformationDisplay
        """

        def tabulate_one(one):
            return spaces.tabulate_rates(y_true, one, None, sample_weight, pos_label)

        found = _tables.each(tabulate_one, y_pred)
        name = _tables.name_of(y_pred, name, "Classifier")
        return cls(**spaces.gather(found, name), space=space).plot(
            ax,
            annotate=annotate,
            colorbar=colorbar,
            contour_kwargs=contour_kwargs,
            scatter_kwargs=scatter_kwargs,
        )

    @classmethod
    def from_confusion_matrix(
        cls,
        matrices: Any,
        *,
        space: Space = "roc",
        name: str | Sequence[str] | None = None,
        ax: Any = None,
        annotate: bool | Literal["auto"] = "auto",
        colorbar: bool = True,
        contour_kwargs: dict[str, Any] | None = None,
        scatter_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw a confusion matrix, or several with the same share of positives.

        Parameters
        ----------
        matrices : array-like of shape (2, 2), sparse matrix or dict
            Counts, weights or probabilities ``[[TN, FP], [FN, TP]]``, or a dict of
            names to such matrices.

        space : str, default="roc"
            As in :class:`NormalizedInformationDisplay`.

        name : str or list of str, default=None
            The name of the classifier, or of each.

        ax, annotate, colorbar, contour_kwargs, scatter_kwargs
            As in :meth:`plot`.

        Returns
        -------
        display : NormalizedInformationDisplay
        """
        found = _tables.each(spaces.matrix_rates, matrices)
        return cls(**spaces.gather(found, name), space=space).plot(
            ax,
            annotate=annotate,
            colorbar=colorbar,
            contour_kwargs=contour_kwargs,
            scatter_kwargs=scatter_kwargs,
        )

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | Sequence[str] | None = None,
        annotate: bool | Literal["auto"] = "auto",
        colorbar: bool = True,
        contour_kwargs: dict[str, Any] | None = None,
        scatter_kwargs: dict[str, Any] | None = None,
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
            does so if they fit there without covering anything.

        colorbar : bool, default=True
            Whether a map has a colour bar.

        contour_kwargs : dict, default=None
            Keyword arguments of :meth:`matplotlib.axes.Axes.contourf`.

        scatter_kwargs : dict, default=None
            Keyword arguments of :meth:`matplotlib.axes.Axes.scatter`.

        Returns
        -------
        display : NormalizedInformationDisplay
            The display itself.
        """
        points = self._points()
        names = _read_names(self.name if name is None else name, len(points))
        self.ax_, self.figure_ = _axes.get_axes(ax, bare=self.space == "phi_delta")
        entries = self._draw_ground(points, colorbar, contour_kwargs)
        drawn = layers.draw_points(self.ax_, points, names, scatter_kwargs)
        self.scatter_ = _axes.one_or_list(drawn)
        beside = words.write_names(self.ax_, names, points, annotate)
        if beside is None:
            named = zip(drawn, names, strict=True)
            entries += [(artist, text) for artist, text in named if text is not None]
        self.legend_ = words.draw_legend(self.ax_, self.space, entries, points)
        if self.legend_ is not None:
            covered = self.texts_["contours"] + self.texts_["notes"]
            words.hide_covered(self.legend_, covered)
        self.texts_["names"] = beside or []
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
        if self.space in spaces.MAPS:
            frame = spaces.compute_map(self.space, self.prevalence)
        else:
            bounds = spaces.compute_bounds(self.space, self.prevalence)
            frame = {self.space: bounds.x, "lower": bounds.lower, "upper": bounds.upper}
        columns = self._describe()
        n_points = len(columns["fpr"])
        if n_points:
            names = _read_names(self.name, n_points)
            names = list(names) * (n_points // len(names))
            columns["name"] = np.array(["" if text is None else text for text in names])
        return frame | {
            f"classifier_{key}": column for key, column in columns.items() if n_points
        }

    def _describe(self):
        fpr, tpr = (
            np.atleast_1d([] if rate is None else rate) for rate in (self.fpr, self.tpr)
        )
        return spaces.describe(fpr, tpr, self.prevalence)

    def _points(self):
        columns = self._describe()
        return np.stack([columns[key] for key in spaces.COLUMNS[self.space]], axis=1)

    def _draw_ground(self, points, colorbar, contour_kwargs):
        """Draw the background unless it is there; return its legend entries."""
        given = (self.ax_, self.space, self.prevalence)
        key = f"normalized-information-{self.space}-{self.prevalence:.12g}-"
        artists = layers.find_layers(self.ax_, key)
        is_new = not artists
        if is_new:
            artists = layers.draw_ground(*given, contour_kwargs)
        self.colorbar_ = None
        if "contour_" in artists:
            self.colorbar_ = artists["contour_"].colorbar
            if colorbar and self.colorbar_ is None:
                self.colorbar_ = layers.draw_colorbar(*given, artists["contour_"])
        entries = []
        if is_new:
            texts = words.write_on_ground(*given, artists, points)
            entries = words.legend_entries(artists, texts, *given[1:])
            for kind, written in texts.items():
                artists |= {f"{kind}/{i}": text for i, text in enumerate(written)}
            for role, artist in artists.items():
                artist.set_gid(key + role)
        vars(self).update({role: artists.get(role) for role in _ARTISTS})
        self.upper_ = [artists[r] for r in artists if r.startswith("upper_")] or None
        self.texts_ = {
            kind: [artists[role] for role in artists if role.startswith(f"{kind}/")]
            for kind in ("named_points", "contours", "notes")
        }
        return entries


def _check_parameters(caller, prevalence, space, fpr, tpr):
    if space not in spaces.COLUMNS:
        raise ValueError(
            f"The 'space' parameter of {caller} must be a str among "
            f"{set(spaces.COLUMNS)}. Got {space!r} instead."
        )
    if not (np.ndim(prevalence) == 0 and 0 < prevalence < 1):
        raise ValueError(
            f"The 'prevalence' parameter of {caller} must be a float in the range "
            f"(0.0, 1.0). Got {prevalence!r} instead."
        )
    if (fpr is None) != (tpr is None) or np.shape(fpr) != np.shape(tpr):
        raise ValueError(
            "fpr and tpr must be given together and have the same shape. Got "
            f"{fpr!r} and {tpr!r}."
        )


def _read_names(name, n_points):
    """A name for each series of points: a list has one for every point."""
    if name is None or isinstance(name, str):
        return [name]
    if len(name) != n_points:
        raise ValueError(
            f"name must have an entry for each of {n_points} classifiers. Got "
            f"{len(name)}."
        )
    return list(name)
