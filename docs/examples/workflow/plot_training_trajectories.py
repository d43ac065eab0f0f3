"""
What class weights change while a model learns
==============================================

A training run only has to keep one table per epoch. The path of the tables in the
entropy triangle shows in one picture where the model starts, whether it leaves the
answer "always the majority", and when it begins to learn the training samples instead
of the classes.
"""

# %%
# There are three classes, one of which has three quarters of the samples. A linear
# model on kernel features learns them for 64 epochs, once without class weights and
# once with weights that balance the classes.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import compute_class_weight

from sklearn_entropy_metrics import (
    EntropyTriangleDisplay,
    contingency_table,
    measure,
)

X, y = make_classification(
    3000,
    n_informative=6,
    n_classes=3,
    weights=[0.75, 0.17],
    flip_y=0.02,
    random_state=1,
)
X_train, X_valid, y_train, y_valid = train_test_split(
    X, y, test_size=0.5, stratify=y, random_state=0
)
features = make_pipeline(
    StandardScaler(), Nystroem(gamma=0.1, n_components=600, random_state=0)
)
X_train = features.fit_transform(X_train)
X_valid = features.transform(X_valid)
classes = np.unique(y)
balanced = compute_class_weight("balanced", classes=classes, y=y_train)


# %%
# We keep a table of the training samples and one of the validation samples after 1, 2,
# 4, 8, … epochs.
samples = {"training": (X_train, y_train), "validation": (X_valid, y_valid)}


def train(class_weight):
    """Return the tables of training and of validation samples, in stacks."""
    model = SGDClassifier(
        loss="log_loss",
        class_weight=class_weight,
        learning_rate="constant",
        eta0=0.05,
        alpha=1e-6,
        shuffle=False,
    )
    rng = np.random.default_rng(0)
    tables = {name: [] for name in samples}
    for epoch in range(1, 65):
        order = rng.permutation(len(y_train))
        model.partial_fit(X_train[order], y_train[order], classes)
        if epoch.bit_count() == 1:  # a power of two
            for name, (X, y) in samples.items():
                table = contingency_table(y, model.predict(X), labels=classes)
                tables[name].append(table)
    return {name: np.array(stack) for name, stack in tables.items()}


paths = {
    "without class weights": train(None),
    "with class weights": train(dict(zip(classes, balanced, strict=True))),
}

# %%
# Both runs begin at the bottom, where nearly every answer is the majority class; the
# colours run from the first epoch, bright, to the 64th, dark. Without weights the path
# creeps away from there, because the model hardly ever predicts rare classes. With
# weights it leaves at once. It turns to the left, because the model predicts rare
# classes more often, and rises higher.
#
# While the paths of training and validation samples stay together, the model learns the
# classes. Once they part, it learns the samples.
figure, axes = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
for ax, (name, tables) in zip(axes, paths.items(), strict=True):
    display = EntropyTriangleDisplay.from_confusion_matrix(tables, ax=ax, path=True)
    display.colorbar_.set_label("epochs")
    display.colorbar_.set_ticks(range(1, 8, 2), labels=[1, 4, 16, 64])
    ax.set_title(name)
figure.suptitle("Class weights lead a model away from the majority at once")

# %%
# On the validation samples, both have the same accuracy, but their predictions do not
# carry the same information about the classes.
for name, tables in paths.items():
    right = measure.accuracy(tables["validation"][-1])
    information = measure.normalized_information(tables["validation"])
    early, late = information[[3, -1]]
    print(f"{name:22} accuracy {right:.2f}, NI {early:.2f} to {late:.2f}")

# %%
# NI is given after 8 and after 64 epochs. After 8, the weighted run already carries as
# much information as the other does after 64.

plt.show()
