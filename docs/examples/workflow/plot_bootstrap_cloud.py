"""
Choosing among ten classifiers
==============================

Ten classifiers are cross-validated on the same samples, and one of them has the highest
score. Would it still win with other samples? Resampling the table of a classifier turns
its point in the entropy triangle into a cloud. If clouds overlap, the order of the
points says little, and a paired comparison says more.
"""

# %%
# Ten points
# ----------
# The data are 178 wines of three growers. Each classifier predicts every wine from the
# others, in ten folds, and all folds form one table.

# sphinx_gallery_thumbnail_number = 2
import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics import (
    EntropyTriangleDisplay,
    ModelComparisonDisplay,
    bootstrap_balance,
    compare_models,
    confidence_interval,
    contingency_table,
)

X, y = load_wine(return_X_y=True)
classifiers = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "support vectors": make_pipeline(StandardScaler(), SVC()),
    "discriminant analysis": LinearDiscriminantAnalysis(),
    "random forest": RandomForestClassifier(50, random_state=0),
    "naive Bayes": GaussianNB(),
    "neighbours, scaled": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "tree": DecisionTreeClassifier(random_state=0),
    "tree with one split": DecisionTreeClassifier(max_depth=1, random_state=0),
    "nearest centroid": NearestCentroid(),
    "neighbours": KNeighborsClassifier(),
}
folds = StratifiedKFold(10, shuffle=True, random_state=0)
predicted = {
    name: cross_val_predict(classifier, X, y, cv=folds)
    for name, classifier in classifiers.items()
}

# %%
# Ten intervals
# -------------
# The share of information transferred (NI), with 95 % intervals. Those of the best six
# overlap. The predictions are those of ten folds, here taken for held-out ones; what
# folds leave uncertain makes intervals a fifth longer, see :ref:`cross_validation`.
intervals = {
    name: confidence_interval(y, y_pred, "normalized_information")
    for name, y_pred in predicted.items()
}
ranking = sorted(intervals, key=lambda name: -intervals[name].estimate)
for name in ranking:
    estimate, low, high, _ = intervals[name]
    print(f"{name:22} {estimate:.3f}   from {low:.3f} to {high:.3f}")
best, six = ranking[0], ranking[:6]
highest_low = max(intervals[name].low for name in six)
assert all(intervals[name].high > highest_low for name in six)

# %%
# Ten clouds
# ----------
# Each table is resampled 500 times: samples are drawn from the table that
# ``smoothing="empirical_bayes"`` estimates, and each resample is corrected in the same
# way, so that the cloud surrounds the estimate above. The classes are nearly balanced,
# so most classifiers stand along the left side; the tree with one split never predicts
# one of the growers, and stands off to the right. An ellipse covers 95 % of the points
# of a cloud.
clouds = {
    name: bootstrap_balance(
        contingency_table(y, predicted[name]),
        n_resamples=500,
        smoothing="empirical_bayes",
        random_state=0,
    )
    for name in ranking
}
figure, ax = plt.subplots(figsize=(9, 6), layout="constrained")
EntropyTriangleDisplay(balance=clouds).plot(ax)
ax.set_title("Ten classifiers of wines, and where resampled tables lie")

# %%
# Only the upper end: the ellipses of the best six overlap, and the order of their
# centres says little.
figure, ax = plt.subplots(figsize=(8, 6), layout="constrained")
EntropyTriangleDisplay(balance={name: clouds[name] for name in six}).plot(ax, zoom=True)
ax.set_title("The best six overlap")

# %%
# Pairs
# -----
# All classifiers predicted the same wines, some of which are harder than others. A
# paired comparison removes this effect: it gives differences with their intervals, and
# p-values from swapping the two predictions at random, adjusted for the number of
# pairs.
comparison = compare_models(y, predicted, random_state=0)
ModelComparisonDisplay(comparison=comparison).plot()

# %%
# The classifiers that are not significantly worse than the best are green: choose the
# simplest or the fastest of them. These are the differences from the best:
for pair in comparison.pairs:
    if pair.a == best:
        p = "< 0.001" if pair.p_value < 0.001 else f"= {pair.p_value:.3f}"
        print(
            f"{pair.b:22} {pair.difference:.3f}   from {pair.low:6.3f} to "
            f"{pair.high:.3f}   p {p}, adjusted {pair.adjusted_p_value:.3f}"
        )

plt.show()
