"""A query that checks itself: rows at the boundaries with what the model predicts, and how many differ."""

from __future__ import annotations

import math
from typing import Any

from ..form import FormColumn
from ..rows import example_rows
from .conditions import Conditions

CASES, RESULT = "treewright_cases", "treewright_result"
TRIMMING = ("mysql", "mariadb")  # they drop blanks at the beginning of a name behind AS


def check_parts(conditions: Conditions, steps: list[str], last: str, names: Any) -> tuple[list[str], str]:
    """The query with its rows before it, and a SELECT of how many rows there are and how many differ."""
    rows, predicted = example_rows(conditions.form)
    dialect = conditions.dialect
    columns = conditions.form.columns
    said = [(k, name) for k, (what, name, *_) in enumerate(names) if what == "prediction"]
    called = [dialect.quoted(column.name) for column in columns]
    called += ["treewright_expected", *(f"treewright_{name}" for _, name in said)]
    listed = dialect.name in TRIMMING
    lines = []
    for k, row in enumerate(rows):
        labels = [predicted.prediction[k][place] for place in range(len(said))]
        if any(isinstance(x, float) and not math.isfinite(x) for x in (*row, *labels)):
            continue  # databases have no common word for infinity
        cells = [_cell(conditions, c, x) for c, x in zip(columns, row, strict=True)]
        cells.append(str(predicted.leaf[k]))
        cells += [_typed(conditions, label) for label in labels]
        given = cells if listed else [f"{x} AS {name}" for x, name in zip(cells, called, strict=True)]
        lines.append("  SELECT " + ", ".join(given))
    head = f"{CASES}({', '.join(called)})" if listed else CASES
    cases = f"{head} AS (\n" + "\n  UNION ALL\n".join(lines) + "\n)"
    agree = ["leaf = treewright_expected"]
    for _, name in said:
        both = f"{name} IS NULL AND treewright_{name} IS NULL"
        agree.append(f"({name} = treewright_{name} OR ({both}))")
    wrong = f"SUM(CASE WHEN {' AND '.join(agree)} THEN 0 ELSE 1 END)"
    select = f"SELECT COUNT(*) AS n_rows, {wrong} AS differing\nFROM {RESULT}"
    return [cases, *steps, f"{RESULT} AS (\n{last}\n)"], select


def _typed(conditions: Conditions, label: Any) -> str:
    if label is None:
        texts = any(isinstance(x, str) for x in conditions.form.classes[0])
        return f"CAST(NULL AS {conditions.dialect.texts})" if texts else "NULL"
    found = conditions.dialect.literal(label)
    return conditions.dialect.cast(found) if isinstance(label, float) else found


def _cell(conditions: Conditions, column: FormColumn, value: Any) -> str:
    """A value of a column, of the type that the column has."""
    dialect = conditions.dialect
    if column.is_text or (column.kind == "nominal" and not column.levels):
        kind = dialect.texts
    elif column.kind == "datetime" and dialect.name != "sqlite":
        kind = dialect.times[column.utc]
        if value is not None:
            return dialect.moment(value, column.utc) or f"CAST(NULL AS {kind})"
    elif column.kind == "boolean" or any(isinstance(level, bool) for level in column.levels):
        kind = dialect.integer
        value = None if value is None else int(value)
    elif column.whole:
        kind = "NUMERIC" if dialect.name == "bigquery" else "DECIMAL(20, 0)"
    else:
        kind = dialect.double
    if value is None:
        return f"CAST(NULL AS {kind})"
    return f"CAST({dialect.literal(value)} AS {kind})"
