"""
True and predicted classes in the entropy triangle
==================================================

The point of a classifier lies between two others: a cross for the true classes and a
circle for the predicted ones. How far the cross is from the left side depends on the
data alone: it is how far the true classes fall short of uniform. How far the circle is
from there depends on the classifier, and so does the height of both: the information
transferred. All three points have the same height if there are as many predicted as
true classes. If the circle is farther from the left side than the cross, the classifier
specialises: it prefers some classes beyond their share in the data.

The pictures are Fig. 5(a) and, of Fig. 5(b), the listeners, of F. J. Valverde-Albacete
and C. Peláez-Moreno (2010), "Two information-theoretic tools to assess the performance
of multi-class classifiers", Pattern Recognition Letters 31(12), 1665-1671. The speech
recognisers of Fig. 5(b) are left out, because their confusion matrices are not
available.
"""

# %%
# Six matrices
# ------------
# The majority classifier **f** has its predicted classes in the right corner, as far as
# one can specialise. **c** does much the same. **a** predicts one class of balanced
# data too often. For the other three, the points of true and predicted classes
# coincide, or nearly so.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import EntropyTriangleDisplay, datasets

data = datasets.load_synthetic()
figure, ax = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
display = EntropyTriangleDisplay.from_confusion_matrix(
    data.matrices, name=data.names, split=True, ax=ax
)
ax.set_title("A circle to the right of its cross: the classifier specialises")

# %%
# The shares of a and f, in the order :math:`\Delta H', \mathrm{MI}', H'`. For a, the
# paper gives [0, 0.6, 0.4], the true classes, under the name of the predicted ones, and
# [0.06, 0.6, 0.34] for the predicted classes, where the first share is 0.054. For f, it
# gives [1, 0, 0] for the predicted classes, as here, and [0.45, 0, 0.55] for the true
# ones, which are [0.485, 0, 0.515].
balance = display.balance
a, f = 0, 5
np.testing.assert_allclose(balance.true_fractions[a], [0, 0.605, 0.395], atol=5e-4)
np.testing.assert_allclose(balance.pred_fractions[a], [0.054, 0.605, 0.341], atol=5e-4)
np.testing.assert_allclose(balance.true_fractions[f], [0.485, 0, 0.515], atol=5e-4)
np.testing.assert_allclose(balance.pred_fractions[f], [1, 0, 0], atol=1e-12)
for number in (a, f):
    print(data.names[number], "true     ", balance.true_fractions[number].round(3))
    print(data.names[number], "predicted", balance.pred_fractions[number].round(3))

# %%
# Listeners
# ---------
# Listeners who identify consonants in noise do not specialise, no matter how loud the
# noise is: the consonants heard vary as much as the consonants spoken.
data = datasets.load_miller_nicely()
figure, ax = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
listeners = EntropyTriangleDisplay.from_confusion_matrix(
    data.matrices, name=data.names, split=True, ax=ax
)
ax.set_title("Listeners do not specialise: cross and circle coincide")
assert np.max(listeners.balance.pred_fractions[:, 0]) < 0.02

plt.show()
