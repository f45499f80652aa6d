"""The comparison on real tables: it runs on made ones, and ranks as it says."""

import numpy as np
import pytest

from benchmarks import tables
from benchmarks.contenders import ALL, REFERENCE


@pytest.fixture
def folder(tmp_path, rng):
    """Two small tables with a category and a gap."""
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


def test_without_tables_it_says_so(tmp_path, capsys):
    assert tables.main(["--data", str(tmp_path)]) == []
    assert "The tables are not here" in capsys.readouterr().out


def test_equal_losses_share_their_places():
    assert tables._ranks(np.array([0.2, 0.1, 0.2, 0.3])).tolist() == [2.5, 1, 2.5, 4]
