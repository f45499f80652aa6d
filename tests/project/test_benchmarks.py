"""The benchmark itself: it runs on small tables, and says truly what it reached."""

import json

import pytest

from benchmarks import __main__ as bench
from benchmarks.clock import best
from benchmarks.report import Row, against


def test_it_runs_and_writes_its_figures(tmp_path, capsys):
    rows = bench.main(
        ["--quick", "--only", "fit iris", "--markdown", "--json", str(tmp_path / "figures.json")]
    )
    shown = capsys.readouterr()
    assert "| small: fit iris | scikit-learn |" in shown.out
    written = json.loads((tmp_path / "figures.json").read_text())
    assert [row["figure"] for row in written] == [row.figure for row in rows]
    assert written[0]["figure"] == pytest.approx(written[0]["rival_seconds"] / written[0]["ours_seconds"])


def test_an_unknown_name_is_refused(capsys):
    with pytest.raises(SystemExit):
        bench.main(["--quick", "--only", "no such work"])
    assert "--only must be part of the name of some work" in capsys.readouterr().err


def test_a_row_knows_whether_its_aim_is_reached():
    assert against("fit", "them", 1.0, 5.0, aim=5).reached
    assert not against("fit", "them", 1.0, 4.9, aim=5).reached
    assert Row("memory", 0.5, "of the input", aim=0.6, at_most=True).reached
    assert against("fit", "them", 1.0, 5.0).reached is None


def test_the_best_of_several_runs_is_taken():
    calls = []
    assert best(lambda: calls.append(1), runs=7, seconds=0) < 0.1
    assert len(calls) == 7
