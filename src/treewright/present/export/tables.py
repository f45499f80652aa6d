"""What generated programs hold in tables: nodes, outcomes and linear leaves as nested lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tree.split_test import SplitTest
from ...tree.tree import SHARED
from .form import Form
from .outputs import printable


def features(form: Form, outputs: set[str]) -> set[str]:
    """The names of the sections of a template that a tree needs."""
    kinds = {column.kind for column in form.columns}
    linear = form.leaf_models is not None
    has = {
        "surrogates": any(form.surrogates),
        "nominal": any(column.kind == "nominal" and column.levels for column in form.columns),
        "ordered": "ordered" in kinds,
        "classes": form.is_classifier,
        "shares": form.shares_rows,
        "unknown": form.unknown is not None,
        "pooled": form.pooled > 0,
        "linear": linear,
        "exp": linear and form.link != "identity",
        form.link: linear,
        "decides": form.is_classifier and (linear or form.shares_rows),
        "rounds": form.shares_rows and not linear,
        "costs": form.costs is not None and (linear or form.shares_rows),
    }
    return {name for name, there in has.items() if there} | outputs


def cut_of(test: SplitTest) -> Any:
    """The threshold of a test, or the child of each code of a level."""
    if not test.is_nominal:
        return test.threshold
    return {code: child for child, codes in enumerate(test.levels) for code in codes}


def node_rows(form: Form) -> list[Any]:
    """Per node None, or [column, cut, strict, first child, child of missing values, surrogates].

    Where missing values go down every child, the shares of the children are in place of one child.
    """
    found: list[Any] = []
    share = form.share
    for node, test in enumerate(form.tests):
        if test is None:
            found.append(None)
            continue
        behind = [[s.feature, cut_of(s), is_strict(s), s.reversed] for s in form.surrogates[node]]
        below: Any = form.missing[node]
        if below == SHARED:
            below = [share[child] for child in form.children(node)]
        found.append([test.feature, cut_of(test), is_strict(test), form.first_child[node], below, behind])
    return found


def is_strict(test: SplitTest) -> bool:
    """Whether the test is x < threshold. The core reads x < -inf as x <= -inf."""
    return test.strict and test.threshold != -np.inf


def node_words(form: Form) -> list[str]:
    """Every node in words, for comments."""
    words = form.model.words()
    found = []
    for node, test in enumerate(form.tests):
        said = words.outcome(node) if test is None else words.test(node, most=6)
        said = said if len(said) <= 100 else said[:99] + "…"
        found.append(printable(f"{node}: {said}"))
    return found


def outcome_rows(form: Form) -> list[Any]:
    """Of every node where a row can end: the place of the class of every output, and its numbers.

    The root is there too where `pooled` needs it.
    """
    labels, values = form.labels.tolist(), form.values.tolist()
    return [
        [
            node,
            [
                labels[node] if form.is_classifier else [],
                [each[:size] for each, size in zip(values[node], form.sizes, strict=True)],
            ],
        ]
        for node in sorted({*form.ends, *([0] if form.pooled else [])})
    ]


def model_rows(form: Form) -> list[Any]:
    """Of every node where a row can end: constants, bounds and terms of its linear model."""
    models = form.leaf_models
    assert models is not None
    return [
        [
            node,
            [
                models.constant[node].tolist(),
                models.lower[node].tolist(),
                models.upper[node].tolist(),
                [
                    [form.place[t.feature], t.level, t.centre, t.coefficient.tolist()]
                    for t in models.terms(node)
                ],
            ],
        ]
        for node in form.ends
    ]
