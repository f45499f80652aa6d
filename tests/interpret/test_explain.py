"""Why a row is predicted what it is: every sentence holds, and the numbers are those of predict."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.random_trees import COLUMNS, predicted, random_rows, random_tree, walk
from tests.support.reading import choice, value_of
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, fit, rules
from treewright.interpret.explanation import Explanations, explain
from treewright.learn.fitted_tree import as_model
from treewright.tree.tree import tree_from_dict


def stored(model, **facts):
    """What a model file gives: a tree, and values that JSON can hold."""
    return replace(as_model(model), source=None, **facts)


def as_dict(row):
    """The plain values of a row as a dict of what a table would hold."""
    times = {"datetime": np.datetime64, "duration": np.timedelta64}
    found = {}
    for k, (x, column) in enumerate(zip(row, COLUMNS, strict=True)):
        made = times.get(column["kind"])
        found[f"feature_{k}"] = x if x is None or made is None else made(x, "us")
    return found


@pytest.mark.parametrize("seed", range(30))
def test_the_path_of_a_row_is_the_one_it_takes(seed):
    tree = tree_from_dict(random_tree(seed))
    for row in random_rows(seed, 15):
        found = explain(tree, as_dict(row))
        ends, passed = walk(tree, row)
        assert {leaf.node: leaf.share for leaf in found.leaves} == pytest.approx(ends)
        assert {step.node for step in found.steps} | set(ends) == passed
        assert found.prediction == pytest.approx(predicted(tree, row))
        change = found.end - found.start
        assert sum(found.contributions.values()) == pytest.approx(change, abs=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_the_sentence_of_a_step_is_true_of_the_row(seed):
    tree = tree_from_dict(random_tree(seed))
    for row in random_rows(seed, 15):
        for step in explain(tree, as_dict(row)).to_dict()["steps"]:
            feature = int(step["column"].removeprefix("feature_"))
            x, kind = row[feature], COLUMNS[feature]["kind"]
            if step["by"] == "value":
                assert step["condition"] == [] or choice(step["condition"], row, COLUMNS) == 0, step
                assert f"{step['column']} = {step['value']}" in step["sentence"]
                if kind in ("number", "datetime", "duration"):
                    assert value_of(step["value"], kind) == x
            elif x is None:
                assert step["value"] is None
                assert f"{step['column']} is missing: " in step["sentence"]
            else:
                assert "a level that this test does not list" in step["sentence"]
            if step["by"] == "surrogate":
                decided = int(step["decided_by"].removeprefix("feature_"))
                assert row[decided] is not None
                assert f"the surrogate feature_{decided} decides" in step["sentence"]


@pytest.mark.parametrize("seed", range(30))
def test_the_rule_of_a_leaf_is_that_of_rules(seed):
    tree = tree_from_dict(random_tree(seed))
    book = {rule.leaf: rule.conditions for rule in rules(tree)}
    for row in random_rows(seed, 15):
        for leaf in explain(tree, as_dict(row)).leaves:
            assert leaf.rule == book[leaf.node]


def loans():
    """A frame with numbers, levels and gaps, and two targets."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    n = 300
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n).astype(float),
            "job": pd.Categorical(rng.choice(["a", "b", "c d", "e"], n)),
            "income": np.round(rng.lognormal(3, 1, n), 2),
        }
    )
    X.loc[rng.random(n) < 0.15, "age"] = None
    X.loc[rng.random(n) < 0.15, "job"] = None
    score = X["age"].fillna(50) / 40 + (X["job"] == "a") + rng.normal(size=n)
    return X, np.where(score > 2, "yes", "no"), np.round(score.to_numpy(), 2)


@pytest.fixture(scope="module")
def table():
    return loans()


@pytest.mark.parametrize("missing", ["learned", "branch", "surrogate", "fractional"])
@pytest.mark.parametrize("smoothing", [None, "m_estimate"])
def test_it_agrees_with_the_estimator(table, missing, smoothing):
    X, y, z = table
    options = {"missing": missing, "smoothing": smoothing, "max_depth": 4, "min_samples_leaf": 5}
    model = DecisionTreeClassifier(**options).fit(X, y)
    number = DecisionTreeRegressor(**options).fit(X, z)
    for row in range(0, 300, 19):
        found, one = explain(model, X, row), X.iloc[[row]]
        assert found.prediction == model.predict(one)[0]
        assert np.allclose(found.probabilities, model.predict_proba(one)[0])
        assert explain(number, X, row).prediction == pytest.approx(number.predict(one)[0])
        assert found.start + sum(found.contributions.values()) == pytest.approx(found.end)
        for leaf in found.leaves:
            assert leaf.low <= leaf.predicted[found.decided] <= leaf.high


def test_every_kind_of_row_is_read_alike(table):
    pl, sparse = pytest.importorskip("polars"), pytest.importorskip("scipy.sparse")
    X, y, _ = table
    model = DecisionTreeClassifier(max_depth=4).fit(X, y)
    wanted = explain(model, X, 5).to_dict() | {"row": 0}
    turned = X[X.columns[::-1]].assign(more=1)
    others = [X.iloc[5].to_dict(), X.iloc[5], turned.iloc[[5]], pl.from_pandas(X)[5]]
    for other in others:
        assert explain(model, other).to_dict() == wanted
    assert explain(model, turned, 5).to_dict() == wanted | {"row": 5}
    Z = np.round(np.random.default_rng(0).normal(size=(40, 3)), 1)
    plain = DecisionTreeRegressor(max_depth=3).fit(Z, Z[:, 0] + Z[:, 1] ** 2)
    wanted = explain(plain, Z, 7).to_dict()
    named = dict(zip(["feature_0", "feature_1", "feature_2"], Z[7], strict=True))
    for other in [Z[7], Z[7].tolist(), [Z[7].tolist()], named, {2: Z[7, 2], 1: Z[7, 1], 0: Z[7, 0]}, Z[[7]]]:
        assert explain(plain, other).to_dict() == wanted | {"row": 0}
    assert explain(plain, sparse.csr_matrix(Z), np.int64(7)).to_dict() == wanted


