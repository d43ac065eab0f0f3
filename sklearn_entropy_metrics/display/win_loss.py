"""Wins, losses and ties of measures as bars, with the ranks of their regrets."""

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sklearn_entropy_metrics.compare._win_loss_result import WinLossEqualResult
from sklearn_entropy_metrics.display import _axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.text import Text

# Height of a pair of measures in inches, in a figure of its own; of one bar if many.
_PAIR, _BAR = 0.4, 0.16
# The strength of the colour of a bar of ties.
_PALE = 0.3


class WinLossEqualDisplay:
    """Bars that show which measure picks the better classifier.

    There is a bar for each pair of measures, and for each arbiter if there are several.
    To the right, it shows the share of rounds won by the measure named on the right,
    and to the left, the share won by the measure on the left; the rest are ties [1]_.
    The pale bar extends each end by the share of ties, to where the bar would end if
    the ties were won. With one arbiter, the ranks of the mean regrets appear next to
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

    right_axis_ : matplotlib SecondaryAxis
        The names on the right.

    texts_ : dict of str to list of Text
        "undefined", where there is no bar because the measures never both picked a
        classifier.

    legend_ : matplotlib Legend or None
        The arbiters, if there are several.

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

    ax_: "Axes"
    figure_: "Figure"
    wins_: "BarContainer | list[BarContainer]"
    losses_: "BarContainer | list[BarContainer]"
    ties_: "BarContainer | list[BarContainer]"
    right_axis_: Any  # its class has no public name
    texts_: "dict[str, list[Text]]"
    legend_: "Legend | None"

    def __init__(self, *, result: WinLossEqualResult) -> None:
        self.result = result

    def plot(
        self,
        ax: Any = None,
        *,
        metric: str | None = None,
        arbiter: str | None = None,
        name: str | None = None,
    ) -> Self:
        """Draw the bars.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure of suitable height.

        metric : str, default=None
            The measure to draw against all others. By default, all pairs are drawn.

        arbiter : str, default=None
            The arbiter to draw. By default, all are drawn, each in its own colour.

        name : str, default=None
            The title of the plot, or of the legend if there are several arbiters. By
            default, it names the arbiter.

        Returns
        -------
        display : WinLossEqualDisplay
            The display itself.
        """
        columns = self._select(metric, arbiter)
        arbiters = columns["arbiter"][:, 0].tolist()
        self.ax_, self.figure_ = _axes.get_axes(ax)
        if ax is None:
            n_pairs = columns["wins"].shape[1]
            height = 1.2 + n_pairs * max(_PAIR, _BAR * len(arbiters))
            self.figure_.set_size_inches(8, max(height, 2))
            self.figure_.set_layout_engine("constrained")
        self._draw_bars(columns)
        self._write_names(columns)
        self.legend_ = None
        if len(arbiters) > 1:
            self.legend_ = self._draw_legend(arbiters, name)
        else:
            title = f"arbiter: {arbiters[0]}" if name is None else name
            self.ax_.set_title(title, parse_math=False)
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
        return {key: column.ravel() for key, column in self._select().items()}

    def _select(self, metric=None, arbiter=None):
        """The data to draw, as arrays of shape (n_arbiters, n_pairs)."""
        result = self.result
        if not isinstance(result, WinLossEqualResult):
            raise ValueError(
                "result must be what win_loss_equal returns. Got "
                f"{type(result).__name__}."
            )
        first, second = _pairs(result.metrics, metric)
        kept = list(range(len(result.arbiters)))
        if arbiter is not None:
            kept = [_find("arbiter", arbiter, result.arbiters)]
        names = np.array(result.metrics)
        shape = (len(result.arbiters), len(names), -1)
        wins, ties = (share.reshape(shape) for share in (result.wins, result.ties))
        ranks = result.ranks.reshape(shape[:2])[kept]
        columns = {
            "arbiter": np.array(result.arbiters)[kept][:, None],
            "metric": names[first],
            "opponent": names[second],
            "wins": wins[kept][:, first, second],
            "losses": wins[kept][:, second, first],
            "ties": ties[kept][:, first, second],
            "rank": ranks[:, first],
            "opponent_rank": ranks[:, second],
        }
        arrays = np.broadcast_arrays(*columns.values())
        return dict(zip(columns, arrays, strict=True))

    def _draw_bars(self, columns):
        n_arbiters, n_pairs = columns["wins"].shape
        size = 0.8 / n_arbiters
        wins: list[Any] = []
        losses: list[Any] = []
        ties: list[Any] = []
        self.texts_ = {"undefined": []}
        for place in range(n_arbiters):
            row = {key: column[place] for key, column in columns.items()}
            y = np.arange(n_pairs) + (place + 0.5) * size - 0.4
            color = _axes.cycle_color(place)
            look = {"height": 0.92 * size, "color": color}
            wins.append(self.ax_.barh(y, row["wins"], **look))
            losses.append(self.ax_.barh(y, -row["losses"], **look))
            look["color"] = _axes.tint(color, _PALE)
            starts = np.concatenate([row["wins"], -row["losses"]])
            steps = np.concatenate([row["ties"], -row["ties"]])
            ties.append(self.ax_.barh(np.tile(y, 2), steps, left=starts, **look))
            self.texts_["undefined"] += [
                self.ax_.text(
                    0, at, "undefined", ha="center", va="center", fontsize="small"
                )
                for at in y[np.isnan(row["wins"])]
            ]
        self.wins_, self.losses_, self.ties_ = map(
            _axes.one_or_list, (wins, losses, ties)
        )

    def _write_names(self, columns):
        """Write the names on both sides, and the label of the scale."""
        places = np.arange(columns["wins"].shape[1])
        ax = self.ax_
        ax.set(xlim=(-1, 1), ylim=(len(places) - 0.4, -0.6))
        # Where there is little room, the ends of the scale are enough.
        is_wide = ax.get_window_extent().width / ax.figure.dpi > 2.6
        shares = np.linspace(-1, 1, 5 if is_wide else 2)
        ax.set_xticks(shares, [f"{abs(100 * share):g} %" for share in shares])
        ax.set_xlabel("rounds won: ← by the left, by the right →\n(pale: tied)")
        left, right = (
            _with_ranks(columns, *keys)
            for keys in (("opponent", "opponent_rank"), ("metric", "rank"))
        )
        ax.set_yticks(places, left, parse_math=False)
        self.right_axis_ = ax.secondary_yaxis("right")
        self.right_axis_.set_yticks(places, right, parse_math=False)
        for axis in (ax, self.right_axis_):
            axis.tick_params(axis="y", length=0)
            axis.spines[:].set_visible(False)
        ax.axvline(0, color=_axes.text_color(), linewidth=0.8)

    def _draw_legend(self, arbiters, name):
        legend = self.ax_.legend(
            self.wins_,
            ["name"] * len(arbiters),
            title="arbiter" if name is None else name,
            loc="lower center",
            bbox_to_anchor=(0.5, 1),
            ncols=2 if len(arbiters) > 2 else 1,
            frameon=False,
        )
        # Set afterwards: a label with a leading underscore would be left out.
        for text, arbiter in zip(legend.get_texts(), arbiters, strict=True):
            text.set(text=arbiter, parse_math=False)
        legend.get_title().set_parse_math(False)
        return legend


def _with_ranks(columns, name, rank):
    """The names of measures, with their ranks if there is one arbiter."""
    names, ranks = columns[name][0], columns[rank]
    if len(ranks) > 1:
        return list(names)
    return [
        one if np.isnan(place) else f"{one} (rank {place:g})"
        for one, place in zip(names, ranks[0], strict=True)
    ]


def _pairs(metrics, metric):
    """Positions of the first and of the second measure of each pair."""
    if len(metrics) < 2:
        raise ValueError(f"There is no pair to draw: one measure, {metrics[0]!r}.")
    if metric is None:
        return np.triu_indices(len(metrics), 1)
    first = _find("metric", metric, metrics)
    second = np.delete(np.arange(len(metrics)), first)
    return np.full_like(second, first), second


def _find(parameter, name, names):
    if name not in names:
        raise ValueError(
            f"{parameter} must be one of {', '.join(names)}. Got {name!r}."
        )
    return names.index(name)
