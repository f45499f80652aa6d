"""Exported models: how fast they predict, and how long it takes to write them."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import treewright
from treewright.present.export.form import form_of
from treewright.present.export.targets import TARGETS

from . import data
from .deep_tree import deep_tree
from .results import OURS, Result
from .setting import Setting, rows_of
from .training import timed

PREDICTING, WRITING = "Predicting with exported models", "Writing exports"
DEPTH = 10
NOTE = (
    "C is compiled with gcc -O2 and uses one thread, and so does DuckDB. The query written by hand has the "
)
NOTE += "same tests, without the rules for NaN."
PROGRAM = """
#define _POSIX_C_SOURCE 200809L
#include "model.c"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}
int main(void) {
  const size_t n = %d;
  model_row *rows = malloc(n * sizeof *rows);
  int32_t *to = malloc(n * sizeof *to);
  FILE *file = fopen("rows.bin", "rb");
  if (!rows || !to || !file || fread(rows, sizeof *rows, n, file) != n) return 1;
  for (int repeat = 0; repeat < %d; ++repeat) {
    const double begin = now();
    model_predict_many(rows, n, to);
    const double middle = now();
    for (size_t k = 0; k < n; ++k) to[k] = model_predict(rows + k);
    printf("%%.9f %%.9f\\n", middle - begin, now() - middle);
  }
  return fclose(file) || to[0] < 0;
}
"""


def results(setting: Setting) -> Iterator[Result]:
    """Predictions of a million rows in C and in DuckDB, then the time to write each format."""
    X, y = data.two_classes(setting.million)
    model = treewright.DecisionTreeClassifier(max_depth=DEPTH).fit(X[::10], y[::10])
    work = f"{rows_of(len(X))} × 20, depth {DEPTH}"
    own = setting.best(lambda: model.fitted_tree.predict(X, n_threads=1))
    yield Result(PREDICTING, f"{work}, C", OURS, own, note=NOTE)
    if shutil.which("gcc"):
        many, single = _in_c(setting, model, X)
        yield Result(PREDICTING, f"{work}, C", "exported C, many rows at once", many)
        yield Result(PREDICTING, f"{work}, C", "exported C, row by row", single)
    if find_spec("duckdb"):
        yield from _in_duckdb(setting, model, X, f"{work}, DuckDB")
    yield from _writing(setting)


def _in_c(setting: Setting, model: Any, X: Any) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        treewright.export(model, here / "model.c")
        used = [column.place for column in form_of(model).columns]
        np.ascontiguousarray(X[:, used], dtype=np.float64).tofile(here / "rows.bin")
        (here / "program.c").write_text(PROGRAM % (len(X), setting.repeats))
        subprocess.run(["gcc", "-std=c99", "-O2", "program.c", "-o", "program"], cwd=here, check=True)
        said = subprocess.run(["./program"], cwd=here, check=True, capture_output=True, text=True).stdout
    times = np.array([line.split() for line in said.splitlines()], dtype=float)
    best = times.min(axis=0)
    return float(best[0]), float(best[1])


def _in_duckdb(setting: Setting, model: Any, X: Any, work: str) -> Iterator[Result]:
    import duckdb

    base = duckdb.connect()
    base.execute("SET threads = 1")
    names = [column.name for column in form_of(model).columns]
    columns = dict(zip(names, X[:, [column.place for column in form_of(model).columns]].T, strict=True))
    base.register("given", {name: np.ascontiguousarray(values) for name, values in columns.items()})
    base.execute("CREATE TABLE data AS SELECT * FROM given")
    ours = treewright.export(model, to="sql", dialect="duckdb", output="prediction").rstrip("\n;")
    by_hand = f"SELECT {_by_hand(model, names)} AS prediction FROM data"
    runs = {
        OURS: lambda: base.execute(f"SELECT sum(prediction) FROM ({ours})").fetchall(),
        "query written by hand": lambda: base.execute(f"SELECT sum(prediction) FROM ({by_hand})").fetchall(),
    }
    yield from timed(setting, PREDICTING, work, runs, setting.repeats)


def _by_hand(model: Any, names: list[str]) -> str:
    """The nested CASE that a person would write; the tree is shallow."""
    tree, place = model.tree_, form_of(model).place
    text = [str(int(label)) for label in tree.label[:, 0]]
    for node in range(tree.node_count - 1, -1, -1):
        if tree.n_children[node]:
            column, first = names[place[int(tree.feature[node])]], int(tree.first_child[node])
            test = f"{column} <= {float(tree.threshold[node])!r}"
            text[node] = f"CASE WHEN {test} THEN {text[first]} ELSE {text[first + 1]} END"
    return text[0]


def _writing(setting: Setting) -> Iterator[Result]:
    leaves = 5000 if setting.million > 10_000 else 200
    tree = deep_tree(leaves)
    needed = {"onnx": "onnx", "sklearn": "sklearn"}
    for to in TARGETS:
        if find_spec(needed.get(to, "numpy")):
            seconds = setting.best(lambda to=to: treewright.export(tree, to=to), 1)  # type: ignore[misc]
            yield Result(WRITING, f"{leaves:,} leaves, depth 40, {to}", OURS, seconds)
