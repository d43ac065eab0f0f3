"""Several models with their intervals, best first, and ties with the best."""

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sklearn_entropy_metrics.compare.models import ModelComparison
from sklearn_entropy_metrics.display import _axes, _rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PathCollection
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.patches import Rectangle
    from matplotlib.text import Text

# Inches per row, and above and below all rows.
_ROW, _BORDER = 0.36, 1.5
# Axes narrower than this, in inches, have smaller and fewer texts; intervals are
# written beside Axes at least this wide.
_WIDE, _BESIDE = 3.6, 1.4


class ModelComparisonDisplay:
    """Estimates of models with their intervals, the best model on top.

    Models that are not significantly worse than the best are filled and green, the
    others hollow and brown. The band is the interval of the best model. Overlapping
    intervals may still belong to models that differ: the marks come from paired tests,
    which use the fact that both models predicted the same samples.

    Read more in the :ref:`User Guide <intervals>`.

    Parameters
    ----------
    comparison : ModelComparison
        The result of :func:`compare_models`.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    points_ : dict of str to PathCollection
        The estimates of the models "tied" with the best and of the "worse" ones.

    intervals_ : LineCollection
        The interval of each model.

    best_ : matplotlib Rectangle
        The band of the best model's interval.

    texts_ : list of Text
        The numbers of each model.

    legend_ : matplotlib Legend
        The two marks in words.

    See Also
    --------
    compare_models : Compares the models.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_entropy_metrics import ModelComparisonDisplay, compare_models
    >>> y_true = [0] * 50 + [1] * 50
    >>> careful = [0] * 45 + [1] * 5 + [0] * 10 + [1] * 40
    >>> guessing = [0, 1] * 50
    >>> comparison = compare_models(
    ...     y_true, {"guessing": guessing, "careful": careful}, random_state=0
    ... )
    >>> display = ModelComparisonDisplay(comparison=comparison).plot()
    >>> display.frame()["name"].tolist()
    ['careful', 'guessing']
    >>> plt.close(display.figure_)
    """

    ax_: "Axes"
    figure_: "Figure"
    points_: "dict[str, PathCollection]"
    intervals_: "LineCollection"
    best_: "Rectangle"
    texts_: "list[Text]"
    legend_: "Legend"

    def __init__(self, *, comparison: ModelComparison) -> None:
        self.comparison = comparison

    def plot(self, ax: Any = None, *, name: str | None = None) -> Self:
        """Draw the models.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw. By default, on a new figure of suitable height.

        name : str, default=None
            The title. By default, it says what was compared.

        Returns
        -------
        display : ModelComparisonDisplay
            The display itself.
        """
        frame = self.frame()
        n_models = len(frame["name"])
        self.ax_, self.figure_ = _axes.get_axes(ax)
        if ax is None:
            self.figure_.set_size_inches(6.4, _BORDER + _ROW * n_models)
            self.figure_.set_layout_engine("constrained")
        self._scale = _axes.font_scale(self.ax_, _WIDE)
        self._draw(frame)
        self._write(frame, name)
        return self

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot.

        Returns
        -------
        frame : dict of str to ndarray of shape (n_models,)
            The attributes of the models' records, the best model first.
        """
        if not isinstance(self.comparison, ModelComparison):
            raise ValueError(
                "`comparison` must be what compare_models returns, got "
                f"{self.comparison!r} instead."
            )
        models = self.comparison.models
        return {
            key: np.array([getattr(model, key) for model in models])
            for key in vars(models[0])
        }

    def _draw(self, frame):
        ax, rows = self.ax_, np.arange(len(frame["name"]))
        tied = frame["tied_with_best"]
        colors = np.where(tied, _axes.INFORMATION, _axes.LOSS)
        self.best_ = ax.axvspan(
            frame["low"][0], frame["high"][0], color=_axes.INFORMATION, alpha=0.1, lw=0
        )
        self.intervals_ = ax.hlines(
            rows, frame["low"], frame["high"], colors=colors.tolist(), linewidth=1.8
        )
        self.points_ = {
            key: ax.scatter(
                frame["estimate"][which],
                rows[which],
                s=46,
                facecolor=_axes.INFORMATION if key == "tied" else ax.get_facecolor(),
                edgecolor=_axes.INFORMATION if key == "tied" else _axes.LOSS,
                linewidth=1.8,
                zorder=3,
            )
            for key, which in (("tied", tied), ("worse", ~tied))
        }
        ax.set_ylim(len(rows) - 0.4, -0.6)
        _rows.write_names(ax, frame["name"])
        ax.tick_params(labelsize=self._size("medium"))
        ax.tick_params(axis="y", length=0)
        ax.spines[["left", "right", "top"]].set_visible(False)

    def _write(self, frame, name):
        """Write the numbers beside the rows, the title and the legend."""
        ax, comparison = self.ax_, self.comparison
        numbers = zip(frame["estimate"], frame["low"], frame["high"], strict=True)
        brief = not self._has_room_beside()
        self.texts_ = [
            ax.text(
                1.02,
                row,
                _numbers(estimate, low, high, brief),
                transform=ax.get_yaxis_transform(),
                va="center",
                fontsize=self._size("small"),
            )
            for row, (estimate, low, high) in enumerate(numbers)
        ]
        level = f"{100 * comparison.confidence_level:g} %"
        label = ax.set_xlabel(
            f"{comparison.metric.replace('_', ' ')}, with {level} intervals",
            parse_math=False,
            fontsize=self._size("medium"),
        )
        look = {"loc": "left", "pad": 22 * self._scale, "fontsize": self._size("large")}
        title = _sentence(frame) if name is None else name
        _rows.fit(ax.set_title(title, parse_math=False, **look), ax)
        beside = max(text.get_window_extent().width for text in self.texts_)
        _rows.fit(label, ax, beside)
        self._draw_legend()

    def _draw_legend(self):
        words = {"tied": "tied with the best", "worse": "worse than the best"}
        shown = [key for key in words if np.size(self.points_[key].get_offsets())]
        self.legend_ = self.ax_.legend(
            [self.points_[key] for key in shown],
            [words[key] for key in shown],
            ncols=2,
            **_rows.legend_above(self._scale),
            fontsize=self._size("small"),
            columnspacing=1,
            handletextpad=0.2,
        )

    def _has_room_beside(self):
        """Whether intervals can be written to the right of the Axes."""
        if self._scale < 1 or self.figure_.get_layout_engine() is not None:
            return self._scale == 1
        beside = self.figure_.bbox.x1 - self.ax_.get_window_extent().x1
        return beside / self.figure_.dpi > _BESIDE

    def _size(self, size):
        return _axes.font_size(size, self._scale)


def _sentence(frame):
    """Which model is best, and which may be as good."""
    best, n_others = frame["name"][0], len(frame["name"]) - 1
    n_tied = int(frame["tied_with_best"].sum()) - 1
    if n_tied:
        return f"{best} is best, tied with {n_tied} of {n_others} others"
    return f"{best} is best, and better than all others"


def _numbers(estimate, low, high, brief):
    """The estimate and, where there is room for it, the interval."""
    text = f"{estimate:.2f}" if brief else f"{estimate:.2f}  [{low:.2f}, {high:.2f}]"
    return text.replace("-", "−")
