"""Linear leaves in SQL: the scores of a row's leaf, kept within its bounds, and what follows from them."""

from __future__ import annotations

import math
from typing import Any

from ....tree.leaf_models import IS_MISSING, NUMBER
from ..form import Form
from .conditions import Conditions
from .dialects import Dialect

LEAF, RAW, SCORE, SHARE = "treewright_leaf", "treewright_raw", "treewright_score", "treewright_share"


def linear_parts(
    conditions: Conditions, steps: list[tuple[str, str]], source: str, leaf: str, kept: list[str], names: Any
) -> tuple[list[str], str]:
    """The query of a tree with linear leaves: leaf, raw scores, bounded scores, predictions."""
    form, dialect = conditions.form, conditions.dialect
    form.refuse("sql with linear leaves", ["dates and times"], "Use to='python', 'c' or 'javascript'.")
    models = form.leaf_models
    assert models is not None
    scores = range(models.n_scores)

    def stage(name: str, columns: list[str], before: str) -> None:
        listed = ",\n  ".join(["t.*", *columns])
        steps.append((name, f"SELECT {listed}\nFROM {before} AS t"))

    stage("treewright_walked", [f"{leaf} AS {LEAF}"], source)
    stage("treewright_raws", [f"{_raw(conditions, k)} AS {RAW}_{k}" for k in scores], "treewright_walked")
    stage(
        "treewright_scored", [f"{_bounded(conditions, k)} AS {SCORE}_{k}" for k in scores], "treewright_raws"
    )
    last = "treewright_scored"
    for number, columns in enumerate(_shares(form, models.n_scores), 1):
        stage(f"treewright_shared_{number}", columns, last)
        last = f"treewright_shared_{number}"
    results = [f"{_result(form, dialect, each)} AS {each[1]}" for each in names]
    select = "SELECT " + ",\n  ".join([*kept, *results]) + f"\nFROM {last} AS t"
    return [dialect.stage.format(*step) for step in steps], select


def _raw(conditions: Conditions, score: int) -> str:
    """A score before its bounds: constant + coefficient * (x - centre) + ..., by leaf."""
    form, dialect, models = conditions.form, conditions.dialect, conditions.form.leaf_models
    assert models is not None
    lines = []
    for node in form.ends:
        parts = [dialect.cast(dialect.number(models.constant[node, score]))]
        for term in models.terms(node):
            place = form.place[term.feature]
            centre, x = dialect.number(term.centre), conditions.number(place)
            if term.level == NUMBER:
                nan = f" OR {dialect.is_nan.format(x)}" if dialect.nan or dialect.name == "bigquery" else ""
                if form.columns[place].kind in {"boolean", "ordered"}:  # whole numbers: see below
                    centre = dialect.cast(centre)
                value = f"(CASE WHEN {x} IS NULL{nan} THEN 0.0e0 ELSE {x} - {centre} END)"
            elif term.level == IS_MISSING:
                column = conditions.column(place)
                nan = ""
                if not form.columns[place].levels and (dialect.nan or dialect.name == "bigquery"):
                    nan = f" OR {dialect.is_nan.format(x)}"
                holds = f"{column} IS NULL{nan}"
            else:
                holds = conditions.within(place, [term.level])
            if term.level != NUMBER:  # a double: the decimals of Postgres round in another way
                value = f"({dialect.cast(f'CASE WHEN {holds} THEN 1.0e0 ELSE 0.0e0 END')} - {centre})"
            parts.append(f"{dialect.number(term.coefficient[score])} * {value}")
        lines.append(f"\n    WHEN {node} THEN " + " + ".join(parts))
    return f"CASE t.{LEAF}{''.join(lines)} END"


def _bounded(conditions: Conditions, score: int) -> str:
    """A score within the bounds of its leaf; the constant where infinities cancel."""
    form, dialect, models = conditions.form, conditions.dialect, conditions.form.leaf_models
    assert models is not None
    x, lines = f"t.{RAW}_{score}", []
    for node in form.ends:
        low, high = float(models.lower[node, score]), float(models.upper[node, score])
        constant = min(max(float(models.constant[node, score]), low), high)
        parts = [f"WHEN {dialect.is_nan.format(x)} THEN {dialect.number(constant)}"]
        parts += (
            [f"WHEN {x} < {dialect.number(low)} THEN {dialect.number(low)}"] if math.isfinite(low) else []
        )
        parts += (
            [f"WHEN {x} > {dialect.number(high)} THEN {dialect.number(high)}"] if math.isfinite(high) else []
        )
        lines.append(f"\n    WHEN {node} THEN CASE {' '.join(parts)} ELSE {x} END")
    return f"CASE t.{LEAF}{''.join(lines)} END"


def _shares(form: Form, n_scores: int) -> list[list[str]]:
    """The probabilities of the classes from their scores, step by step."""
    each = [f"t.{SCORE}_{k}" for k in range(n_scores)]
    if form.link == "identity":
        return []
    if form.link == "logistic":
        e, low, high = "t.treewright_exp", "t.treewright_exp / (1.0e0 + {0})", "1.0e0 / (1.0e0 + {0})"
        return [
            [f"EXP(-ABS({each[0]})) AS treewright_exp"],
            [
                f"CASE WHEN {each[0]} >= 0 THEN {low.format(e)} ELSE {high.format(e)} END AS {SHARE}_0",
                f"CASE WHEN {each[0]} >= 0 THEN {high.format(e)} ELSE {low.format(e)} END AS {SHARE}_1",
            ],
        ]
    largest = " ".join(
        f"WHEN {' AND '.join(f'{x} >= {y}' for y in each if y != x)} THEN {x}" for x in each[:-1]
    )
    powers = [f"t.treewright_exp_{k}" for k in range(n_scores)]
    return [
        [f"CASE {largest} ELSE {each[-1]} END AS treewright_most"],
        [f"EXP({x} - t.treewright_most) AS treewright_exp_{k}" for k, x in enumerate(each)],
        [f"{' + '.join(powers)} AS treewright_total"],
        [f"{power} / t.treewright_total AS {SHARE}_{k}" for k, power in enumerate(powers)],
    ]


def _result(form: Form, dialect: Dialect, column: tuple[str, str, int, int]) -> str:
    what, _, output, k = column
    if what == "leaf":
        return f"t.{LEAF}"
    if what == "probabilities":
        return f"t.{SHARE}_{k}"
    if not form.is_classifier:
        return f"t.{SCORE}_{output}"
    shares = [f"t.{SHARE}_{j}" for j in range(form.sizes[0])]
    better, slack = ">=", ""
    if form.costs is not None:  # the class of least expected cost; the last bits decide nothing
        expected = [
            "("
            + " + ".join(f"{p} * {dialect.number(row[j])}" for p, row in zip(shares, form.costs, strict=True))
            + ")"
            for j in range(len(shares))
        ]
        shares, better, slack = expected, "<=", f" * {dialect.number(1 + 2.0**-40)}"
    labels = [dialect.literal(label) for label in form.classes[0]]
    lines = [
        f"WHEN {' AND '.join(f'{x} {better} {y}{slack}' for y in shares if y != x)} THEN {label}"
        for x, label in zip(shares[:-1], labels[:-1], strict=True)
    ]
    return f"CASE {' '.join(lines)} ELSE {labels[-1]} END"
