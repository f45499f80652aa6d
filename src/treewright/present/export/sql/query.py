"""The query: the walk of a row to its leaf, and what the leaf predicts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ....data.common.errors import ParameterError
from ....data.common.hints import nearest
from ..c_row import identifier
from ..form import Form
from ..outputs import header, wanted
from ..rows import is_natural
from .cases import CASES, check_parts
from .conditions import Conditions
from .dialects import DIALECTS, Dialect
from .linear import linear_parts
from .walk import NODE, case_text, dispatched, shortest_case, stages

OUTCOMES = "treewright_outcomes"
Parts = tuple[list[str], str]
HOW = [
    "One row of the result for each row of the table. NULL, and NaN where the database has it, is missing.",
    "Columns that begin with treewright_ are intermediate results.",
]
REFUSED = ["rows that go down several branches (missing='fractional')"]


def write(
    form: Form,
    output: str,
    *,
    dialect: str = "sqlite",
    table: str | Sequence[str] = "data",
    keep: Sequence[str] | None = None,
    check: bool = False,
) -> str:
    """The text of the query.

    `dialect` is the database. `table` is the name of the table, of which dots separate parts, or a list of
    parts. `keep` are the columns of the table that the result has besides predictions (None: all). With
    `check` it is a query without a table, which counts rows at the boundaries that differ from the model.
    """
    if dialect not in DIALECTS:
        known = ", ".join(DIALECTS)
        hint = nearest(dialect, DIALECTS)
        raise ParameterError(f"dialect must be one of {known}. Got {dialect!r}.{hint}", "dialect")
    form.refuse("sql", REFUSED, "Use to='python', 'c' or 'javascript', or fit with another missing=.")
    chosen, outputs = DIALECTS[dialect], wanted(form, "all" if check else output)
    keep = None if check else keep
    _reject_text(form, chosen)
    if dialect == "sqlite" and any(is_natural(form, place) for place in range(len(form.columns))):
        raise ValueError("SQLite cannot express whole numbers beyond 2**63, which this tree has. Use to='c'.")
    parts = table.split(".") if isinstance(table, str) else list(table)
    names = column_names(form, outputs)
    _reject_clashes(form, keep, names)
    lines = [*header(form, f"SQL for {dialect}", HOW), f"Dialect: {dialect}", f"Table: {json.dumps(parts)}"]
    source = ".".join(chosen.quoted(part) for part in parts)
    steps, last = _query(form, chosen, CASES if check else source, keep, names)
    if check:
        steps, last = check_parts(Conditions(form, chosen), steps, last, names)
    before = ["WITH " + ",\n".join(steps)] if steps else []
    return "\n".join([*(f"-- {line}" for line in lines), *before, f"{last};", ""])


def column_names(form: Form, outputs: set[str]) -> list[tuple[str, str, int, int]]:
    """The columns of the result: what it is, its name, the output and the class that it is of."""
    found: list[tuple[str, str, int, int]] = []
    taken: set[str] = set()

    def add(what: str, name: str, output: int = 0, k: int = 0) -> None:
        name = identifier(name.lower(), taken)
        taken.add(name)
        found.append((what, name, output, k))

    several = form.n_outputs > 1
    if "leaf" in outputs:
        add("leaf", "leaf")
    for output in range(form.n_outputs):
        number = f"_{output + 1}" if several else ""
        if "prediction" in outputs:
            add("prediction", f"prediction{number}", output)
        for k, label in enumerate(form.classes[output] if "probabilities" in outputs else ()):
            add("probabilities", f"probability{number}_{label}", output, k)
    return found


def _reject_text(form: Form, dialect: Dialect) -> None:
    texts = [(column.name, level) for column in form.columns for level in (column.name, *column.levels)]
    for name, text in texts:
        if isinstance(text, str):
            zero = "\0" in text and (dialect.name != "sqlite" or text == name)
            if zero or any("\ud800" <= letter <= "\udfff" for letter in text):
                raise ValueError(f"sql cannot express the text {text!r} of column {name!r}. Use to='python'.")


def _reject_clashes(form: Form, keep: Sequence[str] | None, names: Any) -> None:
    known = [column.name for column in form.columns] if keep is None else keep
    for _, name, *_ in names:
        for column in known:
            if column.lower() == name:
                raise ParameterError(
                    f"keep must not have a column with the name of a result, {name!r}. Rename it in a view, "
                    "or list the columns to keep without it.",
                    "keep",
                )


def _query(form: Form, dialect: Dialect, source: str, keep: Sequence[str] | None, names: Any) -> Parts:
    """The common table expressions of the query, and its last SELECT."""
    conditions = Conditions(form, dialect)
    kept = ["t.*"] if keep is None else [f"t.{dialect.quoted(name)}" for name in keep]
    steps: list[tuple[str, str]] = []  # name and text of common table expressions
    walk = stages(form, dialect)
    if len(walk) == 1 and len(names) == 1 and form.leaf_models is None:
        text = shortest_case(conditions, lambda node: _value(form, dialect, names[0], node))
        result = f"{_typed(form, dialect, names[0], text)} AS {names[0][1]}"
        return [], _select(kept, [result], f"{source} AS t")
    leaf = case_text(conditions, walk[0][1])
    for number, (roots, last) in enumerate(walk[1:], 1):
        at = f"t.{NODE}_{number}"
        steps.append(
            (f"treewright_stage_{number}", _select(["t.*"], [f"{leaf} AS {NODE}_{number}"], f"{source} AS t"))
        )
        source = f"treewright_stage_{number}"
        leaf = dispatched(conditions, roots, last, at)
    if form.leaf_models is not None:
        return linear_parts(conditions, steps, source, leaf, kept, names)
    results = [f"{_typed(form, dialect, each, f'o.{each[1]}')} AS {each[1]}" for each in names]
    body = f"{source} AS t\nLEFT JOIN {OUTCOMES} AS o ON o.node = {leaf}"
    each = [*(dialect.stage.format(*step) for step in steps), _outcomes(form, dialect, names)]
    return each, _select(kept, results, body)


def _select(kept: list[str], results: list[str], source: str) -> str:
    return "SELECT " + ",\n  ".join([*kept, *results]) + f"\nFROM {source}"


def _outcomes(form: Form, dialect: Dialect, names: Any) -> str:
    """The table of what every end predicts."""
    columns = ["node", *(name for _, name, *_ in names)]
    entries = [[str(node), *(_value(form, dialect, each, node) for each in names)] for node in form.ends]
    rows = ",\n  ".join(dialect.row.format(", ".join(entry)) for entry in entries)
    first = "(" + ", ".join(f"{x} AS {c}" for x, c in zip(entries[0], columns, strict=True)) + ")"
    rest = "".join(f",\n  {dialect.row.format(', '.join(entry))}" for entry in entries[1:])
    return dialect.values.format(name=OUTCOMES, columns=", ".join(columns), rows=rows, first=first, rest=rest)


def _value(form: Form, dialect: Dialect, column: tuple[str, str, int, int], node: int) -> str:
    """What a node predicts, as a literal."""
    what, _, output, k = column
    if what == "leaf":
        return str(node)
    if what == "probabilities" or not form.is_classifier:
        return dialect.number(form.values[node, output, k])
    place = int(form.labels[node, output])
    return dialect.literal(None if place < 0 else form.classes[output][place])


def _typed(form: Form, dialect: Dialect, column: tuple[str, str, int, int], text: str) -> str:
    """A result as a double where it is one: some databases read decimal numbers of another type."""
    what = column[0]
    number = what == "probabilities" or (what == "prediction" and not form.is_classifier)
    return dialect.cast(text) if number else text
