"""``python -m benchmarks``: ratios to peers, and how time grows, all from one run."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cases import CASES
from benchmarks.curves import CURVES, draw, measure
from benchmarks.page import HEADER, Row, page, row, versions
from benchmarks.peers import is_installed
from benchmarks.timing import FULL, QUICK

DOCS = Path(__file__).parents[1] / "docs"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table and write the page."""
    options = parse(arguments)
    effort = QUICK if options.quick else FULL
    word = options.k.lower()
    folder = options.output or (DOCS if effort == FULL and not word else None)
    cases = [case for case in CASES if word in f"{case.name} {case.peer}".lower()]
    curves = [curve for curve in CURVES if folder and word in curve.name]
    n_steps = len(cases) + len(curves)
    if not n_steps:
        sys.exit(f"Nothing that is measured has {options.k!r} in its name.")
    steps = iter(range(1, n_steps + 1))

    def progress(what):
        # On a terminal the row that comes next is written over it.
        end = "\r" if sys.stderr.isatty() else "\n"
        text = f"{next(steps)} of {n_steps}: {what}"
        print(f"{text:<90}", end=end, file=sys.stderr, flush=True)

    print(versions(), end="\n\n")
    show(HEADER)
    rows = []
    for case in cases:
        progress(f"{case.name}, {case.peer}")
        ratio = None
        if is_installed(case.needs):
            ours, peers = case.measure(effort)
            ratio = ours / peers
        rows.append(row(case, ratio, judge=effort == FULL))
        show(rows[-1])
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for curve in curves:
        progress(f"time against {curve.name}")
        draw(curve, measure(curve, effort), folder)
    path = folder / "benchmarks.md"
    path.write_text(page(rows, curves, effort), encoding="utf-8")
    print(f"\nPage: {path}")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "-k",
        metavar="WORD",
        default="",
        help="measure only rows and pictures that have the word in their name",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="a hundredth of the size and single calls, to see that everything runs",
    )
    parser.add_argument(
        "--output",
        metavar="FOLDER",
        type=Path,
        help="where the page and its pictures go (default: docs; with -k or --quick "
        "there are none by default)",
    )
    return parser.parse_args(arguments)


def show(row: Row) -> None:
    what, peer, ratio, limit = row
    print(f"{what:<36}{peer:<26}{ratio:>18}{limit:>33}", flush=True)


if __name__ == "__main__":
    main()
