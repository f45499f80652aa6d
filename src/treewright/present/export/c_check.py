"""The rows that a C export carries, with the program that compares them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .c_row import int64, number, packed
from .c_tables import Parts, table
from .rows import Predicted, example_rows


def check_parts(file: Parts) -> dict[str, str]:
    """The tables of rows, and the comparisons of one row."""
    n = file.name
    rows, predicted = example_rows(file.form)
    cells = packed(file.fields, rows)
    names = cells.dtype.names or ()
    entries = ["{" + ", ".join(_cell(cells[name][k]) for name in names) + "}" for k in range(len(rows))]
    tables = [f"#define N_ROWS {len(rows)}", table(f"{n}_row", "ROWS", entries, 1)]
    tables.append(table("int32_t", "LEAF", map(str, predicted.leaf), 16))
    compare = [f"    wrong |= {n}_leaf(&ROWS[i]) != LEAF[i];"]
    if "prediction" in file.has:
        tables.append(_predictions(file, predicted))
        compare += _compare_predictions(file)
    if "probabilities" in file.has:
        flat = [number(x) for row in predicted.probabilities for each in row for x in each]
        tables.append(table("double", "PROBABILITIES", flat))
        compare.append(f"    double shares[WIDTH];\n    {n}_probabilities(&ROWS[i], shares);")
        compare.append("    for (int k = 0; k < WIDTH; ++k)")
        compare.append("      wrong |= differs(shares[k], PROBABILITIES[i * WIDTH + k]);")
    return {"vectors": "\n".join(tables), "comparisons": "\n".join(compare)}


def _predictions(file: Parts, predicted: Predicted) -> str:
    if not file.form.is_classifier:
        return table("double", "PREDICTION", [number(x) for row in predicted.prediction for x in row])
    places = [{label: k for k, label in enumerate(labels)} for labels in file.form.classes]
    flat = [str(places[k].get(x, -1)) for row in predicted.prediction for k, x in enumerate(row)]
    return table("int32_t", "PREDICTION", flat, 16)


def _compare_predictions(file: Parts) -> list[str]:
    n, outputs = file.name, file.form.n_outputs
    if outputs == 1:
        return [f"    wrong |= differs({n}_predict(&ROWS[i]), PREDICTION[i]);"]
    return [
        f"    {file.predicted} said[{outputs}];\n    {n}_predict(&ROWS[i], said);",
        f"    for (int k = 0; k < {outputs}; ++k) wrong |= differs(said[k], PREDICTION[i * {outputs} + k]);",
    ]


def _cell(value: Any) -> str:
    if isinstance(value, np.floating):
        return "NAN" if np.isnan(value) else number(float(value))
    if isinstance(value, np.uint64):
        return f"UINT64_C({value})"
    return int64(int(value)) if isinstance(value, np.int64) else str(int(value))
