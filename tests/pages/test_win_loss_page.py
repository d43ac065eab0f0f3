"""What the page on wins and losses says of the experiment is in its results."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# The benchmarks are not installed.
win_loss = SimpleNamespace(**runpy.run_path(ROOT / "benchmarks" / "win_loss.py"))
AREAS, CONFUSION, ERRORS = win_loss.AREAS, win_loss.CONFUSION, win_loss.ERRORS
ALL_SETS = pd.read_csv(DOCS / "win_loss_results.csv")
SETS = ALL_SETS[~ALL_SETS["data"].isin(win_loss.BUNDLED)]


@pytest.fixture(scope="module")
def page():
    return " ".join((DOCS / "win_loss.md").read_text(encoding="utf-8").split())


def record(measure, opponent, arbiter):
    """Sets ahead : sets behind."""
    ahead, decided = win_loss.count_ahead(SETS, [measure], [opponent], [arbiter])
    return f"{ahead} : {decided - ahead}"


def ahead(measure, opponents, arbiters):
    return sorted(
        win_loss.count_ahead(SETS, [measure], [opponent], [arbiter])[0]
        for opponent in opponents
        for arbiter in arbiters
    )


def best(table, arbiter, metrics, method="min"):
    """Measures by their mean ranks, with ties ranked as in `pandas.Series.rank`."""
    rows = table[(table["arbiter"] == arbiter) & table["metric"].isin(metrics)]
    regrets = rows.pivot(index="data", columns="metric", values="regret").dropna()
    return list(regrets.rank(axis=1, method=method).mean().sort_values().index)


def test_numbers_of_sets(page):
    defined = win_loss.find_ranks(SETS, "rpCEN", CONFUSION + AREAS)
    assert f"its {SETS['data'].nunique()} sets" in page
    assert f"defined on {len(defined)} of the {SETS['data'].nunique()} sets" in page
    assert f"in {SETS['n_rounds'].unique().item()} rounds per set" in page


def test_what_was_found_again(page):
    assert ahead("pCEN", ["ACC", "CEN"], ["pCEN"]) == [19, 19]
    assert "pCEN is ahead of accuracy and of CEN on all 19 sets" in page
    for_pcen, for_rpcen = (ahead(m, AREAS, CONFUSION) for m in ("pCEN", "rpCEN"))
    assert (
        f"pCEN is ahead of each area on {for_pcen[0]} to {for_pcen[-1]} of the 17 sets,"
        f" and rpCEN on {for_rpcen[0]} to {for_rpcen[-1]}."
    ) in page
    for arbiter in CONFUSION:
        assert set(best(SETS, arbiter, CONFUSION + AREAS)[:2]) == set(CONFUSION)
    for_pcen, for_rpcen = (
        ahead(m, ["MSE"], [*CONFUSION, "MAE"]) for m in ("pCEN", "rpCEN")
    )
    assert len(set(for_pcen)) == 1
    assert (
        f"pCEN is ahead of MSE on {for_pcen[0]} of the 19 sets, and rpCEN on "
        f"{for_rpcen[0]} to {for_rpcen[-1]}."
    ) in page


def test_what_is_weaker(page):
    assert f"pCEN is ahead of it {record('pCEN', 'ACC', 'ACC')}," in page
    assert f"with CEN as arbiter {record('pCEN', 'CEN', 'CEN')}." in page
    ranks = win_loss.find_ranks(SETS, "rpCEN", CONFUSION + AREAS)
    n_sets = (ranks[AREAS].min(axis=1) < ranks[CONFUSION].max(axis=1)).sum()
    assert f"some area is on {n_sets} of the {len(ranks)} sets" in page
    wins, loses = record("pCEN", "MAE", "MAE"), record("pCEN", "MAE", "MSE")
    assert f"With MAE as the arbiter, pCEN wins {wins};" in page
    assert f"with MSE as the arbiter, it loses {loses}." in page
    turned = [
        " : ".join(reversed(record("rpCEN", "MAE", arbiter).split(" : ")))
        for arbiter in ERRORS
    ]
    assert (
        f"ahead of rpCEN {turned[0]} with MAE and {turned[1]} with MSE as arbiter"
    ) in page


def test_what_was_not_found(page):
    behind = {}
    for arbiter in AREAS:
        n_ahead, decided = win_loss.count_ahead(SETS, CONFUSION, AREAS, [arbiter])
        behind[arbiter] = decided - n_ahead, n_ahead
    assert [a for a, (lost, won) in behind.items() if lost > won] == ["AU1U"]
    assert (
        "AU1U only: with all four areas and both measures taken together, "
        + ("{} : {}.".format(*behind["AU1U"]))
        in page
    )
    for arbiter in ("AUNP", "AU1P"):
        assert best(SETS, arbiter, CONFUSION + AREAS)[0] == "pCEN"
    assert f"pCEN is ahead of MSE {record('pCEN', 'MSE', 'MSE')} and has" in page
    assert best(SETS, "MSE", CONFUSION + ERRORS)[0] == "pCEN"
    assert best(SETS, "rpCEN", CONFUSION + ERRORS)[0] == "pCEN"
    assert best(SETS, "rpCEN", CONFUSION + AREAS)[0] == "pCEN"
    by_mae = best(SETS, "MAE", CONFUSION + ERRORS)
    assert by_mae.index("pCEN") < by_mae.index("MAE") < by_mae.index("rpCEN")


def test_best_mean_ranks_and_ties():
    everything = CONFUSION + AREAS
    assert best(ALL_SETS, "AUNP", everything, method="min")[0] == "AUNP"
    assert best(ALL_SETS, "AUNP", everything, method="average")[0] == "pCEN"
    for group in (everything, CONFUSION + ERRORS):
        for arbiter in group:
            first = [best(SETS, arbiter, group, m)[0] for m in ("min", "average")]
            assert first[0] == first[1]


def test_undefined_areas(page):
    rows = SETS[(SETS["arbiter"] == "rpCEN") & (SETS["metric"] == "AUNU")]
    undefined = rows.set_index("data")["n_undefined"]
    undefined = undefined[undefined > 10]
    always = sorted(undefined[undefined == 100].index)
    assert f"in all 100 rounds on {always[0]} and {always[1]}, in 94 on flag" in page
    for name, rounds in undefined.drop(always).items():
        assert f"{rounds} on {name}" in page


def test_sizes_of_the_sets(page):
    sets = pd.read_csv(DOCS / "win_loss_sets.csv").set_index("data")
    assert list(sets.index) == list(SETS["data"].unique()) == list(win_loss.TABLE_9)
    printed = sets[["printed_samples", "printed_attributes", "printed_classes"]]
    assert list(printed.itertuples(index=False, name=None)) == list(
        win_loss.TABLE_9.values()
    )
    other_rows = (sets["samples"] != sets["printed_samples"]).sum()
    fewer = sets.index[sets["classes"] == sets["printed_classes"] - 1]
    assert (sets["classes"] != sets["printed_classes"]).sum() == len(fewer)
    names = f"{fewer[0]}, {fewer[1]} and {fewer[2]}"
    assert (
        f"{other_rows} have other numbers of samples, and {len(fewer)} have one class "
        f"fewer ({names})"
    ) in page


def test_sizes_as_played_and_as_printed():
    X = pd.DataFrame({"buying": ["high", "low", "low"], "doors": [2, 4, 4]})
    y = pd.Series(["acc", "good", "good"])
    (row,) = win_loss.describe([("car", X, y), ("iris", X, y)]).to_dict("records")
    assert row == {
        "data": "car",
        "samples": 3,
        "attributes": 2,
        "classes": 2,
        "printed_samples": 1717,
        "printed_attributes": 7,
        "printed_classes": 4,
    }
