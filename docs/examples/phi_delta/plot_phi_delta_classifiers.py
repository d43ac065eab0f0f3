r"""
Classifiers in the plane of φ and δ
===================================

With the true positive rate tp and the false positive rate fp, a classifier of two
classes is at :math:`\varphi = \mathrm{tp} + \mathrm{fp} - 1` and
:math:`\delta = \mathrm{tp} - \mathrm{fp}`, anywhere in a diamond. The height δ shows
how well it separates the classes, and φ which of them it prefers; neither depends on
the class frequencies.

The plots follow Figs. 5 to 7 and 11 of G. Armano (2015), "A direct measure of
discriminant and characteristic capability for classifier building and assessment",
Information Sciences 325, 466-483.
"""

# %%
# The corners are an oracle, a classifier that is always wrong, and two that always
# predict the same class. Lines of equal sensitivity and of equal specificity are
# parallel to the sides. For balanced classes, lines of equal accuracy are horizontal,
# and those of equal precision meet in the left corner.

# sphinx_gallery_thumbnail_number = 3
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import (
    StratifiedShuffleSplit,
    cross_validate,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics import measure
from sklearn_entropy_metrics.display import PhiDeltaDisplay

values = [0.25, 0.5, 0.75]
pairs = [("sensitivity", "specificity"), ("precision", "accuracy")]
figure, axes = plt.subplots(2, 1, figsize=(7, 12), layout="constrained")
for ax, names in zip(axes, pairs, strict=True):
    display = PhiDeltaDisplay(phi=-0.2, delta=0.6, name="a classifier")
    display.plot(ax, isometrics=dict.fromkeys(names, values))
    ax.set_title(f"Lines of equal {names[0]} and {names[1]}")

# %%
# A point determines the rates, and these determine the measures.
fpr, tpr = measure.rates_from_phi_delta(-0.2, 0.6)
np.testing.assert_allclose([fpr, tpr], [0.1, 0.7])
print(f"sensitivity {tpr:.2f}, specificity {1 - fpr:.2f}", end=", ")
print(f"unbiased precision {tpr / (tpr + fpr):.3f} and accuracy {(1 + 0.6) / 2:.2f}")

# %%
# There is no mutual information on the horizontal axis; it grows towards the upper and
# the lower corner.
figure, ax = plt.subplots(figsize=(7.5, 6), layout="constrained")
display = PhiDeltaDisplay(phi=-0.2, delta=0.6, name="a classifier")
display.plot(ax, isometrics="information")
ax.set_title("Information grows with the distance from the line of guessing")
information = measure.mutual_information_from_phi_delta([0, 0.5, 0, -0.2], [1, 0, 0, 0])
np.testing.assert_allclose(information, [1, 0, 0, 0], atol=1e-12)

# %%
# These are several classifiers of the same data, a fifth of which are positive. The one
# with class weights is the least accurate, but it separates the classes best and is the
# least biased.
X, y = make_classification(
    3000, n_features=8, n_informative=4, weights=[0.8], flip_y=0.05, random_state=1
)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
classifiers = {
    "logistic": LogisticRegression(),
    "logistic, weighted": LogisticRegression(class_weight="balanced"),
    "naive Bayes": GaussianNB(),
    "small tree": DecisionTreeClassifier(max_depth=2, random_state=0),
}
figure, ax = plt.subplots(figsize=(7.5, 7), layout="constrained")
predicted = {}
for name, classifier in classifiers.items():
    predicted[name] = classifier.fit(X_train, y_train).predict(X_test)
PhiDeltaDisplay.from_predictions(y_test, predicted, ax=ax)
ax.set_title("Three of four tend to answer “no”; weighting removes the bias")

# %%
# At the prevalence of these data, the plane is a parallelogram: always predicting the
# more frequent class is high up, and the height of a point is twice its accuracy minus
# one.
share = float(np.mean(y_test))
figure, ax = plt.subplots(figsize=(7.5, 7), layout="constrained")
display = PhiDeltaDisplay.from_predictions(y_test, predicted, prevalence=share, ax=ax)
ax.set_title("The same at the prevalence of the data: height is accuracy")
frame = display.frame()
for row, (name, labels) in enumerate(predicted.items()):
    accuracy = accuracy_score(y_test, labels)
    np.testing.assert_allclose(frame["delta_g"][row], 2 * accuracy - 1)
    print(
        f"{name:18}  φ {frame['phi'][row]:+.3f}  δ {frame['delta'][row]:+.3f}  "
        f"accuracy {accuracy:.3f}"
    )
corners = measure.phi_delta_corners(prevalence=share)
np.testing.assert_allclose(corners["always_negative"], [-2 * share, 1 - 2 * share])

# %%
# Thirty runs with random samples, as in Fig. 11: the scatter of a cloud is the variance
# of the classifier, and the distance of its centre from the vertical axis is its bias.
# With more samples, naive Bayes has less variance, but no less bias, which has to be
# removed by other means.
runs = {
    "naive Bayes, 100 samples": (GaussianNB(), 100),
    "naive Bayes, 1000 samples": (GaussianNB(), 1000),
    "logistic, weighted, 1000": (LogisticRegression(class_weight="balanced"), 1000),
}
figure, ax = plt.subplots(figsize=(7.5, 7), layout="constrained")
bias, spread = {}, {}
for name, (classifier, size) in runs.items():
    splits = StratifiedShuffleSplit(30, train_size=size, random_state=0)
    results = cross_validate(
        classifier, X, y, cv=splits, return_estimator=True, return_indices=True
    )
    display = PhiDeltaDisplay.from_cv_results(results, X, y, name=name, ax=ax)
    frame = display.frame()
    bias[name] = frame["phi"].mean()
    spread[name] = np.hypot(frame["phi"].std(), frame["delta"].std())
    print(
        f"{name:25}  bias {bias[name]:+.3f}, spread {spread[name]:.3f}, "
        f"unbiased accuracy {(1 + frame['delta'].mean()) / 2:.3f}"
    )
ax.set_title("More samples reduce the variance, not the bias")
few, many, weighted = runs
assert spread[many] < spread[few] / 2
assert abs(bias[weighted]) < 0.1 < abs(bias[many])

plt.show()
