"""
Stop words in the plane of φ and δ
==================================

Words that occur in nearly every document of each class have a φ close to 1: they are
the stop words of these documents. Removing a list of common English words empties most
of the right corner of the diamond. The words that remain there are stop words of the
subject, which the list does not contain.

The plots follow Fig. 13 of G. Armano (2015), "A direct measure of discriminant and
characteristic capability for classifier building and assessment", Information Sciences
325, 466-483. Its documents are newswire stories that are not freely available; here,
docstrings of scikit-learn take their place.
"""

# %%
# The documents are docstrings of scikit-learn's functions, and the question is which
# are from sklearn.metrics. Features are words that occur in at least five documents.
import matplotlib.pyplot as plt
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils.discovery import all_functions

from sklearn_entropy_metrics.display import PhiDeltaDisplay

functions = [function for _, function in all_functions() if function.__doc__]
documents = [function.__doc__ for function in functions]
is_metric = ["sklearn.metrics" in function.__module__ for function in functions]


def draw(stop_words, title):
    """Draw all words but these; return those with φ > 0.7, which are red."""
    vectorizer = CountVectorizer(
        binary=True, min_df=5, stop_words=stop_words, token_pattern=r"(?u)\b[a-z]\w+\b"
    )
    X = vectorizer.fit_transform(documents)
    _, ax = plt.subplots(figsize=(7.5, 6.8), layout="constrained")
    display = PhiDeltaDisplay.from_features(
        X,
        is_metric,
        feature_names=vectorizer.get_feature_names_out(),
        name="sklearn.metrics",
        annotate=6,
        ax=ax,
        scatter_kwargs={"s": 12},
    )
    ax.set_title(title)
    frame = display.frame()
    is_pervasive = frame["phi"] > 0.7
    ax.plot(
        frame["phi"][is_pervasive],
        frame["delta"][is_pervasive],
        "o",
        color="tab:red",
        markersize=4,
    )
    return set(frame["name"][is_pervasive])


pervasive = draw(None, "All words: English stop words are in the right corner")

# %%
# Without English stop words, less than half of the red points are left.
left = draw("english", "Without English stop words: those of the subject stay")

# %%
# The red points are the words with :math:`\varphi > 0.7`:
print("removed:", *sorted(pervasive - left))
print("left:   ", *sorted(left))
assert {"the", "of"} <= pervasive - left
assert "parameters" in left
assert len(left) < len(pervasive) / 2

plt.show()
