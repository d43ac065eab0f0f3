"""The φ-δ plane: characteristic and discriminant classifiers and features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, Self, TypedDict, Unpack

import numpy as np
from matplotlib import axes, collections, contour, legend, lines, patches, text
from matplotlib.colorbar import Colorbar
from numpy.typing import ArrayLike
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics.balance.balance import Number
from sklearn_entropy_metrics.display import _display, _names, _points
from sklearn_entropy_metrics.display.phi_delta import plane, points
from sklearn_entropy_metrics.features import phi_delta_features
from sklearn_entropy_metrics.measure import phi_delta, phi_delta_from_rates
from sklearn_entropy_metrics.table.classes import known_labels


class PhiDeltaOptions(TypedDict, total=False):
    """Options of :meth:`PhiDeltaDisplay.plot`."""

    isometrics: Annotated[str | Sequence[str] | Mapping[str, ArrayLike], ()]
    region: Annotated[tuple[float, float] | None, None]
    zoom: Annotated[bool, False]
    annotate: Annotated[bool | int | Literal["auto"], "auto"]
    scatter_kwargs: Annotated[dict[str, Any] | None, None]


# More series than this have the same marker and colour, if they are classes of the
# same classifier, and names or numbers.
_ALIKE = 10
# Features that are named on large Axes, unless a number of them is asked for.
_SOME = 10


class PhiDeltaDisplay(_display.Display):
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

    scatter_, line_ : PathCollection (or list of them), Line2D
        The points; the ROC curve. None if there are none.

    center_ : PathCollection or list of them
        The pooled point of the folds of each classifier or class, or None.

    isometric_lines_ : dict of str to LineCollection
        The lines of each measure.

    information_, region_ : QuadContourSet, list of Polygon
        The contours of mutual information and the selection region, or None.

    colorbar_, legend_ : matplotlib Colorbar and Legend
        The colour bar and the legend, or None. A long legend has two parts, of which
        this is the right one.

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

    scatter_: collections.PathCollection | list[collections.PathCollection] | None
    line_: lines.Line2D | None
    center_: collections.PathCollection | list[collections.PathCollection] | None
    isometric_lines_: dict[str, collections.LineCollection]
    information_: contour.QuadContourSet | None
    region_: list[patches.Polygon] | None
    colorbar_: Colorbar | None
    legend_: legend.Legend | None
    texts_: dict[str, list[text.Text]]

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
        points.check_plane(phi, delta)
        self._names(name)
        if view not in plane.CORNERS:
            raise ValueError(f"`view` must be 'classifier' or 'feature'. Got {view!r}.")
        if prevalence is not None:
            _display.check_prevalence(prevalence)

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
        ax: axes.Axes | None = None,
        **options: Unpack[PhiDeltaOptions],
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

        ax, **options
            Where to draw, and keywords of :meth:`plot`.

        Returns
        -------
        display : PhiDeltaDisplay
        """

        def tabulate_one(one):
            known = known_labels(one) if labels is None else labels
            given = known, pred_labels, sample_weight
            return points.tabulate_classes(y, one.predict(X), *given)

        tables = _display.each_classifier(tabulate_one, estimator)
        display = cls._of_classes(
            tables, pos_label, name, prevalence, default=type(estimator).__name__
        )
        return display.plot(ax, **options)

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
        ax: axes.Axes | None = None,
        **options: Unpack[PhiDeltaOptions],
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
            The name of the classifier. Points of classes are named by the class, after
            the name of the classifier if one is given.

        ax, **options
            Where to draw, and keywords of :meth:`plot`.

        Returns
        -------
        display : PhiDeltaDisplay
        """
        given = labels, pred_labels, sample_weight
        tables = _display.each(
            lambda one: points.tabulate_classes(y_true, one, *given), y_pred
        )
        return cls._of_classes(tables, pos_label, name, prevalence).plot(ax, **options)

    @classmethod
    def from_confusion_matrix(
        cls,
        matrices: Any,
        *,
        labels: Any = None,
        pos_label: Any = None,
        prevalence: float | None = None,
        name: str | Sequence[str] | None = None,
        ax: axes.Axes | None = None,
        **options: Unpack[PhiDeltaOptions],
    ) -> Self:
        """Draw the points of confusion matrices: one for two classes, k for more.

        Parameters
        ----------
        matrices : array-like of shape (..., k, k), sparse matrix or dict
            Counts, weights or probabilities, true classes in rows: one matrix, a stack,
            or a dict of names to matrices or stacks, whose sizes may differ.

        labels : array-like of shape (k,), default=None
            The classes, by default 0, 1, ...

        pos_label, prevalence
            As in :meth:`from_predictions`.

        name : str or list of str, default=None
            The name of the classifier or, for two classes, of each matrix of a stack.
            Points of classes are named as in :meth:`from_predictions`.

        ax, **options
            Where to draw, and keywords of :meth:`plot`.

        Returns
        -------
        display : PhiDeltaDisplay
        """
        tables = _display.each(lambda one: points.split_matrix(one, labels), matrices)
        return cls._of_classes(tables, pos_label, name, prevalence).plot(ax, **options)

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
        ax: axes.Axes | None = None,
        **options: Unpack[PhiDeltaOptions],
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

        ax, **options
            Where to draw, and keywords of :meth:`plot`.

        Returns
        -------
        display : PhiDeltaDisplay
        """
        folds = _display.fold_tables(cv_results, X, y, labels, None, sample_weight)
        tables = _display.each(lambda one: points.split_folds(one, labels), folds)
        display = cls._of_classes(tables, pos_label, name, prevalence, is_pooled=True)
        return display.plot(ax, **options)

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
        ax: axes.Axes | None = None,
        **options: Unpack[PhiDeltaOptions],
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

        ax, **options
            Where to draw, and keywords of :meth:`plot`.

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
        display.feature_names = _display.point_names(
            list(feature_names), len(phi), "feature_names"
        )
        return display.plot(ax, **options)

    @classmethod
    def from_roc(
        cls,
        fpr: ArrayLike,
        tpr: ArrayLike,
        *,
        prevalence: float | None = None,
        name: str | None = None,
        ax: axes.Axes | None = None,
        **options: Unpack[PhiDeltaOptions],
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

        ax, **options
            Where to draw, and keywords of :meth:`plot`.

        Returns
        -------
        display : PhiDeltaDisplay
        """
        check_consistent_length(fpr, tpr)
        rates = np.asarray(fpr)
        if rates.dtype.kind not in "iuf" or (rates[1:] < rates[:-1]).any():
            raise ValueError(
                "`fpr` must not fall: it and `tpr` are what "
                f"sklearn.metrics.roc_curve returns. Got {rates[:9].tolist()}."
            )
        phi, delta = phi_delta_from_rates(fpr, tpr)
        display = cls(phi=phi, delta=delta, name=name, prevalence=prevalence)
        display.is_curve = True
        return display.plot(ax, **options)

    @classmethod
    def _of_classes(
        cls, classes, pos_label, name, prevalence, *, default=None, is_pooled=False
    ):
        """Make a display of the tables of classes; name what has no name."""
        tables, name = points.choose_points(classes, pos_label, name)
        phi, delta = points.defined_rates(tables)
        name = default if name is None else name
        display = cls(phi=phi, delta=delta, name=name, prevalence=prevalence)
        if is_pooled:
            display.pooled = phi_delta(tables.sum(axis=0))
        return display

    def plot(
        self,
        ax: axes.Axes | None = None,
        *,
        name: str | Sequence[str] | None = None,
        **options: Unpack[PhiDeltaOptions],
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

        zoom : bool, default=False
            Whether to show only the part of the plane that holds the points.

        annotate : bool, int or "auto", default="auto"
            Whether to write names beside the points instead of in a legend. "auto"
            writes numbers there if the names do not fit, and a numbered list from the
            highest point down, in one upper corner or in both; if the list does not fit
            either, it names the highest and the lowest points. A single classifier is
            shown with its φ and δ. A number names so many features, those with the
            largest :math:`|\delta|`, by default 10, fewer on small Axes.

        scatter_kwargs : dict, default=None
            Keyword arguments of :meth:`matplotlib.axes.Axes.scatter`.

        Returns
        -------
        display : PhiDeltaDisplay
            The display itself.
        """
        chosen = _display.read_options(PhiDeltaOptions, options)
        values = plane.read_isometrics(chosen["isometrics"])
        plane.check_region(chosen["region"])
        points.check_annotate(chosen["annotate"], self.view)
        name = self.name if name is None else name
        series = self._series(name)
        note = None if values or chosen["region"] else plane.WORSE
        ax = self._set_axes(ax)
        self._outline = plane.draw_plane(ax, self.prevalence, self.view, note)
        entries = self._draw_aids(values, chosen["region"])
        entries += self._draw_points(series, chosen["scatter_kwargs"])
        every = np.concatenate([one.points for one in series])
        if chosen["zoom"]:
            plane.zoom_to(ax, every)
        names, annotate = self._point_names(name), chosen["annotate"]
        if self.view == "feature" and names is not None:
            new, annotate = self._name_features(names, every, annotate), True
        else:
            new = self._name_series(series, annotate)
        lines = [self._outline, *ax.findobj(collections.LineCollection)]
        size = _display.font_size("medium", _display.font_factor(ax))
        given: Any = new, annotate, every, lines, size
        self.texts_["names"], listed = _names.name_points(ax, *given)
        fits = partial(plane.fit_plane, ax, self._outline)
        if chosen["zoom"]:
            fits = partial(plane.covers_no_point, loc="best", points=every)
        given = listed, entries, self.texts_["names"], 0.75 * size, fits
        self.legend_ = _names.fit_legend(ax, *given)
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_points,)
            "name" (``""`` for none), "phi" and "delta"; for a prevalence also "phi_g"
            and "delta_g", where the points are drawn.
        """
        phi, delta = points.as_arrays(self.phi, self.delta)
        names: Any = self._point_names(self.name)
        if names is None:
            names = "" if self.name is None else self.name
        frame = {"name": np.broadcast_to(names, phi.shape), "phi": phi, "delta": delta}
        if self.prevalence is not None:
            drawn = plane.to_plane(phi, delta, self.prevalence)
            frame |= {"phi_g": drawn[..., 0], "delta_g": drawn[..., 1]}
        return {column: values.ravel() for column, values in frame.items()}

    def _names(self, name):
        """A name for each point of a run; None if there is one for all, or none."""
        return _display.point_names(name, np.atleast_1d(self.phi).shape[-1])

    def _point_names(self, name):
        """The names of classifiers, classes or features; None if they have none."""
        return self._names(name) or self.feature_names

    def _series(self, name):
        """The points that look alike: all, or those of each classifier or class."""
        phi, delta = points.as_arrays(self.phi, self.delta)
        names = self._names(name)
        if names is None or self.view == "feature" or self.is_curve:
            names = [name if names is None else None]
        places = plane.to_plane(phi, delta, self.prevalence).reshape(-1, len(names), 2)
        pooled: Any = [None] * len(names)
        if self.pooled is not None:
            pooled = np.atleast_2d(plane.to_plane(*self.pooled, self.prevalence))
        return [
            points.Series(one, places[:, i], pooled[i]) for i, one in enumerate(names)
        ]

    def _draw_aids(self, values, region):
        """Draw what helps to read the plane; return it for the legend."""
        ax, prevalence = self.ax_, self.prevalence
        self.information_ = self.region_ = None
        if values.pop("information", None) is not None:
            self.information_ = plane.draw_information(ax, prevalence)
        self.colorbar_ = getattr(self.information_, "colorbar", None)
        self.isometric_lines_, texts = plane.draw_isometrics(ax, values, prevalence)
        self.texts_ = {"isometrics": texts}
        entries: list[Any] = [(two, one) for one, two in self.isometric_lines_.items()]
        if region is not None:
            self.region_ = plane.draw_region(ax, region, prevalence)
            entries.append((self.region_[0], "selected"))
        return entries

    def _draw_points(self, series, style):
        """Draw the points and pooled ones; return what the legend says of these."""
        ax, first = self.ax_, series[0]
        self.scatter_ = self.line_ = self.center_ = None
        start = _points.n_series(ax) + len(ax.lines)
        small = _display.font_factor(ax)
        if self.is_curve:
            look: Any = {"color": _display.cycle_color(start), "zorder": 2.5}
            look["linestyle"] = ("-", "--", "-.", ":")[start % 4]
            (self.line_,) = ax.plot(*first.points.T, label=first.name, **look)
            return []
        numbers = np.arange(len(series))
        if len(series) > _ALIKE:  # those of a classifier begin with its name
            owners = [(one.name or "").rpartition(": ")[0] for one in series]
            numbers = np.unique(owners, return_inverse=True)[1]
        drawn = _points.draw_series(
            ax,
            [one.name for one in series],
            [one.points for one in series],
            style,
            numbers=start + numbers,
            sizes=(45 * small, 20 * small),
        )
        self.scatter_ = _display.one_or_list(drawn)
        centers = [
            _points.draw_center(ax, one.pooled, artist.get_facecolor()[0], "X")
            for one, artist in zip(series, drawn, strict=True)
            if one.pooled is not None and np.isfinite(one.pooled).all()
        ]
        self.center_ = _display.one_or_list(centers)
        return [(one, "all folds together") for one in centers[:1]]

    def _name_features(self, names, places, annotate):
        """Name the features with the largest |δ|."""
        n_names = annotate
        if annotate is True or annotate == "auto":
            n_names = round(_SOME * _display.font_factor(self.ax_) ** 2)
        order = np.argsort(-np.abs(np.ravel(self.delta)), kind="stable")[:n_names]
        ink = _display.text_color()
        return [
            _names.Named(names[i % len(names)], places[i], ink, None) for i in order
        ]

    def _name_series(self, series, annotate):
        """Name series of points; the only point has its δ and φ."""
        drawn: Any = self.line_ if self.is_curve else self.scatter_
        ink, new = np.array(_display.text_color()), []
        for one, artist in zip(series, np.atleast_1d(drawn), strict=True):
            name, anchor = one.name, one.pooled
            if np.size(self.delta) == 1 and annotate == "auto":
                phi, delta = np.squeeze(self.phi), np.squeeze(self.delta)
                numbers = f"δ = {delta:z.2f}, φ = {phi:z.2f}".replace("-", "−")
                name = numbers if name is None else f"{name}\n{numbers}"
            if self.is_curve:
                anchor = one.points[np.argmax(np.abs(self.delta))]
            elif anchor is None:
                anchor = _points.mean_of(one.points)
            is_alone = len(series) == 1
            color = ink if is_alone else 0.65 * artist.get_facecolor()[0] + 0.35 * ink
            new.append(_names.Named(name or "", anchor, color, artist))
        return new
