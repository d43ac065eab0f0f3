"""
Grid search by entropy-modulated accuracy
=========================================

If one class is rare and overlaps with the other, the most accurate classifier hardly
ever predicts it, and a search by accuracy finds that classifier. Entropy-modulated
accuracy (EMA) is one divided by the number of classes that a prediction leaves to guess
among, and so prefers a classifier that says more about the rare class. The search only
needs a scorer made from the metric.

EMA and this paradox of accuracy are from F. J. Valverde-Albacete and C. Peláez-Moreno
(2014), "100% classification accuracy considered harmful: the normalized information
transfer factor explains the accuracy paradox", PLoS ONE 9(1), e84217.
"""

# %%
# Both classes are normally distributed, with means that are 1.5 standard deviations
# apart. The search tunes the weight of the rare class in logistic regression.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import ConfusionMatrixDisplay, make_scorer
from sklearn.model_selection import GridSearchCV, train_test_split

from sklearn_entropy_metrics import (
    EntropyTriangleDisplay,
    contingency_table,
    entropy_modulated_accuracy_score,
    measure,
)

rng = np.random.default_rng(0)
y = (rng.random(8000) < 0.1).astype(int)
X = rng.normal(size=(8000, 1)) + 1.5 * y[:, None]
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
print(f"{y.mean():.1%} of the samples are of the rare class")

weights = [1, 2, 3, 4, 6, 8, 12]
grid = {"class_weight": [{1: weight} for weight in weights]}
scoring = {"accuracy": "accuracy", "EMA": make_scorer(entropy_modulated_accuracy_score)}
searches = {}
for title, scorer in scoring.items():
    search = GridSearchCV(LogisticRegression(), grid, scoring=scorer)
    searches[title] = search.fit(X_train, y_train)
    print(f"best by {title}: weight {weights[search.best_index_]}")

# %%
# What the searches saw: means and standard deviations over five folds. The larger marks
# are the chosen weights.
figure, axes = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
for ax, (title, search) in zip(axes, searches.items(), strict=True):
    means, spread = (search.cv_results_[f"{key}_test_score"] for key in ("mean", "std"))
    ax.errorbar(weights, means, spread, fmt=".-", capsize=3)
    ax.plot(weights[search.best_index_], search.best_score_, "C1o", markersize=9)
    ax.set(xlabel="weight of the rare class", ylabel=title)
figure.suptitle("Accuracy and EMA choose different weights")

# %%
# On samples that neither search has seen, the most accurate classifier finds few
# samples of the rare class. The other one finds many more, at the price of false
# alarms: its discriminant capability, the true positive rate minus the false positive
# rate, is larger.
figure, axes = plt.subplots(1, 2, figsize=(7.4, 4), layout="constrained")
tables = {}
for ax, (title, search) in zip(axes, searches.items(), strict=True):
    table = contingency_table(y_test, search.predict(X_test))
    tables[f"best by {title}"] = table
    ConfusionMatrixDisplay(table).plot(ax=ax, cmap="Blues", colorbar=False)
    ax.set_title(f"best by {title}")
names = ["accuracy", "entropy_modulated_accuracy", "discriminant_capability"]
print(" " * 26 + "".join(f"{title:>18}" for title in tables))
for name, values in measure.evaluate(np.stack(list(tables.values())), names).items():
    print(f"{name:26}" + "".join(f"{value:18.3f}" for value in values))

# %%
# In the triangle, the search by EMA moved the classifier up and to the left, away from
# the lower right, where constant classifiers of such data are. Both stay low: there is
# little to learn about classes that overlap so much.
figure, ax = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
EntropyTriangleDisplay.from_confusion_matrix(tables, ax=ax)
ax.set_title("The search by EMA leads up, away from always saying no")

plt.show()
