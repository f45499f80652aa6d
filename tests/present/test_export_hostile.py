"""Names, levels and classes that try to end a text, a comment or a statement: every export agrees."""

import subprocess
import sys

import pytest

import treewright as tw
from tests.support.exported import HOSTILE, hostile_model
from treewright.present.export.check import export_check
from treewright.present.export.javascript import node

TARGETS = [
    ("python", {}), ("javascript", {}), ("c", {}),
    ("sql", {"dialect": "sqlite"}), ("sql", {"dialect": "duckdb"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def hostile():
    return hostile_model()


@pytest.mark.parametrize(("to", "options"), TARGETS, ids=str)
def test_hostile_names_agree(tmp_path, hostile, to, options):
    model, table = hostile
    path = tmp_path / "exported"
    if to == "sql":
        options = {**options, "table": ["a;b", HOSTILE[0]]}
    tw.export(model, path, to=to, **options)
    found = export_check(model, path, table, to=to, n_rows=600)
    assert found.agrees, str(found)
    assert found.rows == 1500


@pytest.mark.parametrize("dialect", ["postgres", "mysql", "sqlserver", "snowflake", "bigquery", "spark"])
def test_hostile_names_are_one_select(hostile, dialect):
    sqlglot = pytest.importorskip("sqlglot")
    text = tw.export(hostile[0], to="sql", dialect=dialect, table=[HOSTILE[0]])
    found = sqlglot.parse(text, read={"sqlserver": "tsql"}.get(dialect, dialect))
    assert [type(each).__name__ for each in found if each is not None] == ["Select"]
    assert not list(found[0].find_all(sqlglot.exp.Drop, sqlglot.exp.Command))


def test_exports_check_themselves(tmp_path, hostile):
    """The rows that an export carries, run as its comment says."""
    for to, suffix, calls in (
        ("python", "py", [[sys.executable, "model.py"]]),
        ("javascript", "mjs", [[node(), "model.mjs", "--check"]]),
        ("c", "c", [["gcc", "-DMODEL_CHECK", "-Wall", "-Wextra", "-Werror", "model.c", "-lm"], ["./a.out"]]),
    ):
        tw.export(hostile[0], tmp_path / f"model.{suffix}", to=to)
        for call in calls:
            said = subprocess.run(call, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
        assert said.startswith("48 of 48 rows agree with the model "), to
