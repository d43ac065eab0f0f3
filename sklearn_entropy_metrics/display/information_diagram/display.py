"""The extended information diagram: the entropies of a balance as areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.balance.shrink import Smoothing
from sklearn_entropy_metrics.display import _axes, _tables
from sklearn_entropy_metrics.display.information_diagram.picture import (
    LOOKS,
    DiagramPicture,
    stack_bars,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle
    from matplotlib.text import Text


# The height of a diagram in inches.
_DIAGRAM = 3.1


class InformationDiagramDisplay:
    r"""Extended information diagram of a classifier.

    The entropies of true classes X and predicted classes Y are drawn as parts of two
    bars, so that areas are in proportion [1]_: one bar for
    :math:`H_{UX} = \Delta H_X + H_{X|Y} + \mathrm{MI}` and one for
    :math:`H_{UY} = \mathrm{MI} + H_{Y|X} + \Delta H_Y`. There are three pictures:

    - the bars overlap in the mutual information, which both have, as :math:`H_X` and
      :math:`H_Y` do; both together are as long as
      :math:`\Delta H_X + H_{XY} + \Delta H_Y`;
    - ``split=True``: both bars start with the mutual information, which makes it easy
      to compare their other parts;
    - ``chain=True``: the same as factors of perplexities, on a logarithmic scale [2]_.
      True classes go from :math:`k` to :math:`k_X = k / \delta_X`, to
      :math:`k_{X|Y} = k_X / \mu` and to 1, predicted ones from :math:`m` to
      :math:`m_Y`, to :math:`m_{Y|X}` and to 1.

    Use the constructors to compute and draw. All parameters are kept as attributes.

    Read more in the :ref:`User Guide <entropy_triangle>`.

    Parameters
    ----------
    balance : EntropyBalance or dict of str to EntropyBalance
        The balance of one table, or several by name, drawn one below the other.

    split : bool, default=False
        Whether both bars start at the same place.

    chain : bool, default=False
        Whether to draw the chains of perplexities. Only one of `split` and `chain`
        may be true.

    name : str or list of str, default=None
        The name of the classifier, or of each; the title begins with it.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    axes_ : list of Axes
        The Axes of each diagram, which lie within `ax_` if there are several.

    parts_ : list of Rectangle
        The parts of the bars, in the order of :meth:`frame`.

    coupling_ : Rectangle, list of Rectangle or None
        The link between the mutual information of the two bars. Chains have none.

    texts_ : list of Text
        The words, symbols and numbers.

    lines_ : list of Line2D
        The lines from parts to their texts, and the bar of the scale.

    See Also
    --------
    EntropyTriangleDisplay : Shares of entropy of many classifiers in one plot.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2010). "Two
       information-theoretic tools to assess the performance of multi-class
       classifiers". Pattern Recognition Letters 31(12), 1665-1671.
    .. [2] F. J. Valverde-Albacete and C. Peláez-Moreno (2014). "100% classification
       accuracy considered harmful: the normalized information transfer factor explains
       the accuracy paradox". PLoS ONE 9(1), e84217.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_entropy_metrics import InformationDiagramDisplay
    >>> display = InformationDiagramDisplay.from_confusion_matrix(
    ...     [[15, 0, 5], [0, 15, 5], [0, 0, 20]], split=True
    ... )
    >>> display.frame()["entropy"].round(3)
    array([0.959, 0.626, 0.   , 0.959, 0.541, 0.085])
    >>> plt.close(display.figure_)
    """

    ax_: Axes
    figure_: Figure
    axes_: list[Axes]
    parts_: list[Rectangle]
    coupling_: Rectangle | list[Rectangle] | None
    texts_: list[Text]
    lines_: list[Line2D]

    def __init__(
        self,
        *,
        balance: EntropyBalance | Mapping[str, EntropyBalance],
        split: bool = False,
        chain: bool = False,
        name: str | Sequence[str] | None = None,
    ) -> None:
        self.balance = balance
        self.split = split
        self.chain = chain
        self.name = name

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
        split: bool = False,
        chain: bool = False,
        name: str | Sequence[str] | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the diagram of a fitted classifier, or of several.

        Parameters
        ----------
        estimator : classifier or dict of str to classifier
            A fitted classifier, or several with their names.

        X, y, sample_weight, labels, pred_labels, smoothing
            As in :meth:`EntropyBalance.from_estimator`.

        split, chain : bool, default=False
            The kind of plot.

        name : str or list of str, default=None
            The beginning of the title. By default, the name of the class of the
            classifier.

        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure.

        Returns
        -------
        display : InformationDiagramDisplay
        """
        balance = _tables.estimator_balance(
            estimator,
            X,
            y,
            caller=f"{cls.__name__}.from_estimator",
            labels=labels,
            pred_labels=pred_labels,
            sample_weight=sample_weight,
            smoothing=smoothing,
        )
        name = _tables.estimator_name(estimator, name)
        display = cls(balance=balance, split=split, chain=chain, name=name)
        return display.plot(ax)

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
        split: bool = False,
        chain: bool = False,
        name: str | Sequence[str] | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the diagram of true and predicted labels, or of several predictions.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.

        y_pred : array-like of shape (n_samples,) or dict of str to array-like
            Predicted labels, or those of several classifiers with their names.

        sample_weight, labels, pred_labels, smoothing
            As in :meth:`EntropyBalance.from_predictions`.

        split, chain, name, ax
            As in :meth:`from_estimator`. By default, the name is "Classifier".

        Returns
        -------
        display : InformationDiagramDisplay
        """
        balance = _tables.prediction_balance(
            y_true,
            y_pred,
            labels=labels,
            pred_labels=pred_labels,
            sample_weight=sample_weight,
            smoothing=smoothing,
        )
        name = _tables.name_of(y_pred, name, "Classifier")
        display = cls(balance=balance, split=split, chain=chain, name=name)
        return display.plot(ax)

    @classmethod
    def from_confusion_matrix(
        cls,
        matrix: Any,
        *,
        smoothing: Smoothing | None = None,
        split: bool = False,
        chain: bool = False,
        name: str | Sequence[str] | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the diagram of a confusion matrix, or of several.

        Parameters
        ----------
        matrix : array-like or sparse of shape (n_true_classes, n_pred_classes) or dict
            Counts, weights or probabilities, true classes in rows; or a dict of names
            to such matrices, whose sizes may differ.

        smoothing : {"empirical_bayes"}, default=None
            How to estimate the joint distribution from few samples, as in
            :meth:`EntropyBalance.from_confusion_matrix`.

        split, chain, name, ax
            As in :meth:`from_estimator`. By default, there is no name.

        Returns
        -------
        display : InformationDiagramDisplay
        """
        balance = _tables.matrix_balance(matrix, smoothing)
        display = cls(balance=balance, split=split, chain=chain, name=name)
        return display.plot(ax)

    def plot(self, ax: Any = None, *, name: str | Sequence[str] | None = None) -> Self:
        """Draw the diagram.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure of suitable height. Several
            diagrams share the space of the Axes.

        name : str or list of str, default=None
            Names to use instead of those of the display.

        Returns
        -------
        display : InformationDiagramDisplay
            The display itself.
        """
        named = self._named(self.name if name is None else name)
        bars = [self._bars(balance) for _, balance in named]
        self.ax_, self.figure_ = _axes.get_axes(ax)
        if ax is None:
            self.figure_.set_size_inches(8, _DIAGRAM * len(bars))
            low = (0.35 if self.chain else 0.1) / self.figure_.get_figheight()
            high = 1 - 0.45 / self.figure_.get_figheight()
            self.figure_.subplots_adjust(0.02, low, 0.98, high)
        self.axes_ = [self.ax_]
        if isinstance(self.balance, Mapping):
            self.axes_ = _axes.divide(self.ax_, len(bars))
        pictures = []
        for one, (title, balance), of in zip(self.axes_, named, bars, strict=True):
            pictures.append(DiagramPicture(one, of, self._kind))
            pictures[-1].draw()
            pictures[-1].write_title(title, balance)
        self.parts_ = [part for one in pictures for part in one.parts]
        self.texts_ = [text for one in pictures for text in one.texts]
        self.lines_ = [line for one in pictures for line in one.lines]
        self.coupling_ = _axes.one_or_list(
            [one.coupling for one in pictures if one.coupling is not None]
        )
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_parts,)
            For each part: the name of its diagram (``""`` for none); its bar ("true"
            or "pred"); the attribute of the balance that it shows; its entropy in bits;
            its perplexity, two to the power of that; where it starts and stops on the
            scale of the plot.
        """
        frames = [self._frame_of(*one) for one in self._named(self.name)]
        return {key: np.concatenate([one[key] for one in frames]) for key in frames[0]}

    def _frame_of(self, name, balance):
        bars = self._bars(balance)
        parts = [part for bar in bars.values() for part in bar.parts]
        entropy = np.array([getattr(balance, part) for part in parts])
        edges = np.array([bar.edges for bar in bars.values()])
        edges = np.exp2(edges) if self.chain else edges
        return {
            "name": np.repeat("" if name is None else str(name), len(parts)),
            "bar": np.repeat(list(bars), len(parts) // len(bars)),
            "part": np.array(parts),
            "entropy": entropy,
            "perplexity": np.exp2(entropy),
            "start": edges[:, :-1].ravel(),
            "stop": edges[:, 1:].ravel(),
        }

    def _named(self, name):
        """The title and the balance of each diagram."""
        titles: list[str | None] = [None]
        balances: list[Any] = [self.balance]
        if isinstance(self.balance, Mapping):
            titles, balances = list(self.balance), list(self.balance.values())
        if name is not None:
            titles = [name] if isinstance(name, str) else list(name)
        if len(titles) != len(balances):
            raise ValueError(
                f"name must have an entry for each of {len(balances)} diagrams. Got "
                f"{len(titles)}."
            )
        return list(zip(titles, balances, strict=True))

    def _bars(self, balance):
        """Check the parameters and stack the parts of each bar."""
        if self.split and self.chain:
            raise ValueError("Only one of split and chain may be true. Got both.")
        _check_one_table(balance)
        return stack_bars(balance, self._kind)

    @property
    def _kind(self):
        return "chain" if self.chain else "split" if self.split else "joint"


def _check_one_table(balance):
    if not isinstance(balance, EntropyBalance):
        got = type(balance).__name__
    elif balance.table.ndim != 2:
        got = f"a stack of tables of shape {balance.table.shape}"
    elif not np.isfinite([getattr(balance, part) for part in LOOKS]).all():
        got = "a table whose entropies are undefined"
    else:
        return
    raise ValueError(f"balance must be an EntropyBalance of one table. Got {got}.")
