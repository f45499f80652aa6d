"""Fits of Parquet files, datasets and lazy frames: the tree of memory, within the memory that is allowed."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.dataset as ds
import pytest

from tests.support.table_parts import cut, random_params, random_table
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.files import TableError
from treewright.data.parts.memory import bytes_of, fits
from treewright.learn.parts.budget import Sizes

LITTLE = 1  # bytes: no table fits


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(Sizes, "of", classmethod(lambda cls, *_: cls(37, 40, 1 << 20, 0)))


@pytest.fixture
def scratch(tmp_path):
    """A folder for scratch files, in which nothing may be left."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    yield folder
    assert list(folder.iterdir()) == []


def write(frames, folder, rng=None):
    folder.mkdir(exist_ok=True)
    for number, frame in enumerate(frames):
        size = None if rng is None else int(rng.choice([3, 50, 1000]))
        frame.write_parquet(folder / f"part-{number}.parquet", row_group_size=size)
    return folder


def a_table(n=300, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    label = np.where(x + rng.normal(size=n) > 0, "yes", "no")
    return pl.DataFrame({"x": x, "k": rng.choice(["a", "b", "c"], n), "number": x.round(1), "label": label})


@pytest.mark.filterwarnings("ignore:Every value is missing")
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.usefixtures("small_blocks")
def test_the_tree_of_files_is_that_of_memory(seed, tmp_path, scratch):
    rng = np.random.default_rng(seed)
    table, classes = random_table(rng)
    make = DecisionTreeClassifier if classes else DecisionTreeRegressor
    params = random_params(rng, classes)
    weight = "w" if "w" in table.columns else None
    expected = make(**params).fit(table, "y", sample_weight=weight).tree_.digest
    folder = write(cut(rng, table, int(rng.choice([1, 3, 7]))), tmp_path / "parts", rng)
    source = [str(folder), str(folder / "*.parquet"), pl.scan_parquet(folder / "*.parquet")][seed % 3]
    for n_jobs in (1, 2):
        model = make(**params, n_jobs=n_jobs)
        model.fit(source, "y", sample_weight=weight, memory=LITTLE, scratch=scratch)
        assert model.tree_.digest == expected
        assert "scratch file" in model.notes_[0]
    model.fit(source, "y", sample_weight=weight)
    assert model.tree_.digest == expected
    assert "read into memory" in model.notes_[0]


@pytest.mark.usefixtures("small_blocks")
def test_a_dataset(tmp_path):
    table = a_table()
    folder = write([table[:100], table[100:]], tmp_path / "parts")
    expected = DecisionTreeClassifier().fit(table, "label").tree_.digest
    dataset = ds.dataset(folder, format="parquet")
    for memory in (LITTLE, None):
        assert DecisionTreeClassifier().fit(dataset, "label", memory=memory).tree_.digest == expected


@pytest.mark.usefixtures("small_blocks")
def test_a_dataset_with_a_column_in_the_names_of_folders(tmp_path):
    for kind in ("a", "b"):
        (tmp_path / f"kind={kind}").mkdir()
        part = a_table(seed=ord(kind)).drop("k")
        part.write_parquet(tmp_path / f"kind={kind}" / "0.parquet")
    dataset = ds.dataset(tmp_path, format="parquet", partitioning="hive")
    models = [DecisionTreeClassifier().fit(dataset, "label", memory=memory) for memory in (LITTLE, None)]
    assert models[0].feature_names_in_.tolist() == ["x", "number", "kind"]
    assert models[0].tree_.digest == models[1].tree_.digest


@pytest.mark.usefixtures("small_blocks")
def test_without_pyarrow(tmp_path, monkeypatch):
    table = a_table()
    folder = write([table], tmp_path / "parts")
    monkeypatch.setattr("treewright.data.parts.sources.find_spec", lambda _: None)
    monkeypatch.setattr("treewright.data.parts.sources.BATCH_ROWS", 70)
    model = DecisionTreeClassifier().fit(folder, "label", memory=LITTLE)
    assert model.tree_.digest == DecisionTreeClassifier().fit(table, "label").tree_.digest


@pytest.mark.usefixtures("small_blocks")
def test_frames_of_pandas_in_a_list():
    table = a_table().to_pandas()
    table["k"] = table["k"].astype("category")
    expected = DecisionTreeClassifier().fit(table, "label").tree_.digest
    for memory in (LITTLE, None):
        model = DecisionTreeClassifier().fit([table[200:], table[:200]], "label", memory=memory)
        assert model.tree_.digest == expected


def test_names_of_columns_of_a_frame():
    table = a_table().with_columns(w=pl.lit(2.0))
    y, weights = table["label"].to_list(), np.full(300, 2.0)
    expected = DecisionTreeClassifier().fit(table.drop("label", "w"), y, sample_weight=weights)
    for frame in (table, table.to_pandas(), table.to_arrow()):
        model = DecisionTreeClassifier().fit(frame, "label", sample_weight="w")
        assert model.feature_names_in_.tolist() == ["x", "k", "number"]
        assert model.tree_.digest == expected.tree_.digest


@pytest.mark.usefixtures("small_blocks")
def test_the_model_is_like_any_other(tmp_path):
    table = a_table()
    folder = write([table], tmp_path / "parts")
    params = {
        "ccp_alpha": 0.005,
        "smoothing": "m_estimate",
        "decision": {"threshold": 0.3, "positive": "yes"},
    }
    model = DecisionTreeClassifier(**params).fit(folder, "label", memory=LITTLE)
    other = DecisionTreeClassifier(**params).fit(table, "label")
    assert model.tree_.digest == other.tree_.digest
    assert model.predict(table).tolist() == other.predict(folder).tolist()
    assert vars(model).keys() - {"notes_"} == vars(other).keys()


@pytest.mark.usefixtures("small_blocks")
def test_levels_classes_and_gaps_of_one_part_only(tmp_path):
    table = a_table().sort("label", "k").with_columns(gap=pl.Series([None] * 150 + [1.0] * 150))
    folder = write([table[:100], table[100:150], table[150:]], tmp_path / "parts")
    expected = DecisionTreeClassifier().fit(table, "label").tree_.digest
    for memory in (LITTLE, None):
        assert DecisionTreeClassifier().fit(folder, "label", memory=memory).tree_.digest == expected


@pytest.mark.usefixtures("small_blocks")
def test_types_that_gaps_have_changed(tmp_path):
    """pandas writes integers with a gap as floats, and a column of nothing as one of no type."""
    first = pd.DataFrame({"a": [1, 2, 3], "b": [None] * 3, "c": ["u", "v", "u"], "y": [0, 1, 1]})
    second = pd.DataFrame({"a": [4, None, 6], "b": ["s", "t", "t"], "c": [None] * 3, "y": [0, 0, 1]})
    for number, frame in enumerate((first, second)):
        frame.to_parquet(tmp_path / f"{number}.parquet")
    trees = [DecisionTreeClassifier().fit(tmp_path, "y", memory=memory).tree_ for memory in (LITTLE, None)]
    assert trees[0].digest == trees[1].digest
    assert [known.kind for known in trees[0].column_types] == ["number", "nominal", "nominal"]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"missing": "fractional"}, "missing must not be 'fractional'"),
        ({"missing": "surrogate"}, "missing must not be 'surrogate'"),
        ({"splitter": "random"}, "splitter must not be 'random'"),
        ({"thresholds": "recorded"}, "thresholds must not be 'recorded'"),
        ({"max_leaf_nodes": 5, "missing": "branch"}, "max_leaf_nodes must not be 5"),
        ({"max_features": 2}, "max_features must not be 2"),
        ({"growth_rules": {"strict": True}}, "growth_rules must not be"),
        ({"pruning": "pessimistic"}, "pruning must not be 'pessimistic'"),
    ],
)
def test_what_needs_memory_is_refused_before_any_work(params, words, tmp_path, monkeypatch):
    folder = write([a_table()], tmp_path / "parts")
    monkeypatch.setattr("treewright.learn.parts.out_of_memory.describe", None)
    with pytest.raises(ValueError, match=f"{words}.* where the table does not fit in memory"):
        DecisionTreeClassifier(**params).fit(folder, "label", memory=LITTLE)


