"""The φ-δ plane: characteristic and discriminant classifiers and features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics.balance.balance import Number
from sklearn_entropy_metrics.display import _axes, _tables
from sklearn_entropy_metrics.display.phi_delta import plane
from sklearn_entropy_metrics.display.phi_delta.data import (
    add_numbers,
    as_arrays,
    check_plane,
    choose_points,
    defined_rates,
    names_of_points,
    series_names,
    split_folds,
    split_matrices,
    tabulate_classes,
)
from sklearn_entropy_metrics.display.phi_delta.picture import PlanePicture
from sklearn_entropy_metrics.display.phi_delta.words import CORNERS
from sklearn_entropy_metrics.features import phi_delta_features
from sklearn_entropy_metrics.measure import phi_delta, phi_delta_from_rates
from sklearn_entropy_metrics.table.classes import known_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PathCollection, PolyCollection
    from matplotlib.colorbar import Colorbar
    from matplotlib.contour import QuadContourSet
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.patches import Ellipse, Polygon
    from matplotlib.text import Text

Isometrics = str | Sequence[str] | Mapping[str, ArrayLike]
Annotate = bool | int | Literal["auto"]


class PhiDeltaDisplay:
    r"""Diamond of characteristic (φ) and discriminant (δ) capability.

    With the true positive rate tp and the false positive rate fp,
    :math:`\varphi = \mathrm{tp} + \mathrm{fp} - 1` and
    :math:`\delta = \mathrm{tp} - \mathrm{fp}`: ROC space turned by 45° [1]_. With a
    `prevalence`, the plane is corrected for it and becomes a parallelogram: the height
    of a point is then twice its accuracy minus 1.

    Use :meth:`from_estimator`, :meth:`from_predictions`, :meth:`from_cv_results`,
    :meth:`from_confusion_matrix`, :meth:`from_features` or :meth:`from_roc` to compute
    and draw. All parameters are kept as attributes.

    Read more in the :ref:`User Guide <phi_delta>`.

    Parameters
    ----------
    phi, delta : float or array-like of shape (n_points,) or (n_runs, n_points)
        Points of the uncorrected plane. NaN is not drawn.

    name : str or list of str, default=None
        One name for all points, which then form a cloud, or a name for each (in all
        runs).

    prevalence : float, default=None
        Share of positives, between 0 and 1, to correct the plane for.

    view : {"classifier", "feature"}, default="classifier"
        What the points are, which determines the names of the corners.

    Attributes
    ----------
    pooled : tuple of ndarray or None
        φ and δ of the summed tables of all runs.

    feature_names : list of str or None
        Names of the features.

    is_curve : bool
        Whether the points are connected by a line.

    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    scatter_, line_, hexbin_ : PathCollection (or list), Line2D, PolyCollection
        The points; the ROC curve; the density. None if there are none.

    center_, spread_ : PathCollection and Ellipse, or lists of them
        The pooled or mean point of each cloud, and the ellipse that holds the 95 % of
        its points that are nearest to it (by Mahalanobis distance).

    isometric_lines_ : dict of str to LineCollection
        The lines of each measure.

    information_, region_ : QuadContourSet, list of Polygon
        The contours of mutual information and the selection region, or None.

    colorbar_, legend_ : matplotlib Colorbar (or list) and Legend
        The colour bar and the legend, or None.

    texts_ : dict of str to list of Text
        The texts of "names" and "isometrics".

    See Also
    --------
    sklearn_entropy_metrics.phi_delta : The numbers behind the picture.

    References
    ----------
    .. [1] G. Armano (2015). "A direct measure of discriminant and characteristic
       capability for classifier building and assessment". Information Sciences 325,
       466-483.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_entropy_metrics import PhiDeltaDisplay
    >>> display = PhiDeltaDisplay.from_predictions(
    ...     [0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1], isometrics=["precision"]
    ... )
    >>> display.frame()["delta"]
    array([0.75])
    >>> plt.close(display.figure_)
    """

    ax_: Axes
    figure_: Figure
    scatter_: PathCollection | list[PathCollection] | None
    line_: Line2D | None
    hexbin_: PolyCollection | None
    center_: PathCollection | list[PathCollection] | None
    spread_: Ellipse | list[Ellipse] | None
    isometric_lines_: dict[str, LineCollection]
    information_: QuadContourSet | None
    region_: list[Polygon] | None
    colorbar_: Colorbar | list[Colorbar] | None
    legend_: Legend | None
    texts_: dict[str, list[Text]]

    def __init__(
        self,
        *,
        phi: ArrayLike,
        delta: ArrayLike,
        name: str | Sequence[str] | None = None,
        prevalence: float | None = None,
        view: Literal["classifier", "feature"] = "classifier",
    ) -> None:
        self.phi = phi
        self.delta = delta
        self.name = name
        self.prevalence = prevalence
        self.view = view
        self.pooled: tuple[Number, Number] | None = None
        self.feature_names: Sequence[str] | None = None
        self.is_curve = False
        check_plane(phi, delta)
        series_names(name, np.shape(np.atleast_1d(phi)))
        if view not in CORNERS:
            raise ValueError(f"view must be 'classifier' or 'feature'. Got {view!r}.")
        if prevalence is not None and not 0 < prevalence < 1:
            raise ValueError(
                f"prevalence must lie strictly between 0 and 1. Got {prevalence!r}."
            )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        pred_labels: ArrayLike | None = None,
        pos_label: Any = None,
        prevalence: float | None = None,
        name: str | Sequence[str] | None = None,
        ax: Any = None,
        isometrics: Isometrics = (),
        region: tuple[float, float] | None = None,
        annotate: Annotate = "auto",
        density: bool | Literal["auto"] = "auto",
        scatter_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw the point of a fitted classifier, or a point for each of its classes.

        Parameters
        ----------
        estimator : classifier or dict of str to classifier
            A fitted classifier, or several with their names.

        X : array-like of shape (n_samples, n_features)
            Samples to predict.

        y : array-like of shape (n_samples,)
            Their true labels.

        sample_weight, labels, pred_labels, pos_label, prevalence
            As in :meth:`from_predictions`; by default, the classes are those that the
            estimator knows and those in `y`.

        name : str or list of str, default=None
            As in :meth:`from_predictions`; by default that of the estimator's class.

        ax, isometrics, region, annotate, density, scatter_kwargs
            As in :meth:`plot`.

        Returns
        -------
        display : PhiDeltaDisplay
        """
        options = {"pred_labels": pred_labels, "sample_weight": sample_weight}

        def tabulate_one(one):
            _tables.check_classifier(one, f"{cls.__name__}.from_estimator")
            known = known_labels(one) if labels is None else labels
            return tabulate_classes(y, one.predict(X), labels=known, **options)

        found = _tables.each(tabulate_one, estimator)
        default = type(estimator).__name__
        return cls._of_classes(found, pos_label, name, default, prevalence).plot(
            ax,
            isometrics=isometrics,
            region=region,
            annotate=annotate,
            density=density,
            scatter_kwargs=scatter_kwargs,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike | Mapping[str, ArrayLike],
        *,
        sample_weight: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        pred_labels: ArrayLike | None = None,
        pos_label: Any = None,
        prevalence: float | None = None,
        name: str | Sequence[str] | None = None,
        ax: Any = None,
        isometrics: Isometrics = (),
        region: tuple[float, float] | None = None,
        annotate: Annotate = "auto",
        density: bool | Literal["auto"] = "auto",
        scatter_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw the point of true and predicted labels, or a point for each class.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
            True labels. A label indicator matrix, dense or sparse, has a point for each
            label, named after the column of a data frame or by its number.

        y_pred : array-like of the same shape, or dict of str to array-like
            Predicted labels, or those of several classifiers with their names.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        labels, pred_labels : array-like, default=None
            True and predicted classes, as in :func:`contingency_table`. Predictions
            outside the true classes are negative for all of them.

        pos_label : int, float, bool or str, default=None
            The positive class; all others are negative. By default, the larger of two
            labels; with more classes, each of them is positive in turn. For a label
            indicator matrix, the only label to draw.

        prevalence : float, default=None
            Share of positives to correct the plane for.

        name : str or list of str, default=None
            The name of the classifier, by default "Classifier". Points of classes are
            named by the class, after the name of the classifier if one is given.

        ax, isometrics, region, annotate, density, scatter_kwargs
            As in :meth:`plot`.

        Returns
        -------
        display : PhiDeltaDisplay
        """
        options = {
            "labels": labels,
            "pred_labels": pred_labels,
            "sample_weight": sample_weight,
        }
        found = _tables.each(
            lambda one: tabulate_classes(y_true, one, **options), y_pred
        )
        return cls._of_classes(found, pos_label, name, "Classifier", prevalence).plot(
            ax,
            isometrics=isometrics,
            region=region,
            annotate=annotate,
            density=density,
            scatter_kwargs=scatter_kwargs,
        )

    @classmethod
    def from_confusion_matrix(
        cls,
        matrices: Any,
        *,
        labels: Any = None,
        pos_label: Any = None,
        prevalence: float | None = None,
        name: str | Sequence[str] | None = None,
        ax: Any = None,
        isometrics: Isometrics = (),
        region: tuple[float, float] | None = None,
        annotate: Annotate = "auto",
        density: bool | Literal["auto"] = "auto",
        scatter_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw the points of confusion matrices: one for two classes, k for more.

        Parameters
        ----------
        matrices : array-like of shape (..., k, k), sparse matrix or dict
            Counts, weights or probabilities, true classes in rows: one matrix, a stack,
            or a dict of names to matrices or stacks, whose sizes may differ.

        labels : array-like of shape (k,) or dict, default=None
            The classes, by default 0, 1, ...; or a dict of such arrays.

        pos_label, prevalence
            As in :meth:`from_predictions`.

        name : str or list of str, default=None
            The name of the classifier or, for two classes, of each matrix of a stack.
            Points of classes are named as in :meth:`from_predictions`.

        ax, isometrics, region, annotate, density, scatter_kwargs
            As in :meth:`plot`.

        Returns
        -------
        display : PhiDeltaDisplay
        """
        found = split_matrices(matrices, labels)
        return cls._of_classes(found, pos_label, name, None, prevalence).plot(
            ax,
            isometrics=isometrics,
            region=region,
            annotate=annotate,
            density=density,
            scatter_kwargs=scatter_kwargs,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        pos_label: Any = None,
        prevalence: float | None = None,
        name: str | Sequence[str] | None = None,
        ax: Any = None,
        isometrics: Isometrics = (),
        region: tuple[float, float] | None = None,
        annotate: Annotate = "auto",
        density: bool | Literal["auto"] = "auto",
        scatter_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw a point for each fold, and that of all folds together.

        The spread of the points is the variance of the classifier, and the distance of
        their centre from the line φ = 0 is its bias.

        Parameters
        ----------
        cv_results : dict
            What :func:`~sklearn.model_selection.cross_validate` returns with
            ``return_estimator=True`` and ``return_indices=True``, or a dict of names to
            such results.

        X : array-like of shape (n_samples, n_features)
            The samples that were cross-validated.

        y : array-like of shape (n_samples,)
            Their true labels.

        sample_weight, labels, pos_label, prevalence
            As in :meth:`from_predictions`; the classes are by default those in `y`.

        name : str or list of str, default=None
            The name of the classifier, or of its classes.

        ax, isometrics, region, annotate, density, scatter_kwargs
            As in :meth:`plot`.

        Returns
        -------
        display : PhiDeltaDisplay
        """
        folds = _tables.fold_tables(
            cv_results,
            X,
            y,
            caller=f"{cls.__name__}.from_cv_results",
            labels=labels,
            sample_weight=sample_weight,
        )
        found = _tables.each(lambda one: split_folds(one, labels), folds)
        display = cls._of_classes(
            found, pos_label, name, None, prevalence, is_pooled=True
        )
        return display.plot(
            ax,
            isometrics=isometrics,
            region=region,
            annotate=annotate,
            density=density,
            scatter_kwargs=scatter_kwargs,
        )

    @classmethod
    def from_features(
        cls,
        X: Any,
        y: ArrayLike,
        *,
        presence: bool | Literal["auto"] = "auto",
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        feature_names: Sequence[str] | np.ndarray | None = None,
        prevalence: float | None = None,
        name: str | None = None,
        ax: Any = None,
        isometrics: Isometrics = (),
        region: tuple[float, float] | None = None,
        annotate: Annotate = "auto",
        density: bool | Literal["auto"] = "auto",
        scatter_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        r"""Draw a point for each feature.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Degrees or binary features, as for :func:`phi_delta_features`.

        y : array-like of shape (n_samples,)
            Class labels, of two classes or more.

        presence : bool or "auto", default="auto"
            Whether a sample has a feature if its value is not zero, as for word counts
            and TF-IDF. "auto" means True if `X` is sparse.

        pos_label : int, float, bool or str, default=None
            The positive class; all others are negative. By default, the larger of two
            labels; with more classes, each feature is judged by the class for which its
            :math:`|\delta|` is largest.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        feature_names : array-like of shape (n_features,), default=None
            By default, the column names of `X`, or "x0", "x1", ...

        prevalence : float, default=None
            Share of positives to correct the plane for.

        name : str, default=None
            The name of the features in the legend.

        ax, isometrics, region, annotate, density, scatter_kwargs
            As in :meth:`plot`.

        Returns
        -------
        display : PhiDeltaDisplay
        """
        rates = phi_delta_features(
            X, y, presence=presence, pos_label=pos_label, sample_weight=sample_weight
        )
        phi, delta = map(np.atleast_2d, rates)
        best = np.abs(delta).argmax(axis=0), np.arange(delta.shape[1])
        phi, delta = phi[best], delta[best]
        if feature_names is None:
            feature_names = getattr(X, "columns", [f"x{i}" for i in range(len(phi))])
        display = cls(
            phi=phi, delta=delta, name=name, prevalence=prevalence, view="feature"
        )
        display.feature_names = series_names(
            list(feature_names), phi.shape, "feature_names"
        )
        return display.plot(
            ax,
            isometrics=isometrics,
            region=region,
            annotate=annotate,
            density=density,
            scatter_kwargs=scatter_kwargs,
        )

    @classmethod
    def from_roc(
        cls,
        fpr: ArrayLike,
        tpr: ArrayLike,
        *,
        prevalence: float | None = None,
        name: str | None = None,
        ax: Any = None,
        isometrics: Isometrics = (),
        region: tuple[float, float] | None = None,
        annotate: Annotate = "auto",
        line_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw a ROC curve, rotated by 45°.

        Parameters
        ----------
        fpr, tpr : array-like of shape (n_thresholds,)
            False and true positive rates, as returned by
            :func:`sklearn.metrics.roc_curve`.

        prevalence : float, default=None
            Share of positives to correct the plane for.

        name : str, default=None
            The name of the curve.

        ax, isometrics, region, annotate, line_kwargs
            As in :meth:`plot`.

        Returns
        -------
        display : PhiDeltaDisplay
        """
        check_consistent_length(fpr, tpr)
        for rate, values in {"fpr": fpr, "tpr": tpr}.items():
            if not ((np.asarray(values) >= 0) & (np.asarray(values) <= 1)).all():
                raise ValueError(f"{rate} must lie between 0 and 1. Got {values!r}.")
        phi, delta = phi_delta_from_rates(fpr, tpr)
        display = cls(phi=phi, delta=delta, name=name, prevalence=prevalence)
        display.is_curve = True
        return display.plot(
            ax,
            isometrics=isometrics,
            region=region,
            annotate=annotate,
            line_kwargs=line_kwargs,
        )

    @classmethod
    def _of_classes(
        cls, found, pos_label, name, default, prevalence, *, is_pooled=False
    ):
        """Make a display of the tables of classes; name what has no name."""
        tables, name = choose_points(found, pos_label, name)
        phi, delta = defined_rates(tables)
        name = default if name is None else name
        display = cls(phi=phi, delta=delta, name=name, prevalence=prevalence)
        if is_pooled:
            display.pooled = phi_delta(tables.sum(axis=0))
        return display

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | Sequence[str] | None = None,
        isometrics: Isometrics = (),
        region: tuple[float, float] | None = None,
        annotate: Annotate = "auto",
        density: bool | Literal["auto"] = "auto",
        scatter_kwargs: dict[str, Any] | None = None,
        line_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        r"""Draw the diamond and the points.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure. The points are added to Axes
            that already show the plane.

        name : str or list of str, default=None
            Names to use instead of those of the display.

        isometrics : str, list of str, or dict of str to array-like, default=()
            Measures whose lines of equal values are drawn: "sensitivity",
            "specificity", "precision", "npv" and "accuracy", in a dict with the values;
            and "information", contours of the mutual information in bits. All are for
            balanced classes, or for the given prevalence.

        region : tuple (max_phi, min_delta), default=None
            Shade where :class:`PhiDeltaSelector` selects: :math:`|\varphi|` is less
            than max_phi, and :math:`|\varphi| + |\delta|` / min_delta at least 1.

        annotate : bool, int or "auto", default="auto"
            Whether to write names beside the points instead of in a legend; a number
            names those with the largest :math:`|\delta|`. True names 10 features, or
            all classifiers. "auto" does so if the names fit there without covering
            anything; a single classifier is then shown with its φ and δ.

        density : bool or "auto", default="auto"
            Whether to count points in hexagons. "auto" does so above 5,000 points.

        scatter_kwargs : dict, default=None
            Keyword arguments of :meth:`matplotlib.axes.Axes.scatter`.

        line_kwargs : dict, default=None
            Keyword arguments of :meth:`matplotlib.axes.Axes.plot`, for a curve.

        Returns
        -------
        display : PhiDeltaDisplay
            The display itself.
        """
        lines = plane.read_isometrics(isometrics)
        plane.check_region(region)
        name = self.name if name is None else name
        series = self._series(name)
        named = names_of_points(series, self._point_names(name), annotate)
        if annotate == "auto":
            named = add_numbers(named, self.phi, self.delta)
        is_dense = self._is_dense(density)
        self.ax_, self.figure_ = _axes.get_axes(ax, bare=True)
        picture = PlanePicture(self.ax_, series, self.prevalence, self.view)
        picture.draw_aids(lines, region)
        if self.is_curve:
            picture.draw_curve(line_kwargs)
        elif is_dense:
            picture.draw_density()
        else:
            picture.draw_points(scatter_kwargs)
            picture.draw_clouds("mean" if self.pooled is None else "pooled")
        picture.write(named, annotate)
        vars(self).update(picture.artists)
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_points,)
            "name" (``""`` for none), "phi" and "delta"; for a prevalence also "phi_g"
            and "delta_g", where the points are drawn.
        """
        phi, delta = as_arrays(self.phi, self.delta)
        names: Any = self._point_names(self.name)
        if names is None:
            names = "" if self.name is None else self.name
        frame = {"name": np.broadcast_to(names, phi.shape), "phi": phi, "delta": delta}
        if self.prevalence is not None:
            drawn = plane.to_plane(phi, delta, self.prevalence)
            frame |= {"phi_g": drawn[..., 0], "delta_g": drawn[..., 1]}
        return {column: values.ravel() for column, values in frame.items()}

    def _point_names(self, name):
        """A name for each point of a run; None if they have none."""
        names = series_names(name, np.shape(np.atleast_1d(self.phi)))
        return self.feature_names if names is None else names

    def _series(self, name):
        """The points that look alike: all, or those of each classifier or class."""
        phi, delta = as_arrays(self.phi, self.delta)
        points = plane.to_plane(phi, delta, self.prevalence)
        names = series_names(name, delta.shape)
        centers: Any = [None] * delta.shape[-1]
        if self.pooled is not None:
            centers = np.atleast_2d(plane.to_plane(*self.pooled, self.prevalence))
        if names is None or self.view == "feature" or self.is_curve:
            name = name if names is None else None
            return [self._one(name, points, delta, centers[0])]
        return [
            self._one(each, points[..., i, :], delta[..., i], centers[i])
            for i, each in enumerate(names)
        ]

    def _one(self, name, points, delta, center):
        points = points.reshape(-1, 2)
        defined = points[np.isfinite(points).all(axis=1)]
        # Features differ by more than chance and have no meaningful mean.
        if self.view == "feature" or self.is_curve or len(defined) < 2:
            center = None
        elif center is None:
            center = defined.mean(axis=0)
        return plane.Series(name, points, np.abs(delta).ravel(), center)

    def _is_dense(self, density):
        if density == "auto":
            return np.size(self.delta) > plane.MANY
        if not isinstance(density, bool):
            raise ValueError(f"density must be True, False or 'auto'. Got {density!r}.")
        return density
