"""``python -m benchmarks.real_tables``: confusion matrices of real classifiers.

Ten-fold predictions of eight classifiers for the data sets that come with
scikit-learn, but for two that hardly ever err. They are kept in a file, so that the
truths of the experiment do not depend on the version of scikit-learn.
"""

import json
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.tree import DecisionTreeClassifier

FILE = Path(__file__).parent / "real_tables.json"
LOADERS = (load_iris, load_wine, load_breast_cancer, load_digits)
CLASSIFIERS = (
    DummyClassifier(strategy="stratified", random_state=0),
    DecisionTreeClassifier(max_depth=1, random_state=0),
    DecisionTreeClassifier(max_depth=3, random_state=0),
    NearestCentroid(),
    GaussianNB(),
    KNeighborsClassifier(1),
    LinearDiscriminantAnalysis(),
    RandomForestClassifier(10, random_state=0),
)
LEFT_OUT = {("wine", "LinearDiscriminantAnalysis"), ("digits", "KNeighborsClassifier")}


def read() -> list[np.ndarray]:
    """The tables, as shares."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    tables = [np.array(one["table"], dtype=float) for one in stored["tables"]]
    return [table / table.sum() for table in tables]


def main() -> None:
    """Fit the classifiers, and write the file."""
    tables = []
    for load in LOADERS:
        X, y = load(return_X_y=True)
        data = load.__name__.removeprefix("load_")
        for classifier in CLASSIFIERS:
            if (data, type(classifier).__name__) in LEFT_OUT:
                continue
            folds = StratifiedKFold(10, shuffle=True, random_state=0)
            table = confusion_matrix(y, cross_val_predict(classifier, X, y, cv=folds))
            tables.append(
                {"data": data, "classifier": str(classifier), "table": table.tolist()}
            )
    provenance = " ".join(__doc__.split("\n\n", 1)[1].split())
    lines = ",\n".join(f"  {json.dumps(one)}" for one in tables)
    text = f'{{"provenance": {json.dumps(provenance)},\n"tables": [\n{lines}\n]}}\n'
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
