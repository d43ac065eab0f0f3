"""
Features in the plane of φ and δ
================================

A binary feature, such as the presence of a word in a document, can be judged like a
classifier that says "positive" where it is present. Features of the main class are at
the top of the diamond, those of the other classes at the bottom, rare ones on the left,
and those that are everywhere on the right. All features together are the signature of a
class, which hints at how hard the class is to learn before any classifier is trained.

The pictures are Figs. 8, 9 and 12 of G. Armano (2015), "A direct measure of
discriminant and characteristic capability for classifier building and assessment",
Information Sciences 325, 466-483, and signatures and classifiers as in its Figs. 10 and
11.
"""

# %%
# The sides of the diamond are implications. A feature f on the upper left side occurs
# only in the main class c, and one on the upper right side in all of c; the lower sides
# mean the same for the other classes.

# sphinx_gallery_thumbnail_number = 3
import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import (
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.discovery import all_displays, all_estimators, all_functions

from sklearn_entropy_metrics import (
    PhiDeltaSelector,
    discriminant_capability_score,
    phi_delta_features,
)
from sklearn_entropy_metrics.display import PhiDeltaDisplay

features = {  # shares of the class, and of the others, that have the feature
    "only in c": (0.4, 0.0),
    "in all of c": (1.0, 0.4),
    "only in others": (0.0, 0.4),
    "in all others": (0.4, 1.0),
}
tp, fp = np.transpose(list(features.values()))
figure, ax = plt.subplots(figsize=(7.5, 7), layout="constrained")
display = PhiDeltaDisplay(
    phi=tp + fp - 1, delta=tp - fp, name=list(features), view="feature"
)
display.plot(ax, annotate=True)
ax.set_title("Sides of the diamond are implications")
np.testing.assert_allclose(np.abs(display.phi) + np.abs(display.delta), 1)

# %%
# The documents are the docstrings of scikit-learn, and their classes are its
# subpackages. Features are the words that occur in at least five documents, without the
# names of the subpackages.
documents = {
    f"{item.__module__}.{name}": item.__doc__
    for name, item in all_estimators() + all_displays() + all_functions()
    if item.__doc__
}
y = np.array([name.split(".")[1] for name in documents])
vectorizer = CountVectorizer(
    binary=True,
    min_df=5,
    stop_words=sorted(set(y)),
    token_pattern=r"(?u)\b[a-z]\w+\b",
)
X = vectorizer.fit_transform(documents.values())
words = vectorizer.get_feature_names_out()
print(f"{X.shape[0]} documents, {X.shape[1]} words")

# %%
# The signatures of two subpackages, each against all others. Words like "the" and
# "parameters" are at the right corner, and most words are rare and at the left one. The
# words of sklearn.linear_model reach higher, so it should be easier to recognise than
# sklearn.metrics. We chose the two because they differ that much.
classes = ["linear_model", "metrics"]
figure, axes = plt.subplots(2, 1, figsize=(7.5, 13.5), layout="constrained")
for ax, name in zip(axes, classes, strict=True):
    display = PhiDeltaDisplay.from_features(
        X,
        y == name,
        feature_names=words,
        name=f"sklearn.{name}",
        annotate=6,
        ax=ax,
        scatter_kwargs={"s": 12},
    )
    ax.set_title(f"Words that separate sklearn.{name} from the rest")
    frame = display.frame()
    top = np.argsort(-frame["delta"])[:5]
    print(f"sklearn.{name}")
    for i in top:
        print(f"  {frame['name'][i]:14} {frame['delta'][i]:.2f}")
    assert {"the", "parameters"} <= set(frame["name"][frame["phi"] > 0.8])

# %%
# δ of a word is the share of the documents of the class that have it, minus the share
# of the others that do; φ is the sum of both, minus one.
has_word = X[:, [top[0]]].toarray().ravel()
in_class, elsewhere = has_word[y == name].mean(), has_word[y != name].mean()
np.testing.assert_allclose(frame["delta"][top[0]], in_class - elsewhere)
np.testing.assert_allclose(frame["phi"][top[0]], in_class + elsewhere - 1)

# %%
# Features worth keeping are neither everywhere nor nowhere, :math:`|\varphi| < 0.7`,
# and discriminate or are near a side: :math:`|\varphi| + |\delta| / 0.4 \geq 1`. The
# region of Fig. 12 is where :class:`PhiDeltaSelector` selects.
limits = {"max_phi": 0.7, "min_delta": 0.4}
figure, ax = plt.subplots(figsize=(7.5, 7), layout="constrained")
display = PhiDeltaDisplay.from_features(
    X,
    y == "metrics",
    name="sklearn.metrics",
    region=tuple(limits.values()),
    annotate=False,
    ax=ax,
    scatter_kwargs={"s": 12},
)
ax.set_title("Words that are worth keeping")
selector = PhiDeltaSelector(**limits).fit(X, y == "metrics")
phi, delta = np.abs([display.phi, display.delta])
np.testing.assert_array_equal(
    selector.get_support(), (phi < 0.7) & (phi + delta / 0.4 >= 1 - 1e-9)
)
print(f"{selector.get_support().sum()} of {len(words)} words are selected")

# %%
# Thirty naive Bayes classifiers of each subpackage, trained with words with
# :math:`|\varphi| < 0.7`. As expected, they recognise sklearn.linear_model better.
splits = StratifiedShuffleSplit(30, test_size=0.5, random_state=0)
figure, ax = plt.subplots(figsize=(7.5, 7), layout="constrained")
for name in classes:
    target = y == name
    results = cross_validate(
        make_pipeline(PhiDeltaSelector(max_phi=0.7), BernoulliNB()),
        X,
        target,
        cv=splits,
        return_estimator=True,
        return_indices=True,
    )
    display = PhiDeltaDisplay.from_cv_results(
        results, X, target, name=f"sklearn.{name}", ax=ax
    )
    frame = display.frame()
    print(f"{name}: mean φ {frame['phi'].mean():+.2f}, δ {frame['delta'].mean():.2f}")
ax.set_title("The class with the stronger words is recognised better")

# %%
# This is a tendency, not a rule. For all subpackages with at least 15 documents, these
# are the largest :math:`|\delta|` of a word, the number of words above 0.5, and the δ
# of naive Bayes in cross-validation. A subpackage with a single strong word, such as
# sklearn.datasets, can be among those that are recognised best.
splits = StratifiedKFold(5, shuffle=True, random_state=0)
print("subpackage         best  words  naive Bayes")
for name, size in zip(*np.unique(y, return_counts=True), strict=True):
    if size >= 15:
        _, delta = phi_delta_features(X, y == name)
        model = make_pipeline(PhiDeltaSelector(max_phi=0.7), BernoulliNB())
        labels = cross_val_predict(model, X, y == name, cv=splits)
        reached = discriminant_capability_score(y == name, labels)
        n_words = np.count_nonzero(np.abs(delta) > 0.5)
        print(f"{name:17}  {np.abs(delta).max():.2f}  {n_words:5}  {reached:11.2f}")

plt.show()
