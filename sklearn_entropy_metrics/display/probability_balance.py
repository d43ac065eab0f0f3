"""The balance of the log loss as bars: what a model knows, says and decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.probability import (
    ProbabilityBalance,
    Recalibration,
)
from sklearn_entropy_metrics.display import _axes, _rows, _tables

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.container import BarContainer
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.text import Text

# The parts of a bar in words, with their colour and its strength.
_PARTS = {
    "decisions": ("kept by the decisions", _axes.INFORMATION, 1.0),
    "deciding": ("lost by deciding", _axes.INFORMATION, 0.5),
    "unknown": ("unknown", _axes.LOSS, 0.25),
    "miscalibration": ("added by miscalibration", _axes.LOSS, 1.0),
}
# Heights in a row: the bar, and the line of the log loss below it.
_HEIGHT, _LINE_AT = 0.46, 0.36
# Points that a number needs inside its part.
_NARROW = 30
# Axes narrower than this, in inches, have smaller and fewer texts.
_WIDE = 3.6
# Inches per row, and above and below all rows.
_ROW, _BORDER = 0.72, 1.3


class ProbabilityBalanceDisplay:
    r"""Bars that show where the bits of the log loss go, one row per model.

    The entropy of the true classes, from 0 to the dark mark, splits into the
    information in the decisions, the further information in the probabilities, which
    deciding discards, and what they leave unknown. Miscalibration comes on top of the
    entropy. The unknown part and the miscalibration make up the log loss: the line
    below the bar.

    Use the constructors to compute and draw. All parameters are kept as attributes.

    Read more in the :ref:`User Guide <knows_says_decides>`.

    Parameters
    ----------
    balance : ProbabilityBalance or dict of str to ProbabilityBalance
        The balance to draw, or several keyed by the names of the models.

    name : str, default=None
        The name of the model, or the title of a plot of several models.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    bars_ : dict of str to BarContainer
        The parts "decisions", "deciding", "unknown" and "miscalibration", each with a
        bar for every model.

    entropies_, log_losses_ : LineCollection
        The mark of the entropy in each row, and the line of the log loss.

    texts_ : dict of str to list of Text
        The numbers in the "parts"; the "log_loss" of each row, with a word where a part
        is slightly negative and drawn as zero; the "entropy" where it changes.

    legend_ : matplotlib Legend
        The parts in words.

    See Also
    --------
    EntropyTriangleDisplay : The same for decisions, with the imbalance of the classes.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_entropy_metrics import ProbabilityBalanceDisplay
    >>> y_true = [0, 0, 0, 1, 1, 1]
    >>> display = ProbabilityBalanceDisplay.from_predictions(
    ...     y_true, [0.2, 0.1, 0.6, 0.4, 0.9, 0.7], recalibration="none", name="Model"
    ... )
    >>> display.frame()["log_loss"].round(3)
    array([0.631])
    >>> plt.close(display.figure_)
    """

    ax_: Axes
    figure_: Figure
    bars_: dict[str, BarContainer]
    entropies_: LineCollection
    log_losses_: LineCollection
    texts_: dict[str, list[Text]]
    legend_: Legend

    def __init__(
        self,
        *,
        balance: ProbabilityBalance | Mapping[str, ProbabilityBalance],
        name: str | None = None,
    ) -> None:
        self.balance = balance
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
        recalibration: Recalibration = "best",
        cv: int | None = 5,
        random_state: Any = 0,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the balance of fitted classifiers.

        Parameters
        ----------
        estimator : classifier or dict of str to classifier
            A fitted classifier with `predict_proba`, or several by their names.

        X, y, sample_weight, labels, recalibration, cv, random_state
            As in :meth:`ProbabilityBalance.from_estimator`.

        name : str, default=None
            The name of the model, by default that of its class; the title of a plot of
            several models.

        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure of suitable height.

        Returns
        -------
        display : ProbabilityBalanceDisplay
        """
        caller = f"{cls.__name__}.from_estimator"

        def balance(one):
            _tables.check_classifier(one, caller)
            return ProbabilityBalance.from_estimator(
                one,
                X,
                y,
                labels=labels,
                sample_weight=sample_weight,
                recalibration=recalibration,
                cv=cv,
                random_state=random_state,
            )

        name = _tables.estimator_name(estimator, name)
        return cls(balance=_tables.each(balance, estimator), name=name).plot(ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_proba: Any,
        *,
        sample_weight: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        recalibration: Recalibration = "best",
        cv: int | None = 5,
        random_state: Any = 0,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the balance of true labels and predicted probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.

        y_proba : array-like of shape (n_samples, n_classes) or (n_samples,), or dict \
                of str to such arrays
            Predicted probabilities, or those of several models by their names.

        sample_weight, labels, recalibration, cv, random_state
            As in :meth:`ProbabilityBalance.from_probabilities`.

        name, ax
            As in :meth:`from_estimator`. By default the model is called "Classifier".

        Returns
        -------
        display : ProbabilityBalanceDisplay
        """

        def balance(one):
            return ProbabilityBalance.from_probabilities(
                y_true,
                one,
                labels=labels,
                sample_weight=sample_weight,
                recalibration=recalibration,
                cv=cv,
                random_state=random_state,
            )

        name = _tables.name_of(y_proba, name, "Classifier")
        return cls(balance=_tables.each(balance, y_proba), name=name).plot(ax)

    def plot(self, ax: Any = None, *, name: str | None = None) -> Self:
        """Draw the bars.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure of suitable height.

        name : str, default=None
            A name to use instead of that of the display.

        Returns
        -------
        display : ProbabilityBalanceDisplay
            The display itself.
        """
        frame = self.frame()
        name = self.name if name is None else name
        self.ax_, self.figure_ = _axes.get_axes(ax)
        if ax is None:
            height = _BORDER + _ROW * len(frame["name"])
            self.figure_.set_size_inches(8, height)
            self.figure_.set_layout_engine("constrained")
        self._scale = _axes.font_scale(self.ax_, _WIDE)
        self._draw(frame)
        self._write(frame)
        names, title = frame["name"].tolist(), name
        if not isinstance(self.balance, Mapping):
            names = [name or "Classifier"]
            title = _sentence(names[0], self.balance)
        _rows.write_names(self.ax_, names)
        self.ax_.tick_params(labelsize=self._size("medium"))
        self._draw_legend(title)
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_models,)
            The name of each model and the attributes of its balance.
        """
        balances = self._balances()
        rows = [balance.to_dict() for balance in balances.values()]
        columns = {key: np.array([row[key] for row in rows]) for key in rows[0]}
        return {"name": np.array(list(balances)), **columns}

    def _balances(self):
        balances = self.balance
        if isinstance(balances, ProbabilityBalance):
            balances = {self.name or "Classifier": balances}
        if not isinstance(balances, Mapping) or not all(
            isinstance(one, ProbabilityBalance) for one in balances.values()
        ):
            raise ValueError(
                "`balance` must be a ProbabilityBalance or a dict of them, got "
                f"{balances!r} instead."
            )
        if not balances:
            raise ValueError("`balance` must hold at least one model, got {} instead.")
        return balances

    def _draw(self, frame):
        ax, rows = self.ax_, np.arange(len(frame["name"]))
        edges = _edges(frame)
        self.bars_ = {
            part: ax.barh(
                rows,
                stop - start,
                left=start,
                height=_HEIGHT,
                color=_axes.tint(*_PARTS[part][1:]),
            )
            for part, (start, stop) in edges.items()
        }
        ends = edges["miscalibration"][1]
        self.entropies_ = ax.vlines(
            frame["entropy"],
            rows - 0.62 * _HEIGHT,
            rows + 0.62 * _HEIGHT,
            color=_axes.text_color(),
            lw=1.5,
        )
        self.log_losses_ = ax.hlines(
            rows + _LINE_AT, frame["information"], ends, color=_axes.LOSS, lw=1.5
        )
        left = min(0, frame["information"].min())
        ax.set(ylim=(len(rows) - 0.25, -0.65), xlim=(left, 1.01 * ends.max()))
        ax.set_xlabel("bits per sample", fontsize=self._size("medium"))
        ax.tick_params(axis="y", length=0)
        ax.spines[["left", "right", "top"]].set_visible(False)

    def _write_parts(self, edges):
        """Write numbers into the parts that are wide enough."""
        ax, ink = self.ax_, _axes.text_color()
        wide = self._scale * _NARROW / 72 / _inches(ax) * np.ptp(ax.get_xlim())
        return [
            ax.text(
                (start + stop) / 2,
                row,
                f"{stop - start:.2f}",
                color="white" if _PARTS[part][2] == 1 else ink,
                ha="center",
                va="center",
                fontsize=self._size("medium"),
                clip_on=True,
            )
            for part, ends in edges.items()
            for row, (start, stop) in enumerate(zip(*ends, strict=True))
            if stop - start > wide
        ]

    def _write(self, frame):
        """Write the numbers in their parts, and the log losses below."""
        ax, edges = self.ax_, _edges(frame)
        right = ax.get_xlim()[1]
        words = "entropy" if self._scale < 1 else "entropy of the classes"
        self.texts_ = {
            "parts": self._write_parts(edges),
            "log_loss": [
                ax.text(
                    edges["miscalibration"][1][row],
                    row + _LINE_AT + 0.04,
                    _log_loss_in_words(balance, brief=self._scale < 1),
                    ha="right",
                    va="top",
                    fontsize=self._size("small"),
                    color=_axes.LOSS,
                )
                for row, balance in enumerate(self._balances().values())
            ],
            "entropy": [
                ax.text(
                    entropy,
                    row - 0.66 * _HEIGHT,
                    f"{words} {entropy:.2f}",
                    ha="center" if entropy < 0.8 * right else "right",
                    va="bottom",
                    fontsize=self._size("small"),
                )
                for row, entropy in enumerate(frame["entropy"])
                if row == 0 or entropy != frame["entropy"][row - 1]
            ],
        }

    def _draw_legend(self, title):
        """Write the parts in words, in a line if there is room, and the title above."""
        is_wide = _inches(self.ax_) > 5.5
        self.legend_ = self.ax_.legend(
            list(self.bars_.values()),
            [words for words, *_ in _PARTS.values()],
            ncols=4 if is_wide else 2,
            **_rows.legend_above(self._scale),
            fontsize=self._size("small"),
            handlelength=1,
            columnspacing=1.2,
        )
        if title is not None:
            pad = self._scale * (24 if is_wide else 40)
            look = {"loc": "left", "pad": pad, "fontsize": self._size("large")}
            _rows.fit(self.ax_.set_title(title, parse_math=False, **look), self.ax_)

    def _size(self, size):
        return _axes.font_size(size, self._scale)


def _inches(ax):
    """The width of Axes."""
    return ax.get_window_extent().width / ax.figure.dpi


def _edges(frame):
    """Where each part starts and stops; slightly negative parts are left out."""
    information, entropy = frame["information"], frame["entropy"]
    told = np.maximum(information, 0)
    decided = np.minimum(frame["decision_information"], told)
    ends = entropy + np.maximum(frame["miscalibration"], 0)
    return {
        "decisions": (np.zeros_like(told), decided),
        "deciding": (decided, told),
        "unknown": (information, entropy),
        "miscalibration": (entropy, ends),
    }


def _sentence(name, balance):
    says = f"{balance.stated_information:.2f}".replace("-", "−")
    return (
        f"{name}: of {balance.entropy:.2f} bits it knows {balance.information:.2f}, "
        f"says {says} and decides {balance.decision_information:.2f}"
    )


def _log_loss_in_words(balance, brief):
    words = f"log loss {balance.log_loss:.2f}"
    if brief:
        return words
    notes = []
    if balance.miscalibration < 0:
        notes.append("well calibrated")
    if balance.decision_loss < 0:
        notes.append("deciding loses nothing")
    return f"{words} ({', '.join(notes)})" if notes else words
