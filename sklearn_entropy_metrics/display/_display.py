"""What every Display shares: sources of data, options, Axes, colours and texts.

A Display keeps data, `plot` draws it and returns the Display, every `from_*` computes,
then plots. Nothing here imports matplotlib before something is drawn. Functions that
take one object also take a dict of names to such objects.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics._colors import IMBALANCE, INFORMATION, LOSS
from sklearn_entropy_metrics._sklearn import take
from sklearn_entropy_metrics.balance.balance import EntropyBalance, balance_of
from sklearn_entropy_metrics.balance.shrink import Smoothing
from sklearn_entropy_metrics.table.classes import KnownLabels, known_labels
from sklearn_entropy_metrics.table.merge import stack_tables
from sklearn_entropy_metrics.table.tabulate import tabulate_part

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

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

    def frame(self) -> dict[str, np.ndarray]:
        """Return the data of the plot, a dict of arrays of one length."""
        raise NotImplementedError

    def __repr__(self) -> str:
        given = {
            key: getattr(self, key) for key in inspect.signature(type(self)).parameters
        }
        shown = [
            f"{key}={value!r}" for key, value in given.items() if value is not None
        ]
        text = " ".join(f"{type(self).__name__}({', '.join(shown)})".split())
        return text if len(text) <= _COLUMNS else f"{text[: _COLUMNS - 2]}…)"

    def _set_axes(self, ax: Any, figsize: tuple[float, float] | None = None) -> Any:
        """Draw on these Axes, by default on those of a new figure."""
        if ax is None:
            import matplotlib.pyplot as plt

            _, ax = plt.subplots(figsize=figsize, layout="constrained")
        self.ax_, self.figure_ = ax, ax.figure
        return ax


def read_options(declared: type[Options], defaults: Options, given: Any) -> Options:
    """The options of `plot`: those given, checked by their hints, and the defaults.

    Parameters
    ----------
    declared : subclass of TypedDict
        The options and their types. Values of options that are hinted by bool, Literal
        and None alone are checked.

    defaults : dict
        The value of every option.

    given : dict
        Those that the user gave.
    """
    hints = typing.get_type_hints(declared)
    # Comparisons of numbers may give numpy's True, which is not True.
    given = {k: bool(v) if isinstance(v, np.bool_) else v for k, v in given.items()}
    for key, value in given.items():
        if key not in hints:
            raise TypeError(
                f"plot() got an unexpected keyword argument {key!r}. The options are "
                f"{', '.join(hints)}."
            )
        allowed = _choices(hints[key])
        if allowed and (type(value), value) not in [
            (type(one), one) for one in allowed
        ]:
            *first, last = map(repr, allowed)
            raise ValueError(
                f"`{key}` must be {', '.join(first)} or {last}. Got {value!r}."
            )
    return cast(Options, {**cast(dict, defaults), **given})


def _choices(hint):
    """The values that a hint of bools, literals and None allows; none for others."""
    if hint is bool or hint is type(None):
        return [True, False] if hint is bool else [None]
    parts = typing.get_args(hint)
    if typing.get_origin(hint) is Literal:
        return [*parts]
    choices = [_choices(part) for part in parts]
    return [one for some in choices for one in some] if all(choices) else []


def each(function: Callable[[Any], Any], given: Any) -> Any:
    """Apply a function to an object, or to each value of a dict."""
    if not isinstance(given, Mapping):
        return function(given)
    if not given:
        raise ValueError("A dict holds no table; at least 1 is required.")
    return {name: function(one) for name, one in given.items()}


def estimator_name(estimator: Any, name: Any) -> Any:
    """The name of a classifier, by default that of its class; a dict has names."""
    if name is None and not isinstance(estimator, Mapping):
        return type(estimator).__name__
    return name


class Given(NamedTuple):
    """How labels are read."""

    labels: Any
    pred_labels: Any
    sample_weight: Any
    smoothing: Smoothing | None


def estimator_balance(caller: str, estimator: Any, X: Any, y: Any, given: Given) -> Any:
    """The balance of a classifier, or a dict of them."""

    def one(classifier):
        check_classifier(classifier, caller)
        return EntropyBalance.from_estimator(classifier, X, y, **given._asdict())

    return each(one, estimator)


def prediction_balance(y_true: Any, y_pred: Any, given: Given) -> Any:
    """The balance of predictions, or a dict of them."""
    options = given._asdict()
    return each(
        lambda one: EntropyBalance.from_predictions(y_true, one, **options), y_pred
    )


def matrix_balance(matrix: Any, smoothing: Smoothing | None = None) -> Any:
    """The balance of a matrix or a stack of matrices, or a dict of them."""

    def one(given):
        if smoothing is None:
            return balance_of(given)
        return EntropyBalance.from_confusion_matrix(given, smoothing=smoothing)

    return each(one, matrix)


def check_classifier(estimator: Any, caller: str) -> None:
    """Raise for anything but a classifier; without tags it need only predict."""
    tagged = hasattr(estimator, "__sklearn_tags__")
    if not (is_classifier(estimator) if tagged else hasattr(estimator, "predict")):
        raise ValueError(
            f"{caller} only supports classifiers. Got {type(estimator).__name__} "
            "instead."
        )


def _check_cv_results(cv_results, X, y, sample_weight, caller):
    """Check that the results of cross-validation contain what the folds need."""
    missing = [key for key in ("estimator", "indices") if key not in cv_results]
    if missing:
        raise ValueError(
            "`cv_results` does not contain the required keys 'estimator' and "
            f"'indices'. Got {sorted(cv_results)}; set `return_estimator=True` and "
            "`return_indices=True` in `cross_validate`."
        )
    check_consistent_length(X, y, sample_weight)
    indices = cv_results["indices"]
    expected = len(indices["train"][0]) + len(indices["test"][0])
    n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
    if n_samples != expected:
        raise ValueError(
            "`X` does not contain the correct number of samples. Expected "
            f"{expected}, got {n_samples}."
        )
    for estimator in cv_results["estimator"]:
        check_classifier(estimator, caller)


def fold_tables(
    cv_results: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    caller: str,
    labels: Any = None,
    pred_labels: Any = None,
    sample_weight: Any = None,
) -> Any:
    """Tabulate the test parts, with the same rows and columns in every fold.

    Returns
    -------
    folds : ClassTable, or dict of str to ClassTable
        The tables of the test parts, `(n_folds, k, m)`.
        A fold whose samples all weigh nothing has an empty table.
    """
    given = {"labels": labels, "pred_labels": pred_labels}

    def one(results):
        _check_cv_results(results, X, y, sample_weight, caller)
        return _fold_tables(results, X, y, sample_weight, **given)

    several = all(isinstance(value, Mapping) for value in cv_results.values())
    return each(one, cv_results) if several else one(cv_results)


def _fold_tables(cv_results, X, y, sample_weight, labels, pred_labels):
    estimators = cv_results["estimator"]
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
        for estimator, fold in zip(
            estimators, cv_results["indices"]["test"], strict=True
        )
    ]
    if all(part is None for part in parts):
        raise ValueError("sample_weight must not be all zero.")
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


def font_size(size: Any, factor: float = 1.0) -> float:
    """The size in points of a font, "small" for instance, scaled; at least 6."""
    from matplotlib.font_manager import FontProperties

    points = FontProperties(size=size).get_size_in_points()
    return max(factor * points, _SMALLEST)


def percentages(shares: ArrayLike) -> list[int]:
    """Whole percentages that sum to 100: the largest remainders are rounded up."""
    exact = 100 * np.asarray(shares, dtype=np.float64) / np.sum(shares)
    whole = np.floor(exact)
    missing = round(100 - whole.sum())
    whole[np.argsort(whole - exact, kind="stable")[:missing]] += 1
    return [int(one) for one in whole]


def cycle_color(number: int) -> Any:
    """A colour of the style in use, by its number."""
    import matplotlib as mpl

    colors = mpl.rcParams["axes.prop_cycle"].by_key().get("color", ["C0"])
    return colors[number % len(colors)]


def text_color() -> tuple[float, float, float, float]:
    """The colour of texts of the style in use, black on white by default."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgba

    return to_rgba(mpl.rcParams["text.color"])


