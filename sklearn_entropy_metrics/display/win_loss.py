"""Wins, losses and ties of measures as bars, with the ranks of their regrets."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from matplotlib import axes, container, text

from sklearn_entropy_metrics._html import shorten
from sklearn_entropy_metrics.compare.win_loss import WinLossEqualResult
from sklearn_entropy_metrics.display import _display, comparison

# Inches: the names of a pair of measures, each of its bars, and what is around all.
_NAMES, _BAR, _BORDER = 0.24, 0.24, 1.1
# The share of the height of a row that a bar takes, and the strength of the colour of
# wins and ties.
_HEIGHT, _WINS, _TIES = 0.8, 0.8, 0.25
# Where the scale ends: there is room for a percentage beyond the longest bar.
_END = 1.2


class WinLossEqualDisplay(_display.Display):
    """Bars that show which measure picks the better classifier.

    There is a bar for each pair of measures and each arbiter, below the names of both
    measures. To the right, it shows the share of rounds won by the measure named on the
    right, and to the left, the share won by the measure on the left; the rest are ties
    [1]_. The pale bar extends each end by the share of ties, to where the bar would end
    if the ties were won. With one arbiter, the ranks of the mean regrets appear next to
    the names.

    Read more in the :ref:`User Guide <win_loss>`.

    Parameters
    ----------
    result : WinLossEqualResult
        The result of :func:`~sklearn_entropy_metrics.win_loss_equal`.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    wins_, losses_ : BarContainer or list of BarContainer
        The right and left parts of the bars, one container for each arbiter.

    ties_ : BarContainer or list of BarContainer
        The pale bars, first on the right and then on the left, for each arbiter.

    texts_ : dict of str to list of Text
        The "names" of the measures on the left and on the right of each pair; the
        "wins" and "losses" in percent; "undefined", where there is no bar because the
        measures never both picked a classifier.

    See Also
    --------
    sklearn_entropy_metrics.win_loss_equal : Computes the result.

    References
    ----------
    .. [1] X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and H.-W. Zhang (2013). "Probabilistic
       confusion entropy for evaluating classifiers". Entropy 15(11), 4969-4992.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_entropy_metrics import WinLossEqualDisplay, win_loss_equal
    >>> X, y = load_iris(return_X_y=True)
    >>> result = win_loss_equal(
    ...     GaussianNB(),
    ...     X,
    ...     y,
    ...     {"ACC": "accuracy", "pCEN": "neg_probabilistic_confusion_entropy"},
    ...     arbiter="pCEN",
    ...     n_rounds=5,
    ...     random_state=0,
    ... )
    >>> display = WinLossEqualDisplay(result=result).plot()
    >>> display.frame()["opponent"]
    array(['pCEN'], dtype='<U4')
    >>> plt.close(display.figure_)
    """

    wins_: container.BarContainer | list[container.BarContainer]
    losses_: container.BarContainer | list[container.BarContainer]
    ties_: container.BarContainer | list[container.BarContainer]
    texts_: dict[str, list[text.Text]]

    def __init__(self, *, result: WinLossEqualResult) -> None:
        self.result = result

    def plot(self, ax: axes.Axes | None = None, *, name: str | None = None) -> Self:
        """Draw the bars.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure of suitable height.

        name : str, default=None
            The title. By default, it names the arbiter if there is one.

        Returns
        -------
        display : WinLossEqualDisplay
            The display itself.
        """
        columns = self._columns()
        arbiters = columns["arbiter"][:, 0].tolist()
        n_arbiters, n_pairs = columns["wins"].shape
        ax = self._set_axes(ax, (6.4, _BORDER + n_pairs * (_NAMES + _BAR * n_arbiters)))
        # The unit of height is a bar; names of a pair take that of one.
        n_rows = n_pairs * (n_arbiters + 1)
        self._sizes = comparison.start_rows(ax, n_rows)
        firsts = np.arange(n_pairs) * (n_arbiters + 1)
        ax.set(xlim=(-_END, _END), ylim=(n_rows - 0.4, -0.6), yticks=[])
        size = self._sizes["medium"]
        ax.set_xticks([-1, 0, 1], ["100 %", "0 %", "100 %"], fontsize=size)
        ax.set_xlabel("← rounds won (pale: tied) →", fontsize=size, labelpad=size - 6)
        title = f"arbiter: {arbiters[0]}"
        if n_arbiters > 1:
            title, names = "", [f"by {one}" for one in arbiters] * n_pairs
            places = np.arange(n_rows).reshape(n_pairs, -1)[:, 1:].ravel()
            comparison.name_beside(ax, places, names, self._sizes["small"])
        self._draw_bars(columns, firsts + 1)
        self._write_names(columns, firsts)
        above = title if name is None else name
        comparison.write_title(ax, above, self._sizes["large"])
        if title not in ax.get_title("left").replace("\n", " "):  # no room, or a name
            words = f"{ax.get_xlabel()}\n{title}"
            ax.set_xlabel(words, fontsize=size, parse_math=False)
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_arbiters * n_pairs,)
            Names of the arbiter, the metric (on the right) and its opponent (on the
            left); wins, losses and ties of the metric; the ranks of both, "rank" and
            "opponent_rank".
        """
        return {key: column.ravel() for key, column in self._columns().items()}

    def _columns(self):
        """The data to draw, as arrays of shape (n_arbiters, n_pairs)."""
        result = self.result
        if not isinstance(result, WinLossEqualResult):
            raise ValueError(
                "`result` must be what win_loss_equal returns. Got "
                f"{type(result).__name__}."
            )
        names = np.array(result.metrics)
        if len(names) < 2:
            raise ValueError(
                f"`result` must have at least two measures. Got {result.metrics[0]!r}."
            )
        first, second = np.triu_indices(len(names), 1)
        shape = (len(result.arbiters), len(names), -1)
        wins, ties = (share.reshape(shape) for share in (result.wins, result.ties))
        ranks = result.ranks.reshape(shape[:2])
        columns = {
            "arbiter": np.array(result.arbiters)[:, None],
            "metric": names[first],
            "opponent": names[second],
            "wins": wins[:, first, second],
            "losses": wins[:, second, first],
            "ties": ties[:, first, second],
            "rank": ranks[:, first],
            "opponent_rank": ranks[:, second],
        }
        return dict(zip(columns, np.broadcast_arrays(*columns.values()), strict=True))

    def _draw_bars(self, columns, firsts):
        """Draw wins, losses and ties of each arbiter, with their percentages."""
        ax, color, size = self.ax_, _display.cycle_color(0), self._sizes["small"]
        strong, pale = (_display.tint(color, share) for share in (_WINS, _TIES))
        drawn: dict[str, list[Any]] = {"wins": [], "losses": [], "ties": []}
        self.texts_ = {"wins": [], "losses": [], "undefined": []}
        shares = (columns["wins"], columns["losses"], columns["ties"])
        for place, (wins, losses, ties) in enumerate(zip(*shares, strict=True)):
            y = firsts + place
            for key, share, sign in (("wins", wins, 1), ("losses", losses, -1)):
                bars = ax.barh(y, sign * share, height=_HEIGHT, color=strong)
                words = ["" if np.isnan(s) else f"{100 * s:.0f} %" for s in share]
                texts = ax.bar_label(bars, words, fontsize=size)
                for number in texts:  # of bars without a length, too
                    side = "left" if sign > 0 else "right"
                    number.set(position=(2 * sign, 0), ha=side)
                self.texts_[key] += [one for one in texts if one.get_text()]
                drawn[key].append(bars)
            starts, steps = np.append(wins, -losses), np.append(ties, -ties)
            look: Any = {"left": starts, "height": _HEIGHT, "color": pale}
            drawn["ties"].append(ax.barh(np.tile(y, 2), steps, **look))
            look = {"ha": "center", "va": "center", "fontsize": size}
            self.texts_["undefined"] += [
                ax.text(0, at, "undefined", **look) for at in y[np.isnan(wins)]
            ]
        for key, containers in drawn.items():
            setattr(self, f"{key}_", _display.one_or_list(containers))
        ax.axvline(0, color=_display.text_color(), linewidth=0.8)

    def _write_names(self, columns, rows):
        """Write the names of both measures above the bars of each pair."""
        size = self._sizes["medium"]
        look: Any = {"parse_math": False, "va": "center", "fontsize": size}
        most = int(comparison.width_inside(self.ax_) / (1.3 * size))
        self.texts_["names"] = []
        for name, rank, x, side in (
            ("opponent", "opponent_rank", -_END, "left"),
            ("metric", "rank", _END, "right"),
        ):
            ranks = columns[rank][0] if len(columns[rank]) == 1 else np.nan
            for row, words, place in np.broadcast(rows, columns[name][0], ranks):
                more = "" if np.isnan(place) else f" (rank {place:g})"
                words = shorten(words, most - len(more)) + more
                text = self.ax_.text(x, row, words, ha=side, **look)
                self.texts_["names"].append(text)
