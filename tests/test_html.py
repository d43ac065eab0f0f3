"""What notebooks show: small tables, well formed and with every text escaped."""

import dataclasses

import numpy as np
import pytest

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics._html import html_table, html_text, visible

RUDE = "<script>alert('1')</script> & \"more\""
Y_TRUE = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2] * 5
Y_PRED = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0] * 5
TABLE = sem.contingency_table(Y_TRUE, Y_PRED)


def test_a_table_gives_back_its_texts(read_html):
    rows = [[RUDE, 1], ["b", 2.5]]
    found = read_html(html_table(rows, header=[RUDE, "x"], caption=RUDE))
    assert found["caption"] == [RUDE]
    assert found["th"] == [RUDE, "x"]
    assert found["td"] == [RUDE, "1", "b", "2.5"]
    found = read_html(html_table(rows, named_rows=True))
    assert found["th"] == [RUDE, "b"]
    assert found["td"] == ["1", "2.5"]
    assert found["caption"] == []


def test_texts_are_safe_in_quotation_marks():
    assert html_text("\"'<&>") == "&quot;&#x27;&lt;&amp;&gt;"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ↔ ü 猫 🦉", "plain ↔ ü 猫 🦉"),
        ("two\nlines\x00", r"two\nlines\x00"),
        ("\udc80", r"\udc80"),  # no encoding takes it
        ("\u202etxt", r"\u202etxt"),  # it would turn the rest of the page around
    ],
)
def test_control_characters_are_written_out(text, shown):
    assert visible(text) == shown
    shown.encode()


def test_balance_of_one_table(read_html):
    balance = sem.EntropyBalance.from_confusion_matrix(TABLE)
    found = read_html(balance._repr_html_())
    names = ("entropy_modulated_accuracy", "normalized_information")
    for name in names:
        assert f"{getattr(balance, name):.3f}" in found["caption"][0]
    cells = np.array(found["td"], dtype=float).reshape(4, 3)
    uniform, divergence, information, unknown = cells
    assert information.tolist() == pytest.approx(
        [balance.mutual_information] * 2 + [2 * balance.mutual_information], abs=5e-4
    )
    np.testing.assert_allclose(
        uniform - divergence - information, unknown, rtol=0, atol=3e-3
    )
    assert unknown[2] == pytest.approx(balance.variation_of_information, abs=5e-4)


def test_balance_of_a_sparse_table(read_html):
    labels = np.arange(3000)
    balance = sem.EntropyBalance.from_predictions(labels, labels)
    assert "3000 × 3000" in read_html(balance._repr_html_())["caption"][0]


@pytest.mark.parametrize(("shape", "shown"), [((2, 2), 4), ((12,), 10), ((0,), 0)])
def test_balance_of_a_stack(shape, shown, read_html):
    balance = sem.EntropyBalance.from_confusion_matrix(
        np.broadcast_to(TABLE, (*shape, 3, 3))
    )
    found = read_html(balance._repr_html_())
    assert len(found["td"]) == 4 * shown
    if shown:
        one = sem.EntropyBalance.from_confusion_matrix(TABLE)
        assert found["td"][3] == f"{one.normalized_information:.3f}"
    assert ("first 10 of 12" in found["caption"][0]) == (shape == (12,))


def results():
    return {
        "ConfidenceInterval": sem.confidence_interval(Y_TRUE, Y_PRED),
        "ClassifierComparison": sem.compare_classifiers(
            Y_TRUE, Y_PRED, Y_TRUE[::-1], "normalized_information", random_state=0
        ),
        "IndependenceTest": sem.independence_test(Y_TRUE, Y_PRED, random_state=0),
    }


@pytest.mark.parametrize(
    "name", ["ConfidenceInterval", "ClassifierComparison", "IndependenceTest"]
)
def test_results_show_all_their_fields(name, read_html):
    result = results()[name]
    found = read_html(result._repr_html_())
    assert found["caption"] == [name]
    fields = dataclasses.asdict(result).items()
    heads = [head.replace(" ", "_") for head in found["th"]]
    assert heads == [name for name, value in fields if value not in (None, "")]
    assert found["td"][0] == f"{result[0]:.4g}"
    assert len(found["td"]) == len(found["th"])


def test_probability_balance_is_well_formed(read_html):
    proba = np.random.default_rng(0).dirichlet([1, 1, 1], len(Y_TRUE))
    balance = sem.ProbabilityBalance.from_probabilities(Y_TRUE, proba)
    found = read_html(balance._repr_html_())
    assert found["td"][3] == f"{balance.log_loss:.3f}"
    assert len(found["td"]) == len(found["th"]) == 6
