"""
Ranking models by information, then by accuracy
===============================================

Normalized information (NI) cannot tell whether a model is right or systematically
wrong: swapping its two labels changes nothing. So a model with an accuracy below 0.5 is
flipped first. Then the larger NI wins, and accuracy breaks ties.

The models are those of Table II, and the rule is Definition 4 as used in Example 1, of
Y. Wang and B.-G. Hu (2009), "Derivations of normalized mutual information in binary
classifications", FSKD 2009, 155-163.
"""

# %%
# The table
# ---------
# Six models of 100 samples, half of them positive. Accuracy cannot choose between M1
# and M2, precision between M2 and M3, nor NI between M5 and M6.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import accuracy_score, precision_score, recall_score

from sklearn_entropy_metrics import (
    discriminant_capability_score,
    normalized_information_score,
    rank_models,
)

METRICS = accuracy_score, precision_score, recall_score, normalized_information_score


def labels(tp, fp, tn, fn):
    """True and predicted labels with these counts."""
    counts = [tp, fn, fp, tn]
    return np.repeat([1, 1, 0, 0], counts), np.repeat([1, 0, 1, 0], counts)


table_2 = {  # TP, FP, TN, FN; then accuracy, precision, recall and NI as printed
    "M1": ((25, 5, 45, 25), (0.7, 0.8333, 0.5, 0.1468)),
    "M2": ((30, 10, 40, 20), (0.7, 0.75, 0.6, 0.1245)),
    "M3": ((15, 5, 45, 35), (0.6, 0.75, 0.3, 0.0468)),
    "M4": ((15, 45, 5, 35), (0.2, 0.25, 0.3, 0.2958)),
    "M5": ((12, 26, 24, 38), (0.36, 0.3158, 0.24, 0.0611)),
    "M6": ((26, 12, 38, 24), (0.64, 0.6842, 0.52, 0.0611)),
}
predictions = {}
print("model  accuracy  precision  recall      NI")
for name, (counts, printed) in table_2.items():
    y_true, predictions[name] = labels(*counts)
    row = [metric(y_true, predictions[name]) for metric in METRICS]
    np.testing.assert_allclose(row, printed, atol=5.1e-5)
    print("{:5}  {:8.4f}  {:9.4f}  {:6.4f}  {:.4f}".format(name, *row))

# %%
# The ranking
# -----------
# M4 comes first: do the opposite of what it says. -M5 and M6 agree in NI and in
# accuracy, and share a rank; the paper lists them in this order.
models = rank_models(y_true, predictions)
names = [f"-{model.name}" if model.flipped else model.name for model in models]
assert names == ["-M4", "M1", "M2", "-M5", "M6", "M3"]
for name, model in zip(names, models, strict=True):
    print(f"{model.rank} {name:>3}  NI {model.normalized_information:.4f}", end="  ")
    print(f"accuracy {model.accuracy:.2f}")

figure, axes = plt.subplots(1, 2, figsize=(8, 3.8), sharey=True, layout="constrained")
for ax, attribute in zip(axes, ["normalized_information", "accuracy"], strict=True):
    values = [getattr(model, attribute) for model in models]
    ax.barh(names, values, color=["C1" if model.flipped else "C0" for model in models])
axes[0].set(xlabel="normalized information", ylabel="models, best first")
axes[0].invert_yaxis()
axes[1].axvline(0.5, color="0.3", linestyle="--", linewidth=1)
axes[1].set(xlabel="accuracy, -M4 and -M5 flipped", xlim=(0, 1))
figure.suptitle("The model that is wrong most often knows most")

# %%
# For -M4 the paper gives an accuracy of 0.8, a recall of 0.7 and a precision of 0.75.
# The latter is one minus the precision of M4, which is not the precision of -M4.
row = [metric(y_true, 1 - predictions["M4"]) for metric in METRICS]
np.testing.assert_allclose([row[0], row[2], row[3]], [0.8, 0.7, 0.2958], atol=5e-5)
print("-M4    {:8.4f}  {:9.4f}  {:6.4f}  {:.4f}".format(*row))

# %%
# Where the rule errs
# -------------------
# If the classes are unbalanced, an accuracy below 0.5 does not mean that labels are
# swapped. This model misses many positives, but is always right when it predicts one.
# Its discriminant capability δ is positive, and yet the rule flips it.
y_true, y_pred = labels(tp=36, fp=0, tn=10, fn=54)
(model,) = rank_models(y_true, {"careful": y_pred})
print(f"flipped: {model.flipped}, accuracy then {model.accuracy:.2f}", end=", ")
print(f"δ before {discriminant_capability_score(y_true, y_pred):+.2f}")

plt.show()
