r"""
Features selected one by one repeat each other
==============================================

:class:`~sklearn_entropy_metrics.SourceBalance` asks of each feature how much of its
entropy the other features tell as well. In the triangle a feature near the apex is
redundant; near the lower left corner it tells what no other feature tells. Here it
shows ten features of breast tumours, the four of them that tell most about the
diagnosis by themselves, and the four that tell most together.
"""

# %%
# The measurements are continuous, so they are sorted into three bins each. More bins
# would make nearly every tumour a row of its own, and every feature would seem to be
# told by the others: no joint entropy of 569 samples can exceed
# :math:`\log_2 569 = 9.2` bits.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import KBinsDiscretizer

from sklearn_entropy_metrics import (
    EntropyBalance,
    EntropyTriangleDisplay,
    SourceBalance,
)

X, y = load_breast_cancer(as_frame=True, return_X_y=True)
X = X.filter(like="mean ").rename(columns=lambda name: name.removeprefix("mean "))
bins = KBinsDiscretizer(n_bins=3, encode="ordinal", strategy="uniform")
X = bins.set_output(transform="pandas").fit_transform(X)
diagnosis = y.to_frame()


def information(features):
    """Bits that features together tell about the diagnosis."""
    return EntropyBalance.from_variables(X[features], diagnosis).mutual_information


# %%
# Univariate selection, as by :class:`~sklearn.feature_selection.SelectKBest`, takes the
# features that tell most by themselves. Forward selection asks what each feature adds
# to those that are chosen already.
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
    told = information(selections[name])
    share = source.aggregate_fractions[1]
    print(f"{name:29} {told:.3f} bits  {source.joint_entropy:.3f} bits  {share:8.0%}")

# %%
# Size is measured three times: radius, perimeter and area tell each other, and so do
# concavity and concave points. Each of these is among the best by itself, so univariate
# selection takes copies. Features that are chosen together lie lower: they share less,
# and four of them tell more about the diagnosis.
figure, axes = plt.subplots(1, 3, figsize=(16, 5.6), layout="constrained")
for ax, (name, source) in zip(axes, sources.items(), strict=True):
    EntropyTriangleDisplay(balance=source).plot(ax, annotate=True)
    redundant = source.aggregate_fractions[1]
    told = information(selections[name])
    ax.set_title(f"{name}: {redundant:.0%} redundant,\n{told:.2f} bits of diagnosis")
plt.show()

# %%
# The total correlation says the same in bits: how much shorter a description of all
# columns together is than of one after the other.
for name, source in sources.items():
    print(
        f"{name:29} total correlation {source.total_correlation:.3f}, "
        f"dual {source.dual_total_correlation:.3f}, "
        f"ceiling {np.log2(len(X)):.1f} bits"
    )
