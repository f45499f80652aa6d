"""A tree as one file of C99 without allocation."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...data.common.errors import ParameterError
from .c_check import check_parts
from .c_row import Field, fields_of, packed
from .c_tables import Tables
from .c_text import Text
from .form import Form
from .outputs import wanted
from .rows import Predicted
from .tables import features
from .template import filled

FLAGS = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off")


def write(form: Form, output: str, *, name: str = "model", header: bool = False) -> str:
    """The text of the file, or of a header with its declarations.

    `name` begins every name that other files see.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise ParameterError(f"name must be a name in C, such as 'model'. Got {name!r}.", "name")
    outputs, fields = wanted(form, output), fields_of(form)
    has = _features(form, outputs, fields) | (set() if header else {"body"})
    text, tables = Text(form, fields, name, has), Tables(form, fields, name, has)
    values = {
        "name": name,
        "NAME": name.upper(),
        "hash": form.hash,
        "header": text.header(),
        "includes": _INCLUDES,
        "declarations": text.declarations(),
        "predicted": text.predicted,
        "looked_up": "LABELS[leaf[k]]" if form.is_classifier else "VALUES[leaf[k]]",
    }
    if not header:
        values |= {
            "levels": text.levels(),
            "class_names": text.class_names(),
            "tables": tables.text(),
            "cases": "\n".join(text.cases()),
            "terms": "\n".join(text.term_cases()) if "linear" in has else "",
            "predict": text.predict(),
            **check_parts(text),
        }
        return filled("c.txt", has, values)
    guard = f"{name.upper()}_H"
    return f"#ifndef {guard}\n#define {guard}\n\n{filled('c.txt', has, values)}\n#endif\n"


_INCLUDES = "\n".join(f"#include <{each}.h>" for each in ("math", "stddef", "stdint", "string"))


def _features(form: Form, outputs: set[str], fields: list[Field]) -> set[str]:
    tested = {test.feature for test in form.every_test}
    kinds = {
        fields[k].kind + ("_" if fields[k].column.kind == "ordered" else "")
        for k in tested
        if k < len(fields)
    }
    computes = bool(outputs & {"prediction", "probabilities"})
    found = features(form, outputs)
    by_table = form.is_classifier and "decides" not in found and "probabilities" not in outputs
    has = {
        "steps": _is_simple(form, fields),
        "levels_tested": "level" in kinds,
        "numbers_tested": bool(kinds & {"number", "level_", "empty"})
        or any(k >= len(fields) for k in tested),
        "whole_tested": bool(kinds & {"time", "whole"}),
        "natural_tested": "natural" in kinds,
        "number_levels": any(c.levels and not c.is_text for c in form.columns),
        "regression": not form.is_classifier,
        "looks_up": _is_simple(form, fields) and form.n_outputs == 1 and form.leaf_models is None,
        "decides_by_values": "decides" in found and "rounds" not in found,
        "computes": computes and not by_table,
    }
    found |= {name for name, there in has.items() if there}
    if form.n_outputs == 1 and "looks_up" not in found:
        found.add("predicts_each")
    return found if computes and not by_table else found - {"linear", "regression"}


def _is_simple(form: Form, fields: list[Field]) -> bool:
    """Whether every test is a threshold of a double with two children, of which one takes missing values."""
    return len(fields) > 0 and all(
        test is None
        or (
            not test.terms
            and fields[test.feature].kind == "number"
            and form.n_children[node] == 2
            and form.missing[node] >= 0
            and not form.surrogates[node]
        )
        for node, test in enumerate(form.tests)
    )


# -- running it

DRIVER = """
#include "exported.c"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static model_row row;
  FILE *rows = fopen("rows.bin", "rb"), *out = fopen("said.bin", "wb");
  if (rows == NULL || out == NULL) return 1;
  while (fread(&row, sizeof row, 1, rows) == 1) {
    const int32_t leaf = model_leaf(&row);
    fwrite(&leaf, sizeof leaf, 1, out);
%s
  }
  return fclose(rows) || fclose(out);
}
"""


def run(path: Path, form: Form, rows: Sequence[Sequence[Any]], flags: Sequence[str] = ()) -> Predicted:
    """What an exported file (with the name 'model') predicts for rows, compiled by gcc or cc."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise FileNotFoundError("An export to 'c' is compiled by gcc or cc. Install one of them.")
    source, n, size = path.read_text(encoding="utf-8"), form.n_outputs, sum(form.sizes)
    kind = "int32_t" if form.is_classifier else "double"
    steps: list[str] = []
    types: list[Any] = [("leaf", np.int32)]
    if " model_predict(const" in source:
        call = "model_predict(&row, said);" if n > 1 else "said[0] = model_predict(&row);"
        steps.append(f"{kind} said[{n}]; {call} fwrite(said, sizeof said, 1, out);")
        types.append(("said", (np.int32 if form.is_classifier else np.float64, (n,))))
    if " model_probabilities(const" in source:
        steps.append(f"double shares[{size}]; model_probabilities(&row, shares);")
        steps.append("fwrite(shares, sizeof shares, 1, out);")
        types.append(("shares", (np.float64, (size,))))
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "exported.c").write_text(source, encoding="utf-8")
        (here / "driver.c").write_text(DRIVER % "\n".join(steps), encoding="utf-8")
        packed(fields_of(form), rows).tofile(here / "rows.bin")
        subprocess.run([compiler, *FLAGS, *flags, "driver.c", "-o", "driver", "-lm"], cwd=here, check=True)
        subprocess.run(["./driver"], cwd=here, check=True)
        found = np.fromfile(here / "said.bin", dtype=np.dtype(types))
    return _predicted(form, found)


def _predicted(form: Form, found: Any) -> Predicted:
    names = found.dtype.names
    prediction = found["said"].tolist() if "said" in names else []
    if form.is_classifier:
        prediction = [
            [None if k < 0 else labels[k] for k, labels in zip(row, form.classes, strict=True)]
            for row in prediction
        ]
    shares: list[Any] = []
    if "shares" in names:
        begin = np.cumsum([0, *form.sizes])
        pairs = list(zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True))
        shares = [[row[a:b] for a, b in pairs] for row in found["shares"].tolist()]
    return Predicted(found["leaf"].tolist(), prediction, shares)
