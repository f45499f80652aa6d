"""A tree as one ES module of JavaScript that needs nothing else."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .form import Form
from .program import FUNCTIONS, Syntax, as_predicted, by_name, written
from .rows import Predicted

HOW = [
    "predict(row), probabilities(row) and leaf(row) take an object from names of columns to values.",
    "What is absent, null, undefined or NaN is missing. Times: a Date, or whole microseconds.",
    "Whole numbers beyond 2**53 must be BigInt.",
    "check() compares with what the model predicts for the rows at the end; node FILE --check prints it.",
]
DRIVER = """
import * as model from %s;
import { readFileSync, writeFileSync } from "node:fs";
const rows = (0, eval)(readFileSync("rows.js", "utf-8"));
const plain = (key, x) =>
  typeof x === "bigint" || (typeof x === "number" && !Number.isFinite(x)) ? { [typeof x]: String(x) } : x;
const said = %s.map((name) => (model[name] ? rows.map((row) => model[name](Object.fromEntries(row))) : []));
writeFileSync("said.json", JSON.stringify(said, plain));
"""


def literal(value: Any) -> str:
    """A value as JavaScript writes it; a dictionary as a Map."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 2**53 else f"{value}n"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, dict):
        return f"new Map({literal([[_key(key), each] for key, each in value.items()])})"
    return "[" + ", ".join(map(literal, value)) + "]"


def _key(key: Any) -> Any:
    return int(key) if isinstance(key, bool) else key


SYNTAX = Syntax("JavaScript", "javascript.txt", "//", "const ", ";", literal)


def write(form: Form, output: str) -> str:
    """The text of the module."""
    return written(form, output, SYNTAX, HOW)


def run(path: Path, form: Form, rows: Sequence[Sequence[Any]]) -> Predicted:
    """What an exported module predicts for rows, run by Node.js."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "exported.mjs").write_bytes(path.read_bytes())
        (here / "rows.js").write_text(literal([by_name(form, row) for row in rows]), encoding="utf-8")
        driver = DRIVER % ('"./exported.mjs"', json.dumps([*FUNCTIONS.values()]))
        (here / "driver.mjs").write_text(driver, encoding="utf-8")
        subprocess.run([node(), "driver.mjs"], cwd=here, check=True)
        found = json.loads((here / "said.json").read_text(encoding="utf-8"), object_hook=_number)
    return as_predicted(form, *found)


def _number(given: dict[str, str]) -> Any:
    return int(given["bigint"]) if "bigint" in given else float(given["number"])


def node() -> str:
    """The command that runs JavaScript."""
    beside = Path(sys.executable).parent / "node"
    found = str(beside) if beside.exists() else shutil.which("node")
    if found is None:
        raise FileNotFoundError("An export to 'javascript' is run by Node.js. Install it: the command node.")
    return found
