"""``python -m benchmarks.command_line [--rows N]``: time and memory of `report`.

Writes temporary CSV files of true labels, predictions of two classifiers and weights,
and reports on them in processes of their own. The time of the processor, without that
of imports, is also given as a multiple of what polars takes for the same group-by.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

BLOCK = 100_000
CLASSES = np.array(["cat", "dog", "horse", "owl"])
# Files by the names of their columns, and what is reported of them.
RUNS = {
    "two columns": ("true,tree", ["--pred", "tree"]),
    "two of five columns": ("id,true,tree,forest,weight", ["--pred", "tree"]),
    "weighted": (
        "id,true,tree,forest,weight",
        ["--pred", "tree", "--weights", "weight"],
    ),
}
# Run in a process of its own: seconds of the processor, and the greatest memory.
MEASURE = """
import contextlib, io, json, resource, sys, time

read, path, *options = sys.argv[1:]
import narwhals, polars as pl
import sklearn_entropy_metrics.command_line.commands
from sklearn_entropy_metrics.__main__ import main

start = time.process_time()
if read == "polars":
    keys = pl.scan_csv(path, infer_schema=False).group_by("true", "tree")
    if "weight" in options:
        keys.agg(pl.col("weight").cast(pl.Float64).sum()).collect(engine="streaming")
    else:
        keys.agg(pl.len()).collect(engine="streaming")
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
    with path.open("wb") as file:
        for start in range(0, n_rows, BLOCK):
            n = min(BLOCK, n_rows - start)
            true = rng.integers(len(CLASSES), size=n)
            guess = rng.integers(len(CLASSES), size=(2, n))
            tree, forest = np.where(rng.random((2, n)) < [[0.7], [0.8]], true, guess)
            columns = {
                "id": np.arange(start, start + n),
                "true": CLASSES[true],
                "tree": CLASSES[tree],
                "forest": CLASSES[forest],
                "weight": rng.random(n).round(3),
            }
            frame = pl.DataFrame({name: columns[name] for name in names.split(",")})
            frame.write_csv(file, include_header=start == 0)


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
            alone, memory = measure("polars", path, options)
            title = f"{name}, polars alone"
            print(f"{title:<40}{alone:>12.2f}{1:>8}{memory:>15.0f}")
            seconds, memory = measure("report", path, options)
            ratio = f"{seconds / alone:>8.1f}"
            print(f"{name + ', report':<40}{seconds:>12.2f}{ratio}{memory:>15.0f}")


if __name__ == "__main__":
    main()
