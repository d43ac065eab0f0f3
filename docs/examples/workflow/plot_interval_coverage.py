"""
How often intervals cover the truth
===================================

A 95 % interval should cover the true value in 95 of 100 experiments. If the true value
is known, this can be counted: draw many data sets from a joint distribution, compute an
interval from each, and see how many of them contain the normalized information of the
distribution.

Intervals by resampling fail near independence. The information in a sample is never
negative, so its mean is above zero if the true value is zero, and resamples are higher
still. Intervals around a corrected estimate do not fail.
"""

# %%
# The experiment
# --------------
# Three balanced classes are predicted correctly with some probability, and at random
# otherwise. There are 360 samples, 40 per cell of the table.
import warnings

import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import confidence_interval, measure

N_DATA_SETS = 120
cells = np.indices((3, 3)).reshape(2, 9)


def intervals(data_sets, method):
    """Intervals of data sets, and the share of them that came with a warning."""
    found, warned = [], []
    for seed, counts in enumerate(data_sets):
        y_true, y_pred = np.repeat(cells, counts, axis=1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found.append(
                confidence_interval(
                    y_true,
                    y_pred,
                    "normalized_information",
                    n_resamples=300,
                    method=method,
                    random_state=seed,
                )
            )
        warned.append(bool(caught))
    return np.array(found), np.mean(warned)


# %%
# The result
# ----------
# Resampling intervals work from a normalized information (NI) of about 0.1 upwards.
# Below that, their ends are too high, because most resamples are above the plug-in
# value, which is above the true value; at independence, no interval by
# resampling covers zero. There, nearly all BCa intervals come with a warning, but only
# a quarter of the percentile intervals. Delta intervals work everywhere.
rng = np.random.default_rng(0)
truths, covered = [], {"percentile": [], "bca": [], "delta": []}
print(
    "             mean of          percentile                 bca               delta"
)
print("     NI      plug-in" + "     covered  warned" * 3)
for kept in (0, 0.05, 0.1, 0.2, 0.4, 0.7):
    joint = (kept * np.eye(3) + (1 - kept) / 3) / 3
    data_sets = rng.multinomial(360, joint.ravel(), N_DATA_SETS)
    truth = measure.normalized_information(joint)
    estimates = measure.normalized_information(data_sets.reshape(-1, 3, 3))
    line = f"{truth:7.4f}      {estimates.mean():7.4f}"
    for method, shares in covered.items():
        found, warned = intervals(data_sets, method)
        shares.append(np.mean((found[:, 1] <= truth) & (truth <= found[:, 2])))
        line += f"{shares[-1]:12.0%}{warned:8.0%}"
    truths.append(truth)
    print(line)

# %%
# The grey band is where 95 of 100 intervals cover the true value, plus or minus two
# standard deviations for this number of data sets.
slack = 2 * np.sqrt(0.95 * 0.05 / N_DATA_SETS)
figure, ax = plt.subplots(figsize=(6.4, 4), layout="constrained")
ax.axhspan(0.95 - slack, min(0.95 + slack, 1), color="0.9")
for (method, shares), style in zip(covered.items(), ("o--", "s-.", "D-"), strict=True):
    ax.plot(truths, shares, style, label=method, clip_on=False)
ax.set_xscale("symlog", linthresh=0.002)
ax.set(xlim=(0, 1), ylim=(-0.03, 1.03))
ax.set(xlabel="true normalized information", ylabel="intervals that cover it")
ax.legend(loc="lower right", frameon=False)
ax.set_title("Resampling misses the truth where there is little information")
assert covered["bca"][0] < 0.5
assert min(covered["bca"][-2:]) > 0.88
assert min(covered["delta"]) > 0.88

plt.show()
