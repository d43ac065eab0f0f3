"""The balance of the log loss as bars: what a model knows, says and decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from matplotlib import axes, collections, container, legend, text
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.probability import (
    ProbabilityBalance,
    Recalibration,
)
from sklearn_entropy_metrics.display import _display, comparison

# The parts of a bar in words, with their colour, its strength and hatch.
_PARTS: dict[str, tuple[str, str, float, str]] = {
    "decisions": ("kept by the decisions", _display.INFORMATION, 1.0, ""),
    "deciding": ("lost by deciding", _display.INFORMATION, 0.5, ""),
    "unknown": ("unknown", _display.LOSS, 0.25, ""),
    "miscalibration": ("miscalibration", _display.LOSS, 1.0, "////"),
}
# The middle of the bar in its row, its height, and the line of the log loss below: with
# names beside the rows, and with names above the bars.
_BESIDE, _BELOW = (0.0, 0.46, 0.36), (0.16, 0.24, 0.33)
# Inches per row, and above and below all rows.
_ROW, _BORDER = 0.72, 1.3


class ProbabilityBalanceDisplay(_display.Display):
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

    intervals_ : ErrorbarContainer
        The 95 % interval of the information.

    texts_ : dict of str to list of Text
        The numbers in the "parts"; the "log_loss" of each row; "names" that are written
        above their rows.

    legend_ : matplotlib Legend
        Parts, marks and lines in words.

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

    bars_: dict[str, container.BarContainer]
    entropies_: collections.LineCollection
    log_losses_: collections.LineCollection
    intervals_: container.ErrorbarContainer
    texts_: dict[str, list[text.Text]]
    legend_: legend.Legend

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
        ax: axes.Axes | None = None,
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
        given: Any = {"labels": labels, "sample_weight": sample_weight, "cv": cv}
        given |= {"recalibration": recalibration, "random_state": random_state}

        make = ProbabilityBalance.from_estimator
        balance = _display.each_classifier(
            lambda one: make(one, X, y, **given), estimator
        )
        name = _display.estimator_name(estimator, name)
        return cls(balance=balance, name=name).plot(ax)

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
        ax: axes.Axes | None = None,
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
            As in :meth:`from_estimator`. By default the model has no name.

        Returns
        -------
        display : ProbabilityBalanceDisplay
        """
        given: Any = {"labels": labels, "sample_weight": sample_weight, "cv": cv}
        given |= {"recalibration": recalibration, "random_state": random_state}
        make = ProbabilityBalance.from_probabilities
        balance = _display.each(lambda one: make(y_true, one, **given), y_proba)
        return cls(balance=balance, name=name).plot(ax)

    def plot(self, ax: axes.Axes | None = None, *, name: str | None = None) -> Self:
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
        frame, n_rows = self.frame(), len(self._balances())
        name = self.name if name is None else name
        is_one = isinstance(self.balance, ProbabilityBalance)
        ax = self._set_axes(ax, (8, _BORDER + _ROW * n_rows))
        self._sizes = comparison.start_rows(ax, n_rows)
        names = [name or ""] if is_one else frame["name"].tolist()
        self.texts_ = {"names": comparison.name_rows(ax, names, self._sizes["medium"])}
        self._draw(frame, *(_BELOW if self.texts_["names"] else _BESIDE))
        self._draw_legend(frame)
        self.texts_["parts"] = self._write_parts()
        title = _sentence(name, self.balance) if is_one else name
        comparison.write_title(ax, title or "", self._sizes["large"])
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
            balances = {self.name or "": balances}
        rows = balances.values() if isinstance(balances, Mapping) else ()
        if not rows or not all(isinstance(one, ProbabilityBalance) for one in rows):
            raise ValueError(
                "`balance` must be a ProbabilityBalance or a dict of at least one. Got "
                f"{balances!r}."
            )
        return balances

    def _draw(self, frame, middle, height, line_at):
        ax, rows = self.ax_, np.arange(len(frame["name"]))
        at, edges = rows + middle, _edges(frame)
        self.bars_ = {}
        for part, (start, stop) in edges.items():
            _, color, share, hatch = _PARTS[part]
            look: Any = {"height": height, "color": _display.tint(color, share)}
            if hatch:  # it differs from the other dark part in grey, too
                look |= {"hatch": hatch, "edgecolor": ax.get_facecolor(), "lw": 0}
            self.bars_[part] = ax.barh(at, stop - start, left=start, **look)
        start, ends = frame["information"], edges["miscalibration"][1]
        reach = at - 0.62 * height, at + 0.62 * height
        ink, loss = _display.text_color(), _display.on_paper(_display.LOSS)
        self.entropies_ = ax.vlines(frame["entropy"], *reach, color=ink, lw=1.8)
        self.log_losses_ = ax.hlines(rows + line_at, start, ends, color=loss, lw=1.8)
        middles, reaches = np.transpose([*map(_interval, self._balances().values())])
        look = {"fmt": "none", "ecolor": ink, "capsize": 3, "zorder": 3}
        below = at + 0.36 * height  # of the numbers
        self.intervals_ = ax.errorbar(middles, below, xerr=reaches, **look)
        ax.set_ylim(len(rows) - 0.2, -0.85 if middle else -0.55)  # names above bars
        ax.set_xlim(min(0, start.min()), 1.01 * ends.max())
        more = ", with 95 % intervals of what is known" * int(
            np.isfinite(middles).any()
        )
        given = self._sizes["medium"], comparison.width_inside(ax)
        ax.locator_params(axis="x", nbins=np.clip(given[1] // 30, 2, 5))
        comparison.write_label(ax.set_xlabel, "bits per sample", more, *given)
        look = {"color": loss, "ha": "right", "va": "top", "clip_on": True}
        look["fontsize"] = size = self._sizes["small"]
        # No text starts left of the bars; about so wide is "log loss 1.00".
        ends = np.maximum(ends, ax.get_xlim()[0] + 7 * size * self._bits_per_point())
        places: Any = zip(ends, rows + line_at + 0.04, frame["log_loss"], strict=True)
        pitch = 72 * float(_display.inches(ax)[1]) / (len(rows) + 4)
        if middle or pitch < 2.4 * size:  # no room below the bars
            places = ()
        self.texts_["log_loss"] = [
            ax.text(x, y, f"log loss {bits:.2f}", **look) for x, y, bits in places
        ]

    def _bits_per_point(self):
        return np.ptp(self.ax_.get_xlim()) / comparison.width_inside(self.ax_)

    def _write_parts(self):
        """Write numbers into the parts that are wide enough."""
        ax, size = self.ax_, self._sizes["small"]
        least = 3 * size * self._bits_per_point()
        share = self.bars_["unknown"][0].get_height() / abs(np.ptp(ax.get_ylim()))
        is_high = share * 72 * float(_display.inches(ax)[1]) > 1.2 * size
        texts = []
        for part, bars in self.bars_.items():
            if is_high and not _PARTS[part][3]:
                ink = _display.ink_on(bars[0].get_facecolor())
                widths = [bar.get_width() for bar in bars]
                labels = [f"{one:.2f}" if one > least else "" for one in widths]
                look: Any = {"label_type": "center", "fontsize": size, "color": ink}
                texts += ax.bar_label(bars, labels, **look)
        return texts

    def _draw_legend(self, frame):
        """Write the parts in words, and the entropy if all rows share it."""
        entries: dict[str, Any] = {_PARTS[key][0]: b for key, b in self.bars_.items()}
        entropy = frame["entropy"]
        value = f" {entropy[0]:.2f}" if np.ptp(entropy) < 1e-9 else ""
        entries[f"entropy{value}"] = _display.legend_mark("|")
        if not self.texts_["log_loss"]:  # the lines do not say what they are
            entries["log loss"] = self.log_losses_
        self.legend_ = comparison.legend_above(self.ax_, entries, self._sizes["small"])


def _interval(balance):
    """The middle of the interval of the information, and how far it reaches."""
    try:
        interval = balance.interval("information")
    except ValueError:  # judged on the samples that it was fitted to
        return np.nan, np.nan
    return (interval.low + interval.high) / 2, (interval.high - interval.low) / 2


def _edges(frame):
    """Where each part starts and stops; slightly negative parts are left out."""
    information, entropy = frame["information"], frame["entropy"]
    known = np.maximum(information, 0)
    decided = np.minimum(frame["decision_information"], known)
    return {
        "decisions": (np.zeros_like(known), decided),
        "deciding": (decided, known),
        "unknown": (information, entropy),
        "miscalibration": (entropy, entropy + np.maximum(frame["miscalibration"], 0)),
    }


def _sentence(name, balance):
    stated = f"{balance.stated_information:z.2f}".replace("-", "−")
    words = (
        f"the probabilities provide {balance.information:.2f} of "
        f"{balance.entropy:.2f} bits; as stated {stated}, and the decisions "
        f"{balance.decision_information:.2f}"
    )
    return f"{name}: {words}" if name else f"T{words[1:]}"
