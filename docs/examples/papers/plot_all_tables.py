"""
All confusion matrices in the entropy triangle
==============================================

What does accuracy say about the information that a classifier transfers? To find out,
draw all confusion matrices of some levels of accuracy, with a given number of classes
and samples. Matrices with the same accuracy lie at many heights: they transfer much
information or little, even those without any errors. And matrices at the same height
have different accuracies.

The pictures are those of Fig. 2 of F. J. Valverde-Albacete and C. Peláez-Moreno (2014),
"100% classification accuracy considered harmful: the normalized information transfer
factor explains the accuracy paradox", PLoS ONE 9(1), e84217.
"""

# %%
# The rows of the matrices are sorted by their sums, because permuting the classes adds
# nothing new. Levels of accuracy are numbers of correct samples: 0.83 of 18 is 15. Each
# panel shows one level in colour, on the grey of all the levels, so that no level hides
# another.
from itertools import permutations

import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import EntropyBalance, EntropyTriangleDisplay, datasets


def all_tables(n_classes, n_samples, n_correct):
    """All tables with so many correct samples."""
    blocks = datasets.enumerate_tables(n_classes, n_samples, n_correct=n_correct)
    return np.concatenate(list(blocks))


def draw(tables_by_level, n_samples):
    """Draw tables as points, a panel for each level of accuracy."""
    balances = {
        n_correct: EntropyBalance.from_confusion_matrix(tables)
        for n_correct, tables in tables_by_level.items()
    }
    shares = np.vstack([balance.joint_fractions for balance in balances.values()])
    every = EntropyTriangleDisplay.to_plane(shares)
    n_columns = 4 if len(balances) > 6 else 3
    size = (2.6 * n_columns, 5.1)
    figure, axes = plt.subplots(2, n_columns, figsize=size, layout="constrained")
    for ax in axes.flat:
        ax.set_axis_off()
    for ax, (n_correct, balance) in zip(axes.flat, balances.items(), strict=False):
        accuracy = n_correct / n_samples
        # Below the frame, and above all other tables, which are grey.
        style = {"s": 9, "cmap": "plasma", "vmin": 0.3, "vmax": 1.3, "zorder": 0.7}
        display = EntropyTriangleDisplay(balance=balance).plot(
            ax,
            words=False,
            annotate=False,
            c=np.full(len(balance.table), accuracy),
            scatter_kwargs=style | {"linewidth": 0},
        )
        display.colorbar_.remove()  # the title says it
        ax.scatter(*every.T, s=4, color="0.85", zorder=0.55, rasterized=True)
        ax.set_title(f"accuracy {accuracy:.2f}")
    n_tables, n_classes = len(shares), balance.table.shape[-1]
    figure.suptitle(
        f"{n_tables:,} tables of {n_samples} samples in {n_classes} classes"
    )


# %%
# Two classes
# -----------
# With two classes, each level stays in a band that begins on the left side, where the
# classes are balanced, and ends at the bottom, or near it if there are no errors: the
# same accuracy may carry next to no information.
assert sum(len(block) for block in datasets.enumerate_tables(2, 100)) == 89_625
levels = (50, 75, 88, 94, 97, 98, 100)
draw({level: all_tables(2, 100, level) for level in levels}, 100)

# %%
# Three classes
# -------------
# With three classes the levels overlap: tables with an accuracy of 0.83 lie among
# tables with an accuracy of 0.33.
assert sum(len(block) for block in datasets.enumerate_tables(3, 18)) == 302_484
levels = (6, 12, 15, 17, 18)
draw({level: all_tables(3, 18, level) for level in levels}, 18)

# %%
# Four classes
# ------------
# There are 19,866,389 tables of 16 samples in four classes, too many to draw. The lower
# levels show a uniform sample. The two upper levels have so few tables that all of them
# are drawn: diagonal tables, and diagonal tables with one sample moved.
sample = datasets.sample_tables(200_000, 4, 16, random_state=0)
n_correct = np.trace(sample, axis1=1, axis2=2)
tables = {level: sample[n_correct == level] for level in (4, 10, 13)}

row_sums = np.unique(sample.sum(axis=2), axis=0)
unit = np.eye(4, dtype=int)
diagonal = row_sums[:, :, None] * unit
moves = [
    np.outer(unit[true], unit[pred] - unit[true])
    for true, pred in permutations(range(4), 2)
]
tables[15] = (diagonal[:, None] + moves).reshape(-1, 4, 4)
tables[16] = diagonal
assert (len(tables[15]), len(tables[16])) == (408, 34)
draw(tables, 16)

plt.show()
