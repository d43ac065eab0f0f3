"""
Several labels: joint information of few samples rewards variety
================================================================

A classifier chain, independent trees and nearest neighbours predict several labels per
sample. Label by label, ``multilabel_information_score`` gives the same ranking with
many samples and with few. The normalized information (NI) of whole rows of labels does
not: with few samples most of it is chance, and the more different rows a classifier
predicts, the more there is.
"""

# %%
# The data are synthetic: six labels, of which a sample has two on average. If the
# environment variable ``MULTILABEL_DATA`` names a folder with the file
# ``emotions.csv.gz`` (593 pieces of music with 72 features and six emotions, columns
# ``label_...``, from the MULAN collection), the example uses these, too.

# sphinx_gallery_thumbnail_number = 2
import os
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import hamming_loss
from sklearn.model_selection import cross_val_predict
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics import (
    EntropyBalance,
    EntropyTriangleDisplay,
    multilabel_information_score,
)

X, Y = make_multilabel_classification(5000, n_classes=6, random_state=1)
data = {"5,000 samples": (X, Y), "300 samples": (X[:300], Y[:300])}
emotions = Path(os.environ.get("MULTILABEL_DATA", "no such folder"), "emotions.csv.gz")
if emotions.exists():
    import pandas as pd

    frame = pd.read_csv(emotions)
    labels = frame.filter(like="label_")
    data["593 pieces of music"] = (
        frame.drop(columns=labels.columns).to_numpy(),
        labels.to_numpy(),
    )

classifiers = {
    "chain": make_pipeline(
        StandardScaler(), ClassifierChain(LogisticRegression(C=0.1), random_state=0)
    ),
    "trees": MultiOutputClassifier(
        DecisionTreeClassifier(min_samples_leaf=10, random_state=0)
    ),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(10)),
}

# %%
# Each classifier is cross-validated. The joint balance has a class for each distinct
# row of labels. Shuffled predictions transfer nothing, so their NI shows how much is
# chance. With 300 samples, a warning says the same.
warnings.filterwarnings("ignore", "The samples are few")
rng = np.random.default_rng(0)
balances, scores = {}, {}
print(f"{'':32} Hamming  rows predicted  by label  joint NI shuffled")
for name, (X, Y) in data.items():
    for classifier, model in classifiers.items():
        predicted = cross_val_predict(model, X, Y)
        balance = EntropyBalance.from_variables(Y, predicted)
        shuffled = [
            EntropyBalance.from_variables(Y, rng.permutation(predicted))
            for _ in range(20)
        ]
        by_label = multilabel_information_score(Y, predicted)
        chance = np.mean([one.normalized_information for one in shuffled])
        balances[name, classifier] = balance
        scores[name, classifier] = by_label, balance.normalized_information, chance
        print(
            f"{name:20} {classifier:11} {hamming_loss(Y, predicted):7.3f} "
            f"{balance.n_pred_classes:14} {by_label:9.3f} "
            f"{balance.normalized_information:9.3f} {chance:8.3f}"
        )

# %%
# In the triangle of the joint balances, each classifier is higher with 300 samples
# than with 5,000, as if it had learnt more from less.
made = {
    f"{classifier}, {name.removesuffix(' samples')}": balance
    for (name, classifier), balance in balances.items()
    if name in ("5,000 samples", "300 samples")
}
figure, ax = plt.subplots(figsize=(7, 6), layout="constrained")
EntropyTriangleDisplay(balance=made).plot(ax, zoom=True)
ax.set_title("Whole rows of labels: fewer samples, more information?")

# %%
# Most of that is chance, shown by the hollow circles: it is far from zero with few
# samples, and farthest for the trees, which predict the most rows. Label by label the
# trees are always last; jointly, with 300 samples, chance lifts them above the
# neighbours.
looks = (("o", "C0", "C0"), ("s", "C3", "C3"), ("o", "none", "0.4"))
words = ("label by label", "joint NI", "joint NI, shuffled: chance")
figure, ax = plt.subplots(figsize=(8, 5), layout="constrained")
rows = np.arange(len(scores))[::-1]
for word, values, (marker, face, edge) in zip(
    words, zip(*scores.values(), strict=True), looks, strict=True
):
    ax.scatter(
        values, rows, s=60, marker=marker, facecolor=face, edgecolor=edge, label=word
    )
ax.set_yticks(rows, [f"{classifier}, {name}" for name, classifier in scores])
ax.set(xlim=(-0.01, None), xlabel="share of the entropy of the labels")
ax.grid(axis="x", alpha=0.3)
figure.suptitle("Few samples: chance lifts the trees above the neighbours")
figure.legend(loc="outside lower center", ncols=3)
plt.show()
