"""The comparisons on real tables: they run on made ones, and rank as they say."""

import sys
import types

import numpy as np
import pytest

from benchmarks import contenders, probabilities, real_tables, shrunk_trees, tables
from benchmarks.contenders import ALL, REFERENCE


@pytest.fixture
def folder(tmp_path, rng, monkeypatch):
    """Two small tables with a category and a gap; few alphas, for the sake of time."""
    monkeypatch.setattr(contenders, "ALPHAS", 5)
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    x, level = rng.normal(size=120), rng.choice(["a", "b", "c"], 120)
    number = np.round(x + (level == "a") + 0.3 * rng.normal(size=120), 3)
    gaps = np.where(rng.random(120) < 0.1, np.nan, x)
    for name, target in {"classes": np.where(number > 0.5, "yes", "no"), "numbers": number}.items():
        table = pandas.DataFrame({"x": gaps, "level": pandas.Categorical(level), "target": target})
        table.to_parquet(tmp_path / f"{name}.parquet")
    index = {
        "name": ["classes", "numbers", "tiny"],
        "task": ["classification", "regression", "regression"],
        "rows": [120, 120, 12],
        "classes": [2, None, None],
        "tier": "core",
    }
    pandas.DataFrame(index).to_csv(tmp_path / "index.csv")
    return tmp_path


def test_every_method_runs_on_every_table_that_suits_it(folder, capsys):
    classes, numbers = tables.main(["--quick", "--data", str(folder)])
    assert list(classes) == list(ALL)
    assert set(ALL) - set(numbers) == {name for name, each in ALL.items() if each.only_classes}
    for result in (*classes.values(), *numbers.values()):
        assert 0 <= result.loss < 1
        assert result.leaves >= 1
    shown = capsys.readouterr().out
    assert "classes: 120 rows, 2 columns, 2 classes" in shown
    assert f"All, tables: 2; ratios against: {REFERENCE}" in shown


def test_probabilities_and_means_of_every_method(folder, capsys, monkeypatch):
    for module in (shrunk_trees, probabilities):
        monkeypatch.setattr(module, "has_imodels", lambda: False)
    classes, numbers = probabilities.main(["--quick", "--data", str(folder)])
    assert list(classes) == ["treewright", "scikit-learn, unpruned", REFERENCE, "C4.4 style"]
    assert list(numbers) == ["treewright", "scikit-learn, unpruned", REFERENCE]
    for result in classes.values():
        assert 0.5 < result.figures["AUC"] <= 1
        assert 0 < result.figures["Brier"] < 0.25
        assert 0 < result.figures["log-loss"] < -np.log(2.0**-52)
        assert result.leaves >= 1
    assert classes["treewright"].impossible == 0
    assert 0.3 < numbers["treewright"].figures["R²"] < 1
    shown = capsys.readouterr().out
    assert "imodels is not installed: its shrunk trees are left out" in shown
    assert "classes: 120 rows, 2 columns, 2 classes" in shown
    assert "Two classes, tables: 1" in shown
    assert "treewright, log-loss never infinite: yes (impossible rows: 0)" in shown


@pytest.fixture
def imodels(monkeypatch):
    """The package where it is installed, else one with the same interface whose trees do not shrink."""
    if shrunk_trees.has_imodels():
        return

    class Shrunk:
        def __init__(self, estimator_, cv):
            self.estimator_, self.cv = estimator_, cv

        def fit(self, X, y):
            parts = np.array_split(y, self.cv)  # it divides the rows as they come
            assert self.is_regression or all(set(part) == set(y) for part in parts)
            self.estimator_.fit(X, y)
            return self

        def __getattr__(self, name):
            return getattr(self.estimator_, name)

    made = types.ModuleType("imodels")
    for name in ("Classifier", "Regressor"):
        kind = type(f"HSTree{name}CV", (Shrunk,), {"is_regression": name == "Regressor"})
        setattr(made, kind.__name__, kind)
    monkeypatch.setitem(sys.modules, "imodels", made)
    for module in (shrunk_trees, probabilities):
        monkeypatch.setattr(module, "has_imodels", lambda: True)


