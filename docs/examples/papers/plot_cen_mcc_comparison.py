r"""
Confusion entropy and Matthews correlation beside EMA and NIT
=============================================================

Four measures of the same confusion matrices: entropy-modulated accuracy (EMA), the
normalized information transfer (NIT) factor, confusion entropy as
:math:`1 - \mathrm{CEN}`, and the correlation coefficient of Matthews, moved to the
range from 0 to 1 as :math:`\mathrm{MCC}' = (\mathrm{MCC} + 1) / 2`. In all of them
greater is better. Do they rank classifiers in the same way?

The comparison is that of File S1, a supplement to F. J. Valverde-Albacete and
C. Peláez-Moreno (2014), "100% classification accuracy considered harmful: the
normalized information transfer factor explains the accuracy paradox", PLoS ONE 9(1),
e84217, for two of its three tasks.
"""

# %%
# Ten classifiers of brain signals
# --------------------------------
# MCC' ranks them exactly as accuracy does. EMA and NIT prefer C4, because it transfers
# the most information. CEN gives a different order: C2 is first, and C9 is four places
# higher than by accuracy.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import datasets, measure


def compare(matrices):
    """Accuracy and the four measures, greater is better."""
    return {
        "accuracy": measure.accuracy(matrices),
        "EMA": measure.entropy_modulated_accuracy(matrices),
        "NIT": measure.normalized_information_transfer(matrices),
        "1 - CEN": 1 - measure.confusion_entropy(matrices),
        "MCC'": (measure.matthews_corrcoef(matrices) + 1) / 2,
    }


def show(data, values):
    """Print a table."""
    print("       " + "".join(f"{title:>10}" for title in values))
    for name, *row in zip(data.names, *values.values(), strict=True):
        print(f"{name:>7}" + "".join(f"{value:10.3f}" for value in row))


meg = datasets.load_meg_mind_reading()
of_meg = compare(meg.matrices)
show(meg, of_meg)
orders = {}
for title, value in of_meg.items():
    orders[title] = [meg.names[place] for place in np.argsort(-value)]
    print(f"{title:>8}: {' '.join(orders[title])}")
assert orders["MCC'"] == orders["accuracy"] == meg.names
assert orders["EMA"] == orders["NIT"] != orders["1 - CEN"]
assert orders["1 - CEN"].index("C9") == orders["accuracy"].index("C9") - 4

# %%
# Listeners in six levels of noise
# --------------------------------
# The less noise there was, the better the consonants were heard. All measures agree on
# the order, but not on how good the listeners are. EMA and NIT nearly coincide, here
# and above, because the classes are nearly balanced.
listeners = datasets.load_miller_nicely()
of_listeners = compare(listeners.matrices)
show(listeners, of_listeners)
assert all((np.diff(value) > 0).all() for value in of_listeners.values())

figure, axes = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True, layout="constrained")
for ax, data, values in zip(
    axes, (meg, listeners), (of_meg, of_listeners), strict=True
):
    for title, style in zip(values, ("o-", "s-", "x--", "^-", "D-"), strict=True):
        ax.plot(data.names, values[title], style, label=title)
    ax.grid(axis="y", alpha=0.4)
axes[0].set(title="MEG mind reading", xlabel="classifier", ylim=(0, 1))
axes[1].set(title="Miller and Nicely", xlabel="signal-to-noise ratio")
figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=5)

# %%
# The majority classifier
# -----------------------
# A classifier that always predicts the most frequent class transfers nothing. NIT shows
# this: it has its lowest value, 1/3 for three classes. EMA is one divided by the
# effective number of classes, which is small for such data. MCC is undefined. CEN is
# low, because the errors are few and of few kinds, so :math:`1 - \mathrm{CEN}` looks
# good.
synthetic = datasets.load_synthetic()
majority = synthetic.matrices[synthetic.names.index("f")]
for title, value in compare(majority).items():
    print(f"{title:>9} {value:.3f}")

plt.show()
