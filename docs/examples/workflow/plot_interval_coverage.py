"""
How often intervals cover the truth
===================================

A 95 % interval should cover the true value in 95 of 100 experiments. If the true value
is known, this can be counted: draw many data sets from a joint distribution, compute an
interval from each, and see how many of them contain the normalized information of the
distribution.

The bootstrap, which draws samples again from the samples and takes the middle 95 % of
the values, fails if there are few samples or little information. Information is never
negative and few samples show too much of it, so the value of the samples is too high on
average, and those of the resamples are higher still. This is why
:func:`~sklearn_entropy_metrics.confidence_interval` does not resample, but surrounds a
corrected estimate.
"""

# %%
# The experiment
# --------------
# Balanced classes are predicted correctly with some probability, and at random
# otherwise. The bootstrap is a quantile of the resampled tables.
import warnings

import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import bootstrap_balance, confidence_interval, measure

N_DATA_SETS = 120
warnings.filterwarnings("ignore", "The interval may miss")


def bootstrap(table):
    """The middle 95 % of the values of resamples."""
    resamples = bootstrap_balance(table, n_resamples=300, random_state=0)
    return np.quantile(resamples.normalized_information, [0.025, 0.975])


def corrected(table):
    """The interval around the corrected estimate."""
    return confidence_interval(table=table)[1:3]


def coverage(joint, n_samples):
    """The true value, the mean of the samples, and how often each method covers it."""
    rng = np.random.default_rng(0)
    tables = rng.multinomial(n_samples, joint.ravel(), N_DATA_SETS)
    tables = tables.reshape(-1, *joint.shape)
    truth = measure.normalized_information(joint)
    shares = []
    for method in (bootstrap, corrected):
        low, high = np.transpose([method(table) for table in tables])
        shares.append(np.mean((low <= truth) & (truth <= high)))
    return truth, measure.normalized_information(tables).mean(), *shares


def classifier(n_classes, kept):
    """A joint distribution of true and predicted classes."""
    return (kept * np.eye(n_classes) + (1 - kept) / n_classes) / n_classes


# %%
# Many samples, little information
# --------------------------------
# Three classes and 360 samples, 40 per cell of the table. At independence no bootstrap
# interval covers zero; from a normalized information (NI) of about 0.1 on it does
# nearly as well.
print("     NI   mean of samples   bootstrap   corrected")
kept_shares = (0, 0.05, 0.1, 0.2, 0.4, 0.7)
results = np.array([coverage(classifier(3, kept), 360) for kept in kept_shares])
for truth, mean, *shares in results:
    print(f"{truth:7.4f}{mean:18.4f}{shares[0]:12.0%}{shares[1]:12.0%}")

# %%
# The grey band is where 95 of 100 intervals cover the true value, plus or minus two
# standard deviations for this number of data sets.
slack = 2 * np.sqrt(0.95 * 0.05 / N_DATA_SETS)
figure, ax = plt.subplots(figsize=(6.4, 4), layout="constrained")
ax.axhspan(0.95 - slack, min(0.95 + slack, 1), color="0.9")
for name, shares, style in zip(
    ("bootstrap", "corrected"), results.T[2:], ("o--", "D-"), strict=True
):
    ax.plot(results[:, 0], shares, style, label=name, clip_on=False)
ax.set_xscale("symlog", linthresh=0.002)
ax.set(xlim=(0, 1), ylim=(-0.03, 1.03))
ax.set(xlabel="true normalized information", ylabel="intervals that cover it")
ax.legend(loc="lower right", frameon=False)
ax.set_title("Resampling misses the truth where there is little information")
assert results[0, 2] < 0.05
assert results[-2:, 2].min() > 0.85
assert results[:, 3].min() > 0.88

# %%
# Ten classes, few samples
# ------------------------
# Seven of ten predictions are right, and the rest are guesses. Few samples per cell are
# the rule with many classes, and there the bootstrap hardly ever covers the truth.
print("samples per cell   bootstrap   corrected")
for per_cell in (1, 2, 5, 20):
    *_, resampled, ours = coverage(classifier(10, 0.7), 100 * per_cell)
    print(f"{per_cell:16}{resampled:12.0%}{ours:12.0%}")
    assert ours > 0.88
    assert resampled < 0.88 or per_cell > 5

plt.show()
