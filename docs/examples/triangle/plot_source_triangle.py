r"""
Features selected one by one repeat each other
==============================================

:class:`~sklearn_entropy_metrics.SourceBalance` computes how much of the entropy of each
feature the other features share. In the triangle, a feature near the apex is redundant;
one near the lower left corner says what no other feature says. Here are ten features of
breast tumours, the four that are most informative about the diagnosis by themselves,
and the four that are most informative together, as forward selection finds them.
"""

# %%
# The measurements are continuous, so they are sorted into three bins each. More bins
# would make nearly every tumour unique, and the other features would seem to determine
# every feature: no joint entropy of 569 samples can exceed :math:`\log_2 569 = 9.2`
# bits. Even so, a warning says that 569 samples are few for several of them.
import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import KBinsDiscretizer

from sklearn_entropy_metrics import (
    EntropyBalance,
    EntropyTriangleDisplay,
    SourceBalance,
)

warnings.filterwarnings("ignore", "The samples are few")
X, y = load_breast_cancer(as_frame=True, return_X_y=True)
X = X.filter(like="mean ").rename(columns=lambda name: name.removeprefix("mean "))
bins = KBinsDiscretizer(n_bins=3, encode="ordinal", strategy="uniform")
X = bins.set_output(transform="pandas").fit_transform(X)
diagnosis = y.to_frame()


def information(features):
    """Information about the diagnosis in several features together, in bits."""
    return EntropyBalance.from_variables(X[features], diagnosis).mutual_information


# %%
# Univariate selection, as by :class:`~sklearn.feature_selection.SelectKBest`, takes the
# features that are most informative by themselves. Forward selection considers what
# each feature adds to those already selected.
one_by_one = sorted(X, key=lambda name: information([name]), reverse=True)[:4]
together: list[str] = []
while len(together) < 4:
    left = [name for name in X if name not in together]
    together.append(max(left, key=lambda name: information([*together, name])))

selections = {
    "all ten features": list(X),
    "the four best by themselves": one_by_one,
    "the four best together": together,
}
sources = {name: SourceBalance.from_data(X[of]) for name, of in selections.items()}

print(f"{'':29} diagnosis   features     redundant")
for name, source in sources.items():
    bits = information(selections[name])
    share = 100 * source.aggregate_fractions[1]
    print(f"{name:29} {bits:.3f} bits  {source.joint_entropy:.3f} bits  {share:6.0f} %")

# %%
# Size is measured three times, as radius, perimeter and area, and hollows of the
# outline twice, as concavity and concave points. Perimeter and radius share the most
# with the other features, texture the least.


def draw(name, ax):
    """Draw the features of a selection."""
    EntropyTriangleDisplay(balance=sources[name]).plot(ax, annotate=True)
    redundant = 100 * sources[name].aggregate_fractions[1]
    bits = information(selections[name])
    ax.set_title(f"{name}:\n{redundant:.0f} % redundant, {bits:.2f} bits of diagnosis")


figure, ax = plt.subplots(figsize=(7, 5.6), layout="constrained")
draw("all ten features", ax)

# %%
# Radius, perimeter and area are all among the four best by themselves, so univariate
# selection takes near copies. Features that are selected together lie lower: they share
# less, and four of them say more about the diagnosis.

# sphinx_gallery_thumbnail_number = 2
figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.8), layout="constrained")
for ax, name in zip(axes, list(selections)[1:], strict=True):
    draw(name, ax)
assert {"radius", "perimeter", "area"} < set(one_by_one)

# %%
# The total correlation of a selection is the number of bits by which a joint
# description of its columns is shorter than one column after another.
for name, source in sources.items():
    print(
        f"{name:29} total correlation {source.total_correlation:.3f}, "
        f"dual {source.dual_total_correlation:.3f}, "
        f"ceiling {np.log2(len(X)):.1f} bits"
    )

plt.show()
