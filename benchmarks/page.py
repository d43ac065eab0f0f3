"""What was measured → rows on the screen and a page of the site."""

import importlib.metadata
import os
import platform
from collections.abc import Sequence

from benchmarks.cases import Case
from benchmarks.curves import Curve
from benchmarks.timing import FULL, Effort

Row = tuple[str, str, str, str]
HEADER: Row = ("What", "Compared with", "Ratio", "Limit")

_PAGE = """\
# Benchmarks

All numbers of this page come from one run of

```bash
pip install -e ".[test]"
python -m benchmarks
```

in a checkout, which wrote the page as well. `-k WORD` measures only what has the word
in its name. `--output FOLDER` says where the page goes; without it only a whole run
writes one. torchmetrics takes part if it is installed.

{versions}.{note}

## Ratios

Each row has our cost divided by that of a peer, on the same inputs in the same run:
1/15 is a fifteenth of the peer's time. A time is the best of many calls; ours and the
peer's take turns. A row with a limit is a promise, the others are there for
information.

- Rows about labels time `entropy_modulated_accuracy_score` on 1,000,000 samples of 10
  classes, unless they say otherwise.
- "One read of the inputs" is `y_true.sum() + y_pred.sum()`. No metric can be faster.
- "Growth" is the slope of the line through the logarithms of numbers of samples and
  times, 1 if time grows linearly.
- Lazy frames of polars go through `tabulate_frame`.
- Memory is the peak beside the inputs.
- "All measures" are EMA, NIT, NI, VI, CEN and the coordinates in the three triangles.
- Tables of 3×3 go through `EntropyBalance.from_confusion_matrix`, all at once. The time
  for each is compared with that of `mutual_info_score(None, None, contingency=table)`.
- torchmetrics makes a confusion matrix, PyCM makes one with its statistics.

{table}
"""

_PICTURES = """
## How time grows

`entropy_modulated_accuracy_score` and its peers. A line ends where the next call would
take two seconds or more, or where a table of all pairs of classes would take gigabytes.
The peak of PyCM at 1,000 samples is the time for its p-value.
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
    limit = "" if case.limit is None else _shown(case.limit)
    if case.least:
        limit = f"{_shown(case.least)} to {limit}"
    if ratio is None:
        return case.name, case.peer, "not installed", limit
    if judge and case.limit and not case.least <= ratio <= case.limit:
        limit += ", missed"
    return case.name, case.peer, _shown(ratio), limit


def _shown(number):
    if number >= 0.5:
        return f"{number:.3g}"
    times = 1 / number
    return f"1/{times:,.0f}" if times >= 100 else f"1/{times:.3g}"


def page(rows: Sequence[Row], curves: Sequence[Curve], effort: Effort) -> str:
    """The page of all rows and pictures, as Markdown."""
    lines = [HEADER, ("---", "---", "---:", "---:"), *rows]
    text = _PAGE.format(
        versions=versions(),
        note="" if effort == FULL else _QUICK,
        table="\n".join(f"| {' | '.join(cells)} |" for cells in lines),
    )
    if curves:
        text += _PICTURES
    return text + "".join(f"\n![{c.caption}]({c.file})\n" for c in curves)
