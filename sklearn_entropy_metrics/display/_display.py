"""What every Display shares: sources of data, options, Axes, colours and texts.

A Display keeps data, `plot` draws it and returns the Display, every `from_*` computes,
then plots. Functions that take one object also take a dict of names to such objects.
"""

import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar, cast

import numpy as np
from matplotlib import colormaps, rcParams
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import LinearSegmentedColormap, ListedColormap, to_rgb, to_rgba
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.utils import Bunch, check_consistent_length

from sklearn_entropy_metrics._colors import IMBALANCE, INFORMATION, LOSS
from sklearn_entropy_metrics._sklearn import take
from sklearn_entropy_metrics.balance.balance import EntropyBalance, balance_of
from sklearn_entropy_metrics.balance.shrink import Smoothing
from sklearn_entropy_metrics.table.classes import KnownLabels, known_labels
from sklearn_entropy_metrics.table.merge import stack_tables
from sklearn_entropy_metrics.table.tabulate import tabulate_part

# An artist with this label is not a named series of points.
NO_LEGEND = "_nolegend_"
# The strength of the colour of an area: dark, medium and light, so that areas remain
# distinct in grey and for colour-blind readers.
FILLS = {INFORMATION: 1.0, LOSS: 0.5, IMBALANCE: 0.25}
# Axes whose shorter side is this long, in inches, have texts of the full size.
_ROOMY = 3.2
# No text is smaller, in points.
_SMALLEST = 6.0
# Columns of a repr.
_COLUMNS = 80

Options = TypeVar("Options")


class Display:
    """Base of all displays: what they are, where they are drawn, what they show."""

    ax_: Axes
    figure_: Figure

    def __repr__(self) -> str:
        keys = inspect.signature(type(self)).parameters
        given = ((key, getattr(self, key)) for key in keys)
        shown = [f"{key}={value!r}" for key, value in given if value is not None]
        text = " ".join(f"{type(self).__name__}({', '.join(shown)})".split())
        return text if len(text) <= _COLUMNS else f"{text[: _COLUMNS - 2]}…)"

    def _set_axes(self, ax: Any, figsize: tuple[float, float] | None = None) -> Any:
        """Draw on these Axes, by default on those of a new figure."""
        if ax is None:
            import matplotlib.pyplot as plt

            _, ax = plt.subplots(figsize=figsize, layout="constrained")
        self.ax_, self.figure_ = ax, ax.figure
        return ax


def read_options(declared: type[Options], given: Any) -> Options:
    """The options of `plot`: those given, checked by their hints, and the defaults.

    Parameters
    ----------
    declared : subclass of TypedDict
        The options, each annotated with its type and its default. Values of options
        that are hinted by bool and Literal alone are checked.

    given : dict
        Those that the user gave.
    """
    hints = typing.get_type_hints(declared, include_extras=True)
    options = {key: hint.__metadata__[0] for key, hint in hints.items()}
    for key, value in given.items():
        if key not in hints:
            raise TypeError(
                f"plot() got an unexpected keyword argument {key!r}. The options are "
                f"{', '.join(hints)}."
            )
        # Comparisons of numbers may give numpy's True, which is not True.
        options[key] = bool(value) if isinstance(value, np.bool_) else value
        allowed = _choices(hints[key].__origin__)
        if allowed and repr(options[key]) not in allowed:
            raise ValueError(
                f"`{key}` must be {', '.join(allowed[:-1])} or {allowed[-1]}. "
                f"Got {value!r}."
            )
    return cast(Options, options)


def _choices(hint):
    """The values that a hint of bools and literals allows; none for others."""
    parts = (True, False) if hint is bool else typing.get_args(hint)
    if hint is bool or typing.get_origin(hint) is Literal:
        return [repr(part) for part in parts]
    choices = [_choices(part) for part in parts]
    return [one for some in choices for one in some] if all(choices) else []


def each(function: Callable[[Any], Any], given: Any) -> Any:
    """Apply a function to an object, or to each value of a dict.

    A Bunch is one object: tables with their classes.
    """
    if isinstance(given, Bunch) or not isinstance(given, Mapping):
        return function(given)
    if not given:
        raise ValueError("A dict must hold at least 1 table. Got an empty one.")
    return {name: function(one) for name, one in given.items()}


def each_classifier(function: Callable[[Any], Any], estimator: Any) -> Any:
    """Apply a function to a classifier, or to each of a dict; refuse anything else."""

    def one(classifier):
        check_classifier(classifier)
        return function(classifier)

    return each(one, estimator)


def estimator_name(estimator: Any, name: Any) -> Any:
    """The name of a classifier, by default that of its class; a dict has names."""
    if name is None and not isinstance(estimator, Mapping):
        return type(estimator).__name__
    return name


