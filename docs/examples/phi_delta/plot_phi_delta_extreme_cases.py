"""
Extreme cases of φ and δ
========================

What are the discriminant capability δ and the characteristic capability φ of
classifiers that are always right, always wrong, or constant? δ is 1 or -1 if
predictions follow the classes or contradict them, and φ is 1 or -1 if they are always
the same. If one of the two is extreme, the other is zero.

The pictures are Fig. 1, and the behaviour is that of Table 2, of G. Armano (2015), "A
direct measure of discriminant and characteristic capability for classifier building and
assessment", Information Sciences 325, 466-483.
"""

# %%
# Four confusion matrices of 100 negative and 100 positive samples, each nearly extreme.

# sphinx_gallery_thumbnail_number = 2
import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import ConfusionMatrixDisplay

from sklearn_entropy_metrics import PhiDeltaDisplay, datasets, measure

tables = {
    "always right": [[97, 3], [4, 96]],
    "always wrong": [[4, 96], [97, 3]],
    "always negative": [[98, 2], [97, 3]],
    "always positive": [[3, 97], [2, 98]],
}
matrices = np.array(list(tables.values()))
phi, delta = measure.phi_delta(matrices)

figure, axes = plt.subplots(2, 2, figsize=(6, 6.4), layout="constrained")
for ax, name, matrix, x, y in zip(axes.flat, tables, matrices, phi, delta, strict=True):
    ConfusionMatrixDisplay(matrix).plot(ax=ax, cmap="Greys", colorbar=False)
    ax.set(title=f"nearly {name}\nφ = {x:+.2f}, δ = {y:+.2f}", xlabel="", ylabel="")
figure.supxlabel("predicted class")
figure.supylabel("true class")

# %%
# In the plane of both measures they are close to the corners.
figure, ax = plt.subplots(figsize=(7.5, 6.5), layout="constrained")
PhiDeltaDisplay(phi=phi, delta=delta, name=list(tables)).plot(ax)
ax.set_title("Extreme classifiers are in the corners")

# %%
# In the corners themselves, one of the measures is 1 or -1 and the other one is 0.
for name, (x, y) in measure.phi_delta_corners().items():
    print(f"{name:16} φ {x:+.0f}  δ {y:+.0f}")
    assert sorted(np.abs([x, y])) == [0, 1]

# %%
# Between the corners, :math:`|\varphi| + |\delta| \le 1` for every matrix, no matter
# how unbalanced the classes are.
sample = datasets.sample_tables(10_000, 2, 100, random_state=0)
largest = np.abs(measure.phi_delta(sample)).sum(axis=0).max()
print(f"largest |φ| + |δ| of {len(sample)} random matrices: {largest:.3f}")
assert largest <= 1 + 1e-12

plt.show()
