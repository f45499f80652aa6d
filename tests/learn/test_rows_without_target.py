"""Rows without a target are left out with a note: of a table in memory, in parts, or on a cluster."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import treewright
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.files.errors import TableError
from treewright.learn.parts.budget import Sizes
from treewright.learn.parts.folds import fold_lists

N = 600


@pytest.fixture(scope="module")
def table():
    """Rows without a target here and there, and in one whole part. Some levels are in such rows only."""
    rng = np.random.default_rng(0)
    x, kind = rng.normal(size=(N, 2)), rng.choice(["a", "b", "c"], N)
    number = x[:, 0] + (kind == "a") + rng.normal(size=N)
    lost = rng.random(N) < 0.1
    lost[200:400] = True
    kind[lost] = np.where(rng.random(lost.sum()) < 0.2, "only here", kind[lost])
    found = pl.DataFrame({
        "x": x[:, 0], "u": x[:, 1], "kind": kind, "w": rng.gamma(2.0, size=N), "time": rng.gamma(3.0, size=N),
        "group": rng.integers(0, 30, N), "number": number, "label": np.where(number > 0.4, "yes", "no"),
        "digit": (number > 0).astype(int), "events": rng.poisson(np.exp(x[:, 0] / 2)).astype(float),
    })  # fmt: skip
    known = pl.Series(~lost)
    return found.with_columns(
        pl.when(known).then(pl.col(each)) for each in ("number", "label", "digit", "events", "w", "group")
    )


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(Sizes, "of", classmethod(lambda cls, *_: cls(90, 200, 1 << 20, 0)))


def in_parts(table, folder):
    for part in range(3):
        table[part * 200 : part * 200 + 200].write_parquet(folder / f"{part}.parquet")
    return folder


def on_dask(table):
    dd = pytest.importorskip("dask.dataframe")
    frame = table.to_pandas()
    frame = frame.astype({"digit": "Int64"}) if "digit" in frame else frame  # else floats
    return dd.from_pandas(frame, npartitions=3, sort=False)


def fold_numbers(table, target, cv):
    return fold_lists(len(table) - table[target].null_count(), cv)


@pytest.mark.parametrize(
    ("target", "params", "beside"),
    [
        ("label", {"max_depth": 5}, {}),
        ("digit", {"class_weight": "balanced"}, {"sample_weight": "w"}),
        ("label", {"ccp_alpha": "1se"}, {"sample_weight": "w"}),
        ("number", {"min_samples_leaf": 5}, {"sample_weight": "w"}),
        ("number", {"ccp_alpha": "cv", "smoothing": "branch"}, {}),
        ("events", {"criterion": "poisson", "max_depth": 3}, {"exposure": "time"}),
    ],
)
def test_the_tree_is_that_of_the_other_rows(target, params, beside, table, tmp_path, client):
    make = DecisionTreeClassifier if target in {"label", "digit"} else DecisionTreeRegressor
    used = table.select("x", "u", "kind", target, *beside.values())
    known = used.drop_nulls(target)
    cv = {"cv": fold_numbers(used, target, 5)} if isinstance(params.get("ccp_alpha"), str) else {}
    expected = make(**params, **cv).fit(known, target, **beside)
    note = f"{N - len(known)} rows have no {target!r}; left out."
    found = [
        make(**params).fit(in_parts(used, tmp_path), target, **beside, memory=1),
        make(**params).fit(on_dask(used), target, **beside, client=client),
    ]
    if not cv:
        found += [make(**params).fit(used, target, **beside), make(**params).fit(tmp_path, target, **beside)]
    for model in found:
        assert model.tree_.digest == expected.tree_.digest
        assert note in model.notes_
        assert list(model.feature_names_in_) == ["x", "u", "kind"]


@pytest.mark.parametrize("gap", [float("nan"), None, pd.NA], ids=str)
@pytest.mark.parametrize("of", [list, pd.Series, pl.Series], ids=lambda of: of.__module__)
def test_every_kind_of_gap_is_left_out(gap, of):
    values = [1.5, gap, 2.5, 4.0, gap] * 20
    if of is pl.Series:
        values = [None if value is pd.NA else value for value in values]
        frame = pl.DataFrame({"x": np.arange(100.0), "y": pl.Series(values, strict=False)})
    else:
        frame = pd.DataFrame(
            {"x": np.arange(100.0), "y": pd.Series(values, dtype=object if of is list else None)}
        )
        frame["y"] = frame["y"] if of is list else frame["y"].astype("Float64")
    model = DecisionTreeRegressor(max_depth=2).fit(frame, "y")
    assert model.notes_ == ("40 rows have no 'y'; left out.",)
    assert model.tree_.n_node_samples[0] == 60
    parts = DecisionTreeRegressor(max_depth=2).fit([frame[:50], frame[50:]], "y", memory=1)
    assert parts.tree_.digest == model.tree_.digest


def test_arrays_beside_the_table_lose_the_same_rows(table):
    used = table["x", "u", "label"]
    weights = np.arange(N) + 1.0
    model = DecisionTreeClassifier(max_depth=3).fit(used, "label", sample_weight=weights)
    known = table["label"].is_not_null().to_numpy()
    other = DecisionTreeClassifier(max_depth=3).fit(used.filter(known), "label", sample_weight=weights[known])
    assert model.tree_.digest == other.tree_.digest
    with pytest.raises(ValueError, match=r"sample_weight must have one entry per row: 600\. Got 599"):
        DecisionTreeClassifier().fit(used, "label", sample_weight=weights[1:])


def test_numbers_of_rows_need_all_rows(table):
    used = table["x", "u", "label"]
    with pytest.raises(TableError, match="must have a value in every row where cv or prune_rows has numbers"):
        DecisionTreeClassifier(ccp_alpha="cv", cv=fold_lists(N, 3)).fit(used, "label")


def test_a_table_without_any_target_is_refused(table, tmp_path, client):
    used = table["x", "label"].with_columns(label=pl.lit(None, dtype=pl.String))
    words = "target 'label' must have a value in some rows. Got none"
    with pytest.raises(TableError, match=words):
        DecisionTreeClassifier().fit(used, "label")
    with pytest.raises(TableError, match=words):
        DecisionTreeClassifier().fit(in_parts(used, tmp_path), "label", memory=1)
    with pytest.raises(TableError, match=words):
        DecisionTreeClassifier().fit(on_dask(used), "label", client=client)


@pytest.mark.parametrize("target", ["label", "number"])
def test_the_whole_recipe_leaves_them_out_too(target, table, tmp_path, client, monkeypatch):
    monkeypatch.setattr("treewright.evaluate.default_fit.large.SAMPLE", 400)
    used = table.select("x", "u", "kind", target)
    known = used.drop_nulls(target)
    given = {"max_leaf_nodes": 20}
    found = treewright.fit(in_parts(used, tmp_path), target, memory=1, **given)
    params = found.params | {"cv": fold_numbers(used, target, 5)}
    make = DecisionTreeClassifier if target == "label" else DecisionTreeRegressor
    expected = make(**params).fit(known, target)
    apart = treewright.fit(tmp_path, target, memory=1, test_size=0.2, **given)
    clustered = treewright.fit(on_dask(used), target, client=client, **given)
    whole = treewright.fit(used, target, **given)
    note = f"{N - len(known)} rows have no {target!r}; left out."
    assert found.model.tree_.digest == clustered.model.tree_.digest == expected.tree_.digest
    assert found.scores == clustered.scores
    for result in (found, apart, clustered, whole):
        assert [each for each in result.notes if "left out" in each] == [note]
        assert result.n_rows == len(known)