def test_absolute_error_is_refused(tmp_path):
    folder = write([a_table()], tmp_path / "parts")
    with pytest.raises(ValueError, match="Use 'squared_error'"):
        DecisionTreeRegressor(criterion="absolute_error").fit(folder, "number", memory=LITTLE)


BAD = {
    "other columns": (lambda t: t.rename({"x": "z"}), "part-1.parquet lacks 'x'"),
    "one column more": (lambda t: t.with_columns(z=pl.lit(1)), "part-1.parquet has 'z' besides"),
    "other types": (lambda t: t.with_columns(x=pl.lit("text")), "holds numbers in .* and text in .*part-1"),
    "no target": (lambda t: t.drop("label"), "part-1.parquet lacks 'label'"),
}


@pytest.mark.parametrize("memory", [LITTLE, None])
@pytest.mark.parametrize("case", BAD)
def test_parts_that_do_not_belong_together(case, memory, tmp_path, scratch):
    change, words = BAD[case]
    table = a_table()
    folder = write([table[:100], change(table[100:])], tmp_path / "parts")
    with pytest.raises(TableError, match=words) as failure:
        DecisionTreeClassifier().fit(folder, "label", memory=memory, scratch=scratch)
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize("memory", [LITTLE, None])
@pytest.mark.usefixtures("small_blocks")
def test_parts_that_are_no_problem(memory, tmp_path):
    table = a_table().sort("label")
    gone = table[:40].with_columns(x=pl.lit(None, pl.Float64))
    empty_and_one_class = [table[:0], table[40:120], table[120:], gone]
    folder = write(empty_and_one_class, tmp_path / "parts")
    table = pl.concat([table[40:], gone])
    model = DecisionTreeClassifier().fit(folder, "label", memory=memory)
    assert model.tree_.digest == DecisionTreeClassifier().fit(table, "label").tree_.digest


