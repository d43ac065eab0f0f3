"""Wins, losses and ties of measures as bars, with the ranks of their regrets."""

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sklearn_entropy_metrics.compare._win_loss_result import WinLossEqualResult
from sklearn_entropy_metrics.display import _axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.container import BarContainer
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.text import Text

# Where the ranks are written, beyond the ends of the scale.
_RANKS_AT, _LIMIT = 1.1, 1.2
# Height of a pair of measures in inches, in a figure of its own; of one bar if many.
_PAIR, _BAR = 0.4, 0.16


class WinLossEqualDisplay:
    """Bars of which measure picks the better classifier.

    There is a bar for each pair of measures, and for each arbiter if there are
    several. It reaches to the right as far as the share of rounds that the measure
    named on the right has won, and to the left as far as the share that the measure
    on the left has won; what its length lacks to 1 are the ties [1]_. The thin line
    goes on from each end by the length of the ties, to where the bar would end if the
    ties were won. The numbers beyond the scale are the ranks of the mean regrets.

    Parameters
    ----------
    result : WinLossEqualResult
        What :func:`~sklearn_entropy_metrics.win_loss_equal` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    wins_, losses_ : BarContainer or list of BarContainer
        The right and left parts of the bars, one container for each arbiter.

    ties_ : LineCollection or list of LineCollection
        The thin lines, for each arbiter.

    right_axis_ : matplotlib SecondaryAxis
        The names on the right.

    texts_ : dict of str to list of Text
        The "ranks", left and right of each bar, with their "titles"; "undefined",
        where there is no bar since the measures never both picked a classifier.

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
    ties_: "LineCollection | list[LineCollection]"
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
            Where to draw. By default on a new figure, as high as it needs to be.

        metric : str, default=None
            The measure to draw against all others. By default all pairs are drawn.

        arbiter : str, default=None
            The arbiter to draw. By default all are drawn, in colours of their own.

        name : str, default=None
            The title, which is that of the legend if there are several arbiters. By
            default it names the arbiter.

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
        """Give the data of the picture.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_arbiters * n_pairs,)
            Names of the arbiter, the metric (on the right) and its opponent (on the
            left); wins, losses and ties of the metric; the ranks of both, "rank" and
            "opponent_rank".
        """
        return {key: column.ravel() for key, column in self._select().items()}

    def _select(self, metric=None, arbiter=None):
        """What is drawn, as arrays of shape (n_arbiters, n_pairs)."""
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
        self.texts_ = {"ranks": [], "undefined": []}
        for place in range(n_arbiters):
            row = {key: column[place] for key, column in columns.items()}
            y = np.arange(n_pairs) + (place + 0.5) * size - 0.4
            look = {"color": _axes.cycle_color(place)}
            starts = np.concatenate([row["wins"] - 1, row["wins"]])
            stops = np.concatenate([-row["losses"], 1 - row["losses"]])
            ties.append(self.ax_.hlines(np.tile(y, 2), starts, stops, **look, lw=1))
            look["height"] = 0.95 * size
            wins.append(self.ax_.barh(y, row["wins"], **look))
            losses.append(self.ax_.barh(y, -row["losses"], **look, alpha=0.5))
            for x, ranks in ((-_RANKS_AT, "opponent_rank"), (_RANKS_AT, "rank")):
                self.texts_["ranks"] += [
                    self._write(x, *item) for item in zip(y, row[ranks], strict=True)
                ]
            unknown = y[np.isnan(row["wins"])]
            self.texts_["undefined"] += [self._write(0, at, None) for at in unknown]
        self.wins_, self.losses_, self.ties_ = map(
            _axes.one_or_list, (wins, losses, ties)
        )

    def _write(self, x, y, rank):
        text = "undefined" if rank is None else "-" if np.isnan(rank) else f"{rank:g}"
        return self.ax_.text(
            x, y, text, ha="center", va="center", fontsize="small", clip_on=True
        )

    def _write_names(self, columns):
        """Write the names on both sides, and what the scale and the ranks are."""
        n_pairs = columns["wins"].shape[1]
        places = np.arange(n_pairs)
        ax = self.ax_
        ax.set(xlim=(-_LIMIT, _LIMIT), ylim=(n_pairs - 0.4, -0.6))
        ax.set_xticks([-1, -0.5, 0, 0.5, 1])
        ax.set_xlabel("share of rounds won, left (−) and right (+)")
        ax.set_yticks(places, columns["opponent"][0], parse_math=False)
        self.right_axis_ = ax.secondary_yaxis("right")
        self.right_axis_.set_yticks(places, columns["metric"][0], parse_math=False)
        for axis in (ax, self.right_axis_):
            axis.tick_params(axis="y", length=0)
        for x in (-1, 0, 1):
            ax.axvline(
                x, color=_axes.text_color(), linewidth=0.8, alpha=abs(x) / 2 or 1
            )
        self.texts_["titles"] = [
            ax.annotate(
                "rank",
                (x, 1),
                (0, 2),
                xycoords=ax.get_xaxis_transform(),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize="small",
            )
            for x in (-_RANKS_AT, _RANKS_AT)
        ]

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
