"""
What accuracy, precision and recall say about information
=========================================================

Accuracy, precision or recall alone do not determine how much of the entropy of the true
classes a classifier explains: its normalized information (NI) lies between two bounds.
A precision or a recall of 0.9 may come with next to no information, and a very low
accuracy is as informative as a very high one.

The pictures are Figs. 2 to 4 and Table II of Y. Wang and B.-G. Hu (2009), "Derivations
of normalized mutual information in binary classifications", FSKD 2009, 155-163.
"""

# %%
# With 60 % positives, accuracy leaves a range of NI. On the upper bounds, one cell of
# the confusion matrix is empty.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import measure
from sklearn_entropy_metrics.display import NormalizedInformationDisplay

figure, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
of_accuracy = NormalizedInformationDisplay(prevalence=0.6, space="accuracy").plot(ax)
ax.set_title("What accuracy leaves open")

# %%
# Precision and recall each limit NI to a range.
figure, axes = plt.subplots(2, 1, figsize=(7, 8), layout="constrained")
for space, ax in zip(["precision", "recall"], axes, strict=True):
    NormalizedInformationDisplay(prevalence=0.6, space=space).plot(ax)
    ax.set_title(f"What {space} leaves open")

# %%
# The lower bound of accuracy differs from the printed figure. It is zero between the
# accuracies of always predicting the rarer and always predicting the more frequent
# class. Outside this range, the least informative tables have no empty cell: they
# attain Fano's inequality, :math:`1 - h(A) / h(\pi)`, with the prevalence :math:`\pi`
# and the entropy :math:`h` of two classes.


def binary_entropy(share):
    """Entropy of two classes in bits, zero for one class only."""
    cells = np.stack([share, 1 - share])
    return -(cells * np.log2(np.where(cells > 0, cells, 1))).sum(axis=0)


frame = of_accuracy.frame()
fano = 1 - binary_entropy(frame["accuracy"]) / binary_entropy(np.array(0.6))
np.testing.assert_allclose(frame["lower"], np.maximum(fano, 0), atol=1e-9)
print("NI at an accuracy of 0.9:")
for bound in ("lower", "upper"):
    print(f"  {bound}: {np.interp(0.9, frame['accuracy'], frame[bound]):.4f}")

# %%
# Each measure ranks the six models of 100 samples, half of them positive, differently.
# M4 has the lowest accuracy of all and is the most informative: just swap its
# predictions. M5 and M6 are equally informative. Once M5 is swapped as well, the two
# also have the same accuracy, and tie: see :doc:`plot_rank_models`.
models = {  # TP, FP, TN, FN
    "M1": (25, 5, 45, 25),
    "M2": (30, 10, 40, 20),
    "M3": (15, 5, 45, 35),
    "M4": (15, 45, 5, 35),
    "M5": (12, 26, 24, 38),
    "M6": (26, 12, 38, 24),
}
criteria = ["accuracy", "precision", "recall"]
tp, fp, tn, fn = np.transpose(list(models.values()))
rates = {"fpr": fp / (fp + tn), "tpr": tp / (tp + fn)}
figure, axes = plt.subplots(3, 1, figsize=(7, 12), layout="constrained")
for space, ax in zip(criteria, axes, strict=True):
    display = NormalizedInformationDisplay(
        prevalence=0.5, space=space, name=list(models), **rates
    )
    display.plot(ax, annotate=True)
    ax.set_title(f"{space.capitalize()} does not rank as NI does")

# %%
# The values of the table, and the same from the confusion matrices.
frame = display.frame()
ni = frame["classifier_normalized_information"]
print("model  accuracy  precision  recall      NI")
for row in zip(
    models, *(frame[f"classifier_{space}"] for space in criteria), ni, strict=True
):
    print("{:5}  {:8.4f}  {:9.4f}  {:6.4f}  {:.4f}".format(*row))
printed = [0.1468, 0.1245, 0.0468, 0.2958, 0.0611, 0.0611]
np.testing.assert_allclose(ni, printed, atol=5e-5)
tables = measure.table_from_rates(**rates, prevalence=0.5)
np.testing.assert_allclose(
    tables, np.stack([tn, fp, fn, tp], axis=1).reshape(-1, 2, 2) / 100
)

plt.show()
