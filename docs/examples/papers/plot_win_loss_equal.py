"""
Which measure picks the better classifier?
==========================================

This example compares measures by their purpose: picking a classifier. Each measure
picks one of several candidates on a small validation part. Another measure, the
arbiter, shows on a larger test part how much better the pick could have been. That is
the regret, and of two measures the one with the smaller regret wins.

The protocol and the plots follow X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and H.-W. Zhang
(2013), "Probabilistic confusion entropy for evaluating classifiers", Entropy 15(11),
4969-4992: Fig. 1, and Figs 2 to 8 in short. In :doc:`plot_win_loss_by_set` they are
drawn set by set.
"""

# %%
# One set of data
# ---------------
# Decision trees classify three kinds of wine. To the right, a bar shows the share of
# rounds won by the measure on the right, and to the left, the share won by the measure
# on the left; the pale parts are ties.

# sphinx_gallery_thumbnail_number = 2
import csv
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import rankdata
from sklearn.datasets import load_wine
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics import WinLossEqualDisplay, win_loss_equal

X, y = load_wine(return_X_y=True)
metrics = {
    "pCEN": "neg_probabilistic_confusion_entropy",
    "CEN": "neg_confusion_entropy",
    "ACC": "accuracy",
}
result = win_loss_equal(
    DecisionTreeClassifier(max_depth=2, min_samples_leaf=5),
    X,
    y,
    metrics,
    arbiter=["pCEN", "ACC"],
    n_rounds=30,
    random_state=0,
)
print(result)
WinLossEqualDisplay(result=result).plot(name="Trees of three kinds of wine")

# %%
# Many sets of data
# -----------------
# The rest is drawn from results of ``python -m benchmarks.win_loss``: four sets from
# scikit-learn, then copies of the :doc:`19 sets of the paper <plot_win_loss_sets>`. The
# results are in ``docs/win_loss_results.csv``, a file of the repository: run this
# script in a checkout. As in Fig. 1, bars reach to the right as far as pCEN wins.
results = Path(sys.argv[0]).resolve().parents[2] / "win_loss_results.csv"
with results.open(newline="") as file:
    rows = list(csv.DictReader(file))
names = list(dict.fromkeys(row["data"] for row in rows))
measures = list(dict.fromkeys(row["metric"] for row in rows))
shape = len(names), len(measures), len(measures)  # arbiters, then measures
columns = {
    key: np.array([float(row[key] or "nan") for row in rows]).reshape(shape)
    for key in ("regret", "rpCEN_wins", "rpCEN_losses", "pCEN_wins", "pCEN_losses")
}
place = {measure: number for number, measure in enumerate(measures)}
is_of_paper = ~np.isin(names, ["iris", "wine", "breast_cancer", "digits"])
print(f"{len(names)} sets, {rows[0]['n_rounds']} rounds each")

figure, axes = plt.subplots(1, 4, figsize=(9, 5.5), sharey=True, layout="constrained")
panels = [("pCEN", "ACC"), ("ACC", "ACC"), ("pCEN", "CEN"), ("CEN", "CEN")]
for ax, (arbiter, opponent) in zip(axes, panels, strict=True):
    wins = columns["pCEN_wins"][:, place[arbiter], place[opponent]]
    losses = columns["pCEN_losses"][:, place[arbiter], place[opponent]]
    lead = (wins - losses)[is_of_paper]
    count = f"{np.sum(lead > 0)}, behind on {np.sum(lead < 0)} sets of the paper"
    print(f"arbiter {arbiter}: pCEN is ahead of {opponent} on {count}")
    ax.barh(names, wins, color="tab:blue")
    ax.barh(names, -losses, color="tab:orange")
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set(xlim=(-1, 1), title=f"{opponent} and pCEN,\narbiter {arbiter}")
    ax.set_xticks([-1, 0, 1], ["100 %", "0", "100 %"])
axes[0].invert_yaxis()
figure.suptitle("pCEN wins where it is the arbiter, and often where it is not")
figure.supxlabel("rounds that pCEN loses (left) and wins (right)", fontsize="medium")


# %%
# All arbiters
# ------------
# Figs 2 to 4 and 7 in short: the share of rounds that rpCEN and pCEN win against each
# measure minus the share that they lose, in the mean over the sets of the paper. Rows
# are arbiters.
def show(ax, values, names, **options):
    """A square matrix as an image."""
    image = ax.imshow(values, **options)
    ax.set_xticks(range(len(names)), names, rotation=90)
    ax.set_yticks(range(len(names)), names)
    return image


figure, axes = plt.subplots(1, 2, figsize=(9, 5), sharey=True, layout="constrained")
for ax, measure in zip(axes, ["rpCEN", "pCEN"], strict=True):
    lead = columns[f"{measure}_wins"] - columns[f"{measure}_losses"]
    lead = np.nanmean(lead[is_of_paper], axis=0)
    image = show(ax, lead, measures, cmap="PuOr", vmin=-0.5, vmax=0.5)
    ax.set(title=f"{measure} against", ylabel="arbiter")
axes[1].set_ylabel("")
figure.suptitle("Violet: rpCEN and pCEN win more rounds than they lose")
figure.colorbar(image, ax=axes, label="share won minus share lost", shrink=0.8)

# %%
# Ranks
# -----
# Figs 5, 6 and 8 in short: ranks of the mean regrets, 1 is best, and their means over
# the sets of the paper; tied measures share the smallest rank. On two of the sets the
# areas are never defined, because each validation part lacks a class.
groups = [["rpCEN", "pCEN", "AUNU", "AUNP", "AU1U", "AU1P"]]
groups.append(["rpCEN", "pCEN", "MAE", "MSE"])
figure, axes = plt.subplots(
    1, 2, figsize=(8, 3.6), width_ratios=[6, 4.3], layout="constrained"
)
for ax, group in zip(axes, groups, strict=True):
    members = [place[measure] for measure in group]
    regrets = columns["regret"][is_of_paper][:, members][:, :, members]
    ranks = rankdata(regrets, method="min", axis=-1)
    defined = ~np.isnan(regrets).any(axis=(1, 2))
    means = ranks[defined].mean(axis=0)
    show(ax, means, group, cmap="Blues_r", vmin=1, vmax=len(group), alpha=0.6)
    ax.set(title=f"mean ranks on {defined.sum()} sets", ylabel="arbiter")
    for (row, column), rank in np.ndenumerate(means):
        ax.text(column, row, f"{rank:.1f}", ha="center", va="center")
figure.suptitle("Which measure has the smallest regret?")

plt.show()
