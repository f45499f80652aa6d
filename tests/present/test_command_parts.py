"""Folders and globs of Parquet files on the command line."""

import polars as pl
import pytest

import treewright
from tests.present.test_command import call
from treewright.learn.model_file import read


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    (home / "parts").mkdir()
    table = pl.DataFrame(treewright.load_example("iris"))
    for number in range(3):
        table[number * 50 : number * 50 + 50].write_parquet(home / "parts" / f"{number}.parquet")
    table.write_parquet(home / "whole.parquet")
    assert (
        call("fit", home / "parts", "--target", table.columns[-1], "--model", home / "iris.tree.json").status
        == 0
    )
    return home


def target(home):
    return pl.read_parquet(home / "whole.parquet").columns[-1]


def test_fit_of_a_glob_is_that_of_the_whole(home):
    model = home / "glob.tree.json"
    options = ("--target", target(home), "--model", model, "--memory", "2GB")
    done = call("fit", home / "parts" / "*.parquet", *options)
    assert done.status == 0
    assert "150 rows in 3 parts were read into memory." in done.err
    whole = treewright.fit(home / "whole.parquet", target(home))
    assert read(model).tree.digest == whole.model.tree_.digest
    found = treewright.fit(home / "parts", target(home))
    assert found.model.tree_.digest == whole.model.tree_.digest
    assert "150 rows in 3 parts were read into memory." in found.notes
    lazy = treewright.fit(pl.scan_parquet(home / "whole.parquet"), target(home))
    assert lazy.model.tree_.digest == whole.model.tree_.digest


@pytest.mark.parametrize("name", ["parts", "parts/*.parquet", "whole.parquet"])
def test_a_table_beyond_the_memory_is_fitted_from_a_scratch_file(home, tmp_path, name):
    options = ("--target", target(home), "--memory", "10kB", "--model", tmp_path / "large.json")
    done = call("fit", home / name, *options)
    assert done.status == 0, done.err
    assert "The columns are described by a sample of 150 of 150 rows." in done.err
    assert "are more than 10 kB of memory hold; the tree was grown from a scratch file" in done.err
    found = treewright.fit(home / "parts", target(home), memory=10_000)
    assert read(tmp_path / "large.json").tree.digest == found.model.tree_.digest


def test_fit_on_a_cluster(home, tmp_path):
    pytest.importorskip("distributed")
    options = ("--target", target(home), "--model", tmp_path / "large.json", "--json")
    done = call("fit", home / "parts", *options, "--cluster", "local:1")
    assert done.status == 0, done.err
    assert "150 rows in 3 partitions were counted on a Dask cluster." in done.out
    found = treewright.fit(home / "parts", target(home), memory=10_000)
    assert read(tmp_path / "large.json").tree.digest == found.model.tree_.digest


@pytest.mark.parametrize("address", ["local:none", "local:0"])
def test_a_cluster_that_is_not_there(home, tmp_path, address):
    options = ("--target", target(home), "--model", tmp_path / "no.json", "--cluster", address)
    done = call("fit", home / "parts", *options)
    assert done.status != 0
    assert "'local:N' with N processes of at least 1" in done.err
    assert not (tmp_path / "no.json").exists()


def test_a_folder_without_files(home):
    (home / "empty").mkdir(exist_ok=True)
    done = call("fit", home / "empty", "--target", "y")
    assert done.status != 0
    assert "has no file that ends in .parquet" in done.err


@pytest.mark.parametrize("source", ["parts", "parts/*.parquet", "whole.parquet"])
def test_predict_from_parquet_to_parquet(home, source, tmp_path, monkeypatch):
    monkeypatch.setattr("treewright.data.parts.sources.BATCH_ROWS", 7)
    output, model = tmp_path / "out.parquet", home / "iris.tree.json"
    done = call("predict", model, home / source, "--output", output, "--proba", "--rule")
    assert done.status == 0
    assert "150 rows written" in done.err
    table, found = pl.read_parquet(home / "whole.parquet"), pl.read_parquet(output)
    assert found[table.columns].equals(table)
    assert found["prediction"].to_list() == read(model).predict(table).tolist()
    assert found["rule"].null_count() == 0
    assert call("predict", model, home / source, "--output", output).status != 0  # it is there already


@pytest.mark.parametrize("bad", ["short", "half"])
def test_a_bad_part_leaves_no_output(home, tmp_path, bad):
    (tmp_path / "parts").mkdir()
    pl.read_parquet(home / "whole.parquet").write_parquet(tmp_path / "parts" / "0.parquet")
    written = (tmp_path / "parts" / "0.parquet").read_bytes()
    half = b"PAR1 and no more" if bad == "short" else written[: len(written) // 2]
    (tmp_path / "parts" / "1.parquet").write_bytes(half)
    done = call("predict", home / "iris.tree.json", tmp_path / "parts", "--output", tmp_path / "out.parquet")
    assert done.status != 0
    assert "1.parquet cannot be read" in done.err
    assert "unexpectedly" not in done.err
    assert [each.name for each in tmp_path.iterdir()] == ["parts"]
