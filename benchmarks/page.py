"""What was measured → rows on the screen and a page of the site."""

import importlib.metadata
import os
import platform
from collections.abc import Sequence

from benchmarks.cases import Case
from benchmarks.curves import Curve
from benchmarks.timing import FULL, Effort

Row = tuple[str, str, str, str]
HEADER: Row = ("What", "Compared with", "Measured", "Promise")

_PAGE = """\
# Benchmarks

How much time and memory do the metrics take, compared with scikit-learn and others?
{pictures}
## Ratios

"38 × faster" means a thirty-eighth of the time that the peer takes for the same inputs
in the same run. A time is the best of many calls; ours and the peer's take turns. Rows
without a promise are for reference.

{table}

- Rows about labels time `entropy_modulated_accuracy_score` on 1,000,000 samples of 10
  classes, unless they say otherwise.
- "One read of the inputs" is `y_true.sum() + y_pred.sum()`. No metric can be faster.
- "Growth" is the slope of the line through the logarithms of numbers of samples and
  times: 1 if time grows linearly.
- Lazy frames of polars go through `tabulate_frame`.
- Memory is the peak in addition to the inputs.
- "All measures" are EMA, NIT, NI, VI, CEN and the coordinates in the three triangles.
- "Confusions" are those of `confusion_pairs`, of classes with the frequencies of Zipf's
  law.
- Tables of 3×3 go through `EntropyBalance.from_confusion_matrix`, all at once. The time
  for each is compared with that of `mutual_info_score(None, None, contingency=table)`.
- torchmetrics makes a confusion matrix, PyCM makes one with its statistics.

## Run them yourself

All numbers on this page come from one run of

```bash
pip install -e ".[test]"
python -m benchmarks
```

in a checkout, which also wrote the page. `-k WORD` measures only rows with the word in
their names. `--output FOLDER` sets where the page goes; without it, only a complete run
writes one. torchmetrics is included if it is installed.

{versions}.{note}
"""

_PICTURES = """
The plots show `entropy_modulated_accuracy_score` and its peers. A line ends where the
next call would take two seconds or more, or where a table of all pairs of classes would
take gigabytes. The peak of PyCM at 1,000 samples is the time for its p-value.
"""

_QUICK = (
    " This was a quick run: inputs of a hundredth of the size and single calls, for"
    " which the limits are not meant."
)


def versions() -> str:
    """What was measured with, but neither when nor where."""
    found = [f"Python {platform.python_version()}"]
    for package in ("numpy", "scipy", "scikit-learn", "PyCM", "torchmetrics"):
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"{package} not installed")
    return ", ".join([*found, f"{os.cpu_count()} cores"])


def row(case: Case, ratio: float | None, *, judge: bool) -> Row:
    """One row of the table. There is no ratio to a peer that is not installed."""
    promise = _promise(case)
    if ratio is None:
        return case.name, case.peer, "not installed", promise
    if judge and case.limit and not case.least <= ratio <= case.limit:
        promise += ", missed"
    return case.name, case.peer, _in_words(case, ratio), promise


def _promise(case):
    if case.limit is None:
        return ""
    if case.least:
        return f"{_in_words(case, case.least)} to {_in_words(case, case.limit)}"
    bound = "at least" if case.limit < 1 else "at most"
    return f"{bound} {_in_words(case, case.limit)}"


def _in_words(case, ratio):
    if case.least:  # a slope
        return _rounded(ratio)
    less, more = "faster", "the time"
    if "memory" in case.name:
        less, more = "less", "the memory"
    if ratio < 1:
        return f"{_rounded(1 / ratio)} × {less}"
    return f"{_rounded(ratio)} × {more}"


def _rounded(number):
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def page(rows: Sequence[Row], curves: Sequence[Curve], effort: Effort) -> str:
    """The page of all rows and pictures, as Markdown."""
    lines = [HEADER, ("---", "---", "---:", "---:"), *rows]
    pictures = [f"\n![{curve.caption}]({curve.file})\n" for curve in curves]
    return _PAGE.format(
        pictures="".join(pictures and [*pictures, _PICTURES]),
        versions=versions(),
        note="" if effort == FULL else _QUICK,
        table="\n".join(f"| {' | '.join(cells)} |" for cells in lines),
    )
