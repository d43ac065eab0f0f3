"""
A threshold that discriminates best
===================================

A classifier of unbalanced classes predicts the rare one only if its probability exceeds
one half, which seldom happens. To change that, there is no need to train again: a lower
threshold is enough. The discriminant capability δ, the true positive rate minus the
false positive rate, does not depend on the class frequencies, and scikit-learn's
:class:`~sklearn.model_selection.TunedThresholdClassifierCV` finds the threshold where
it is greatest, given its scoring string.

See G. Armano (2015), "A direct measure of discriminant and characteristic capability
for classifier building and assessment", Information Sciences 325, 466-483.
"""

# %%
# The labels are 0 and 1, and 1 is the rare class.
import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split

from sklearn_entropy_metrics import PhiDeltaDisplay, phi_delta

X, y = make_classification(
    6000, n_features=8, n_informative=4, weights=[0.9], class_sep=0.7, random_state=5
)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
plain = LogisticRegression().fit(X_train, y_train)
tuned = TunedThresholdClassifierCV(
    LogisticRegression(), scoring="discriminant_capability", store_cv_results=True
).fit(X_train, y_train)
print(f"{y.mean():.1%} are positive; the best threshold is {tuned.best_threshold_:.3f}")

# %%
# Cross-validation tried a hundred thresholds. The best one is close to the share of
# positives, and far from one half.
figure, ax = plt.subplots(figsize=(6.4, 4), layout="constrained")
ax.plot(tuned.cv_results_["thresholds"], tuned.cv_results_["scores"])
for threshold, name, color in [
    (tuned.best_threshold_, "best δ", "C1"),
    (0.5, "one half", "0.4"),
]:
    ax.axvline(threshold, label=name, color=color, linestyle="--")
ax.set(xlabel="threshold", ylabel="discriminant capability δ", xlim=(0, 1))
ax.legend()
ax.set_title("The best threshold is near the share of positives")

# %%
# On test samples, the tuned classifier has a greater δ and nearly no bias φ. It is less
# accurate: that is the price if positives are rare.
figure, ax = plt.subplots(figsize=(7.5, 6.5), layout="constrained")
for name, classifier in {"one half": plain, "best δ": tuned}.items():
    y_pred = classifier.predict(X_test)
    PhiDeltaDisplay.from_predictions(y_test, y_pred, name=name, ax=ax)
    phi, delta = phi_delta(y_test, y_pred)
    accuracy = accuracy_score(y_test, y_pred)
    print(f"{name:8}  δ {delta:.3f}  φ {phi:+.3f}  accuracy {accuracy:.3f}")
ax.set_title("A lower threshold removes the bias")

plt.show()