def point_names(name: Any, n_points: int, parameter: str = "name") -> list[str] | None:
    """A name for each point; None if there is one name for all of them, or none."""
    if name is None or isinstance(name, str):
        return None
    names = [str(one) for one in name]
    if len(names) != n_points:
        raise ValueError(
            f"`{parameter}` must hold a name for each, {n_points} in all. Got "
            f"{len(names)} names."
        )
    return names


def check_prevalence(prevalence: Any) -> None:
    """Raise for anything but a share of positives."""
    if not (np.ndim(prevalence) == 0 and 0 < prevalence < 1):
        raise ValueError(
            f"`prevalence` must lie strictly between 0 and 1. Got {prevalence!r}."
        )


class Given(NamedTuple):
    """How labels are read."""

    labels: Any
    pred_labels: Any
    sample_weight: Any
    smoothing: Smoothing | None


def estimator_balance(estimator: Any, X: Any, y: Any, given: Given) -> Any:
    """The balance of a classifier, or a dict of them."""
    make, options = EntropyBalance.from_estimator, given._asdict()
    return each_classifier(lambda one: make(one, X, y, **options), estimator)


def prediction_balance(y_true: Any, y_pred: Any, given: Given) -> Any:
    """The balance of predictions, or a dict of them."""
    make, options = EntropyBalance.from_predictions, given._asdict()
    return each(lambda one: make(y_true, one, **options), y_pred)


def matrix_balance(matrix: Any, smoothing: Smoothing | None = None) -> Any:
    """The balance of a matrix or a stack of matrices, or a dict of them."""

    def one(given):
        if smoothing is None:
            return balance_of(given)
        return EntropyBalance.from_confusion_matrix(given, smoothing=smoothing)

    return each(one, matrix)


def check_classifier(estimator: Any) -> None:
    """Raise for anything but a classifier; without tags it need only predict."""
    tagged = hasattr(estimator, "__sklearn_tags__")
    if not (is_classifier(estimator) if tagged else hasattr(estimator, "predict")):
        raise ValueError(
            "This display only supports classifiers. Got "
            f"{type(estimator).__name__} instead."
        )


def _check_cv_results(cv_results, X, y, sample_weight):
    """Check that the results of cross-validation contain what the folds need."""
    if not {"estimator", "indices"} <= cv_results.keys():
        raise ValueError(
            "`cv_results` does not contain the required keys 'estimator' and "
            f"'indices'. Got {sorted(cv_results)}; set `return_estimator=True` and "
            "`return_indices=True` in `cross_validate`."
        )
    check_consistent_length(X, y, sample_weight)
    expected = sum(len(part[0]) for part in cv_results["indices"].values())
    if len(y) != expected:
        raise ValueError(
            f"`X` must have the {expected} samples that were cross-validated. Got "
            f"{len(y)}."
        )
    for estimator in cv_results["estimator"]:
        check_classifier(estimator)


def fold_tables(cv_results: Mapping[str, Any], *given: Any) -> Any:
    """Tabulate the test parts, with the same rows and columns in every fold.

    Parameters
    ----------
    cv_results : dict
        What `cross_validate` returns, or a dict of names to such results.

    *given
        The samples X and their labels y, true and predicted classes, and sample
        weights.

    Returns
    -------
    folds : ClassTable, or dict of str to ClassTable
        The tables of the test parts, `(n_folds, k, m)`.
        A fold whose samples all weigh nothing has an empty table.
    """
    if all(isinstance(value, Mapping) for value in cv_results.values()):
        return each(lambda one: _fold_tables(one, *given), cv_results)
    return _fold_tables(cv_results, *given)


def _fold_tables(cv_results, X, y, labels, pred_labels, sample_weight):
    _check_cv_results(cv_results, X, y, sample_weight)
    estimators, folds = cv_results["estimator"], cv_results["indices"]["test"]
    if labels is None:
        known = [np.asarray(k.classes) for k in map(known_labels, estimators) if k]
        labels = KnownLabels(np.concatenate(known)) if known else None
    parts = [
        tabulate_part(
            take(y, fold),
            estimator.predict(take(X, fold)),
            labels=labels,
            pred_labels=pred_labels,
            sample_weight=None if sample_weight is None else take(sample_weight, fold),
        )
        for estimator, fold in zip(estimators, folds, strict=True)
    ]
    if all(part is None for part in parts):
        raise ValueError("`sample_weight` must not be all zero.")
    return stack_tables(parts)


def font_factor(ax: Any) -> float:
    """By which factor texts are smaller than usual on small Axes."""
    return float(np.clip(min(inches(ax)) / _ROOMY, 0.6, 1))


