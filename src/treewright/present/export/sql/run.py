"""Run an exported query in SQLite or DuckDB."""

from __future__ import annotations

import csv
import json
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..form import Form, FormColumn
from ..rows import Predicted, is_natural
from .dialects import DIALECTS, EPOCH, MICRO, Dialect
from .query import column_names

ROW = "treewright_row"
NULL = "<treewright null>"


def run(path: Path, form: Form, rows: Sequence[Sequence[Any]]) -> Predicted:
    """What a query in the dialect of SQLite or DuckDB finds for rows."""
    text = path.read_bytes().decode()  # with line ends as they are, which may be in names
    dialect, parts = about(text)
    if dialect.name == "sqlite":
        names, found = _in_sqlite(text, dialect, parts, form, rows)
    elif dialect.name == "duckdb":
        names, found = _in_duckdb(text, dialect, parts, form, rows)
    else:
        raise ValueError(f"Only queries for sqlite and duckdb can be run here. Got one for {dialect.name}.")
    return predicted(form, names, found)


def about(text: str) -> tuple[Dialect, list[str]]:
    """The dialect and the table of an exported query."""
    dialect = re.search(r"^-- Dialect: (\w+)$", text, re.MULTILINE)
    table = re.search(r"^-- Table: (\[.*\])$", text, re.MULTILINE)
    if dialect is None or table is None:
        raise ValueError("The file must be a query that treewright.export wrote. Got another.")
    return DIALECTS[dialect[1]], json.loads(table[1])


def create(dialect: Dialect, parts: list[str], form: Form) -> str:
    """The statement that makes the table."""
    columns = [
        f"{dialect.quoted(column.name)} {_type(dialect, form, place)}"
        for place, column in enumerate(form.columns)
    ]
    return f"CREATE TABLE {'.'.join(map(dialect.quoted, parts))} ({', '.join([f'{ROW} INTEGER', *columns])})"


def _type(dialect: Dialect, form: Form, place: int) -> str:
    column = form.columns[place]
    if column.is_text or (column.kind == "nominal" and not column.levels):
        return "TEXT"
    if column.kind == "boolean" or any(isinstance(level, bool) for level in column.levels):
        return "BOOLEAN"
    if column.kind == "datetime" and dialect.name != "sqlite":
        return dialect.times[column.utc]
    if column.whole:
        return "NUMERIC(20)" if is_natural(form, place) else "BIGINT"
    return dialect.double


def cell(column: FormColumn, value: Any) -> Any:
    """A value as a database reads it."""
    if column.kind == "datetime" and value is not None:
        moment = EPOCH + value * MICRO
        return f"{moment}+00:00" if column.utc else str(moment)
    return value


def _in_sqlite(text: str, dialect: Dialect, parts: list[str], form: Form, rows: Any) -> Any:
    import sqlite3

    with sqlite3.connect(":memory:") as base:
        if len(parts) > 1 and parts[0] not in {"main", "temp"}:
            base.execute(f"ATTACH ':memory:' AS {dialect.quoted(parts[0])}")
        base.execute(create(dialect, parts, form))
        marks = ", ".join(["?"] * (len(form.columns) + 1))
        where = ".".join(map(dialect.quoted, parts))
        each = ([k, *(_plain(value) for value in row)] for k, row in enumerate(rows))
        base.executemany(f"INSERT INTO {where} VALUES ({marks})", each)
        found = base.execute(text)
        return [entry[0] for entry in found.description], found.fetchall()


def _plain(value: Any) -> Any:
    """Whole numbers beyond 64 bits with a sign are the nearest doubles."""
    return float(value) if isinstance(value, int) and value >= 2**63 else value


def _in_duckdb(text: str, dialect: Dialect, parts: list[str], form: Form, rows: Any) -> Any:
    import duckdb

    base = duckdb.connect()
    if len(parts) > 1:
        base.execute(f"CREATE SCHEMA IF NOT EXISTS {dialect.quoted(parts[-2])}")
    base.execute("SET TimeZone = 'UTC'")
    base.execute(create(dialect, parts, form))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.csv"
        write_csv(file, form, rows)
        where = ".".join(map(dialect.quoted, parts))
        how = f"FORMAT csv, HEADER false, NULLSTR '{NULL}', QUOTE '\"', ESCAPE '\"'"
        base.execute(f"COPY {where} FROM '{file}' ({how})")
    found = base.execute(text)
    return [entry[0] for entry in found.description], found.fetchall()


def write_csv(file: Path, form: Form, rows: Sequence[Sequence[Any]]) -> None:
    """Rows as a CSV file, with their number before them."""
    with file.open("w", encoding="utf-8", newline="") as to:
        writer = csv.writer(to, quoting=csv.QUOTE_ALL)
        for number, row in enumerate(rows):
            cells = [cell(column, value) for column, value in zip(form.columns, row, strict=True)]
            writer.writerow([number, *(NULL if value is None else value for value in cells)])


def predicted(form: Form, names: list[str], found: Sequence[Sequence[Any]]) -> Predicted:
    """The result of a query in the order of the rows."""
    if ROW not in names:
        raise ValueError("A query is compared row by row if it keeps all columns. Export it without keep=.")
    order = sorted(found, key=lambda row: row[names.index(ROW)])
    wants = {name for name in ("leaf",) if name in names}
    for what in ("prediction", "probability"):
        if any(name.startswith(what) for name in names):
            wants.add("prediction" if what == "prediction" else "probabilities")
    leaf: list[Any] = []
    prediction: list[list[Any]] = []
    shares: list[list[list[Any]]] = []
    columns = [(what, names.index(name), output) for what, name, output, _ in column_names(form, wants)]
    for row in order:
        said: list[Any] = []
        each: list[list[Any]] = [[] for _ in form.sizes]
        for what, place, output in columns:
            if what == "leaf":
                leaf.append(row[place])
            elif what == "prediction":
                said.append(row[place])
            else:
                each[output].append(row[place])
        prediction += [said] if said else []
        shares += [each] if each[0] else []
    return Predicted(leaf, prediction, shares)
