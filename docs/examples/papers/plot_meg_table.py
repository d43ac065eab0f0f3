"""
Assessing ten classifiers in four steps
=======================================

How many classes are there really, which classifier is the best, what is wrong with the
others, and is the task solved? The effective number of classes :math:`k_X`,
entropy-modulated accuracy (EMA), the entropy triangle and the normalized information
transfer (NIT) factor answer these questions in turn.

The recipe and the numbers are those of Table 1 of F. J. Valverde-Albacete and
C. Peláez-Moreno (2014), "100% classification accuracy considered harmful: the
normalized information transfer factor explains the accuracy paradox", PLoS ONE 9(1),
e84217. The data are those of A. Klami et al. (2011), "ICANN/PASCAL2 challenge: MEG mind
reading - overview and results".
"""

# %%
# The task
# --------
# The task is to distinguish five kinds of videos. They are nearly balanced, so the
# effective number of classes is nearly five, and specialising in some of them does not
# pay.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import EntropyBalance, datasets, measure

data = datasets.load_meg_mind_reading()
balance = EntropyBalance.from_confusion_matrix(data.matrices)
print(f"k = {balance.n_true_classes}, k_X = {balance.effective_true_classes[0]:.3f}")
np.testing.assert_allclose(balance.effective_true_classes, 4.950, atol=5e-4)

# %%
# The table
# ---------
# A classifier divides :math:`k_X` by the information transfer factor :math:`\mu`, so
# that :math:`k_{X|Y}` remain. EMA is :math:`1 / k_{X|Y}`, and NIT is :math:`\mu / k`.
columns = {
    "k_X|Y": balance.remaining_true_classes,
    "μ": balance.information_transfer_factor,
    "accuracy": measure.accuracy(data.matrices),
    "EMA": balance.entropy_modulated_accuracy,
    "NIT": balance.normalized_information_transfer,
}
print("     " + "".join(f"{title:>10}" for title in columns))
for name, *row in zip(data.names, *columns.values(), strict=True):
    print(f"{name:5}" + "".join(f"{value:10.3f}" for value in row))

# The same, as printed in the paper.
table_1 = """
    2.562 1.932 0.680 0.390 0.386    2.447 2.023 0.632 0.409 0.405
    2.589 1.912 0.628 0.386 0.382    2.430 2.037 0.622 0.412 0.407
    2.723 1.818 0.565 0.367 0.364    2.682 1.846 0.542 0.373 0.369
    2.730 1.813 0.539 0.366 0.363    3.629 1.364 0.472 0.276 0.273
    2.995 1.653 0.443 0.334 0.331    4.801 1.031 0.242 0.208 0.206
"""
printed = np.array(table_1.split(), dtype=float).reshape(10, 5)
np.testing.assert_allclose(np.transpose(list(columns.values())), printed, atol=5.1e-4)

# %%
# The ranking
# -----------
# In bits, all three parts have the same unit. From left to right, they are the
# information transferred, the entropy that remains after the prediction, and a thin
# part that is missing because the five classes are not quite balanced. EMA depends only
# on the entropy that remains.
order = np.argsort(-columns["EMA"])
ranking = [data.names[place] for place in order]
assert ranking == ["C4", "C2", "C1", "C3", "C6", "C5", "C7", "C9", "C8", "C10"]
parts = {  # with the colours that information, loss and uneven classes have elsewhere
    r"transferred, $\mathrm{MI}$": (balance.mutual_information, "#00664a", "white"),
    "remaining, $H_{X|Y}$": (balance.conditional_entropy_true, "#daaa8e", "black"),
    "uneven classes, $\\Delta H_X$": (balance.divergence_true, "#6a5acd", "white"),
}
figure, ax = plt.subplots(figsize=(7.2, 4.8), layout="constrained")
left = np.zeros(len(order))
for label, (bits, color, ink) in parts.items():
    bars = ax.barh(ranking, bits[order], left=left, color=color, label=label)
    numbers = [f"{value:.2f}" if value > 0.2 else "" for value in bits[order]]
    ax.bar_label(bars, numbers, label_type="center", color=ink)
    left += bits[order]
np.testing.assert_allclose(left, np.log2(5))
ax.invert_yaxis()
ax.set(xlabel="bits", ylabel="classifiers, best EMA first", xlim=(0, np.log2(5)))
figure.suptitle("C4 transfers most, though C1 is right more often")
figure.legend(loc="outside lower center", ncols=3, frameon=False)

# %%
# The verdict
# -----------
# :ref:`sphx_glr_auto_examples_papers_plot_meg_mind_reading.py` places each of them in
# the triangle. The NIT factor of the best one is far from 1: the task is not solved.
print(f"{ranking[0]}: NIT {columns['NIT'][order[0]]:.3f}")

plt.show()
