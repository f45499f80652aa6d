"""Pages of all kinds of models: the payload is as the page expects it, with rows and without."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests.support.drawn import drawn
from tests.support.random_trees import random_tree
from tests.support.report_contract import check_payload, mixed_table, zoo
from treewright.present.page import report

ZOO = zoo()


@pytest.fixture(scope="module", params=list(ZOO))
def case(request):
    return request.param, *ZOO[request.param]()


def test_the_payload_is_as_the_page_expects_it_with_rows(case):
    name, model, X, y = case
    payload = report(model, X, y).payload
    check_payload(payload)
    evaluated = name != "few rows"
    assert (payload["nodes"]["held_out_error_note"] or "").endswith("fitted without it.") == evaluated


def test_the_payload_is_as_the_page_expects_it_without_rows(case):
    payload = report(case[1]).payload
    check_payload(payload)
    assert payload["residuals"] is None
    assert payload["check"] is None
    assert payload["nodes"]["held_out_error"] is None


def test_other_rows_judge_the_model_itself(case):
    _, model, X, y = case
    payload = report(model, X, y, held_out=True).payload
    check_payload(payload)
    assert payload["nodes"]["held_out_error"] is not None
    assert payload["notes"] == []


def test_rows_without_a_target_tell_what_is_usual_and_nothing_more():
    model, X, _ = ZOO["all kinds of columns"]()
    payload = report(model, X).payload
    check_payload(payload)
    assert all((column["typical"] is not None) == column["used"] for column in payload["columns"])
    assert payload["roc"]["source"] == "training"
    assert "which the table does not have" in payload["check_note"]


@pytest.mark.parametrize("levels", [["a", "new", "new"], ["new", "new", "new"]])
def test_a_level_that_the_tree_does_not_know_counts_as_missing(levels):
    X = pl.DataFrame({"x": ["a", "b"] * 20})
    model = tw.DecisionTreeClassifier().fit(X, ["p", "q"] * 20)
    X = pl.DataFrame({"x": levels})
    assert report(model, X).payload["columns"][0]["typical"] == ("a" if "a" in levels else None)
    payload = report(model, X, ["p", "q", "q"]).payload
    check_payload(payload)
    assert payload["columns"][0]["missing"] == pytest.approx(levels.count("new") / 3)


def test_what_is_usual_is_told_in_the_kind_of_the_column():
    X, score = mixed_table()
    columns = {}
    for name in X.columns:  # only columns that a tree uses are described
        one = X.select(name)
        columns[name] = report(tw.DecisionTreeRegressor().fit(one, score), one).payload["columns"][0]
    for name in ("number", "count"):
        assert columns[name]["low"] == X[name].min()
        assert columns[name]["high"] == X[name].max()
        assert columns[name]["missing"] == pytest.approx(X[name].null_count() / len(X))
        quarters = np.percentile(X[name].drop_nulls().to_numpy().astype(float), [25, 75])
        assert columns[name]["iqr"] == pytest.approx(quarters[1] - quarters[0])
    assert columns["count"]["whole"]
    assert not columns["number"]["whole"]
    assert (
        columns["colour"]["typical"] == X["colour"].drop_nulls().mode().sort()[0]
        or len(X["colour"].mode()) > 1
    )
    assert columns["flag"]["typical"] is False
    assert columns["day"]["shown"]["low"] == str(X["day"].min())
    assert columns["took"]["low"] == 0


@drawn(40)
@given(st.integers(0, 10**6))
def test_a_tree_made_by_hand_has_a_page(seed):
    nested = random_tree(seed)
    queue = [nested]
    for node in queue:  # counts drawn at random would contradict each other
        node.pop("n", None)
        below = [*node.get("children", []), *(node[side] for side in ("left", "right") if side in node)]
        queue += [*below, *([node["missing"]] if isinstance(node.get("missing"), dict) else [])]
    tree = tw.Tree.from_dict(nested)
    payload = report(tree).payload
    check_payload(payload)
    for node in np.flatnonzero(tree.missing_child == -1).tolist():
        if tree.n_children[node]:
            assert "stops here" in payload["words"]["missing"][node]


def test_a_model_file_a_saved_model_and_a_fitted_one_have_the_same_page(tmp_path):
    frame = mixed_table()[0].with_columns(y=pl.Series(mixed_table()[1]))
    fitted = tw.fit(frame, "y", score=False)
    path = fitted.save(tmp_path / "model.tree.json")
    X, y = frame.drop("y"), frame["y"]
    found = [report(each, X, y).payload for each in (fitted, path, str(path), tw.learn.model_file.read(path))]
    for each in found:
        each.pop("check_summary")  # only `fit` knows the name of the target that was checked
    assert [each["card"].pop("verified") for each in found] == [None, True, True, True]
    assert all(each == found[0] for each in found)
    assert found[0]["title"] == "Decision tree for y"
    assert found[0]["target"] == "y"


def test_the_page_is_the_same_each_time():
    model, X, y = ZOO["all kinds of columns"]()
    assert report(model, X, y).payload == report(model, X, y).payload


def test_columns_are_found_by_name_among_others_in_any_order():
    model, X, y = ZOO["all kinds of columns"]()
    other = X.with_columns(more=pl.lit(1)).select(reversed([*X.columns, "more"]))
    assert report(model, other, y).payload == report(model, X, y).payload


def test_a_large_table_is_judged_by_rows_that_are_drawn(monkeypatch):
    from treewright.present.page import held_out, others, rows

    for module in (rows, held_out, others):
        monkeypatch.setattr(module, "MANY", 100)
    model, X, y = ZOO["all kinds of columns"]()
    payload = report(model, X, y).payload
    check_payload(payload)
    assert payload["notes"] == ["100 of 240 rows were drawn for cross-validation."]
    assert payload["nodes"]["held_out_error"][0]["n"] == 100


def test_many_steps_nodes_and_segments_are_thinned():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2200, 5))
    y = X[:, 0] + rng.normal(size=2200)
    payload = report(tw.DecisionTreeRegressor().fit(X, y), X, y, check=False).payload
    check_payload(payload)
    assert len(payload["pruning"]["steps"]) == 400
    assert len(payload["rules"]) == 1000
    assert payload["rules_note"] == "The 1,000 rules with the most rows, of 2,200."
    assert len(payload["residuals"]["pairs"]) == 2000
    assert len(payload["nodes"]["histogram"]["edges"]) == 10
    model = tw.DecisionTreeClassifier(missing="fractional", max_depth=6)
    gaps = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    shared = report(model.fit(gaps, y > 0), gaps, y > 0, check=False).payload
    check_payload(shared)
    assert len(shared["roc"]["segments"]) == 1000


# -- what it cannot do


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model": 3}, "model must be a fitted tree of treewright"),
        ({"model": tw.DecisionTreeClassifier()}, "is not fitted yet"),
        ({"X": None}, "y needs the rows X that it speaks of"),
        ({"y": ["yes"] * 3}, "y must have one entry per row of X"),
        ({"y": ["perhaps"] * 240}, "perhaps"),
        ({"title": 3}, "title must be text or None. Got int."),
        ({"check": 3}, "check must be True, False or what treewright.check returned"),
        ({"compare": True}, "compare must be what treewright.compare returned"),
        ({"held_out": "yes"}, "held_out must be True, False or None"),
        ({"progress": 3}, "progress must be"),
        ({"sample_weight": [1.0]}, "sample_weight must have one number per row"),
        ({"path": 3}, "path must be a path or None. Got int."),
    ],
)
def test_what_does_not_suit_is_refused_with_a_sentence(change, words):
    model, X, y = ZOO["all kinds of columns"]()
    given = {"model": model, "X": X, "y": y} | change
    with pytest.raises((ValueError, TypeError), match=words.replace("(", r"\(")):
        report(**given)


def test_tables_that_lack_a_column_or_all_rows_are_refused():
    model, X, y = ZOO["all kinds of columns"]()
    with pytest.raises(ValueError, match="It lacks 'colour'"):
        report(model, X.drop("colour"), y)
    with pytest.raises(ValueError, match="at least one row"):
        report(model, X[:0], y[:0])
    regressor, X, y = ZOO["numbers"]()
    with pytest.raises(ValueError, match=r"y must be finite. Got .nan. in row 0"):
        report(regressor, X, np.where(np.arange(len(y)) == 0, np.nan, y))
    with pytest.raises(ValueError, match=r"y must be numbers, as the model predicts them. Got .*'a'"):
        report(regressor, X, ["a"] * len(y))


def test_a_model_that_was_changed_says_why_there_are_no_folds():
    model, X, y = ZOO["all kinds of columns"]()
    pruned = tw.prune(model, "leaf_budget", n_leaves=4)
    payload = report(pruned, X, y).payload
    check_payload(payload)
    assert payload["pruning"]["best"] is None
    assert "so that it cannot be cross-validated" in payload["pruning_note"]


def test_progress_never_goes_back_and_ends():
    model, X, y = ZOO["all kinds of columns"]()
    told = []
    report(model, X, y, progress=lambda done, total, what: told.append((done, total, what)))
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert len({total for _, total, _ in told}) == 1
    assert told[-1][0] == told[-1][1]
    assert any("fitting a tree" in what for _, _, what in told)
