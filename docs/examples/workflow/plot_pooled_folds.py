r"""
Cross-validation: pool the folds, do not average them
=====================================================

The mutual information (MI) from few samples is too large, by about :math:`(k - 1)(m -
1) / (2 n \ln 2)` bits for a table of k × m classes and n samples. A mean over the folds
of a cross-validation keeps the bias of a single fold, no matter how many folds there
are. Tables add up: the sum of all fold tables is one table of all samples, with the
small bias of a large sample; ``smoothing="empirical_bayes"`` corrects most of the rest.
"""

# %%
# Naive Bayes is cross-validated with 2 to 50 folds: on images of the ten digits, and
# on the same images with shuffled labels, from which there is nothing to learn.
# ``cross_val_tables`` returns a table for each fold.
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import NullFormatter, ScalarFormatter
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import MultinomialNB

from sklearn_entropy_metrics import (
    EntropyBalance,
    EntropyTriangleDisplay,
    cross_val_tables,
)

X, y = load_digits(return_X_y=True)
targets = {"digits": y, "shuffled digits": np.random.default_rng(0).permutation(y)}
fold_numbers = [2, 5, 10, 20, 50]
tables = {
    (name, n_folds): cross_val_tables(
        MultinomialNB(),
        X,
        target,
        cv=StratifiedKFold(n_folds, shuffle=True, random_state=0),
    ).tables
    for name, target in targets.items()
    for n_folds in fold_numbers
}

# %%
# By the mean over the folds, the smaller the folds are, the more the classifier seems
# to know, even where there is nothing to know. The pooled tables show little of this,
# and less after correction. The formula is for large samples: it is close for large
# folds.
information = {}
for case, stack in tables.items():
    folds = EntropyBalance.from_confusion_matrix(stack)
    pooled = EntropyBalance.from_confusion_matrix(stack.sum(axis=0))
    corrected = EntropyBalance.from_confusion_matrix(
        stack.sum(axis=0), smoothing="empirical_bayes"
    )
    information[case] = (
        folds.mutual_information.mean(),
        pooled.mutual_information,
        corrected.mutual_information,
    )

print("                 folds  samples  bias by    mean of   pooled  corrected")
print("                       per fold  formula      folds")
for (name, n_folds), (mean, of_all, corrected) in information.items():
    n = len(y) / n_folds
    bias = 9 * 9 / (2 * n * np.log(2))
    row = f"{bias:8.3f} {mean:10.3f} {of_all:8.3f} {corrected:10.3f}"
    print(f"{name:16} {n_folds:5} {n:8.0f} {row}")

figure, axes = plt.subplots(
    1, 2, figsize=(9, 4), sharex=True, sharey=True, layout="constrained"
)
for ax, name in zip(axes, targets, strict=True):
    mean, of_all, corrected = np.transpose([information[name, n] for n in fold_numbers])
    ax.plot(fold_numbers, mean, "o-", label="mean of the folds")
    ax.plot(fold_numbers, of_all, "s-", label="pooled table")
    ax.plot(fold_numbers, corrected, "d-", label="corrected")
    ax.set_xscale("log")
    ax.set_xticks(fold_numbers)
    ax.xaxis.set_major_formatter(ScalarFormatter())
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set(title=name, xlabel="number of folds", ylim=(0, np.log2(10)))
    ax.grid(alpha=0.3)
axes[0].set_ylabel("mutual information in bits")
axes[1].legend()

mean, of_all, corrected = information["shuffled digits", 50]
assert mean > 1 > 0.1 > of_all > 3 * corrected

# %%
# In the entropy triangle
# -----------------------
# The folds form a cloud that shows how much the results vary from fold to fold. But
# small folds are too high; the pooled table is near the bottom, where it belongs.
stack = tables["shuffled digits", 50]
figure, ax = plt.subplots(figsize=(7, 5), layout="constrained")
EntropyTriangleDisplay.from_confusion_matrix(
    {"50 folds": stack, "pooled table": stack.sum(axis=0)}, points=True, ax=ax
)
ax.set_title("Shuffled digits: there is nothing to learn, yet folds lie high")

plt.show()
