"""
Mind reading: the most accurate classifier is not the best one
==============================================================

Ten classifiers used the magnetic field of the brain (MEG) to predict which of five
kinds of videos a person was watching. C1 won the challenge, because it is the most
accurate. But C4 transfers more information: it learnt that there are two families of
videos, and hardly ever mistakes one for the other.

The pictures are Figs 1 and 4 of F. J. Valverde-Albacete and C. Peláez-Moreno (2014),
"100% classification accuracy considered harmful: the normalized information transfer
factor explains the accuracy paradox", PLoS ONE 9(1), e84217. The data are those of
A. Klami et al. (2011), "ICANN/PASCAL2 challenge: MEG mind reading - overview and
results".
"""

# %%
# Two winners
# -----------
# The first three kinds are short clips, the last two long ones. C1 mistakes one of
# these two families for the other 67 times out of 653; C4, the best by
# entropy-modulated accuracy (EMA), only 19 times.

# sphinx_gallery_thumbnail_number = 2
import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import ConfusionMatrixDisplay

from sklearn_entropy_metrics import (
    EntropyBalance,
    EntropyTriangleDisplay,
    datasets,
    measure,
)

data = datasets.load_meg_mind_reading()
balance = EntropyBalance.from_confusion_matrix(data.matrices)
accuracy = measure.accuracy(data.matrices)
ema = balance.entropy_modulated_accuracy

is_long = np.array([False, False, False, True, True])
across = data.matrices[:, is_long[:, None] != is_long].sum(axis=1)
assert (across[0], across[3]) == (67, 19)

winners = {"accuracy": np.argmax(accuracy), "EMA": np.argmax(ema)}
figure, axes = plt.subplots(1, 2, figsize=(8, 4.8), layout="constrained")
for ax, (measured, winner) in zip(axes, winners.items(), strict=True):
    ConfusionMatrixDisplay(data.matrices[winner], display_labels=data.labels).plot(
        ax=ax, cmap="Greys", colorbar=False
    )
    ax.set_title(
        f"{data.names[winner]}, best by {measured}\n"
        f"accuracy {accuracy[winner]:.3f}, EMA {ema[winner]:.3f}"
    )
    ax.set(xlabel="response", ylabel="stimulus")
    ax.axhline(2.5, color="tab:orange", linewidth=1.5)
    ax.axvline(2.5, color="tab:orange", linewidth=1.5)

# %%
# Two rankings
# ------------
# The classifiers are named in order of accuracy. EMA gives a different order, as in
# Table 1 of the paper.
order = np.argsort(-ema)
ranking = [data.names[place] for place in order]
assert ranking == ["C4", "C2", "C1", "C3", "C6", "C5", "C7", "C9", "C8", "C10"]
np.testing.assert_allclose(ema[[0, 3, 9]], [0.390, 0.412, 0.208], atol=5e-4)
print("      accuracy    EMA    NIT")
for place in order:
    nit = balance.normalized_information_transfer[place]
    print(f"{data.names[place]:>4} {accuracy[place]:9.3f} {ema[place]:6.3f} {nit:6.3f}")

# %%
# All ten in the triangle
# -----------------------
# Most of them stand along the left side: the classes are balanced, and what the
# classifiers do not know they guess. Even the best is less than halfway up.
figure, ax = plt.subplots(figsize=(7.2, 5.4), layout="constrained")
EntropyTriangleDisplay(balance=balance, name=data.names).plot(ax, c="accuracy")
ax.set_title("C4 transfers most information; C1 is only the most accurate")

# %%
# The best of them
# ----------------
# Seven are close together. A zoomed triangle shows them with its own scales, and their
# accuracies in the colours of the plot above: C4 and C2 are above C1.
first = EntropyBalance.from_confusion_matrix(data.matrices[:7])
figure, ax = plt.subplots(figsize=(7.2, 5.4), layout="constrained")
EntropyTriangleDisplay(balance=first, name=data.names[:7]).plot(
    ax,
    c="accuracy",
    zoom=True,
    scatter_kwargs={"vmin": accuracy.min(), "vmax": accuracy.max()},
)
ax.set_title("The seven best: height is information, colour is accuracy")

plt.show()
