"""`treewright predict`: the answers of a model, appended to the rows of a table."""

from __future__ import annotations

from itertools import chain, count
from typing import Any

import numpy as np

from ...data.common.plural import counted
from ...data.common.text_width import printable
from ...data.common.to_json import to_json
from .console import Console
from .failures import USAGE, Failure
from .files import STDIN, load_model, load_table, must_be_free, named_dialect, store_table
from .predictions import RowPredictions, predict_rows
from .subcommand import argument, force_option, option, reading_options, subcommand, unverified_option

MORE = """The columns of the table may be in any order, and every cell is kept as it is written. Added are
prediction, leaf (the number of the node where the row ends) and, for classes, probability: that of the
predicted class. The rows are written in the format of the input, to standard output unless --output names a
file; a name that ends in .parquet, .arrow or .csv says its own format."""


@subcommand(
    "predict",
    examples=[
        "loans.tree.json new.csv --output answers.csv",
        "loans.tree.json new.parquet --proba --rule --output answers.parquet",
        "loans.tree.json - < new.csv > answers.csv",
    ],
    more=MORE,
    options=[
        argument("model"),
        argument("data"),
        option("--output", "-o", metavar="FILE", help="Where to write; - is standard output."),
        option("--proba", is_flag=True, help="Add the probability of every class."),
        option("--rule", is_flag=True, help="Add the rule that decided, in words."),
        force_option(),
        unverified_option(),
        *reading_options(),
    ],
)
def command(console: Console, model: str, data: str, output: str | None, **how: Any) -> None:
    """Predict, and write the rows with the answers."""
    saved = load_model(model, how["allow_unverified"])
    path = STDIN if output is None else output
    must_be_free(path, how["force"])
    table = load_table(console, data, how, saved, as_written=True)
    with console.progress("predicting"):
        found = predict_rows(saved, table.frame)
        added = _columns(found, how["proba"], how["rule"])
    renamed = _free_names(added, table.frame.columns)
    for old, new in renamed.items():
        if old != new:
            console.note(f"The table has a column {old!r} already, so the new one is called {new!r}.")
    made = {renamed[name]: values for name, values in added.items()}
    if console.json and path == STDIN:
        console.result(rows=_records(made))
        return
    import polars as pl

    dialect = named_dialect(path, table.dialect)
    rows = table.written if dialect.kind == "csv" and table.written is not None else table.frame
    frame = rows.with_columns([pl.Series(name, values) for name, values in made.items()])
    store_table(console, frame, path, dialect)
    if path != STDIN:
        console.aside(f"{counted(len(frame), 'row')} written to {printable(path)}.")
        console.result(output=path, n_rows=len(frame), columns=list(made))


def _columns(found: RowPredictions, proba: bool, rule: bool) -> dict[str, Any]:
    """The new columns by name."""
    many = found.n_outputs > 1
    added: dict[str, Any] = {}
    for k in range(found.n_outputs):
        added[f"prediction_{k + 1}" if many else "prediction"] = found.prediction(k)
    added["leaf"] = found.leaf.astype(np.int64)
    if found.classes is None:
        if proba:
            raise Failure(USAGE, "--proba is for models of classes. This one predicts numbers.")
    else:
        for k, labels in enumerate(found.classes):
            added[f"probability_{k + 1}" if many else "probability"] = found.probability(k)
            if proba:
                start = f"probability_{k + 1}_of_" if many else "probability_of_"
                added |= {f"{start}{label}": found.shares[:, k, j] for j, label in enumerate(labels)}
    if rule:
        added["rule"] = found.rules()
    return added


def _free_names(added: dict[str, Any], taken: list[str]) -> dict[str, str]:
    """A name for every new column that no other column has."""
    used, found = set(taken), {}
    for name in added:
        tries = chain([name], (f"{name}_{number}" for number in count(2)))
        found[name] = next(new for new in tries if new not in used)
        used.add(found[name])
    return found


def _records(made: dict[str, Any]) -> list[dict[str, Any]]:
    plain = (values.to_list() if hasattr(values, "to_list") else values for values in made.values())
    lists = dict(zip(made, map(to_json, plain), strict=True))
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
