"""
A classifier that can decline to answer
=======================================

A classifier that refuses to answer when it is unsure is right more often when it does
answer: the more it refuses, the more accurate its answers are, and they are best if it
hardly ever answers. Information strikes a balance. A refusal is one more predicted
class, so the table has more columns than rows, but entropy-modulated accuracy (EMA) and
the normalized information transfer (NIT) factor are still defined.

F. J. Valverde-Albacete and C. Peláez-Moreno (2014) point out that these measures suit a
reject class, in "100% classification accuracy considered harmful: the normalized
information transfer factor explains the accuracy paradox", PLoS ONE 9(1), e84217.
"""

# %%
# The data are handwritten digits, with noise added to create some doubt. The classifier
# refuses to answer if its probability is below a threshold. ``pred_labels`` names
# the columns.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_predict

from sklearn_entropy_metrics import EntropyBalance, EntropyTriangleDisplay

X, y = load_digits(return_X_y=True)
X = X + np.random.default_rng(0).normal(scale=10, size=X.shape)
y_proba = cross_val_predict(LinearDiscriminantAnalysis(), X, y, method="predict_proba")
certainty, answer = y_proba.max(axis=1), y_proba.argmax(axis=1)

REJECT = -1
thresholds = np.linspace(0.2, 0.98, 40)
tables, refused, correct = [], [], []
for threshold in thresholds:
    answered = certainty >= threshold
    balance = EntropyBalance.from_predictions(
        y,
        np.where(answered, answer, REJECT),
        labels=range(10),
        pred_labels=[*range(10), REJECT],
    )
    tables.append(balance.table)
    refused.append(1 - answered.mean())
    correct.append(np.mean(answer[answered] == y[answered]))
balance = EntropyBalance.from_confusion_matrix(np.stack(tables))
ema = balance.entropy_modulated_accuracy
print(f"{balance.n_true_classes} true and {balance.n_pred_classes} predicted classes")

# %%
# The accuracy of the answers keeps rising. EMA rises a little as long as mostly errors
# are refused, and then falls, because a refusal says little about the digit. The NIT
# factor is nearly the same, because the digits are balanced.
best = ema.argmax()
assert 0 < best < len(ema) - 1
np.testing.assert_allclose(balance.normalized_information_transfer, ema, atol=1e-3)
for place, name in {0: "first threshold", best: "best EMA", -1: "last one"}.items():
    print(f"{name:15}  refused {refused[place]:6.1%}", end="  ")
    print(f"correct answers {correct[place]:.3f}  EMA {ema[place]:.3f}")

figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.8), layout="constrained")
axes[0].plot(refused, correct)
axes[0].set_ylabel("accuracy of the answers")
axes[1].plot(refused, ema)
axes[1].axvline(refused[best], color="0.4", linewidth=1, linestyle=":")
axes[1].set_ylabel("entropy-modulated accuracy")
for ax in axes:
    ax.set(xlabel="share of refusals", xlim=(0, 1))
figure.suptitle("Refusals make answers better, but say less")

# %%
# In the triangle, the first refusals lead up, if only a little. Later ones lead down
# and to the right: more and more predictions are the same, the refusal.
every = slice(None, None, 3)
figure, ax = plt.subplots(figsize=(6.8, 4.8), layout="constrained")
EntropyTriangleDisplay.from_confusion_matrix(
    np.stack(tables[every]), c=np.array(refused[every]), ax=ax
).colorbar_.set_label("share of refusals")
ax.set_title("A few refusals help; refusing often makes the output constant")

plt.show()
