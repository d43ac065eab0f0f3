r"""
Heat maps show which classes are confused, the triangle how much it costs
=========================================================================

A heat map of a confusion matrix shows which classes are mistaken for which. But it
takes a plot per classifier, and does not say which classifier is better. Below each map
are three numbers that do, each by its own standard: entropy-modulated accuracy (EMA),
confusion entropy as :math:`1 - \mathrm{CEN}`, and the correlation coefficient of
Matthews as :math:`\mathrm{MCC}' = (\mathrm{MCC} + 1) / 2`. In the entropy triangle, all
classifiers fit into one plot, and each of these numbers can set the colour.

The pictures are Figs S1, S4 and S5 of File S1, a supplement to F. J. Valverde-Albacete
and C. Peláez-Moreno (2014), "100% classification accuracy considered harmful: the
normalized information transfer factor explains the accuracy paradox", PLoS ONE 9(1),
e84217. The paper draws the maps three times, with a colour bar for each measure.
"""

# %%
# Ten classifiers of brain signals
# --------------------------------
# Rows are stimuli, columns responses, and darker cells hold more samples. The maps are
# sorted by accuracy. C4, which has the largest EMA, keeps the two families of videos
# apart best: x1 to x3 are the first three rows and columns, x4 and x5 the others.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import EntropyTriangleDisplay, datasets, measure


def score(matrices):
    """Three measures, greater is better."""
    return {
        "EMA": measure.entropy_modulated_accuracy(matrices),
        "1 − CEN": 1 - measure.confusion_entropy(matrices),
        "MCC'": (measure.matthews_corrcoef(matrices) + 1) / 2,
    }


def draw_maps(data, shape, figsize):
    """Draw one map per matrix, with its scores below."""
    figure, axes = plt.subplots(*shape, figsize=figsize, layout="constrained")
    scores = score(data.matrices)
    largest = data.matrices.max()
    for place, ax in enumerate(axes.flat):
        ax.imshow(data.matrices[place], cmap="Greys", vmin=0, vmax=largest)
        numbers = [f"{name} {values[place]:.3f}" for name, values in scores.items()]
        ax.set(title=data.names[place], xlabel="\n".join(numbers), xticks=[], yticks=[])
    return figure


meg = datasets.load_meg_mind_reading()
is_long = np.array([False, False, False, True, True])
across = meg.matrices[:, is_long[:, None] != is_long].sum(axis=1)
assert np.argmin(across) == np.argmax(score(meg.matrices)["EMA"]) == 3
figure = draw_maps(meg, (2, 5), (9, 5.6))
figure.suptitle("C1 is the most accurate, C4 keeps the two families of videos apart")

# %%
# Consonants heard in noise
# -------------------------
# As the noise falls, mistakes gather near the diagonal: consonants that sound alike are
# neighbours.
listeners = datasets.load_miller_nicely()
figure = draw_maps(listeners, (2, 3), (8, 7.4))
figure.suptitle("Six levels of noise: mistakes become fewer and more alike")

# %%
# One triangle for each measure
# -----------------------------
# All three measures agree on the order of the listeners. They differ in what they call
# good: at -6 dB, where more than half of the consonants are heard wrongly,
# :math:`1 - \mathrm{CEN}` and MCC' are far above EMA.
scores = score(listeners.matrices)
figure, axes = plt.subplots(3, 1, figsize=(6.4, 13.5), layout="constrained")
for ax, (name, values) in zip(axes, scores.items(), strict=True):
    EntropyTriangleDisplay.from_confusion_matrix(
        listeners.matrices,
        name=listeners.names,
        c=values,
        ax=ax,
        scatter_kwargs={"vmin": 0, "vmax": 1},
    )
    ax.set_title(f"Listeners by {name}")
half = listeners.names.index("-6 dB")
assert measure.accuracy(listeners.matrices)[half] < 0.5
assert scores["EMA"][half] < min(scores["1 − CEN"][half], scores["MCC'"][half]) - 0.2
assert all((np.diff(values) > 0).all() for values in scores.values())

plt.show()
