"""
Communication channels in the entropy triangle
==============================================

A channel is a classifier that predicts what was sent from what was received. Three
textbook channels with uniform input show two ways to lose information. If both input
and output stay uniform, the lost information turns into noise, and the channel moves
down the left side. A channel that erases symbols has one more output. With a third of
the symbols erased, its three outputs are equally frequent; from then on its output
varies less and less, until it is always the same.

The picture is Fig. 4(b) of F. J. Valverde-Albacete and C. Peláez-Moreno (2010), "Two
information-theoretic tools to assess the performance of multi-class classifiers",
Pattern Recognition Letters 31(12), 1665-1671.
"""

# %%
# The binary symmetric channel flips a bit with a probability from 0 to 0.5, the binary
# erasure channel loses it with a probability from 0 to 1; the latter has two inputs and
# three outputs. The noisy typewriter strikes one of 27 keys or one of its two
# neighbours, each with probability 1/3.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import EntropyBalance, EntropyTriangleDisplay, datasets

flipped = np.linspace(0, 0.5, 11)
erased = np.linspace(0, 1, 101)
channels = {
    "binary symmetric": datasets.binary_symmetric_channel(flipped),
    "binary erasure": datasets.binary_erasure_channel(erased),
    "noisy typewriter": datasets.noisy_typewriter(27)[None],
}
figure, ax = plt.subplots(figsize=(7, 5), layout="constrained")
display = EntropyTriangleDisplay.from_confusion_matrix(
    channels,
    c=np.concatenate([flipped, erased, [2 / 3]]),
    ax=ax,
    scatter_kwargs={"vmin": 0, "vmax": 1},
)
display.colorbar_.set_label("symbols lost")
ax.set_title("Three channels of uniform symbols")

# %%
# The information that comes through is known for all three: :math:`1 - h(p)` bits, with
# the entropy :math:`h` of two classes; :math:`1 - p` bits; and :math:`\log_2 27 -
# \log_2 3 = \log_2 9` bits, which is two thirds of what 27 keys could transfer.
information = EntropyBalance.from_confusion_matrix(
    channels["binary erasure"]
).mutual_information
np.testing.assert_allclose(information, 1 - erased, atol=1e-12)
typewriter = EntropyBalance.from_confusion_matrix(datasets.noisy_typewriter(27))
np.testing.assert_allclose(typewriter.joint_fractions, [0, 2 / 3, 1 / 3], atol=1e-12)
print(typewriter.joint_fractions.round(3))

plt.show()
