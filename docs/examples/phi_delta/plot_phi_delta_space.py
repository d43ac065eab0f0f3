r"""
The space of φ and δ
====================

With the true positive rate tp and the false positive rate fp, the discriminant
capability is :math:`\delta = \mathrm{tp} - \mathrm{fp}` and the characteristic
capability is :math:`\varphi = \mathrm{tp} + \mathrm{fp} - 1`. Both are linear in the
rates, so the ROC square, turned by 45°, becomes a diamond.

The pictures are Figs. 2 to 4, 6 and 7 of G. Armano (2015), "A direct measure of
discriminant and characteristic capability for classifier building and assessment",
Information Sciences 325, 466-483.
"""

# %%
# Lines of equal δ run along the diagonal of the ROC square, lines of equal φ across it
# (Figs. 2 and 3).

# sphinx_gallery_thumbnail_number = 2
import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import PhiDeltaDisplay, measure

rates = np.linspace(0, 1, 101)
fpr, tpr = np.meshgrid(rates, rates)
phi, delta = measure.phi_delta_from_rates(fpr, tpr)
levels = np.linspace(-0.8, 0.8, 9)

figure, axes = plt.subplots(1, 2, figsize=(10, 5), layout="constrained")
for ax, values, title in zip(
    axes,
    (delta, phi),
    ("discriminant capability δ", "characteristic capability φ"),
    strict=True,
):
    lines = ax.contour(fpr, tpr, values, levels=levels, cmap="viridis")
    ax.clabel(lines, fmt="%.1f")
    ax.set(title=title, xlabel="false positive rate", ylabel="true positive rate")
    ax.set_aspect("equal")

# %%
# The pairs that occur are those with :math:`|\varphi| + |\delta| \le 1` (Fig. 4). A
# classifier is a point (Fig. 6): its height shows how well it discriminates, and its
# distance from the vertical axis how biased it is. The lines of equal sensitivity and
# specificity through it are parallel to the borders.
assert (np.abs(phi) + np.abs(delta) <= 1 + 1e-12).all()
sensitivity, specificity = 0.6, 0.9
point = measure.phi_delta_from_rates(1 - specificity, sensitivity)
np.testing.assert_allclose(
    point, (sensitivity - specificity, sensitivity + specificity - 1)
)

figure, ax = plt.subplots(figsize=(6, 6), layout="constrained")
display = PhiDeltaDisplay(phi=point[0], delta=point[1], name="classifier").plot(
    ax, isometrics={"sensitivity": [sensitivity], "specificity": [specificity]}
)
ax.set_title("A classifier is a point of the diamond")

# %%
# The mutual information of balanced classes is a valley along the φ axis, where
# predictions do not depend on the class (Fig. 7). On a grid of 25 × 25 points, the
# information is zero exactly there.
grid = np.linspace(-1, 1, 25)
phi, delta = np.meshgrid(grid, grid)
information = measure.mutual_information_from_phi_delta(phi, delta)
least = information < 1e-12
assert (delta[least] == 0).all()
assert least.sum() == 25

figure, ax = plt.subplots(figsize=(7.5, 6), layout="constrained")
look = {"s": 9, "color": "black"}
diamond = PhiDeltaDisplay(phi=0, delta=0).plot(
    ax, isometrics="information", annotate=False, scatter_kwargs=look
)
ax.scatter(phi[least], delta[least], zorder=3, **look)
ax.set_title("No information between “always no” and “always yes”")

# %%
# The same as a surface, as in the paper.
figure = plt.figure(figsize=(6, 5), layout="constrained")
ax = figure.add_subplot(projection="3d")
ax.plot_surface(phi, delta, information, cmap=diamond.information_.cmap)
ticks = [-1, 0, 1]
ax.set(xlabel="φ", ylabel="δ", xticks=ticks, yticks=ticks, zticks=[0, 0.5, 1])
ax.set_zlabel("bits", rotation=0)
ax.set_box_aspect((4, 4, 3), zoom=0.9)
ax.set_title("A valley without information")

plt.show()