def inches(ax: Any) -> np.ndarray:
    """Width and height that Axes have, or that a layout will give them."""
    figure, spec = ax.figure, ax.get_subplotspec()
    box = ax.get_position(original=True).transformed(figure.transSubfigure)
    if figure.get_layout_engine() is None or spec is None:
        return np.array(box.size) / figure.dpi
    grid = spec.get_gridspec()
    share = np.array([len(spec.colspan) / grid.ncols, len(spec.rowspan) / grid.nrows])
    used = 0.95 if len(figure.axes) == 1 else 0.88
    return used * share * figure.bbox.size / figure.dpi


def size_of(artist: Text | Legend) -> np.ndarray:
    """Width and height of a text, without its leader, or of a legend, in points."""
    of: Any = Text if isinstance(artist, Text) else type(artist)
    figure: Any = artist.figure
    return np.array(of.get_window_extent(artist).size) * 72 / figure.dpi


def font_size(size: Any, factor: float = 1.0) -> float:
    """The size in points of a font, "small" for instance, scaled; at least 6."""
    return max(factor * FontProperties(size=size).get_size_in_points(), _SMALLEST)


def percentages(shares: ArrayLike) -> list[int]:
    """Whole percentages that sum to 100: the largest remainders are rounded up."""
    exact = 100 * np.asarray(shares, dtype=np.float64) / np.sum(shares)
    whole = np.floor(exact)
    missing = round(100 - whole.sum())
    whole[np.argsort(whole - exact, kind="stable")[:missing]] += 1
    return [int(one) for one in whole]


def cycle_color(number: int) -> Any:
    """A colour of the style in use, by its number."""
    colors = rcParams["axes.prop_cycle"].by_key().get("color", ["C0"])
    return colors[number % len(colors)]


def text_color() -> tuple[float, float, float, float]:
    """The colour of texts of the style in use, black on white by default."""
    return to_rgba(rcParams["text.color"])


def border_color() -> Any:
    """The colour of borders of the style in use, unless they would not be seen."""
    edge = np.array(to_rgb(rcParams["axes.edgecolor"]))
    papers = rcParams["axes.facecolor"], rcParams["figure.facecolor"]
    is_seen = min(np.abs(edge - np.array(to_rgb(one))).mean() for one in papers) > 0.3
    return rcParams["axes.edgecolor"] if is_seen else text_color()


def tint(color: str, share: float | None = None) -> tuple[float, float, float]:
    """A colour mixed with the background, by default for areas."""
    share = FILLS[color] if share is None else share
    return _mix(on_paper(color), share, rcParams["axes.facecolor"])


def on_paper(color: Any) -> tuple[float, float, float]:
    """A colour of the visual language, lighter where the style in use is dark."""
    return _mix(color, 0.55 if _is_dark() else 1, "white")


def _mix(color, share, other):
    one, two = np.array([to_rgb(color), to_rgb(other)])
    return to_rgb(share * one + (1 - share) * two)


def _is_dark():
    """Whether the style in use has a dark background."""
    return np.mean(to_rgb(rcParams["axes.facecolor"])) < 0.5


def ink_on(color: Any) -> str:
    """Black or white, whichever can be read on a colour."""
    return "black" if np.dot(to_rgb(color), (0.3, 0.59, 0.11)) > 0.5 else "white"


def information_cmap() -> Any:
    """Light where nothing is known, dark green where much is, in any style."""
    steps = ["#f6fbf9", "#d3ebe1", "#93ccb4", "#4aa583", INFORMATION, "#0a4a35"]
    return LinearSegmentedColormap.from_list("information", steps)


def value_cmap() -> ListedColormap:
    """Colours of values that all stand out from the background; high ones most."""
    ends = (0.2, 1.0) if _is_dark() else (0.85, 0.0)
    return ListedColormap(colormaps["viridis"](np.linspace(*ends, 256)), "values")


def one_or_list(artists: Sequence[Any]) -> Any:
    """The artist if there is one, a list if there are several, None if none."""
    if len(artists) > 1:
        return list(artists)
    return artists[0] if artists else None


def write_legend(ax: Axes, entries: Sequence[tuple[Any, str]], **look: Any) -> Legend:
    """Draw the legend of Axes, with texts that are not read as mathematics."""
    slim: dict[str, Any] = {"frameon": False, "borderaxespad": 0, "borderpad": 0.1}
    slim |= {"handlelength": 1.2, "handletextpad": 0.4, "labelspacing": 0.3}
    marks, names = zip(*entries, strict=True)
    # A label with a leading underscore would be left out: texts are set afterwards.
    legend = ax.legend(marks, ["name"] * len(names), **(slim | look))
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text=name, parse_math=False)
    for handle in legend.legend_handles:
        if isinstance(handle, PathCollection):  # points of a cloud are small and faint
            handle.set(alpha=1, sizes=[36])
    return legend


def legend_mark(marker: str, **look: Any) -> Line2D:
    """A mark for the legend that stands for points of any colour."""
    return Line2D([], [], linestyle="none", marker=marker, color=text_color(), **look)
