"""
Zones of the entropy triangle
=============================

Five dummy classifiers show what the corners and the sides of the entropy triangle mean.
The higher a classifier is, the more it says about the true classes; and its distance
from the left side shows how little the data, or the predictions, vary.

The picture is Fig. 6 of F. J. Valverde-Albacete and C. Peláez-Moreno (2014), "100%
classification accuracy considered harmful: the normalized information transfer factor
explains the accuracy paradox", PLoS ONE 9(1), e84217.
"""

# %%
# The perfect classifier of balanced data is at the apex; that of unbalanced data is on
# the right side. A classifier that guesses at random is on the lower side, in the left
# corner if the data and the guesses are balanced. A classifier that always predicts the
# same class is on the lower side, too, but farther to the right. On the left side, true
# and predicted classes are uniform: the data are balanced, and the errors are spread
# evenly over the classes.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import EntropyBalance, EntropyTriangleDisplay

balanced = np.full(4, 0.25)
unbalanced = np.array([0.91, 0.05, 0.03, 0.01])
tables = {
    "perfect": np.diag(balanced),
    "perfect, unbalanced data": np.diag(unbalanced),
    "80 % correct": 0.25 * (0.8 * np.eye(4) + 0.2 / 3 * (1 - np.eye(4))),
    "guessing at random": np.outer(balanced, balanced),
    "majority, unbalanced data": np.outer(unbalanced, [1, 0, 0, 0]),
}
figure, ax = plt.subplots(figsize=(6.4, 5.2), layout="constrained")
display = EntropyTriangleDisplay.from_confusion_matrix(tables, ax=ax)
ax.set_title("Five dummies at the corners and on the sides")

# %%
# On each side one share of entropy is zero, in each corner two.
frame = display.frame()
assert np.allclose(frame["variation_of_information"][:2], 0)
assert np.allclose(frame["divergence"][[0, 2, 3]], 0)
assert np.allclose(frame["mutual_information"][3:], 0)

# %%
# Equal error rates in all classes are not enough to be on the left side: here 20 % of
# each of three balanced classes are wrong, but more of them are mistaken for the first
# class than for the third.
uneven = EntropyBalance.from_confusion_matrix([[8, 2, 0], [2, 8, 0], [2, 0, 8]])
print(f"ΔH' = {uneven.joint_fractions[0]:.3f}")

plt.show()
