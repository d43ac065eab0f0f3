r"""
Specificity and sensitivity as bias and accuracy
================================================

The specificity and the sensitivity of a classifier determine its discriminant
capability :math:`\delta = \mathrm{sensitivity} + \mathrm{specificity} - 1` and its
characteristic capability :math:`\varphi = \mathrm{sensitivity} - \mathrm{specificity}`.
The latter is a bias that does not depend on the class frequencies, and
:math:`(1 + \delta) / 2` is an accuracy that does not either.

The numbers are those of Table 3 of G. Armano (2015), "A direct measure of discriminant
and characteristic capability for classifier building and assessment", Information
Sciences 325, 466-483. The texts are not freely available, so specificity and
sensitivity are taken from the table; bias and accuracy are computed from them.
"""

# %%
# Means of 30 naive Bayes classifiers, for two categories of newswire texts and fewer
# and fewer terms as features. One value does not follow: for category E11 and 2000
# terms, the paper prints a bias of -0.082.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import measure

rows = [  # terms, category, accuracy in percent, specificity, sensitivity, bias
    (20000, "C21", 73.6, 0.716, 0.756, 0.040),
    (20000, "E11", 80.5, 0.818, 0.793, -0.025),
    (2000, "C21", 75.5, 0.782, 0.729, -0.053),
    (2000, "E11", 81.5, 0.834, 0.796, -0.082),
    (500, "C21", 72.6, 0.762, 0.691, -0.071),
    (500, "E11", 75.3, 0.776, 0.731, -0.044),
    (100, "C21", 69.7, 0.718, 0.677, -0.041),
    (100, "E11", 71.2, 0.741, 0.684, -0.057),
]
terms, category, *numbers = map(np.array, zip(*rows, strict=True))
accuracy, specificity, sensitivity, bias = numbers
phi, delta = measure.phi_delta_from_rates(1 - specificity, sensitivity)
unbiased = 100 * (1 + delta) / 2

print("terms  category  accuracy  printed   bias  printed")
columns = terms, category, unbiased, accuracy, phi, bias
for row in zip(*columns, strict=True):
    print("{:5}  {:>8}  {:8.2f}  {:7.1f}  {:+.3f}  {:+7.3f}".format(*row))

# The printed values are rounded, including those used here as input.
np.testing.assert_allclose(unbiased, accuracy, atol=0.1 + 1e-9)
differs = np.abs(phi - bias) > 0.001 + 1e-9
assert list(zip(terms[differs], category[differs], strict=True)) == [(2000, "E11")]

# %%
# In this detail of the φ–δ plane, E11 is above C21: it is the easier category. The
# numbers beside the points are numbers of terms. From 20000 to 2000 terms both
# categories rise, and with fewer terms they fall. All but one are left of the middle,
# that is, they miss positives more often than they raise false alarms.
figure, ax = plt.subplots(figsize=(7.4, 4.8), layout="constrained")
for name, marker, shift in [("C21", "o", -8), ("E11", "s", 8)]:
    chosen = category == name
    ax.plot(phi[chosen], delta[chosen], marker, label=f"category {name}")
    style = {"textcoords": "offset points", "ha": "left" if shift > 0 else "right"}
    for n, *point in zip(terms[chosen], phi[chosen], delta[chosen], strict=True):
        ax.annotate(str(n), point, xytext=(shift, 0), va="center", **style)
    assert (np.sign(np.diff(delta[chosen])) == [1, -1, -1]).all()
assert (delta[category == "E11"] > delta[category == "C21"]).all()
assert np.count_nonzero(phi > 0) == 1
ax.axvline(0, color="0.3", linewidth=0.8)
ax.set(xlabel="characteristic capability φ", ylabel="discriminant capability δ")
ax.set(xlim=(-0.1, 0.06), ylim=(0.36, 0.66))
ax.legend()
ax.set_title("With fewer than 2000 terms, both categories get worse")

plt.show()