def border_color() -> Any:
    """The colour of borders of the style in use, unless they would not be seen."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgb

    rc = mpl.rcParams
    edge = np.array(to_rgb(rc["axes.edgecolor"]))
    grounds = [to_rgb(rc[key]) for key in ("axes.facecolor", "figure.facecolor")]
    seen = min(np.abs(edge - ground).mean() for ground in grounds) > 0.3
    return rc["axes.edgecolor"] if seen else text_color()


def tint(color: str, share: float | None = None) -> tuple[float, float, float]:
    """A colour mixed with the background, by default for areas."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgb

    share = FILLS[color] if share is None else share
    ground = np.array(to_rgb(mpl.rcParams["axes.facecolor"]))
    red, green, blue = share * np.array(on_paper(color)) + (1 - share) * ground
    return float(red), float(green), float(blue)


def on_paper(color: Any) -> tuple[float, float, float]:
    """A colour of the visual language, lighter where the style in use is dark."""
    from matplotlib.colors import to_rgb

    lighter = 0.45 if _is_dark() else 0.0
    red, green, blue = np.array(to_rgb(color)) * (1 - lighter) + lighter
    return float(red), float(green), float(blue)


def ink_on(color: Any) -> str:
    """Black or white, whichever can be read on a colour."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(color)
    return "black" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "white"


def information_cmap() -> Any:
    """Light where nothing is known, dark green where much is, in any style."""
    from matplotlib.colors import LinearSegmentedColormap

    steps = ["#f6fbf9", "#d3ebe1", "#93ccb4", "#4aa583", INFORMATION, "#0a4a35"]
    return LinearSegmentedColormap.from_list("information", steps)


def value_cmap() -> Any:
    """Colours of values that all stand out from the background; high ones most."""
    import matplotlib as mpl
    from matplotlib.colors import ListedColormap

    ends = (0.2, 1.0) if _is_dark() else (0.85, 0.0)
    colors = mpl.colormaps["viridis"](np.linspace(*ends, 256))
    return ListedColormap(colors, "values")


def _is_dark():
    """Whether the style in use has a dark background."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgb

    return np.mean(to_rgb(mpl.rcParams["axes.facecolor"])) < 0.5


def one_or_list(artists: Sequence[Any]) -> Any:
    """The artist if there is one, a list if there are several, None if none."""
    if len(artists) > 1:
        return list(artists)
    return artists[0] if artists else None


def write_legend(ax: Axes, entries: Sequence[tuple[Any, str]], **look: Any) -> Legend:
    """Draw the legend of Axes, with texts that are not read as mathematics."""
    slim: dict[str, Any] = {"frameon": False, "borderaxespad": 0, "borderpad": 0.1}
    slim |= {"handlelength": 1.2, "handletextpad": 0.4, "labelspacing": 0.3}
    from matplotlib.collections import PathCollection

    marks, names = zip(*entries, strict=True)
    # A label with a leading underscore would be left out: texts are set afterwards.
    legend = ax.legend(marks, ["name"] * len(names), **(slim | look))
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text=name, parse_math=False)
    for handle in legend.legend_handles:
        if isinstance(handle, PathCollection):  # points of a cloud are small and faint
            handle.set(alpha=1, sizes=[36])
    return legend


def legend_mark(marker: str, **look: Any) -> Any:
    """A mark for the legend that stands for points of any colour."""
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="none", marker=marker, color=text_color(), **look)
