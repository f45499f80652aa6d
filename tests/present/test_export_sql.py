"""SQL exports: run in SQLite, DuckDB, PostgreSQL and MariaDB, and read by a parser of the other dialects."""

import csv
import io
import math
import sqlite3

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.support import databases
from tests.support.exported import KINDS, model
from treewright.present.export.check import compared
from treewright.present.export.form import form_of
from treewright.present.export.rows import boundary_rows
from treewright.present.export.sql import run
from treewright.present.export.sql.dialects import DIALECTS
from treewright.present.export.sql.query import column_names
from treewright.present.export.sql.run import NULL, ROW, about, cell, create, predicted, write_csv

SHARED = [kind for kind in KINDS if "fractional" in kind or kind in {"j48", "c50", "c45"}]
EXPRESSIBLE = [kind for kind in KINDS if kind not in SHARED]


@pytest.mark.parametrize("kind", SHARED)
def test_rows_that_are_shared_out_are_refused(kind):
    with pytest.raises(ValueError, match="sql cannot express rows that go down several branches"):
        tw.export(model(kind), to="sql")


def test_sqlite_has_no_whole_numbers_without_a_sign():
    with pytest.raises(ValueError, match="SQLite cannot express whole numbers beyond"):
        tw.export(model("natural numbers"), to="sql")


@pytest.mark.parametrize("kind", EXPRESSIBLE)
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_every_kind_agrees(tmp_path, dialect, kind):
    if (dialect, kind) == ("sqlite", "natural numbers"):
        return
    path = tmp_path / "model.sql"
    path.write_text(tw.export(model(kind), to="sql", dialect=dialect), encoding="utf-8")
    form = form_of(model(kind))
    rows = boundary_rows(form, 400, seed=1)
    found = compared("sql", form, rows, run(path, form, rows))
    assert found.agrees, str(found)


