"""
Cross-validation with many measures at once
===========================================

All measures of predicted classes follow from one table of true and predicted classes.
:class:`InformationScorer` predicts once, counts once, and returns any number of scores.
It works wherever scikit-learn accepts a function that returns several scores. Greater
scores are better; losses are negated, with ``neg_`` in their names.
"""

# %%
# Three classifiers predict three cultivars of wine from thirteen chemical features. By
# default, the scorer has the four measures of information transfer and accuracy. Means
# are over five folds, repeated four times.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics import InformationScorer

X, y = load_wine(return_X_y=True)
classifiers = {
    "naive Bayes": GaussianNB(),
    "small tree": DecisionTreeClassifier(max_depth=2, random_state=0),
    "majority": DummyClassifier(),
}
splits = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
results = {
    name: cross_validate(classifier, X, y, cv=splits, scoring=InformationScorer())
    for name, classifier in classifiers.items()
}
scores = [key for key in results["majority"] if key.startswith("test_")]
print(" " * 32 + "".join(f"{name:>13}" for name in results))
for key in scores:
    means = [result[key].mean() for result in results.values()]
    print(f"{key[5:]:32}" + "".join(f"{mean:13.3f}" for mean in means))

# %%
# Each dot is a fold. The majority classifier transfers nothing, regardless of its
# accuracy: its normalized information is 0, and its NIT factor is 1/3, one divided by
# the number of classes.
shown = [key for key in scores if "neg_" not in key]
figure, axes = plt.subplots(2, 2, figsize=(8, 6), sharey=True, layout="constrained")
for ax, key in zip(axes.flat, shown, strict=True):
    for place, result in enumerate(results.values()):
        jitter = np.linspace(-0.25, 0.25, len(result[key]))
        ax.plot(place + jitter, result[key], "o", alpha=0.6)
        ax.hlines(result[key].mean(), place - 0.35, place + 0.35, color="0.2")
    ax.set_title(key[5:].replace("_", " "))
    ax.set_xticks(range(len(results)), results)
axes[0, 0].set_ylim(-0.05, 1.05)
np.testing.assert_allclose(results["majority"]["test_normalized_information"], 0)
np.testing.assert_allclose(
    results["majority"]["test_normalized_information_transfer"], 1 / 3
)

# %%
# Choose other measures by their scoring strings. "all" includes every measure that the
# classifier allows, including those of probabilities.
everything = cross_validate(
    GaussianNB(), X, y, cv=splits, scoring=InformationScorer("all")
)
for key, values in everything.items():
    if key.startswith("test_"):
        print(f"{key[5:]:46} {values.mean():7.3f} ± {values.std():.3f}")

plt.show()
