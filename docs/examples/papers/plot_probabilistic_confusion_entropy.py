"""
Three classifiers with one confusion matrix
===========================================

M1, M2 and M3 predict the same classes for ten samples, so no measure of the predicted
classes can distinguish them. But their probabilities differ. Probabilistic confusion
entropy (pCEN) is the confusion entropy of a matrix of summed probabilities instead of
counts; its relative form (rpCEN) takes the mean over the samples of a class.

The numbers are those of Tables 1 to 7 of X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and
H.-W. Zhang (2013), "Probabilistic confusion entropy for evaluating classifiers",
Entropy 15(11), 4969-4992.
"""

# %%
# Tables 1 to 3 have the probabilities of three classes. Five samples are of the first
# class, three of the second and two of the third.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import ConfusionMatrixDisplay, accuracy_score, roc_auc_score

import sklearn_entropy_metrics as sem

classes = np.array(["c1", "c2", "c3"])
y_true = np.repeat(classes, [5, 3, 2])
probabilities = {
    "M1": """.947 .051 .002  .895 .104 .001  .998 .001 .001  .372 .228 .4
        .355 .612 .033  .101 .894 .005  .001 .984 .015  .489 .281 .23
        .07 0 .93  .07 0 .93""",
    "M2": """.729 .098 .173  .684 .04 .276  .684 .04 .276  .217 .1 .683
        .079 .896 .025  .217 .696 .087  .217 .696 .087  .684 .04 .276
        .04 .276 .684  .04 .276 .684""",
    "M3": """.729 .271 0  .684 .316 0  .684 .316 0  .217 0 .783
        .079 .921 0  .304 .696 0  .304 .696 0  .96 .04 0
        0 .316 .684  0 .316 .684""",
}

# %%
# All three have the confusion matrix of Table 4. Their mean probabilities, Tables 5 to
# 7, differ: M3 never mistakes the second class for the third, nor the third for the
# first.
figure, axes = plt.subplots(2, 2, figsize=(6.8, 6.6), layout="constrained")
means, rows = {}, {}
for ax, (name, text) in zip(axes.flat[1:], probabilities.items(), strict=True):
    y_proba = np.array(text.split(), dtype=float).reshape(10, 3)
    y_pred = classes[y_proba.argmax(axis=1)]
    counts = sem.contingency_table(y_true, y_pred)
    np.testing.assert_array_equal(counts, [[3, 1, 1], [1, 2, 0], [0, 0, 2]])
    means[name] = sem.probabilistic_confusion_matrix(y_true, y_proba, normalize="true")
    ConfusionMatrixDisplay(means[name], display_labels=classes).plot(
        ax=ax, cmap="Blues", colorbar=False, values_format=".3f"
    )
    rows[name] = {
        "accuracy": accuracy_score(y_true, y_pred),
        "CEN": sem.confusion_entropy_loss(y_true, y_pred),
        "MAE": sem.mean_absolute_probability_error(y_true, y_proba),
        "MSE": np.mean(((y_true[:, None] == classes) - y_proba) ** 2),
        "AUNU": roc_auc_score(y_true, y_proba, multi_class="ovr"),
        "AU1U": roc_auc_score(y_true, y_proba, multi_class="ovo"),
        "pCEN": sem.probabilistic_confusion_entropy_loss(y_true, y_proba),
        "rpCEN": sem.probabilistic_confusion_entropy_loss(
            y_true, y_proba, relative=True
        ),
    }
ConfusionMatrixDisplay(counts, display_labels=classes).plot(
    ax=axes[0, 0], cmap="Greys", colorbar=False
)
for ax, name in zip(axes.flat, ["all three, counts", *means], strict=True):
    ax.set(title=name, xlabel="", ylabel="")
figure.supxlabel("predicted class")
figure.supylabel("true class")

# %%
# M1 is the best by every measure of probabilities. M2 is better than M3 by the squared
# error (MSE) and by the area under ROC curves, of one class against the rest (AUNU) or
# against each other (AU1U). By the absolute error (MAE) they tie. M3 is better by pCEN
# and rpCEN, because its errors are of fewer kinds.
print("          " + "".join(f"{name:>8}" for name in rows))
for title in rows["M1"]:
    print(f"{title:10}" + "".join(f"{row[title]:8.4f}" for row in rows.values()))

# %%
# The paper's values agree, except for rpCEN of M1 and M3. It prints 0.0932 for M1,
# which comes from its rounded Table 5, and 0.2648 for M3, where its Table 7 gives more.
# One gets 0.2648 if 0.477 is typed for the 0.523 of that table.
table_7 = np.array([[0.479, 0.365, 0.156], [0.523, 0.477, 0], [0, 0.316, 0.684]])
np.testing.assert_allclose(means["M3"], table_7, atol=1e-3)
printed = {"AUNU": (0.96, 0.79, 0.71), "AU1U": (0.97, 0.81, 0.74)}
for title, areas in printed.items():
    found = [row[title] for row in rows.values()]
    np.testing.assert_allclose(found, areas, atol=5.1e-3)
rpcen = [row["rpCEN"] for row in rows.values()]
np.testing.assert_allclose(rpcen[:2], [0.0932, 0.3071], atol=3e-4)
table_7[1, 0] = 0.477
mistyped = sem.measure.confusion_entropy(table_7, weighting="confusion")
np.testing.assert_allclose(mistyped, 0.2648, atol=5e-5)
print(f"rpCEN of M3: {rpcen[2]:.4f}, mistyped {mistyped:.4f}")

plt.show()
