"""
Consonants heard in noise
=========================

In 1955 Miller and Nicely asked listeners to identify 16 English consonants at six
signal-to-noise ratios. As the noise falls, the listeners climb along the left side of
the entropy triangle: noise turns information into random errors, and the listeners
never favour one consonant.

The picture is the series of human listeners in Fig. 4(a) of F. J. Valverde-Albacete and
C. Peláez-Moreno (2010), "Two information-theoretic tools to assess the performance of
multi-class classifiers", Pattern Recognition Letters 31(12), 1665-1671. The data are
those of G. A. Miller and P. E. Nicely (1955), "An analysis of perceptual confusions
among some English consonants", Journal of the Acoustical Society of America 27(2),
338-352.
"""

# %%
# A path connects the six noise levels in order.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import EntropyTriangleDisplay, datasets

data = datasets.load_miller_nicely()
print(data.names, data.matrices.shape)

figure, ax = plt.subplots(figsize=(6.4, 5), layout="constrained")
display = EntropyTriangleDisplay.from_confusion_matrix(
    data.matrices, name=data.names, path=True, ax=ax
)
ax.set_title("The less noise, the more is understood")

# %%
# The shares of entropy say the same: the first one, how far consonants spoken and heard
# fall short of uniform, is always small.
frame = display.frame()
for name, divergence, information, variation in zip(
    frame["name"],
    frame["divergence"],
    frame["mutual_information"],
    frame["variation_of_information"],
    strict=True,
):
    print(f"{name:>7} {divergence:.3f} {information:.3f} {variation:.3f}")
assert frame["divergence"].max() < 0.005
assert np.all(np.diff(frame["mutual_information"]) > 0)

# %%
# Two to the power of the mutual information is a number of classes: identifying this
# many consonants without error would transfer as much.
balance = display.balance
figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
ax.plot(data.names, balance.information_transfer_factor, "o-")
ax.axhline(len(data.labels), color="0.5", linestyle="--", linewidth=1)
ax.text(0, len(data.labels) - 0.3, "all consonants", color="0.4", va="top")
ax.set(
    xlabel="signal-to-noise ratio",
    ylabel="information transfer factor $\\mu$",
    ylim=(0, 17),
    yticks=range(0, 17, 4),
)
ax.grid(axis="y", alpha=0.4)
ax.set_title("How many consonants, heard without error, would say as much")

plt.show()