@pytest.mark.parametrize("memory", [LITTLE, None])
def test_a_file_that_is_cut_off(memory, tmp_path, scratch):
    folder = write([a_table(), a_table()], tmp_path / "parts")
    path = folder / "part-1.parquet"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(TableError, match=r"part-1.parquet cannot be read: .* It is damaged or cut off"):
        DecisionTreeClassifier().fit(folder, "label", memory=memory, scratch=scratch)


def test_places_without_a_table(tmp_path):
    (tmp_path / "empty").mkdir()
    write([a_table()[:0]], tmp_path / "no rows")
    for place, words in (
        (tmp_path / "empty", "has no file that ends in .parquet"),
        (str(tmp_path / "*.parquet"), "which matches none"),
        (tmp_path / "no rows", "A table must have rows"),
    ):
        with pytest.raises(TableError, match=words):
            DecisionTreeClassifier().fit(place, "label")
    with pytest.raises(FileNotFoundError, match="There is no file or folder"):
        DecisionTreeClassifier().fit(tmp_path / "gone.parquet", "label")


def test_names_that_are_no_columns(tmp_path):
    folder = write([a_table()], tmp_path / "parts")
    with pytest.raises(ValueError, match=r"y must be a column of X. Got 'lable'. .*'label'"):
        DecisionTreeClassifier().fit(folder, "lable")
    with pytest.raises(ValueError, match="sample_weight must be the name of a column"):
        DecisionTreeClassifier().fit(folder, "label", sample_weight=np.ones(300))
    with pytest.raises(ValueError, match="y must be the name of a column"):
        DecisionTreeClassifier().fit(folder, np.ones(300))


@pytest.mark.parametrize("memory", ["2 apples", -1, "0", True, [1]])
def test_memory_must_be_a_size(memory, tmp_path):
    with pytest.raises(ValueError, match="memory must be"):
        DecisionTreeClassifier().fit(write([a_table()], tmp_path / "parts"), "label", memory=memory)


def test_sizes_of_memory():
    assert [bytes_of(each) for each in ("2GB", "500 MB", "1.5k", "1GiB", 7)] == [
        2_000_000_000, 500_000_000, 1500, 2**30, 7,
    ]  # fmt: skip
    assert bytes_of(None) > 1e6
    assert fits(1000, 10, 200_000)
    assert not fits(1000, 10, 199_999)


def test_a_scratch_folder_that_cannot_be_used(tmp_path, monkeypatch):
    folder = write([a_table()], tmp_path / "parts")
    with pytest.raises(TableError, match="scratch must be a folder"):
        DecisionTreeClassifier().fit(folder, "label", memory=LITTLE, scratch=tmp_path / "gone")
    full = type("Usage", (), {"free": 10})
    monkeypatch.setattr("treewright.learn.parts.scratch.shutil.disk_usage", lambda _: full)
    with pytest.raises(TableError, match=r"too small for the table: about .* needed and 10 bytes are free"):
        DecisionTreeClassifier().fit(folder, "label", memory=LITTLE)


def test_a_disk_that_fills_up(tmp_path):
    write([a_table(5000)], tmp_path / "parts")
    (tmp_path / "scratch").mkdir()
    code = """
        import resource
        from treewright import DecisionTreeClassifier
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        try:
            DecisionTreeClassifier().fit("parts", "label", memory=1, scratch="scratch")
        except ValueError as error:
            print(error)
    """
    done = run(code, tmp_path)
    assert "The scratch folder 'scratch' is too small for the table: File too large." in done
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.skipif("TREEWRIGHT_SANITIZED" in os.environ, reason="sanitizers keep what is freed")
def test_the_peak_of_memory(tmp_path):
    code = """
        import sys
        import numpy as np, polars as pl
        from treewright import DecisionTreeRegressor
        if sys.argv[1] == "write":
            rng = np.random.default_rng(0)
            table = {f"x{j}": rng.normal(size=1_500_000) for j in range(15)}
            pl.DataFrame(table | {"y": table["x1"] * table["x2"]}).write_parquet("table.parquet")
        else:
            model = DecisionTreeRegressor(max_depth=6).fit("table.parquet", "y", memory="400MB")
            assert "scratch file" in model.notes_[0]
            lines = open("/proc/self/status").read().splitlines()
            print(next(line.split()[1] for line in lines if line.startswith("VmHWM")))
    """
    run(code, tmp_path, "write")
    assert int(run(code, tmp_path, "fit")) * 1024 < 440e6  # in memory it takes 480 MB


def run(code, folder, *arguments):
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