def test_classes_with_similar_names_have_columns_of_their_own(tmp_path):
    """Databases do not tell capital letters apart, and signs cannot stand in the name of a column."""
    X = pd.DataFrame({"x": np.arange(40.0)})
    fitted = tw.DecisionTreeClassifier().fit(X, np.repeat([">50K", "<=50K", "50k", "≤"], 10))
    tw.export(fitted, tmp_path / "model.sql")
    found = tw.export_check(fitted, tmp_path / "model.sql", X)
    assert found.agrees, str(found)
    assert [name for _, name, *_ in column_names(form_of(fitted), {"probabilities"})] == [
        "probability_50k", "probability_50k_2", "probability_50k_3", "probability",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def postgres():
    with databases.postgres() as found:
        yield found


@pytest.fixture(scope="module")
def mariadb():
    with databases.mariadb() as found:
        yield found


def in_postgres(postgres, tmp_path, form, text, rows):
    dialect, parts = about(text)
    table = ".".join(map(dialect.quoted, parts))
    file = tmp_path / "rows.csv"
    write_csv(file, form, rows)
    script = f"SET TIME ZONE 'UTC'; SET extra_float_digits = 3; DROP TABLE IF EXISTS {table};\n"
    script += (
        create(dialect, parts, form)
        + f";\nCOPY {table} FROM STDIN (FORMAT csv, FORCE_NULL {{}}, NULL '{NULL}');\n"
    )
    names = ", ".join(dialect.quoted(column.name) for column in form.columns)
    script = script.replace("FORCE_NULL {}, ", f"FORCE_NULL ({names}), " if names else "")
    said = postgres(script + file.read_text(encoding="utf-8") + "\\.\n\\pset null '<null>'\n" + text)
    head, *found = csv.reader(io.StringIO(said.split("\n", 1)[1] if said.startswith("Null") else said))
    return predicted(form, head, [[_read(form, head[k], x) for k, x in enumerate(row)] for row in found])


def in_mariadb(mariadb, form, text, rows):
    dialect, parts = about(text)
    entries = [[k, *map(cell, form.columns, row)] for k, row in enumerate(rows)]
    values = ",\n".join(f"({', '.join(map(dialect.literal, entry))})" for entry in entries)
    script = f"CREATE OR REPLACE DATABASE tests; USE tests; {create(dialect, parts, form)};\n"
    script += f"INSERT INTO {'.'.join(map(dialect.quoted, parts))} VALUES {values};\n"
    head, *found = (line.split("\t") for line in mariadb(script + text).splitlines())
    return predicted(
        form, head, [[_read(form, head[k], x, "NULL", "01") for k, x in enumerate(row)] for row in found]
    )


def _read(form, name, text, null="<null>", booleans="ft"):
    if text == null:
        return None
    if name in {"leaf", ROW}:
        return int(text)
    if name.startswith("probability") or (name.startswith("prediction") and not form.is_classifier):
        return float(text)
    if name.startswith("prediction"):
        output = int(name.partition("_")[2] or 1) - 1
        return {booleans[x] if isinstance(x, bool) else str(x): x for x in form.classes[output]}[text]
    return text


def is_extreme(x):
    """So large or small that PostgreSQL stops when it multiplies it."""
    return isinstance(x, float) and x != 0 and math.isfinite(x) and not 1e-300 < abs(x) < 1e300


@pytest.mark.parametrize("kind", EXPRESSIBLE)
def test_every_kind_agrees_in_postgres(tmp_path, postgres, kind):
    text, form = tw.export(model(kind), to="sql", dialect="postgres"), form_of(model(kind))
    rows = boundary_rows(form, 400, seed=1)
    if form.sums or form.leaf_models is not None:  # it stops where a number becomes too large
        rows = [[None if is_extreme(x) else x for x in row] for row in rows]
    found = compared("sql", form, rows, in_postgres(postgres, tmp_path, form, text, rows))
    assert found.agrees, str(found)


@pytest.mark.parametrize("kind", EXPRESSIBLE)
def test_every_kind_agrees_in_mariadb(mariadb, kind):
    """It has no infinity, and stops where a number becomes too large."""
    text, form = tw.export(model(kind), to="sql", dialect="mariadb"), form_of(model(kind))
    computes = form.sums or form.leaf_models is not None
    rows = [
        [None if x in (math.inf, -math.inf) or (computes and is_extreme(x)) else x for x in row]
        for row in boundary_rows(form, 400, seed=1)
    ]
    found = compared("sql", form, rows, in_mariadb(mariadb, form, text, rows))
    assert found.agrees, str(found)
    if not computes:
        said = mariadb(tw.export(model(kind), to="sql", dialect="mariadb", check=True))
        assert said.splitlines()[1].split("\t")[1] == "0"


@pytest.mark.parametrize("dialect", sorted(DIALECTS.keys() - {"mariadb"}))  # which the parser does not know
def test_other_dialects_are_parsed(dialect):
    sqlglot = pytest.importorskip("sqlglot")
    reads = {"sqlserver": "tsql"}.get(dialect, dialect)
    for kind in (
        "mixed",
        "surrogate",
        "multiway",
        "oblique",
        "softmax",
        "linear",
        "natural numbers",
        "one leaf",
    ):
        if (dialect, kind) == ("sqlite", "natural numbers"):
            continue
        text = tw.export(model(kind), to="sql", dialect=dialect, table=["my db", "a'b\"c`d]e"])
        texts = [text]
        if kind not in ("surrogate", "multiway"):  # long; the rest of a check is the same for all kinds
            texts.append(tw.export(model(kind), to="sql", dialect=dialect, check=True))
        for each in texts:
            found = [type(part).__name__ for part in sqlglot.parse(each, read=reads) if part is not None]
            assert found == ["Select"], kind


@pytest.mark.parametrize("kind", EXPRESSIBLE)
def test_a_query_checks_itself(postgres, kind):
    """Rows at the boundaries within the query: none differs, in three databases."""
    duckdb = pytest.importorskip("duckdb")
    if kind != "natural numbers":
        text = tw.export(model(kind), to="sql", dialect="sqlite", check=True)
        assert sqlite3.connect(":memory:").execute(text).fetchone()[1] == 0
    base = duckdb.connect()
    base.execute("SET TimeZone = 'UTC'")
    n, differing = base.execute(tw.export(model(kind), to="sql", dialect="duckdb", check=True)).fetchone()
    assert n >= 1
    assert differing == 0
    if (
        form_of(model(kind)).leaf_models is None and not form_of(model(kind)).sums
    ):  # it stops at large numbers
        said = postgres(
            "SET TIME ZONE 'UTC';\n" + tw.export(model(kind), to="sql", dialect="postgres", check=True)
        )
        assert said.splitlines()[1].split(",")[1] == "0"


def test_a_wrong_query_finds_that_it_differs():
    text = tw.export(model("numbers"), to="sql", check=True)
    wrong = text.replace(" AS treewright_expected", " + 1 AS treewright_expected", 1)
    n, differing = sqlite3.connect(":memory:").execute(wrong).fetchone()
    assert differing == 1 < n


def test_names_that_begin_with_blanks_are_checked_in_mariadb(mariadb):
    X = pd.DataFrame({"\r\n": np.arange(40.0), "  b": np.tile([0.0, 1.0], 20)})
    fitted = tw.DecisionTreeClassifier().fit(X, (X["\r\n"] > 10) & (X["  b"] > 0))
    said = mariadb(tw.export(fitted, to="sql", dialect="mariadb", check=True))
    assert said.splitlines()[1].split("\t")[1] == "0"
