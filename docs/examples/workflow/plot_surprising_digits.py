r"""
The most surprising digits
==========================

How much do the probabilities of a single sample say about its class? Compared with the
share :math:`\pi` of the class, :math:`\log_2 p(y) - \log_2 \pi(y)` bits. The mean is
the information that the probabilities state; samples at the bottom of the list are the
most surprising ones, and worth a look.
"""

# %%
# Each digit is predicted by a classifier that has not seen it in training.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_entropy_metrics import pointwise_information

digits = load_digits()
y = digits.target
model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1))
y_proba = cross_val_predict(model, digits.data, y, method="predict_proba")
information = pointwise_information(y, y_proba)
print(f"there are {np.log2(10):.2f} bits to know, on average")
print(f"{information.mean():.2f} bits are stated, on average")
print(f"{np.mean(information < 0):.1%} of the digits are misleading")

# %%
# For most digits, nearly everything is known; a few mislead, some by several bits.
figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
ax.hist(information, bins=60, log=True, color="#00664a")
ax.axvline(0, color="black", linewidth=1)
ax.set(
    title="Information of single digits",
    xlabel="information about the true class in bits",
    ylabel="digits",
)

# %%
# The twelve most surprising digits. Some are hard to read for a human, too.

# sphinx_gallery_thumbnail_number = 2
worst = np.argsort(information)[:12]
figure, axes = plt.subplots(2, 6, figsize=(8, 4), layout="constrained")
for ax, place in zip(axes.flat, worst, strict=True):
    ax.imshow(digits.images[place], cmap="gray_r")
    ax.set_title(
        f"{y[place]}, read as {y_proba[place].argmax()}\n{information[place]:.1f} bits",
        fontsize="medium",
    )
    ax.set_axis_off()
figure.suptitle("The most surprising digits")

assert (information[worst] < 0).all()
assert (y_proba[worst].argmax(axis=1) != y[worst]).all()

plt.show()
