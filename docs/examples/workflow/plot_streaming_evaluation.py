"""
A stream of predictions, chunk by chunk
=======================================

Labels of many samples need not fit into memory. The table of all of them is the sum of
the tables of chunks, and :class:`TableAccumulator` keeps this sum. You can balance the
entropies at any time, and merge counts from several places at the end.

The samples are drawn from the table of a classical experiment on consonants heard in
noise: G. A. Miller and P. E. Nicely (1955), "An analysis of perceptual confusions among
some English consonants", Journal of the Acoustical Society of America 27(2), 338-352.
So the true values of the measures are known.
"""

# %%
# A file of what was said and what was heard; it could be of any length.
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import TableAccumulator, datasets, measure

data = datasets.load_miller_nicely()
matrix = data.matrices[data.names.index("0 dB")]
rng = np.random.default_rng(0)
cells = rng.choice(matrix.size, size=100_000, p=matrix.ravel() / matrix.sum())
said, heard = np.array(data.labels)[np.array(np.unravel_index(cells, matrix.shape))]
folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "labels.csv"
np.savetxt(path, np.column_stack([said, heard]), fmt="%s", delimiter=",")
size = path.stat().st_size
print(f"{len(said):,} samples, {size / 1e6:.1f} MB")


# %%
# Read in chunks of about 5 kB. The bar gets a new mark for each fiftieth of the file.
def chunks(path, n_bytes):
    """Yield true and predicted labels of parts of a file, and show how far it is."""
    marks = 0
    with path.open("rb") as file:
        while lines := file.readlines(n_bytes):
            yield np.loadtxt(lines, dtype=str, delimiter=",").T
            reached = 50 * file.tell() // size
            print("#" * (reached - marks), end="", flush=True)
            marks = reached
    print(" done")


accumulator = TableAccumulator(labels=data.labels)
n_samples, ema = [], []
for y_true, y_pred in chunks(path, 5_000):
    accumulator.update(y_true, y_pred)
    n_samples.append(accumulator.table.sum())
    ema.append(accumulator.balance().entropy_modulated_accuracy)
print(f"{len(n_samples)} chunks, {n_samples[-1]:,} samples counted")

# %%
# Entropy-modulated accuracy (EMA) starts too high, because chance looks like
# information in a small sample, and approaches the value of the original table.
true_ema = measure.entropy_modulated_accuracy(matrix)
print(f"first chunk {ema[0]:.3f}, whole file {ema[-1]:.3f}, true {true_ema:.3f}")
figure, ax = plt.subplots(figsize=(6.4, 4), layout="constrained")
ax.semilogx(n_samples, ema, ".-", label="chunks so far")
ax.axhline(true_ema, color="0.4", linestyle="--", label="true value")
ax.set(xlabel="samples", ylabel="entropy-modulated accuracy")
ax.legend()
ax.set_title("A small sample looks better than it is")

# %%
# Each of two machines counts every other chunk. Merged, their tables are the table of
# all samples.
halves = [TableAccumulator(labels=data.labels) for _ in range(2)]
for number, (y_true, y_pred) in enumerate(chunks(path, 50_000)):
    halves[number % 2].update(y_true, y_pred)
merged = halves[0].merge(halves[1])
np.testing.assert_array_equal(merged.table, accumulator.table)
folder.cleanup()

plt.show()
