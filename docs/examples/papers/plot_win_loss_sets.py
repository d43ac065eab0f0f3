"""
The 19 sets of data behind the comparison of measures
=====================================================

:doc:`Which measure picks the better classifier? <plot_win_loss_equal>` uses copies of
the 19 sets of Table 9 of X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and H.-W. Zhang (2013),
"Probabilistic confusion entropy for evaluating classifiers", Entropy 15(11), 4969-4992.
If a copy differs from the printed table, the outcome may differ, too.
"""

# %%
# The sizes are results of ``python -m benchmarks.win_loss``, in
# ``docs/win_loss_sets.csv``, a file of the repository: run this script in a checkout.
# Printed numbers of attributes sometimes count the class or an index.
import csv
import sys
from pathlib import Path

import matplotlib.pyplot as plt

sizes = Path(sys.argv[0]).resolve().parents[2] / "win_loss_sets.csv"
with sizes.open(newline="") as file:
    rows = sorted(csv.DictReader(file), key=lambda row: int(row["samples"]))
print(f"{'':12} {'samples':>14} {'attributes':>11} {'classes':>8}")
for row in rows:
    cells = [f"{row[c]} ({row[f'printed_{c}']})" for c in ("samples", "attributes")]
    classes = f"{row['classes']} ({row['printed_classes']})"
    print(f"{row['data']:12} {cells[0]:>14} {cells[1]:>11} {classes:>8}")
print("In brackets: as printed in the paper.")

# %%
# Most of the copies have the samples and classes of the paper. Those that do not are
# red, with a hollow point at the number of samples that the paper has.
figure, ax = plt.subplots(figsize=(7, 5.5), layout="constrained")
for place, row in enumerate(rows):
    here, printed = int(row["samples"]), int(row["printed_samples"])
    n_classes, n_printed = row["classes"], row["printed_classes"]
    differs = (here, n_classes) != (printed, n_printed)
    ax.plot(here, place, "o", color="tab:red" if differs else "tab:blue")
    if differs:
        ax.plot(printed, place, "o", color="tab:red", markerfacecolor="none")
        ax.plot([printed, here], [place, place], color="tab:red", linewidth=1)
    classes = n_classes if n_classes == n_printed else f"{n_classes}, not {n_printed},"
    ax.annotate(
        f"{classes} classes",
        (max(here, printed), place),
        xytext=(8, 0),
        textcoords="offset points",
        va="center",
        size="small",
    )
n_same = sum(
    (row["samples"], row["classes"]) == (row["printed_samples"], row["printed_classes"])
    for row in rows
)
ax.set(
    xscale="log",
    xlim=(100, 60_000),
    xlabel="samples",
    title=f"{n_same} of {len(rows)} copies have the paper's samples and classes",
)
ax.set_yticks(range(len(rows)), [row["data"] for row in rows])

plt.show()
