"""``python -m benchmarks.command_line [--rows N]``: time and memory of `report`.

Writes temporary CSV files of true labels, predictions of two classifiers and weights,
and reports on them, by pyarrow and by the standard library, in processes of their own.
The time of the processor, without that of imports, is also given as a multiple of what
`pyarrow.csv.open_csv` takes to read the same columns as strings to the end.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

BLOCK = 100_000
CLASSES = np.array(["cat", "dog", "horse", "owl"])
# Files by the names of their columns, and what is reported of them.
RUNS = {
    "two columns": ("true,tree", ["--pred", "tree"]),
    "two of five columns": ("id,true,tree,forest,weight", ["--pred", "tree"]),
    "two predictions": ("true,tree,forest", ["--pred", "tree", "forest"]),
    "two, weighted": (
        "id,true,tree,forest,weight",
        ["--pred", "tree", "forest", "--weights", "weight"],
    ),
}
# Run in a process of its own: seconds of the processor, and the greatest memory.
MEASURE = """
import contextlib, io, json, resource, sys, time

read, path, *options = sys.argv[1:]
if read == "standard library":
    sys.modules["pyarrow.csv"] = None
else:
    import pyarrow.acero, pyarrow.csv
import sklearn_entropy_metrics.command_line.report
from sklearn_entropy_metrics.__main__ import main

start = time.process_time()
if read == "pyarrow alone":
    columns = dict.fromkeys(options, pyarrow.string())
    convert = pyarrow.csv.ConvertOptions(
        column_types=columns, include_columns=list(columns)
    )
    for _ in pyarrow.csv.open_csv(path, convert_options=convert):
        pass
else:
    with contextlib.redirect_stdout(io.StringIO()):
        main(["report", path, "--true", "true", *options])
seconds = time.process_time() - start
# The system counts in kB, that of Apple in bytes.
unit = 1e6 if sys.platform == "darwin" else 1e3
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
print(json.dumps([seconds, memory]))
"""


def write(path: Path, names: str, n_rows: int) -> None:
    rng = np.random.default_rng(0)
    with path.open("w", encoding="utf-8") as file:
        file.write(names + "\n")
        for start in range(0, n_rows, BLOCK):
            n = min(BLOCK, n_rows - start)
            true = rng.integers(len(CLASSES), size=n)
            guess = rng.integers(len(CLASSES), size=(2, n))
            tree, forest = np.where(rng.random((2, n)) < [[0.7], [0.8]], true, guess)
            columns = {
                "id": range(start, start + n),
                "true": CLASSES[true],
                "tree": CLASSES[tree],
                "forest": CLASSES[forest],
                "weight": rng.random(n).round(3),
            }
            rows = zip(*(columns[name] for name in names.split(",")), strict=True)
            file.writelines(",".join(map(str, row)) + "\n" for row in rows)


def measure(read: str, path: Path, options: list[str]) -> tuple[float, float]:
    """Seconds of the processor, and the greatest memory in MB."""
    command = [sys.executable, "-c", MEASURE, read, str(path), *options]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, memory = json.loads(run.stdout)
    return seconds, memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    n_rows = parser.parse_args().rows
    print(f"{n_rows:,} rows\n")
    print(f"{'':<40}{'processor':>12}{'ratio':>8}{'memory in MB':>15}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.csv"
        for name, (columns, options) in RUNS.items():
            write(path, columns, n_rows)
            wanted = ["true", *(one for one in options if not one.startswith("--"))]
            alone, memory = measure("pyarrow alone", path, wanted)
            print(f"{name + ', pyarrow alone':<40}{alone:>12.2f}{1:>8}{memory:>15.0f}")
            for read in ("pyarrow", "standard library"):
                seconds, memory = measure(read, path, options)
                ratio = f"{seconds / alone:>8.1f}"
                title = f"{name}, {read}"
                print(f"{title:<40}{seconds:>12.2f}{ratio}{memory:>15.0f}")


if __name__ == "__main__":
    main()