@pytest.mark.usefixtures("imodels")
def test_the_shrunk_trees_of_imodels(folder):
    classes, numbers = probabilities.main(["--quick", "--data", str(folder)])
    for found in (classes, numbers):
        assert list(found)[-2:] == list(shrunk_trees.SHRUNK)
        full, pruned = (found[name] for name in shrunk_trees.SHRUNK)
        assert full.leaves == found["scikit-learn, unpruned"].leaves
        assert pruned.leaves == found[REFERENCE].leaves


def test_figures_of_probabilities_are_those_of_scikit_learn(rng):
    from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

    truths = [rng.permutation(np.arange(n) % 2) for n in (20, 31)]
    said = [np.round(rng.random(len(truth)), 1) for truth in truths]
    said[0][:2], truths[0][:2] = [0.0, 1.0], [1, 0]  # both said to be impossible
    result = probabilities.probabilities([np.stack([1 - p, p], axis=1) for p in said], truths, 3.0)
    share, truth = np.concatenate(said), np.concatenate(truths)
    assert result.figures["AUC"] == pytest.approx(np.mean([*map(roc_auc_score, truths, said)]))
    assert result.figures["log-loss"] == pytest.approx(log_loss(truth, share))
    assert result.figures["Brier"] == pytest.approx(brier_score_loss(truth, share))
    assert result.impossible == np.sum(share == 1 - truth) >= 2


def test_r_squared_is_against_the_means_of_the_training_rows():
    said, truths = [np.array([1.0, 2.0]), np.array([5.0])], [np.array([1.0, 4.0]), np.array([6.0])]
    assert probabilities.numbers(said, truths, base=20.0, leaves=2.0).figures["R²"] == pytest.approx(0.75)


def test_the_verdict_says_who_is_first():
    def made(auc, loss, leaves):
        return probabilities.Result({"AUC": auc, "log-loss": loss, "Brier": 0.1}, leaves, int(loss > 1))

    runs = [{"treewright": made(0.9, 2.0, 4.0), REFERENCE: made(0.8, 0.3, 3.0)}]
    shown = "\n".join(probabilities.averages(runs, classes=True))
    assert "first in AUC: yes (mean rank 1.00, best rival: scikit-learn, GridSearchCV, 2.00)" in shown
    assert "first in log-loss: no" in shown
    assert "first in Brier: no (mean rank 1.50" in shown
    assert f"no more leaves than {REFERENCE}: no (4.0 against 3.0)" in shown
    assert "log-loss never infinite: no (impossible rows: 1)" in shown


def test_tables_of_more_than_two_classes_have_no_share_in_probabilities(tmp_path):
    pandas = pytest.importorskip("pandas")
    index = {"name": ["two", "three", "number"], "task": ["classification", "classification", "regression"]}
    index |= {"rows": 200, "classes": [2, 3, None], "tier": "core"}
    pandas.DataFrame(index).to_csv(tmp_path / "index.csv")
    assert real_tables.names(tmp_path, False, "", two_classes=True) == [("number", False), ("two", True)]
    assert [name for name, _ in real_tables.names(tmp_path, True, "t")] == ["three", "two"]


@pytest.mark.parametrize("comparison", [tables, probabilities])
def test_without_tables_it_says_so(comparison, tmp_path, capsys):
    assert comparison.main(["--data", str(tmp_path)]) == []
    assert "The tables are not here" in capsys.readouterr().out


def test_an_unknown_table_is_refused(folder, capsys):
    with pytest.raises(SystemExit):
        probabilities.main(["--only", "no such table", "--data", str(folder)])
    assert "--only must be part of the name of some table" in capsys.readouterr().err


def test_equal_losses_share_their_places():
    assert real_tables.ranks(np.array([0.2, 0.1, 0.2, 0.3])).tolist() == [2.5, 1, 2.5, 4]
