"""The entropy triangle: how much information classifiers transfer, and what is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self, TypedDict, Unpack

import numpy as np
from matplotlib import collections, colorbar, legend, patches, text
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.balance import EntropyBalance, balance_of
from sklearn_entropy_metrics.balance.shrink import Smoothing
from sklearn_entropy_metrics.balance.source import SourceBalance
from sklearn_entropy_metrics.display import _display
from sklearn_entropy_metrics.display._display import Display
from sklearn_entropy_metrics.display.triangle.drawing import Drawing
from sklearn_entropy_metrics.display.triangle.geometry import to_plane
from sklearn_entropy_metrics.display.triangle.shares import read_data


class TriangleOptions(TypedDict, total=False):
    """Options of :meth:`EntropyTriangleDisplay.plot`."""

    words: Annotated[bool, True]
    split: Annotated[bool, False]
    c: Annotated[ArrayLike | str | None, None]
    annotate: Annotated[bool | Literal["auto"], "auto"]
    guides: Annotated[bool | Literal["auto"], "auto"]
    points: Annotated[bool | Literal["auto"], "auto"]
    bound: Annotated[bool, False]
    nit_lines: Annotated[bool, False]
    path: Annotated[bool, False]
    zoom: Annotated[bool, False]
    scatter_kwargs: Annotated[dict[str, Any] | None, None]


class EntropyTriangleDisplay(Display):
    """Entropy triangle of one or many classifiers.

    Each classifier is a point. Its height is the information it transfers, 2MI'. On the
    left is what true and predicted classes do not share, VI'; on the right what uneven
    classes or predictions leave no room for, ΔH' [1]_. The three shares sum to one.

    Use :meth:`from_estimator`, :meth:`from_predictions`, :meth:`from_cv_results` or
    :meth:`from_confusion_matrix` to compute and draw. All parameters are kept as
    attributes.

    Read more in the :ref:`User Guide <entropy_triangle>`.

    Parameters
    ----------
    balance : EntropyBalance, list of them, SourceBalance, or dict of str to balances
        The balances to draw. The points of a stack of tables are numbered, unless each
        has a name. For a :class:`SourceBalance`, each variable is a point, and so are
        all of them together.

    name : str or list of str, default=None
        The name of the balance, or a name for each table of a stack, each balance of
        a list, or each variable and all together.

    Attributes
    ----------
    pooled_balance : EntropyBalance, dict of str to EntropyBalance, or None
        The balance of the summed tables, if they are parts of one run.

    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    scatter_ : matplotlib PathCollection or list of them
        The points, one for each name. More than 30 are hidden unless requested.

    split_scatter_, split_lines_ : list of PathCollection, LineCollection
        The points of X (crosses) and of Y (circles), and the lines between them.

    center_, spread_ : PathCollection and Ellipse, or lists of them
        The pooled or mean point of each cloud, and the ellipse that holds the 95 % of
        its points that are nearest to it (by Mahalanobis distance).

    guides_, bound_lines_, nit_lines_, path_ : LineCollection
        Lines that help to read, or None; a list of paths if there are several stacks.

    colorbar_, legend_ : matplotlib Colorbar and Legend
        Or None. A long legend has two parts, of which this is the right one.

    texts_ : dict of str to list of Text
        The texts of "words", "names", "shares" and "nit_lines".

    See Also
    --------
    sklearn_entropy_metrics.EntropyBalance : The numbers behind the plot.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2010). "Two
       information-theoretic tools to assess the performance of multi-class
       classifiers". Pattern Recognition Letters 31(12), 1665-1671.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_entropy_metrics import datasets
    >>> from sklearn_entropy_metrics.display import EntropyTriangleDisplay
    >>> data = datasets.load_synthetic()
    >>> display = EntropyTriangleDisplay.from_confusion_matrix(
    ...     data.matrices, name=data.names, annotate=True
    ... )
    >>> display.frame()["mutual_information"].round(3)
    array([0.605, 0.49 , 0.041, 0.971, 0.21 , 0.   ])
    >>> plt.close(display.figure_)
    """

    scatter_: collections.PathCollection | list[collections.PathCollection]
    split_scatter_: list[collections.PathCollection] | None
    split_lines_: collections.LineCollection | None
    center_: collections.PathCollection | list[collections.PathCollection] | None
    spread_: patches.Ellipse | list[patches.Ellipse] | None
    path_: collections.LineCollection | list[collections.LineCollection] | None
    guides_: collections.LineCollection | None
    bound_lines_: collections.LineCollection | None
    nit_lines_: collections.LineCollection | None
    colorbar_: colorbar.Colorbar | None
    legend_: legend.Legend | None
    texts_: dict[str, list[text.Text]]

    to_plane = staticmethod(to_plane)

    def __init__(
        self,
        *,
        balance: EntropyBalance
        | SourceBalance
        | Sequence[EntropyBalance]
        | Mapping[str, EntropyBalance | SourceBalance],
        name: str | Sequence[str] | None = None,
    ) -> None:
        self.balance = balance
        self.name = name
        self.pooled_balance: EntropyBalance | dict[str, EntropyBalance] | None = None

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
        smoothing: Smoothing | None = None,
        name: str | None = None,
        ax: Any = None,
        **options: Unpack[TriangleOptions],
    ) -> Self:
        """Draw the point of a fitted classifier, or of several.

        Parameters
        ----------
        estimator : classifier or dict of str to classifier
            A fitted classifier, or several with their names.

        X : array-like of shape (n_samples, n_features)
            Samples to predict.

        y : array-like of shape (n_samples,)
            Their true labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        labels, pred_labels : array-like, default=None
            True and predicted classes, as in :func:`contingency_table`. By default, the
            classes that the estimator knows and those in `y`.

        smoothing : "empirical_bayes", default=None
            How to estimate the joint distribution from few samples, as in
            :meth:`EntropyBalance.from_estimator`.

        name : str, default=None
            The name of the classifier. By default, that of its class.

        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure.

        **options
            Keywords of :meth:`plot`.

        Returns
        -------
        display : EntropyTriangleDisplay
        """
        given = _display.Given(labels, pred_labels, sample_weight, smoothing)
        balance = _display.estimator_balance(estimator, X, y, given)
        name = _display.estimator_name(estimator, name)
        return cls(balance=balance, name=name).plot(ax, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike | Mapping[str, ArrayLike],
        *,
        sample_weight: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        pred_labels: ArrayLike | None = None,
        smoothing: Smoothing | None = None,
        name: str | None = None,
        ax: Any = None,
        **options: Unpack[TriangleOptions],
    ) -> Self:
        """Draw the point of true and predicted labels, or of several predictions.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.

        y_pred : array-like of shape (n_samples,) or dict of str to array-like
            Predicted labels, or those of several classifiers with their names.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        labels, pred_labels : array-like, default=None
            True and predicted classes, as in :func:`contingency_table`.

        smoothing : "empirical_bayes", default=None
            How to estimate the joint distribution from few samples, as in
            :meth:`EntropyBalance.from_predictions`.

        name : str, default=None
            The name of the classifier. By default, it has none.

        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure.

        **options
            Keywords of :meth:`plot`.

        Returns
        -------
        display : EntropyTriangleDisplay
        """
        given = _display.Given(labels, pred_labels, sample_weight, smoothing)
        balance = _display.prediction_balance(y_true, y_pred, given)
        return cls(balance=balance, name=name).plot(ax, **options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        pred_labels: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        **options: Unpack[TriangleOptions],
    ) -> Self:
        """Draw a dot for each fold, and a mark for the table of all folds together.

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

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        labels, pred_labels : array-like, default=None
            True and predicted classes, as in :func:`contingency_table`. By
            default, in every fold, the classes that some estimator knows.

        name : str, default=None
            The name of the classifier. By default, it has none.

        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure.

        **options
            Keywords of :meth:`plot`.

        Returns
        -------
        display : EntropyTriangleDisplay
        """
        given = labels, pred_labels, sample_weight
        folds = _display.fold_tables(cv_results, X, y, *given)
        tables = _display.each(lambda one: one.table, folds)
        display = cls(balance=_display.each(balance_of, tables), name=name)
        display.pooled_balance = _display.each(
            lambda one: balance_of(one.sum(axis=0)), tables
        )
        return display.plot(ax, **options)

    @classmethod
    def from_confusion_matrix(
        cls,
        matrices: Any,
        *,
        smoothing: Smoothing | None = None,
        name: str | Sequence[str] | None = None,
        ax: Any = None,
        **options: Unpack[TriangleOptions],
    ) -> Self:
        """Draw the points of confusion matrices.

        Parameters
        ----------
        matrices : array-like of shape (..., n_true_classes, n_pred_classes) or dict
            Counts, weights or probabilities, true classes in rows: one matrix, a stack,
            or a dict of names to matrices or stacks, whose sizes may differ.

        smoothing : "empirical_bayes", default=None
            How to estimate the joint distribution from few samples, as in
            :meth:`EntropyBalance.from_confusion_matrix`.

        name : str or list of str, default=None
            The name of the classifier, or a name for each matrix of a stack. Without
            such names, up to 30 points of a stack are numbered from 1 in their order;
            for more, their mean is marked, and an ellipse holds the 95 % of them that
            are nearest to it.

        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure.

        **options
            Keywords of :meth:`plot`.

        Returns
        -------
        display : EntropyTriangleDisplay
        """
        balance = _display.matrix_balance(matrices, smoothing)
        return cls(balance=balance, name=name).plot(ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | Sequence[str] | None = None,
        **options: Unpack[TriangleOptions],
    ) -> Self:
        r"""Draw the triangle and the points.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure. The points are added to Axes
            that already show a triangle.

        name : str or list of str, default=None
            Names to use instead of those of the display.

        words : bool, default=True
            Whether to explain the sides and the corners in words next to the symbols.
            Small Axes have fewer words, and the smallest only symbols.

        split : bool, default=False
            Whether to draw the points of the true classes X (cross) and of the
            predicted classes Y (circle), joined to each point.

        c : array-like or str, default=None
            A number for each point, or the name of a measure in
            :data:`sklearn_entropy_metrics.measure.MEASURES`, to colour the points by.

        annotate : {"auto", True, False}, default="auto"
            Whether to write names beside the points instead of in a legend. If "auto",
            up to 8 names on these Axes are written beside their points, if they fit
            without overlap; otherwise the points have numbers, which a list explains
            from the highest point down. Where that has no room, the highest and the
            lowest points are named.

        guides : {"auto", True, False}, default="auto"
            Whether to draw lines from the points to the three scales. If "auto", they
            are drawn for a point that is alone on its Axes.

        points : {"auto", True, False}, default="auto"
            Whether to draw the points of stacks without names, and of folds. If "auto",
            up to 30 of them are drawn, and any number with `c` or `scatter_kwargs`.
            Otherwise their mean and an ellipse around it stand for them.

        bound : bool, default=False
            Whether to draw the limit that the balance of the true classes sets for any
            classifier: :math:`2\,\mathrm{MI}'` is at most
            :math:`2 \min(H_X, \log_2 m) / (H_{UX} + H_{UY})`, and :math:`\Delta H'` at
            least :math:`\Delta H_X / (H_{UX} + H_{UY})`.

        nit_lines : bool, default=False
            Whether to draw lines of equal NIT factor :math:`q`, which are at
            :math:`2\,\mathrm{MI}' = 2 \log_2 (q k) / (H_{UX} + H_{UY})`.

        path : bool, default=False
            Whether to connect the points in order, coloured by their position.

        zoom : bool, default=False
            Whether to show only the part of the triangle that contains everything on
            the Axes, now and after later calls.

        scatter_kwargs : dict, default=None
            Keyword arguments of :meth:`matplotlib.axes.Axes.scatter`.

        Returns
        -------
        display : EntropyTriangleDisplay
            The display itself.
        """
        if options.get("zoom") == "inset":
            raise ValueError(
                "`zoom` must be True or False: the inset is gone, and `zoom=True` sets "
                "the window. Got 'inset'."
            )
        chosen = _display.read_options(TriangleOptions, options)
        data = read_data(self.balance, self.name if name is None else name)
        pooled = self.pooled_balance or {}
        parts = [pooled] if isinstance(pooled, EntropyBalance) else [*pooled.values()]
        vars(self).update(Drawing(data, parts, chosen).draw(self._set_axes(ax)))
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_points,)
            The names (``""`` for none); ΔH', 2MI' and VI' as "divergence",
            "mutual_information" and "variation_of_information"; the shares of the
            true classes, which end in "_true", and of the predicted ones, "_pred". For
            a source: "divergence", "mutual_information" and "remaining_entropy".
        """
        return read_data(self.balance, self.name).frame()
