"""`treewright.fit` of tables that are not in memory: the model of memory on the same folds, and scores."""

import numpy as np
import polars as pl
import pytest

import treewright
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.parts.hashes import are_drawn, row_numbers
from treewright.learn.parts.folds import fold_lists

N = 9000


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    x, kind = rng.normal(size=(N, 3)), rng.choice(["a", "b", "c"], N)
    number = x[:, 0] + (kind == "a") + rng.normal(size=N)
    found = pl.DataFrame({"x": x[:, 0], "u": x[:, 1], "id": np.arange(N), "kind": kind, "number": number})
    days = pl.Series(rng.integers(0, 300, N)).cast(pl.Int32).cast(pl.Date)
    found = found.with_columns(group=pl.Series(rng.integers(0, 200, N)), day=days)
    return found.with_columns(
        w=rng.integers(1, 3, N).astype(float), label=pl.Series(np.where(number > 0.4, "yes", "no"))
    )


@pytest.fixture
def parts(table, tmp_path):
    for number in range(3):
        table[number * 3000 : number * 3000 + 3000].write_parquet(tmp_path / f"{number}.parquet")
    return tmp_path


@pytest.mark.parametrize(("target", "other"), [("label", "number"), ("number", "label")])
def test_the_model_is_that_of_memory_on_the_same_folds(table, parts, target, other):
    given = {"exclude": ["id", other, "w", "group", "day"], "memory": "200kB", "max_leaf_nodes": 40}
    result = treewright.fit(parts, target, **given)
    make = DecisionTreeClassifier if target == "label" else DecisionTreeRegressor
    whole = make(**(result.params | {"cv": fold_lists(N, 5)})).fit(table[["x", "u", "kind"]], table[target])
    assert result.model.tree_.digest == whole.tree_.digest
    assert result.best.model.tree_.digest == whole.best_.tree_.digest
    assert result.n_rows == N
    assert result.scored_on == f"{are_drawn(row_numbers(0, N), 0.2).sum():,} held-out rows"
    assert "grown from a scratch file" in result.notes[0]


def test_the_scores_are_of_rows_that_a_model_of_the_others_predicts(table, parts):
    given = {"exclude": "number", "sample_weight": "w", "max_leaf_nodes": 40}
    result = treewright.fit(parts, "label", **given, memory="200kB")
    held_out = are_drawn(row_numbers(0, N), 0.2)
    other = treewright.fit(
        table.filter(~held_out), "label", **given, test=table.filter(held_out),
        cv=fold_lists(int((~held_out).sum()), 5),
    )  # fmt: skip
    assert [score.metric for score in result.scores] == [score.metric for score in other.scores]
    for one, two in zip(result.scores, other.scores, strict=True):
        assert (one.value, one.low, one.baseline) == pytest.approx((two.value, two.low, two.baseline))
    apart = treewright.fit(parts, "label", **given, memory="200kB", test_size=0.2)
    assert apart.scores == result.scores
    tested = treewright.fit(parts, "label", **given, memory="200kB", test=table.filter(held_out))
    assert tested.scored_on.endswith("of the test table")


def test_costs_decide_and_a_sample_is_checked(parts, monkeypatch):
    monkeypatch.setattr("treewright.evaluate.default_fit.large.SAMPLE", 2000)
    costs = {"false_positive": 1, "false_negative": 5}
    result = treewright.fit(
        parts, "label", exclude=["number", "w"], memory="200kB", costs=costs, positive="yes", max_depth=3
    )
    assert {"cost"} <= {score.metric for score in result.scores}
    assert "of 9,000 rows" in result.check.summary
    assert (result.predict(parts) == "yes").mean() > 0.5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"time": "id", "groups": "w"}, "Give one of groups and time, or let the fit have more memory"),
        ({"time": np.arange(N)}, "time must be the name of a column where the table does not fit in memory"),
        ({"cv": [([0], [1])]}, "cv must be a number of folds where the table does not fit in memory"),
        ({"sample_weight": np.ones(N)}, "sample_weight must"),
        ({"missing": "surrogate"}, "missing must not be 'surrogate' where the table does not fit in memory"),
        ({"client": "x"}, "client is for Dask tables"),
    ],
)
def test_what_needs_all_rows_is_refused(parts, given, message):
    with pytest.raises(ValueError, match=message):
        treewright.fit(parts, "label", memory="200kB", **given)


@pytest.mark.parametrize("given", [{"groups": "group"}, {"time": "id"}], ids=str)
def test_groups_and_time_divide_the_rows(table, parts, given):
    result = treewright.fit(
        parts, "label", exclude=["number", "w"], memory="200kB", max_leaf_nodes=20, **given
    )
    column = next(iter(given.values()))
    assert column not in result.columns
    held_out = int(result.scored_on.split()[0].replace(",", ""))
    assert held_out == (1800 if column == "id" else pytest.approx(1800, abs=60))
    whole = treewright.fit(table, "label", exclude=["number", "w"], max_leaf_nodes=20, **given)
    assert result.scores[0].value == pytest.approx(whole.scores[0].value, abs=0.02)
    assert any("folds of cross-validation are by" in note for note in result.notes)


@pytest.mark.parametrize("beside", [{}, {"groups": "group"}, {"time": "id"}, {"time": "day"}], ids=str)
def test_a_dask_frame_gives_the_result_of_files(parts, beside):
    dd, distributed = pytest.importorskip("dask.dataframe"), pytest.importorskip("distributed")
    given = {"exclude": ["number", "w"], "max_leaf_nodes": 20} | beside
    whole = treewright.fit(parts, "label", **given, memory="200kB")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        found = treewright.fit(dd.read_parquet(parts), "label", **given, client=client)
    assert found.model.tree_.digest == whole.model.tree_.digest
    assert found.scores == whole.scores
    assert found.check.to_dicts() == whole.check.to_dicts()
    assert any("3 partitions were counted on a Dask cluster" in note for note in found.notes)


def test_progress_tells_nodes_and_rows(parts):
    said = []
    treewright.fit(
        parts, "label", exclude=["number", "w"], memory="200kB", max_depth=3, ccp_alpha=0.0, smoothing=None,
        progress=lambda *step: said.append(step),
    )  # fmt: skip
    texts = [text for _, _, text in said]
    assert texts[0] == "checking"
    assert "growing trees: 1 node, 9,000 rows read" in texts
    assert any(text.startswith("growing trees: 15 nodes, ") for text in texts)
    assert any(text.startswith("scoring: ") for text in texts)
    assert all(done <= total for done, total, _ in said)


def test_a_table_without_names_on_a_cluster_is_refused():
    da = pytest.importorskip("dask.array")
    pytest.importorskip("distributed")
    with pytest.raises(ValueError, match="table must be a Dask frame"):
        treewright.fit(da.zeros((10, 2), chunks=5), "y")
