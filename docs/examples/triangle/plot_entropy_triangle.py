"""
The entropy triangle
====================

This example has four classifiers with the same accuracy, one of which always predicts
the majority class, and two perfect ones. Accuracy cannot distinguish the four, nor the
two. The entropy triangle can: a classifier is a point whose height is the information
it transfers, and whose position between left and right shows why it does not transfer
more.

The pictures are Figs 2 and 3 of F. J. Valverde-Albacete and C. Peláez-Moreno (2010),
"Two information-theoretic tools to assess the performance of multi-class
classifiers", Pattern Recognition Letters 31(12), 1665-1671.
"""

# %%
# Six matrices
# ------------
# In **a** and **b** the classes are balanced; all errors of **a** go to the third
# class, those of **b** to every class. In **c** one class dominates. **d** and **e**
# make no errors at all, and **f** is the majority classifier. Rows are true classes,
# columns predicted ones.

# sphinx_gallery_thumbnail_number = 3
import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d.proj3d import proj_transform
from sklearn.metrics import ConfusionMatrixDisplay

from sklearn_entropy_metrics import (
    EntropyBalance,
    EntropyTriangleDisplay,
    datasets,
    measure,
)

data = datasets.load_synthetic()
accuracies = measure.accuracy(data.matrices)

figure, axes = plt.subplots(2, 3, figsize=(6.6, 4.8), layout="constrained")
for ax, matrix, name, accuracy in zip(
    axes.flat, data.matrices, data.names, accuracies, strict=True
):
    ConfusionMatrixDisplay(matrix, display_labels=data.labels).plot(
        ax=ax, colorbar=False, cmap="Blues"
    )
    ax.set(title=f"{name}: accuracy {accuracy:.2f}", xlabel="", ylabel="")
    ax.tick_params(length=0)
figure.supxlabel("predicted class")
figure.supylabel("true class")

# %%
# The simplex of entropies
# ------------------------
# The entropy of uniform true and predicted classes splits into three shares: how far
# the classes fall short of uniform, :math:`\Delta H'`; twice the mutual information,
# :math:`2\mathrm{MI}'`; and what true and predicted classes do not share,
# :math:`\mathrm{VI}'`. They sum to one, so all classifiers lie on a triangle in space.
# The small dots are mixtures :math:`(1 - \lambda) P_X P_Y + \lambda P_{X=Y}` of the
# uniform table, from which nothing is learnt, and the uniform diagonal, from which
# everything is.
balance = EntropyBalance.from_confusion_matrix(data.matrices)
mixing = np.linspace(0, 1, 21)[:, None, None]
mixtures = (1 - mixing) * np.full((3, 3), 1 / 9) + mixing * np.eye(3) / 3
line = EntropyBalance.from_confusion_matrix(mixtures)

# The values that the paper prints, in the order ΔH', 2MI', VI'.
np.testing.assert_allclose(balance.joint_fractions[0], [0.03, 0.60, 0.37], atol=0.006)
np.testing.assert_allclose(balance.pred_fractions[5], [1, 0, 0], atol=1e-12)
np.testing.assert_allclose(line.joint_fractions[:, 0], 0, atol=1e-12)
for name, fractions in zip(data.names, balance.joint_fractions, strict=True):
    print(name, fractions.round(3))

# %%
# Each matrix has the same marker as in the paper, in both plots.
markers = {"a": "D", "b": "*", "c": (6, 1, 0), "d": "o", "e": "s", "f": "v"}
sizes = {"b": 150, "c": 130}

figure = plt.figure(figsize=(6.4, 5), layout="constrained")
ax = figure.add_subplot(projection="3d", computed_zorder=False)
ax.plot_trisurf(*np.eye(3), color="0.75", alpha=0.25)
ax.plot(*np.eye(3)[:, [0, 1, 2, 0]], color="0.3", linewidth=1)
divergence, information, variation = line.joint_fractions.T
ax.scatter(divergence, variation, information, color="0.35", s=10)
for name, fractions in zip(data.names, balance.joint_fractions, strict=True):
    divergence, information, variation = fractions
    ax.scatter(
        divergence,
        variation,
        information,
        marker=markers[name],
        s=sizes.get(name, 60),
        edgecolor="white",
        depthshade=False,
        zorder=3,
    )
ax.set(xlabel="uneven $\\Delta H'$", ylabel=r"not shared $\mathrm{VI}'$")
ax.set_zlabel("transferred $2\\mathrm{MI}'$")
ax.set(xlim=(0, 1), ylim=(0, 1), zlim=(0, 1))
ax.set(xticks=(0.2, 0.4, 0.6, 0.8), yticks=(0.2, 0.4, 0.6, 0.8))
ax.view_init(elev=25, azim=40)
ax.set_box_aspect(None, zoom=0.9)
ax.set_title("The shares of entropy sum to one: a triangle in space")
named = dict(zip(data.names, balance.joint_fractions, strict=True))
named["mixtures"] = line.joint_fractions[10]
for name, (divergence, information, variation) in named.items():
    x, y, _ = proj_transform(divergence, variation, information, ax.get_proj())
    ax.annotate(name, (x, y), xytext=(8, 4), textcoords="offset points")

# %%
# The triangle
# ------------
# Seen along the direction (1, 1, 1), the simplex is an equilateral triangle. **a** is
# better than **b**, and both are far better than **c**, although their accuracies are
# the same. **d** is near the apex. **e** is perfect, but there was little to learn from
# data with so little entropy. The majority classifier **f** is as accurate as **a** and
# transfers nothing.
figure, ax = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
for number, name in enumerate(data.names):
    EntropyTriangleDisplay.from_confusion_matrix(
        data.matrices[number],
        name=name,
        ax=ax,
        scatter_kwargs={"marker": markers[name], "s": sizes.get(name, 60)},
    )

# These are ordinary Axes; anything else drawn on them needs coordinates in the plane.
to_plane = EntropyTriangleDisplay.to_plane
ax.plot(*to_plane(line.joint_fractions).T, ".-", color="0.35", zorder=2.5)
ax.text(
    *to_plane([0.05, 0.22, 0.73]),
    "mixtures",
    color="0.35",
    rotation=60,
    ha="center",
    va="center",
)
ax.set_title("Equal accuracies, different information: a, b, c and f")

plt.show()