def test_the_text_of_a_path(table):
    X, y, _ = table
    model = DecisionTreeClassifier(max_depth=2, min_samples_leaf=20).fit(X, y)
    text = explain(model, {"age": 30, "job": "a", "income": 10}).text(80)
    assert text.startswith("Row 0: ")
    assert "job = a" in text
    assert "optimistic, and too narrow" in " ".join(text.split())
    assert "training rows here; the split gained" in text
    assert "What each column changed" in text
    unknown = explain(model, {"age": 30, "job": "zz", "income": 10})
    assert "job = zz, a level that this test does not list: treated as if job " in unknown.text(200)
    gone = explain(model, {"age": 30, "job": None, "income": 10})
    assert "job is missing: treated as if job " in gone.text(200)
    assert "(learned from the training rows)" in gone.text(200)


def test_smoothed_shares_stand_beside_counted_ones(table):
    X, y, z = table
    plain = explain(DecisionTreeClassifier(max_depth=2).fit(X, y), X, 0)
    smooth = explain(DecisionTreeClassifier(max_depth=2, smoothing="laplace").fit(X, y), X, 0)
    assert "counted" not in str(plain)
    assert "(observed " in str(smooth)
    number = explain(DecisionTreeRegressor(max_depth=2, smoothing="m_estimate").fit(X, z), X, 0)
    assert "(mean of its training rows: " in str(number)
    assert " ± " in str(number)


@pytest.mark.parametrize(
    ("criterion", "sentence"),
    [("absolute_error", "stores the median"), ("poisson", "stores no variance")],
)
def test_where_there_is_no_interval_it_says_why(table, criterion, sentence):
    X, _, z = table
    found = explain(DecisionTreeRegressor(criterion=criterion, max_depth=2).fit(X, np.abs(z)), X, 0)
    assert sentence in found.text(200)
    assert found.to_dict()["leaves"][0]["interval"] is None


def test_single_rows_and_no_rows_have_no_interval():
    X = np.arange(4.0)[:, None]
    assert "One training row" in str(explain(DecisionTreeRegressor().fit(X, X[:, 0]), X))
    by_hand = tree_from_dict({"value": 1.0})
    assert "counts no training rows" in str(explain(by_hand, {0: 1}))
    assert "Rule: always" in str(explain(by_hand, {0: 1}))


def test_a_decision_is_explained(table):
    X, y, _ = table
    costs = DecisionTreeClassifier(max_depth=2, costs=[[0, 1], [5, 0]]).fit(X, y)
    found = explain(costs, X, 0)
    assert "class of least expected cost" in found.text(200)
    expected = {each["class"]: each["value"] for each in found.to_dict()["expected_costs"]}
    assert min(expected, key=expected.get) == found.prediction
    decided = DecisionTreeClassifier(max_depth=2).fit(X, y).with_decision(threshold=0.2, positive="yes")
    assert "probability is above 0.2" in explain(decided, X, 0).text(200)
    facts = {"decision": {"words": "Call\nall.", "threshold": 0.2}, "target": "loan"}
    kept = explain(stored(decided, **facts), X, 0)
    assert "Decision: Call\\nall." in kept.text(200)
    assert kept.text(200).startswith("Row 0: loan = ")
    assert kept.prediction == decided.predict(X)[0]


def test_several_targets_are_explained_one_by_one(table):
    X, y, z = table
    both = np.stack([y, np.where(z > 1, "high", "low")], axis=1)
    model = DecisionTreeClassifier(max_depth=3).fit(X, both)
    for k in (0, 1):
        assert explain(model, X, 4, output=k).prediction == model.predict(X.iloc[[4]])[0, k]
    with pytest.raises(ValueError, match=r"output must be an int in 0\.\.1\. Got 2\."):
        explain(model, X, 4, output=2)


def test_what_fit_returned_is_explained_as_its_model(table):
    X, y, _ = table
    frame = X.assign(target=y)
    fitted = fit(frame, "target", score=False, check=False)
    shown = explain(fitted, frame, row=3)
    assert shown.contributions == explain(fitted.model, frame, row=3).contributions
    assert shown.model.target == "target"


def test_several_rows_give_a_list_of_explanations(table):
    X, y, _ = table
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    found = explain(model, X)
    assert isinstance(found, Explanations)
    assert len(found) == len(X)
    assert found[7].to_dict() == explain(model, X, 7).to_dict()
    assert found[-1].row == len(X) - 1
    assert [each.prediction for each in found] == model.predict(X).tolist()
    assert {each["row"] for each in found[:3][1].to_dicts()} == {1}
    assert str(found).count("Row ") == 5
    assert "… and 295 more rows" in str(found)
    assert len(found.to_frame()) == sum(len(each.steps) for each in found)
    one = explain(model, X.iloc[[4]])
    assert (one.row, one.prediction) == (0, found[4].prediction)


def test_an_explanation_is_drawn_from_the_root_to_its_prediction(table):
    pytest.importorskip("matplotlib").use("agg")
    X, y, _ = table
    found = explain(DecisionTreeClassifier(max_depth=4).fit(X, y), X, 2)
    ax = found.plot(max_columns=2)
    assert len(ax.patches) <= 2
    assert f"from {found.start:.4g} to {found.end:.4g}" in ax.get_xlabel()
