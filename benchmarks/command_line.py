"""``python -m benchmarks.command_line [--rows N]``: time and memory of `report`.

Writes a temporary CSV file of true labels, predictions of two classifiers and weights,
and reports on it in a process of its own.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

BLOCK = 100_000
CLASSES = np.array(["cat", "dog", "horse", "owl"])
RUNS = {
    "one prediction": ["--pred", "tree"],
    "two, weighted": ["--pred", "tree", "forest", "--weights", "weight"],
}


def write(path: Path, n_rows: int) -> None:
    rng = np.random.default_rng(0)
    with path.open("w", encoding="utf-8") as file:
        file.write("id,true,tree,forest,weight\n")
        for start in range(0, n_rows, BLOCK):
            n = min(BLOCK, n_rows - start)
            true = rng.integers(len(CLASSES), size=n)
            guess = rng.integers(len(CLASSES), size=(2, n))
            tree, forest = np.where(rng.random((2, n)) < [[0.7], [0.8]], true, guess)
            columns = (CLASSES[true], CLASSES[tree], CLASSES[forest])
            rows = zip(*columns, rng.random(n).round(3), strict=True)
            file.writelines(
                f"{i},{t},{a},{b},{w}\n" for i, (t, a, b, w) in enumerate(rows, start)
            )


def measure(path: Path, options: list[str]) -> tuple[float, float, float]:
    """Seconds, seconds of the processor, and the greatest memory in MB."""
    command = [sys.executable, "-m", "sklearn_entropy_metrics", "report", str(path)]
    start = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--true", "true", *options], stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(process.returncode)
    seconds = time.perf_counter() - start
    # The system counts in kB, that of Apple in bytes.
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / unit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    n_rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.csv"
        write(path, n_rows)
        print(f"{n_rows:,} rows, {path.stat().st_size / 1e6:.0f} MB\n")
        print(f"{'':<20}{'seconds':>10}{'processor':>12}{'memory in MB':>15}")
        for name, options in RUNS.items():
            seconds, processor, memory = measure(path, options)
            print(f"{name:<20}{seconds:>10.1f}{processor:>12.1f}{memory:>15.0f}")


if __name__ == "__main__":
    main()
