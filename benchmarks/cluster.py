"""``python -m benchmarks.cluster``: very many predictions on two worker processes.

Pairs of labels are drawn in blocks where they are counted. The table must be the one
that a :class:`~sklearn_entropy_metrics.TableAccumulator` makes from the same blocks,
even if a worker is killed along the way.
"""

import argparse
import os
import resource
import signal
import threading
import time

import dask
import numpy as np
from dask import array as da
from distributed import Client, LocalCluster

from sklearn_entropy_metrics import TableAccumulator, contingency_table

BLOCK = 10**6
N_CLASSES = 10


def draw(number: int, length: int) -> np.ndarray:
    """True and predicted labels of one block, known by its number."""
    rng = np.random.default_rng(number)
    y_true = rng.integers(0, N_CLASSES, length)
    y_pred = np.where(
        rng.random(length) < 0.7, y_true, rng.integers(0, N_CLASSES, length)
    )
    return np.stack([y_true, y_pred])


def draw_lazily(n_samples: int) -> da.Array:
    """All blocks side by side."""
    lengths = [min(BLOCK, n_samples - start) for start in range(0, n_samples, BLOCK)]
    blocks = [
        da.from_delayed(dask.delayed(draw)(number, length), (2, length), np.int64)
        for number, length in enumerate(lengths)
    ]
    return da.concatenate(blocks, axis=1)


def peak_memory() -> float:
    """MB that this process has ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def count(labels: da.Array) -> tuple[np.ndarray, float]:
    start = time.perf_counter()
    table = contingency_table(labels[0], labels[1])
    return table, time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cluster", description=__doc__.split("\n\n")[1]
    )
    parser.add_argument(
        "--samples", type=float, default=1e8, help="number of pairs (default: 1e8)"
    )
    n_samples = int(parser.parse_args().samples)
    labels = draw_lazily(n_samples)
    start = time.perf_counter()
    accumulator = TableAccumulator()
    for number, length in enumerate(labels.chunks[1]):
        accumulator.update(*draw(number, length))
    seconds = time.perf_counter() - start
    print(f"{n_samples:,} pairs, one process, one block at a time: {seconds:.1f} s")
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        table, seconds = count(labels)
        memory = ", ".join(f"{mb:.0f}" for mb in client.run(peak_memory).values())
        print(f"two workers: {seconds:.1f} s; peak memory of each: {memory} MB")
        same = np.array_equal(table, accumulator.table)
        print(f"same table as the accumulator's: {same}")
        victim = next(iter(client.run(os.getpid).values()))
        timer = threading.Timer(seconds / 2, os.kill, (victim, signal.SIGKILL))
        timer.start()
        table, seconds = count(labels)
        same = np.array_equal(table, accumulator.table)
        print(f"a worker killed half-way: {seconds:.1f} s; same table: {same}")


if __name__ == "__main__":
    main()
