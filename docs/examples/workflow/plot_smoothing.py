"""
Small samples: how much information is really there
===================================================

A table of few samples seems to transfer information that is not there: chance makes
some cells larger than others. This example draws samples from joint distributions whose
mutual information (MI) is known and shows the errors of the estimates: from the plain
table ("plug-in"), minus the expected bias ("Miller-Madow"), after adding to every cell
("add 1", "add ½"), and with ``smoothing="empirical_bayes"`` of
:class:`~sklearn_entropy_metrics.EntropyBalance`.
"""

# %%
# Two classifiers of balanced classes: one guesses, and its labels are independent of
# the true ones; the other knows the true label six times out of ten and guesses
# otherwise. The first transfers nothing, the second something.
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import NullFormatter, ScalarFormatter

from sklearn_entropy_metrics import EntropyBalance

n_repeats = 100
class_numbers = [3, 10, 50]
sample_numbers = [50, 100, 200, 500, 1000, 2000, 5000]
estimators = [
    "plug-in",
    "Miller-Madow",
    "add 1",
    "add ½",
    "empirical_bayes",
]
rng = np.random.default_rng(0)


def noisy_channel(shares, right):
    """Joint distribution of classes that come through, or else are guessed."""
    return right * np.diag(shares) + (1 - right) * np.outer(shares, shares)


def estimate(tables, estimator):
    """Mutual information of each table of a stack."""
    if estimator in ("plug-in", "Miller-Madow"):
        balance = EntropyBalance.from_confusion_matrix(tables)
        bias = balance.mutual_information_bias if estimator == "Miller-Madow" else 0
        return balance.mutual_information - bias
    if estimator == "empirical_bayes":
        balance = EntropyBalance.from_confusion_matrix(tables, smoothing=estimator)
    else:
        added = 1 if estimator == "add 1" else 0.5
        balance = EntropyBalance.from_confusion_matrix(tables + added)
    return balance.mutual_information


classifiers = {"guessing": 0.0, "knows 6 of 10": 0.6}
errors = {}
for name, right in classifiers.items():
    for k in class_numbers:
        joint = noisy_channel(np.full(k, 1 / k), right)
        truth = EntropyBalance.from_confusion_matrix(joint).mutual_information
        for n in sample_numbers:
            tables = rng.multinomial(n, joint.ravel(), n_repeats).reshape(-1, k, k)
            errors[name, k, n] = np.array(
                [estimate(tables, estimator) - truth for estimator in estimators]
            )
        print(f"{name}, k = {k}: MI = {truth:.3f} bits")

# %%
# Bias and root mean square error (RMSE) of the five estimates, in bits.
bias = {case: error.mean(axis=1) for case, error in errors.items()}
rmse = {case: np.sqrt((error**2).mean(axis=1)) for case, error in errors.items()}
widths = [len(estimator) + 2 for estimator in estimators]


def show(values, number):
    """Print a table for each classifier, with numbers in this format."""
    titles = "".join(map("{:>{}}".format, estimators, widths))
    for name in classifiers:
        print(f"{name}\n  k     n{titles}")
        for k in class_numbers:
            for n in (50, 200, 1000, 5000):
                cells = [f"{value:{number}}" for value in values[name, k, n]]
                print(f"{k:3} {n:5}" + "".join(map("{:>{}}".format, cells, widths)))
        print()


print("Bias\n")
show(bias, "+.3f")

# %%
print("RMSE\n")
show(rmse, ".3f")

# %%
# The curves show what to do. With ten and fifty classes, ``"empirical_bayes"`` comes
# closest where there is something to find, or as close as any, and it leaves little to
# a guesser. Adding to every cell does no harm with three classes, but drowns small
# samples of fifty: guessers lose what chance gave them, but the classifier that knows 6
# labels of 10 seems to know next to nothing, too. Miller-Madow corrects well once there
# are several samples per cell, and too little, or in the wrong direction, before. With
# three or ten classes and many samples all agree.
styles = dict(zip(estimators, ["k-", "k:", "C0-", "C1-", "C3-"], strict=True))


def draw(values, label, **scale):
    """Curves over the number of samples: a row per classifier, a column per k."""
    figure, axes = plt.subplots(
        2, 3, figsize=(10, 6), sharex=True, sharey="row", layout="constrained"
    )
    for row, name in zip(axes, classifiers, strict=True):
        for ax, k in zip(row, class_numbers, strict=True):
            curves = np.transpose([values[name, k, n] for n in sample_numbers])
            for (estimator, style), curve in zip(styles.items(), curves, strict=True):
                ax.plot(sample_numbers, curve, style, label=estimator)
            ax.set_xscale("log")
            ax.set_yscale(**scale)
            ax.set_xticks([50, 500, 5000])
            ax.xaxis.set_major_formatter(ScalarFormatter())
            ax.xaxis.set_minor_formatter(NullFormatter())
            ax.set_title(f"{name}, k = {k}", fontsize=10)
            ax.grid(alpha=0.3)
        row[0].set_ylabel(label)
    for ax in axes[1]:
        ax.set_xlabel("number of samples")
    handles = axes[0, 0].get_lines()
    figure.legend(handles=handles, loc="outside lower center", ncols=len(estimators))


draw(rmse, "RMSE in bits", value="log")

bayes = estimators.index("empirical_bayes")
for (name, k, _), values in rmse.items():
    if name == "guessing":
        assert values[bayes] < 0.2
    elif k > 3:
        assert values[bayes] < 1.02 * values.min()

# %%
# The bias alone has a sign: the plug-in finds too much, adding to every cell too little
# once there is something to find.
draw(bias, "bias in bits", value="linear")

plt.show()
