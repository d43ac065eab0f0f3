"""The extended information diagram: the entropies of a balance as areas."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.balance import EntropyBalance, balance_of
from sklearn_entropy_metrics.display import _axes, _tables
from sklearn_entropy_metrics.display.information_diagram.picture import (
    BARS,
    LOOKS,
    Bar,
    DiagramPicture,
)


class InformationDiagramDisplay:
    r"""Extended information diagram of a classifier.

    The entropies of true classes X and predicted classes Y are drawn as parts of
    bars, so that areas are in proportion [1]_. There are three pictures:

    - one bar for :math:`H_{UX} + H_{UY} = \Delta H + 2\,MI + VI`. The mutual
      information is in it twice: where :math:`H_X` and :math:`H_Y` overlap, and between
      :math:`H_{XY}` and :math:`H_X + H_Y`;
    - `split=True`: a bar for :math:`H_{UX} = \Delta H_X + MI + H_{X|Y}` and one for
      :math:`H_{UY} = \Delta H_Y + MI + H_{Y|X}`, coupled by what they share;
    - `chain=True`: the same as factors of perplexities, on a logarithmic scale [2]_.
      True classes go from :math:`k` to :math:`k_X = k / \delta_X`, to
      :math:`k_{X|Y} = k_X / \mu` and to 1, predicted ones from :math:`m` to
      :math:`m_Y`, to :math:`m_{Y|X}` and to 1.

    Use the constructors to compute and draw. All parameters are kept as attributes.

    Parameters
    ----------
    balance : EntropyBalance
        What is drawn: the balance of one table.

    split : bool, default=False
        Whether to draw X and Y apart.

    chain : bool, default=False
        Whether to draw the chains of perplexities. Only one of `split` and `chain`
        may be true.

    name : str, default=None
        The title of the picture.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    parts_ : list of Rectangle
        The parts of the bars, in the order of :meth:`frame`.

    coupling_ : Rectangle or None
        What joins the mutual information of the two bars of the split picture.

    texts_ : list of Text
        The symbols and numbers.

    lines_ : list of Line2D
        What leads from parts to their texts, and the brackets of sums.

    See Also
    --------
    EntropyTriangleDisplay : Shares of entropy of many classifiers in one picture.

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
    >>> from sklearn_entropy_metrics.display.information_diagram import (
    ...     InformationDiagramDisplay,
    ... )
    >>> display = InformationDiagramDisplay.from_confusion_matrix(
    ...     [[15, 0, 5], [0, 15, 5], [0, 0, 20]], split=True
    ... )
    >>> display.frame()["entropy"].round(3)
    array([0.959, 0.626, 0.   , 0.959, 0.541, 0.085])
    >>> plt.close(display.figure_)
    """

    def __init__(
        self,
        *,
        balance: EntropyBalance,
        split: bool = False,
        chain: bool = False,
        name: str | None = None,
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
        split: bool = False,
        chain: bool = False,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the diagram of a fitted classifier.

        Parameters
        ----------
        estimator, X, y, sample_weight, labels, pred_labels
            As in :meth:`EntropyBalance.from_estimator`.

        split, chain : bool, default=False
            The kind of picture.

        name : str, default=None
            The title. By default the name of the class of the classifier.

        ax : matplotlib Axes, default=None
            Where to draw. By default on a new figure.

        Returns
        -------
        display : InformationDiagramDisplay
        """
        _tables.check_classifier(estimator, f"{cls.__name__}.from_estimator")
        balance = EntropyBalance.from_estimator(
            estimator,
            X,
            y,
            labels=labels,
            pred_labels=pred_labels,
            sample_weight=sample_weight,
        )
        name = type(estimator).__name__ if name is None else name
        display = cls(balance=balance, split=split, chain=chain, name=name)
        return display.plot(ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        pred_labels: ArrayLike | None = None,
        split: bool = False,
        chain: bool = False,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the diagram of true and predicted labels.

        Parameters
        ----------
        y_true, y_pred, sample_weight, labels, pred_labels
            As in :meth:`EntropyBalance.from_predictions`.

        split, chain, name, ax
            As in :meth:`from_estimator`. By default the title is "Classifier".

        Returns
        -------
        display : InformationDiagramDisplay
        """
        balance = EntropyBalance.from_predictions(
            y_true,
            y_pred,
            labels=labels,
            pred_labels=pred_labels,
            sample_weight=sample_weight,
        )
        name = "Classifier" if name is None else name
        display = cls(balance=balance, split=split, chain=chain, name=name)
        return display.plot(ax)

    @classmethod
    def from_confusion_matrix(
        cls,
        matrix: Any,
        *,
        split: bool = False,
        chain: bool = False,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the diagram of a confusion matrix.

        Parameters
        ----------
        matrix : array-like or sparse of shape (n_true_classes, n_pred_classes)
            Counts, weights or probabilities, true classes in rows.

        split, chain, name, ax
            As in :meth:`from_estimator`. By default there is no title.

        Returns
        -------
        display : InformationDiagramDisplay
        """
        balance = balance_of(matrix)
        display = cls(balance=balance, split=split, chain=chain, name=name)
        return display.plot(ax)

    def plot(self, ax: Any = None, *, name: str | None = None) -> Self:
        """Draw the diagram.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw. By default on a new figure.

        name : str, default=None
            A title to use instead of the name of the display.

        Returns
        -------
        display : InformationDiagramDisplay
            The display itself.
        """
        bars = self._bars()
        self.ax_, self.figure_ = _axes.get_axes(ax)
        picture = DiagramPicture(self.ax_, bars, self.chain)
        if len(bars) == 1:
            picture.draw_joint()
        elif self.split:
            picture.draw_split()
        else:
            picture.draw_chains()
        name = self.name if name is None else name
        if name is not None:
            self.ax_.set_title(name, parse_math=False)
        self.parts_, self.coupling_ = picture.parts, picture.coupling
        self.texts_, self.lines_ = picture.texts, picture.lines
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Give the data of the picture.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_parts,)
            For each part: its bar ("joint", "true" or "pred"); the attribute of the
            balance that it shows; its entropy in bits; its perplexity, two to the power
            of that; where it starts and stops on the scale of the picture.
        """
        bars = self._bars()
        parts = [part for bar in bars.values() for part in bar.parts]
        entropy = np.array([getattr(self.balance, part) for part in parts])
        edges = np.array([bar.edges for bar in bars.values()])
        edges = np.exp2(edges) if self.chain else edges
        return {
            "bar": np.repeat(list(bars), len(parts) // len(bars)),
            "part": np.array(parts),
            "entropy": entropy,
            "perplexity": 2.0**entropy,
            "start": edges[:, :-1].ravel(),
            "stop": edges[:, 1:].ravel(),
        }

    def _bars(self):
        """Check the parameters and stack the parts of each bar."""
        if self.split and self.chain:
            raise ValueError("Only one of split and chain may be true. Got both.")
        _check_one_table(self.balance)
        kind = "chain" if self.chain else "split" if self.split else "joint"
        return {name: Bar.of(self.balance, parts) for name, parts in BARS[kind].items()}


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
