"""
Information diagrams and chains of perplexities
===============================================

Where do the entropies of true and predicted classes go? The extended information
diagram draws them as proportional areas: two bars, one for the truth and one for the
prediction, that overlap in what both share, the mutual information. As perplexities,
that is, as effective numbers of classes, the same parts are factors: a classifier
divides the number of classes left to guess among.

The pictures are those of Fig. 1 of F. J. Valverde-Albacete and C. Peláez-Moreno (2010),
"Two information-theoretic tools to assess the performance of multi-class
classifiers", Pattern Recognition Letters 31(12), 1665-1671, and of Figs 3 and 5 of the
same authors (2014), "100% classification accuracy considered harmful: the normalized
information transfer factor explains the accuracy paradox", PLoS ONE 9(1), e84217.
There they are schematic; here they show classifiers.
"""

# %%
# The diagram
# -----------
# Each bar is as long as the entropy of uniform classes. The pale outer ends are what
# uneven classes and uneven predictions leave out; between them is the joint entropy
# :math:`H_{XY}`, in the middle of which :math:`H_X` and :math:`H_Y` overlap.
import matplotlib.pyplot as plt
import numpy as np

from sklearn_entropy_metrics import InformationDiagramDisplay, datasets

matrix = np.array([[52, 3, 2, 0], [5, 17, 1, 1], [3, 2, 8, 0], [1, 1, 0, 4]])

InformationDiagramDisplay.from_confusion_matrix(matrix, name="four classes")

# %%
# The split diagram
# -----------------
# With a common start, the parts of true and predicted classes are easy to compare. This
# classifier predicts a little less evenly than the classes occur.
InformationDiagramDisplay.from_confusion_matrix(matrix, split=True, name="four classes")

# %%
# The chains
# ----------
# The five kinds of videos in the mind reading challenge count as 4.95 classes, because
# they are not quite balanced. The best classifier divides this by 2.04, and 2.43
# remain: one divided by that is the entropy-modulated accuracy, 0.412.
data = datasets.load_meg_mind_reading()
best = data.matrices[data.names.index("C4")]
display = InformationDiagramDisplay.from_confusion_matrix(
    best, chain=True, name="the best of ten"
)

# The values of Table 1 of the second paper.
balance = display.balance
np.testing.assert_allclose(balance.effective_true_classes, 4.950, atol=5e-4)
np.testing.assert_allclose(balance.remaining_true_classes, 2.430, atol=5e-4)
np.testing.assert_allclose(balance.information_transfer_factor, 2.037, atol=5e-4)
np.testing.assert_allclose(balance.entropy_modulated_accuracy, 0.412, atol=5e-4)

plt.show()
