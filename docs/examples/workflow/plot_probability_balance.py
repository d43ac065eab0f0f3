r"""
What four models know, say and decide
=====================================

The log loss of a classifier mixes what it does not know with how badly it expresses
what it knows. In bits it is a balance,
:class:`~sklearn_entropy_metrics.ProbabilityBalance`: the entropy H of the classes,
minus the information I that the probabilities carry, plus the miscalibration M,

.. math:: L = H - I + M .

The information is measured after recalibration in folds. Decisions keep a part of it
and discard the rest.
"""

# %%
# Four models learn from one half of the samples and are judged on the other half, on
# two data sets: a random forest, gradient boosting, naive Bayes, and naive Bayes
# calibrated during training.
import matplotlib.pyplot as plt
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import ProbabilityBalance, ProbabilityBalanceDisplay


def judge(load):
    """Balances of four models of a data set."""
    X, y = load(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.5, stratify=y, random_state=0
    )
    models = {
        "forest": RandomForestClassifier(random_state=0),
        "boosting": HistGradientBoostingClassifier(max_iter=20, random_state=0),
        "naive Bayes": GaussianNB(),
        "calibrated naive Bayes": CalibratedClassifierCV(
            GaussianNB(), method="isotonic"
        ),
    }
    return {
        name: ProbabilityBalance.from_estimator(
            model.fit(X_train, y_train), X_test, y_test
        )
        for name, model in models.items()
    }


digits = judge(load_digits)
displays = [ProbabilityBalanceDisplay(balance=digits, name="Digits").plot()]

# %%
# The breast cancer data are fewer, and have two classes instead of ten.
cancer = judge(load_breast_cancer)
displays += [ProbabilityBalanceDisplay(balance=cancer, name="Breast cancer").plot()]

# %%
# Naive Bayes has the highest log loss on both data sets, because it is far too sure of
# itself. But it knows about as much as its calibrated version. On the digits, the
# forest is miscalibrated in the opposite direction: its trees vote, so it is too timid.
# On the smaller data set, calibration during training helps little: isotonic regression
# gives a probability of 0 to the true class of a few samples.
for display in displays:
    print(f"{display.name:24} knows     says  decides  recalibrated by")
    frame = display.frame()
    for row, model in enumerate(frame["name"]):
        print(
            f"  {model:22} {frame['information'][row]:5.2f} "
            f"{frame['stated_information'][row]:8.2f} "
            f"{frame['decision_information'][row]:8.2f}  {frame['recalibration'][row]}"
        )

assert digits["naive Bayes"].log_loss > 5 * digits["calibrated naive Bayes"].log_loss
assert digits["naive Bayes"].information > 2.3
assert digits["forest"].miscalibration > 0.2

plt.show()
