"""The recipes of the guide, run with the packages that they are for.

These are not dependencies: ``pip install ".[test,recipes]" && pytest -m recipes``.
"""

import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.metrics import confusion_matrix

from sklearn_entropy_metrics import (
    contingency_table,
    information_scores,
    normalized_information_score,
    normalized_information_transfer_score,
)

pytestmark = [
    pytest.mark.recipes,
    # Others may warn of what they like, but no measure may be undefined.
    pytest.mark.filterwarnings(
        "ignore", "error::sklearn.exceptions.UndefinedMetricWarning"
    ),
]
PAGE = Path(__file__).parents[2] / "docs" / "recipes.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
START, *RECIPES = PAGE.read_text(encoding="utf-8").split("\n## ")
RECIPES = {text.partition("\n")[0]: text for text in RECIPES}


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Give a function that runs the recipe of a title and returns its variables."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{tmp_path}/mlflow.db")

    def run_recipe(title, *packages):
        for package in packages:
            pytest.importorskip(package)
        (text,) = (text for name, text in RECIPES.items() if name.endswith(title))
        namespace = {"__name__": "__main__"}
        for block in BLOCK.findall(START + "\n" + text):
            exec(compile(block, title, "exec"), namespace)
        return namespace

    return run_recipe


def test_every_recipe_is_run_here():
    tests = Path(__file__).read_text(encoding="utf-8")
    for title in RECIPES:
        assert f'run("{title.removeprefix("scikit-learn: ")}"' in tests


def test_xgboost(run):
    found = run("XGBoost", "xgboost")
    model, y_valid = found["model"], found["y_valid"]
    assert 0 < model.best_iteration < 190  # it stopped early
    lost = 1 - normalized_information_score(y_valid, model.predict(found["X_valid"]))
    assert model.best_score == pytest.approx(lost, abs=1e-6)
    history = model.evals_result()["validation_0"]["lost_information"]
    assert min(history) == pytest.approx(lost, abs=1e-6)


def test_lightgbm(run):
    found = run("LightGBM", "lightgbm")
    model = found["model"]
    assert 1 < model.best_iteration_ < 190
    (scores,) = model.best_score_.values()
    predicted = model.predict(found["X_valid"])
    expected = normalized_information_score(found["y_valid"], predicted)
    assert scores == {"normalized_information": pytest.approx(expected)}


def test_imbalanced_learn(run):
    search = run("imbalanced-learn", "imblearn")["search"]
    results = search.cv_results_
    information = results["mean_test_normalized_information"]
    assert search.best_score_ == information.max()
    # As the page says.
    assert information[1] > information[0]
    assert np.diff(results["mean_test_balanced_accuracy"])[0] < 0


def test_optuna(run):
    found = run("Optuna", "optuna")
    study = found["study"]
    assert len(study.trials) == 10
    again = found["objective"](found["optuna"].trial.FixedTrial(study.best_params))
    assert study.best_value == again == max(t.value for t in study.trials)


def test_mlflow(run):
    found = run("MLflow", "mlflow", "pandas")
    logged = found["mlflow"].get_run(found["run"].info.run_id).data.metrics
    predicted = found["model"].predict(found["X_valid"])
    proba = found["model"].predict_proba(found["X_valid"])
    expected = information_scores(found["y_valid"], predicted, y_proba=proba)
    assert logged == pytest.approx(expected)
    assert found["result"].metrics["normalized_information"] == pytest.approx(
        expected["normalized_information"]
    )


def test_skore(run):
    found = run("skore", "skore")
    frame = found["report"].metrics.summarize().frame()
    predicted = found["report"].estimator_.predict(found["X_valid"])
    expected = normalized_information_score(found["y_valid"], predicted)
    assert frame["normalized_information"] == pytest.approx(expected)


def test_skore_loses_the_classes_of_a_string(run):
    """What the page warns of; if this fails, skore has changed: change the page."""
    found = run("skore", "skore")
    known = found["y_valid"] < 2
    X, y = found["X_valid"][known], found["y_valid"][known]
    name = "normalized_information_transfer"
    values = []
    for metric in (name, found["InformationScorer"]([name])):
        report = found["skore"].EstimatorReport(
            found["report"].estimator_, X_test=X, y_test=y
        )
        report.metrics.add(metric)
        values.append(report.metrics.summarize().frame()[name])
    predicted = found["report"].estimator_.predict(X)
    of = normalized_information_transfer_score
    assert values[0] == pytest.approx(of(y, predicted))
    assert values[1] == pytest.approx(of(y, predicted, labels=[0, 1, 2]))
    assert values[1] < values[0]


def test_skore_check(run):
    found = run("skore", "skore")
    sections = [
        found[name].checks.summarize(fast_mode=True).frame().set_index("code")
        for name in ("report", "useless")
    ]
    found = [frame.loc["INFO001", "section"] for frame in sections]
    assert found == ["passed", "issue"]


def check_counted(found):
    predicted = (found["X"][:, 0] > 0).astype(int)
    expected = contingency_table(found["y"], predicted)
    assert_array_equal(found["counted"].table, expected)
    assert found["counted"].n_samples == len(found["y"])


def test_pyspark(run, monkeypatch):
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    check_counted(run("PySpark", "pyspark", "narwhals"))


def test_sqlframe(run):
    check_counted(run("SQLFrame", "sqlframe", "duckdb", "narwhals"))


def test_river(run):
    found = run("River", "river")
    accumulator = found["accumulator"]
    assert accumulator.table.sum() == 1999  # all but the first
    rows = np.bincount(found["y"][1:])
    assert_array_equal(accumulator.table.sum(axis=1), rows)
    assert accumulator.balance().normalized_information > 0.2


def test_torch(run):
    found = run("PyTorch and TorchMetrics", "torch", "torchmetrics")
    assert found["balance"].table.shape == (5, 3, 3)
    torch, network = found["torch"], found["network"]
    inputs = torch.tensor(found["X_train"], dtype=torch.float32)
    predicted = network(inputs).argmax(dim=1)
    matrix = found["matrix"]
    matrix.reset()
    matrix.update(predicted, torch.tensor(found["y_train"]))
    expected = confusion_matrix(found["y_train"], predicted)
    assert_array_equal(matrix.compute(), expected)  # rows are true classes
    scores = information_scores(torch.tensor(found["y_train"]), predicted)
    assert scores["accuracy"] == np.trace(expected) / expected.sum()


def test_scoring_monitor(run):
    found = run("scores at every iteration", "sklearn.callback")
    steps = found["monitor"].get_logs().data
    assert len(steps) > 5
    model, X, y = found["model"], found["X_train"], found["y_train"]
    expected = normalized_information_score(y, model.predict(X))
    assert steps[-1]["normalized_information"] == pytest.approx(expected)


def test_thresholds(run):
    metrics = pytest.importorskip("sklearn.metrics")
    if not hasattr(metrics, "metric_at_thresholds"):
        pytest.skip("scikit-learn 1.9 is needed")
    found = run("scores at every threshold")
    np.testing.assert_allclose(found["information"], found["values"], atol=1e-12)
    best = found["thresholds"][found["information"].argmax()]
    expected = normalized_information_score(found["is_rare"], found["score"] >= best)
    assert found["information"].max() == pytest.approx(expected)
