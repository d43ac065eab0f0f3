r"""
ROC curves turned by 45°
========================

The φ–δ plane is ROC space turned by 45°: a threshold with the true positive rate tp and
the false positive rate fp is at :math:`\varphi = \mathrm{tp} + \mathrm{fp} - 1` and
:math:`\delta = \mathrm{tp} - \mathrm{fp}`. The diagonal becomes the horizontal line of
no discrimination, so the threshold that separates the classes best is simply the
highest point, and its side of the vertical line shows whether it is biased towards the
positive or the negative class.

See G. Armano (2015), "A direct measure of discriminant and characteristic capability
for classifier building and assessment", Information Sciences 325, 466-483, Figs. 2 to 4
and section 4.
"""

# %%
# Two classifiers of the same data, one much better than the other.

# sphinx_gallery_thumbnail_number = 2
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from sklearn_entropy_metrics import PhiDeltaDisplay

X, y = make_classification(
    2000, n_features=6, n_informative=4, class_sep=0.7, flip_y=0.1, random_state=0
)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
classifiers = {
    "logistic regression": LogisticRegression(),
    "nearest neighbours": KNeighborsClassifier(25),
}
scores = {
    name: classifier.fit(X_train, y_train).predict_proba(X_test)[:, 1]
    for name, classifier in classifiers.items()
}

# %%
# In ROC space, lines of equal δ run along the diagonal, lines of equal φ across it.
figure, ax = plt.subplots(figsize=(5.5, 5.5), layout="constrained")
for value in np.linspace(-0.75, 0.75, 7):
    ax.axline((0, value), slope=1, color="0.8", linewidth=0.8)
    ax.axline((0, 1 + value), slope=-1, color="0.8", linewidth=0.8, linestyle="--")
for (name, score), dashes in zip(scores.items(), ["-", "--"], strict=True):
    fpr, tpr, _ = roc_curve(y_test, score)
    ax.plot(fpr, tpr, dashes, label=name)
ax.set(xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
ax.set(xlim=(0, 1), ylim=(0, 1))
ax.legend(loc="lower right")
ax.set_title("ROC space: solid lines of equal δ, dashed ones of equal φ")

# %%
# The same curves in the φ–δ plane. They begin at the left corner, where nothing is
# called positive, and end at the right one. The curve of an oracle would follow the
# upper border. Lines of sensitivity and specificity are the turned grid of ROC space.
figure, ax = plt.subplots(figsize=(8, 7), layout="constrained")
isometrics = {"sensitivity": [0.25, 0.5, 0.75], "specificity": [0.25, 0.5, 0.75]}
curves = {}
for name, score in scores.items():
    fpr, tpr, _ = roc_curve(y_test, score)
    curves[name] = PhiDeltaDisplay.from_roc(
        fpr, tpr, name=name, ax=ax, isometrics=isometrics, annotate=True
    )
    isometrics = ()
ax.set_title("Turned by 45°, the threshold of best δ is the highest point")

# %%
# The area under a ROC curve is one half plus half of the area under the turned one. The
# height of the highest point is Youden's J.
for name, display in curves.items():
    frame = display.frame()
    area = np.trapezoid(frame["delta"], frame["phi"])
    np.testing.assert_allclose((1 + area) / 2, roc_auc_score(y_test, scores[name]))
    fpr, tpr, thresholds = roc_curve(y_test, scores[name])
    best = frame["delta"].argmax()
    np.testing.assert_allclose(frame["delta"][best], np.max(tpr - fpr))
    print(
        f"{name}: AUC {(1 + area) / 2:.3f}, best threshold {thresholds[best]:.2f} "
        f"with δ = {frame['delta'][best]:.3f}, φ = {frame['phi'][best]:+.3f}"
    )

plt.show()
