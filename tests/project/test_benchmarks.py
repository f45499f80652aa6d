"""The benchmarks run on tiny tables, compare in unambiguous words, and write the documentation."""

import json
import os
import shutil

import pytest

from benchmarks import __main__ as bench
from benchmarks import methods, table_data, tables, write
from benchmarks.libraries import LIBRARIES
from benchmarks.results import Result, compared, less_or_more, markdown, quantity
from benchmarks.setting import Setting
from tests.support.paths import ROOT

pytest.importorskip("pandas")


@pytest.fixture
def copy_of_docs(tmp_path, monkeypatch):
    """The README and an empty docs folder, to be written to."""
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "README.md", tmp_path)
    for name in ("write_speed", "write_accuracy"):
        original = getattr(write, name)
        monkeypatch.setattr(write, name, lambda *args, original=original: original(*args, root=tmp_path))
    return tmp_path


@pytest.fixture(autouse=True)
def same_environment(monkeypatch):
    """The benchmark sets the threads of other libraries for its own process."""
    monkeypatch.setenv("OMP_NUM_THREADS", os.environ.get("OMP_NUM_THREADS", "1"))


PARTS = {
    "training": {"Training one tree"},
    "threads": {"Scaling over cores"},
    "prediction": {"Predicting many rows", "Predicting one row"},
    "pruning": {"Pruning by 5-fold cross-validation"},
    "memory": {"Memory"},
    "explaining": {"Explanations"},
    "experiments": {"Bias and variance"},
    "exports": {"Predicting with exported models", "Writing exports"},
    "command": {"Command line"},
    "classics": {"Classic programs"},
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of other libraries
@pytest.mark.parametrize("part", PARTS)
def test_each_part_runs(part, tmp_path, capsys):
    results = bench.main(["--tiny", "--threads", "1", "--only", part, "--json", str(tmp_path / "r.json")])
    assert {result.part for result in results} == PARTS[part]
    assert len(json.loads((tmp_path / "r.json").read_text())["results"]) == len(results)
    assert all(result.value >= 0 for result in results)
    assert next(iter(PARTS[part])) in capsys.readouterr().out


def test_results_are_written(copy_of_docs):
    works = [("Training one tree", work, library) for work, library in write.README_ROWS[:4]]
    pairs = [Result(part, work, name, 1.0) for part, work, name in works]
    ours = [Result(part, work, "treewright", 0.5) for part, work in dict.fromkeys(each[:2] for each in works)]
    write.write_speed({"threads": "2"}, sorted(ours + pairs, key=lambda each: each.work))
    page = (copy_of_docs / "docs" / "benchmarks.md").read_text()
    assert "| threads | 2 |" in page
    assert "\n## Training one tree\n" in page
    table = (copy_of_docs / "README.md").read_text().split("<!-- speed:")[1].split("<!-- /speed -->")[0]
    assert table.count("2.0 times as fast as") == 4


@pytest.mark.parametrize(
    "wrong", [["--only", "no such part"], ["--only", "pruning", "--write"], ["--tiny", "--write"]]
)
def test_wrong_options_are_rejected(wrong, capsys):
    with pytest.raises(SystemExit):
        bench.main(wrong)
    assert "must be part of one of training" in (said := capsys.readouterr().err) or "complete run" in said


def test_comparisons_say_which_is_faster():
    assert compared(1.0, 1.8, "X") == "1.8 times as fast as X"
    assert compared(2.1, 1.0, "X") == "2.1 times slower than X"
    assert compared(1.0, 1.02, "X") == "as fast as X"
    assert compared(1.0, 157.0, "X") == "160 times as fast as X"
    assert less_or_more(0.5, 1.0, "X") == "2.0 times less than X"
    assert less_or_more(1.0, 0.5, "X") == "2.0 times more than X"
    assert [quantity(value, "s") for value in (12.0, 0.25, 3e-6)] == ["12 s", "250 ms", "3 µs"]


def test_a_page_names_each_work_once():
    rows = [Result("Part", "work", "treewright", 1.0), Result("Part", "work", "X", 3.0, note="A note.")]
    lines = list(markdown(rows))
    assert "| work | treewright | 1 s |  |" in lines
    assert "|  | X | 3 s | 3.0 times as fast as X |" in lines
    assert "A note." in lines


def test_the_rows_of_the_readme_are_measured():
    from benchmarks import prediction, pruning, training

    works = [f"{work}" for work, _ in write.README_ROWS]
    setting = Setting()
    named = {"choosing alpha, 10,000 rows × 20", f"{setting.million:,} rows × 20, depth {prediction.DEPTH}"}
    assert f"{pruning.ALPHAS} alphas" in write.README_ROWS[4][1]
    sizes = (setting.million, setting.large, setting.small)
    assert all(any(f"{size:,} rows" in work for size in sizes) for work in works)
    assert named <= set(works)
    assert {library for _, library in write.README_ROWS} - set(LIBRARIES) == {write.README_ROWS[4][1]}
    assert set(training.ALL) == set(LIBRARIES)


def test_repeats_are_equal_and_the_shortest_counts():
    calls = []
    assert Setting(repeats=4).best(lambda: calls.append(1)) < 0.1
    assert len(calls) == 4


def test_libraries_are_measured_in_rounds():
    calls = []
    runs = {name: (lambda name=name: calls.append(name)) for name in "ab"}
    assert set(Setting(repeats=3).best_of(runs)) == {"a", "b"}
    assert calls == ["a", "a", "b", "b"] * 2  # in a row, since memory that lies free is slow to come back


def test_accuracy_of_all_methods_is_compared_and_written(copy_of_docs, monkeypatch, capsys):
    makers = {name: table_data.MAKERS[name] for name in ("hepatitis", "steps")}
    monkeypatch.setattr(table_data, "MAKERS", makers)
    monkeypatch.setattr(tables, "FOLDS", 3)
    monkeypatch.setattr(methods, "ALPHAS", 3)  # scikit-learn's search takes most of the time
    runs = tables.main(["--rows", "120", "--write"])
    assert [table.name for table, _ in runs] == list(makers)
    for table, found in runs:
        for name, scores in found.items():
            assert set(scores.by_fold) == ({"accuracy", "log loss", "AUC"} if table.classes else {"R²"})
            assert all(len(values) == tables.FOLDS for values in scores.by_fold.values())
            assert bool(scores.leaves) == ("tree" in name)
    page = (copy_of_docs / "docs" / "accuracy.md").read_text()
    assert "## hepatitis" in page
    assert "| treewright.fit |" in (copy_of_docs / "README.md").read_text().split("<!-- accuracy:")[1]
    assert "## All tables" in capsys.readouterr().out


def test_tables_of_ones_own(tmp_path):
    frame = table_data.MAKERS["hepatitis"](0)
    frame.X.assign(target=frame.y).to_csv(tmp_path / "mine.csv", index=False)
    (found,) = table_data.tables(folder=tmp_path)
    assert found.classes
    assert found.size == frame.size


def test_every_table_can_be_made():
    for table in table_data.tables(rows=60):
        assert len(table.X) == len(table.y) > 0
        assert table.classes == (table.y.dtype == object)


def test_a_page_without_markers_is_an_error():
    with pytest.raises(ValueError, match="must have the markers"):
        write.replace_between("no markers", "speed", "| |")
