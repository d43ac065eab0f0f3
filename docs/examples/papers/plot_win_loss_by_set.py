"""
Who wins on which set of data?
==============================

Means over many sets of data hide where a measure wins and where it loses. Here is the
outcome of the comparison in :doc:`plot_win_loss_equal` for each set, for all arbiters.

The pictures are Figs 2 to 8 of X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and H.-W. Zhang
(2013), "Probabilistic confusion entropy for evaluating classifiers", Entropy 15(11),
4969-4992, as maps in place of bars and lines.
"""

# %%
# All pictures are drawn from results of ``python -m benchmarks.win_loss``, with copies
# of the 19 sets of the paper. They are in ``docs/win_loss_results.csv``, a file of the
# repository: run this script in a checkout.
import csv
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import rankdata

results = Path(sys.argv[0]).resolve().parents[2] / "win_loss_results.csv"
with results.open(newline="") as file:
    bundled = {"iris", "wine", "breast_cancer", "digits"}
    rows = [row for row in csv.DictReader(file) if row["data"] not in bundled]
sets = list(dict.fromkeys(row["data"] for row in rows))
measures = list(dict.fromkeys(row["metric"] for row in rows))


def column(key):
    """Values by set, arbiter and measure."""
    values = [float(row[key] or "nan") for row in rows]
    return np.reshape(values, (len(sets), len(measures), len(measures)))


def draw_maps(values, arbiters, columns, shape, figsize, label, **options):
    """One map of sets and columns for each arbiter; undefined cells are grey."""
    figure, axes = plt.subplots(
        *shape, figsize=figsize, sharex=True, sharey=True, layout="constrained"
    )
    for ax, arbiter in zip(axes.flat, arbiters, strict=True):
        ax.set_facecolor("0.8")
        image = ax.imshow(values[arbiter], aspect="auto", **options)
        ax.set_xticks(range(len(columns)), columns, rotation=90, size="small")
        ax.set_yticks(range(len(sets)), sets, size="x-small")
        ax.set_title(f"arbiter {arbiter}", size="medium")
    figure.colorbar(image, ax=axes, label=label, shrink=0.6)
    return figure


confusion, areas = ["rpCEN", "pCEN"], ["AUNU", "AUNP", "AU1U", "AU1P"]
errors = ["MAE", "MSE"]


def leads(opponents, arbiters):
    """Shares of rounds won less shares lost, rpCEN and pCEN side by side."""
    lead = [column(f"{name}_wins") - column(f"{name}_losses") for name in confusion]
    chosen = [measures.index(name) for name in opponents]
    return {
        arbiter: np.hstack([one[:, measures.index(arbiter)][:, chosen] for one in lead])
        for arbiter in arbiters
    }


def ranks(group):
    """Ranks of the mean regrets within a group of measures, 1 is best."""
    chosen = [measures.index(name) for name in group]
    regrets = column("regret")[:, chosen][:, :, chosen]
    undefined = np.isnan(regrets).any(axis=-1, keepdims=True)
    ranked = np.where(undefined, np.nan, rankdata(regrets, method="min", axis=-1))
    return {arbiter: ranked[:, place] for place, arbiter in enumerate(group)}


# %%
# Against areas under curves
# --------------------------
# Figs 2 to 4: blue cells are sets on which rpCEN, in the first four columns of a map,
# or pCEN, in the others, wins more rounds than the area of the column. With rpCEN or
# pCEN as arbiter most cells are blue; with an area as arbiter the picture is mixed. On
# grey sets the areas are undefined in each round.
figure = draw_maps(
    leads(areas, confusion + areas),
    confusion + areas,
    [f"{name}: {area}" for name in confusion for area in areas],
    (2, 3),
    (9, 8),
    "share of rounds won less share lost",
    cmap="RdBu",
    vmin=-0.6,
    vmax=0.6,
)
figure.suptitle("Confusion entropy beats the areas when it is the arbiter itself")

# %%
# Figs 5 and 6: the ranks of the mean regrets. Dark is best.
group = confusion + areas
ranked = ranks(group)
assert all(np.nanmin(ranked[arbiter][:, 2:]) > 1 for arbiter in confusion)
figure = draw_maps(
    ranked, group, group, (2, 3), (9, 7.4), "rank", cmap="Blues_r", vmin=1, vmax=6
)
figure.suptitle("No area is ranked first if rpCEN or pCEN is the arbiter")

# %%
# Against errors of probabilities
# -------------------------------
# Fig. 7: MSE loses to both on most sets, except to rpCEN with MSE as arbiter. MAE is
# ahead of rpCEN with every arbiter except rpCEN. It loses to pCEN on more sets than it
# wins if rpCEN or pCEN is the arbiter, and is about even with pCEN otherwise.
group = confusion + errors
led = leads(errors, group)
pairs = [f"{name}: {error}" for name in confusion for error in errors]
print("sets won : lost" + "".join(f"{pair:>12}" for pair in pairs))
for arbiter, lead in led.items():
    won, lost = (lead > 0).sum(axis=0), (lead < 0).sum(axis=0)
    cells = [f"{w:7} : {n:2}" for w, n in zip(won, lost, strict=True)]
    print(f"arbiter {arbiter:7}" + "".join(cells))
figure = draw_maps(
    led,
    group,
    pairs,
    (1, 4),
    (9, 5.4),
    "share of rounds won less share lost",
    cmap="RdBu",
    vmin=-0.6,
    vmax=0.6,
)
figure.suptitle("MSE loses on most sets, MAE beats rpCEN with three of four arbiters")

# %%
# Fig. 8: their ranks.
ranked = ranks(group)
assert all(
    group[of_arbiter.mean(axis=0).argmin()] == "pCEN" for of_arbiter in ranked.values()
)
figure = draw_maps(
    ranked, group, group, (1, 4), (9, 5), "rank", cmap="Blues_r", vmin=1, vmax=4
)
figure.suptitle("pCEN has the best mean rank with every arbiter")

plt.show()
