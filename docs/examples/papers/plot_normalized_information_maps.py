"""
Information over ROC and precision-recall space
===============================================

Two rates and the share of positives determine the confusion matrix of two classes up to
its sum, and so its normalized information (NI). Maps of NI show what a step in ROC
space, or in precision-recall space, is worth: much near the corners, and little along
the diagonal.

The pictures are Figs. 5 to 8 of Y. Wang and B.-G. Hu (2009), "Derivations of normalized
mutual information in binary classifications", FSKD 2009, 155-163.
"""

# %%
# Fig. 8 has the false alarms (false positive rate) and the hits (true positive rate, or
# recall). All pairs of them are possible. NI is zero on the diagonal, where predictions
# do not depend on the class, and one in two corners: a classifier that is always wrong
# is as informative as one that is always right.
import matplotlib.pyplot as plt
import numpy as np
from scipy.special import xlogy

from sklearn_entropy_metrics import NormalizedInformationDisplay, measure

figure, ax = plt.subplots(figsize=(6.4, 5), layout="constrained")
roc = NormalizedInformationDisplay(prevalence=0.6, space="roc").plot(ax)
ax.set_title("Much is known in two corners (60 % positives)")

# %%
# Not every pair of precision and recall is possible: even if it calls all negatives
# positive, a classifier that finds the share R of the positives has a precision of
# :math:`\pi R / (\pi R + 1 - \pi)` with the prevalence :math:`\pi`. Lower ones are grey
# (Fig. 6), and the map ends there (Fig. 7). On the dashed line, precision is the
# prevalence, and NI is zero.
figure, ax = plt.subplots(figsize=(6.4, 5), layout="constrained")
pr = NormalizedInformationDisplay(prevalence=0.6, space="precision_recall").plot(ax)
ax.set_title("Not every precision is possible (60 % positives)")

# %%
# Seen as in the paper, the maps are surfaces.


def set_scales(ax, x_name, y_name):
    """Name the axes of a surface, and look at it from above."""
    ticks = [0, 0.5, 1]
    ax.set(xlabel=x_name, ylabel=y_name, xticks=ticks, yticks=ticks, zticks=ticks)
    ax.set_zlabel("NI", rotation=0)
    ax.set_box_aspect((4, 4, 3), zoom=0.9)
    ax.view_init(elev=35, azim=-120)


figure, axes = plt.subplots(
    1, 2, figsize=(10, 5), subplot_kw={"projection": "3d"}, layout="constrained"
)
look = {"cmap": roc.contour_.cmap, "vmin": 0, "vmax": 1, "rcount": 65, "ccount": 65}
names = {"ROC space": roc, "Precision-recall space": pr}
for ax, (title, display) in zip(axes, names.items(), strict=True):
    frame = display.frame()
    (_, x), (_, y) = list(frame.items())[:2]
    ax.plot_surface(x, y, frame["normalized_information"], **look)
    set_scales(ax, display.ax_.get_xlabel(), display.ax_.get_ylabel())
    ax.set_title(title)

# %%
# Fig. 5 continues the map of precision and recall beyond the border, where no
# classifier exists: there the formula takes logarithms of a negative number of true
# negatives. With absolute values it can still be drawn, here in grey; but it is not the
# information of anything, and it leaves the range from 0 to 1.


def entropy(p):
    """Entropy of two classes, continued beyond shares from 0 to 1."""
    return -(xlogy(p, np.abs(p)) + xlogy(1 - p, np.abs(1 - p))) / np.log(2)


recall = np.linspace(0.01, 1, 60)
border = 0.6 * recall / (0.6 * recall + 0.4)
above, below = np.linspace(1, 0, 60)[:, None], np.linspace(1, 0.55, 40)[:, None]
precision = np.vstack([above + (1 - above) * border, below[1:] * border])
recall = np.broadcast_to(recall, precision.shape)
false_alarms = 0.6 * recall * (1 - precision) / (0.4 * precision)
positives = 0.6 * recall + 0.4 * false_alarms
ideal = entropy(positives) - 0.6 * entropy(recall) - 0.4 * entropy(false_alarms)
ideal /= entropy(0.6)
actual = measure.normalized_information_from_precision_recall(precision, recall, 0.6)
feasible = ~np.isnan(actual)
np.testing.assert_allclose(ideal[feasible], actual[feasible], atol=1e-12)

figure = plt.figure(figsize=(6, 5), layout="constrained")
ax = figure.add_subplot(projection="3d")
ax.plot_surface(recall[:60], precision[:60], ideal[:60], **look)
ax.plot_surface(
    recall[59:], precision[59:], ideal[59:], color="0.75", antialiased=False
)
set_scales(ax, "recall", "precision")
ax.set_title("Beyond the border, the formula has no meaning")

# %%
# The rarer the positives, the more NI depends on false alarms: the contours crowd along
# the left border of ROC space. A precision of 0.6 is then far better than chance. With
# 80 % positives, only classifiers that are worse than chance have it.
figure, axes = plt.subplots(2, 2, figsize=(8, 8.6), layout="constrained")
for row, prevalence in zip(axes, [0.2, 0.8], strict=True):
    for ax, space in zip(row, ["roc", "precision_recall"], strict=True):
        display = NormalizedInformationDisplay(prevalence=prevalence, space=space)
        display.plot(ax)
        ax.set_title(f"{100 * prevalence:.0f} % positives")
figure.suptitle("The rarer the positives, the more false alarms cost")
figure.colorbar(
    display.contour_,
    ax=axes,
    location="bottom",
    shrink=0.6,
    label="normalized information",
    ticks=np.linspace(0, 1, 6),
)

# %%
# A classifier that finds 80 % of the positives, with 10 % false alarms, has a different
# NI at each prevalence.


def binary_entropy(share):
    """Entropy of two classes in bits."""
    return -share * np.log2(share) - (1 - share) * np.log2(1 - share)


hits, alarms = 0.8, 0.1
for prevalence in (0.2, 0.5, 0.8):
    display = NormalizedInformationDisplay(prevalence=prevalence, fpr=alarms, tpr=hits)
    (ni,) = display.frame()["classifier_normalized_information"]
    named = prevalence * hits + (1 - prevalence) * alarms
    noise = prevalence * binary_entropy(hits) + (1 - prevalence) * binary_entropy(
        alarms
    )
    expected = (binary_entropy(named) - noise) / binary_entropy(prevalence)
    np.testing.assert_allclose(ni, expected)
    print(f"{100 * prevalence:.0f} % positives: NI {ni:.4f}, precision ", end="")
    print(f"{prevalence * hits / named:.4f}")

# %%
# A pair of precision and recall is feasible exactly where the map has a value.
frame = pr.frame()
recall, precision, ni = (
    frame[key] for key in ("recall", "precision", "normalized_information")
)
least = 0.6 * recall / (0.6 * recall + 0.4)
assert np.isnan(ni[precision < least - 1e-6]).all()
assert np.isfinite(ni[(precision > least + 1e-6) & (recall > 0)]).all()

plt.show()
