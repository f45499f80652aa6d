"""The formats of `export`: a new one is a file in this folder and a line here.

A module of this folder has `write(form, output, **options)`, which returns text or bytes. If the format can
be run, it has `run(path, form, rows)`, which returns what the exported file predicts.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from ...data.common.errors import ParameterError
from ...data.common.hints import nearest


class Target(NamedTuple):
    """A format that a tree can be exported to."""

    module: str  # in this folder
    suffixes: tuple[str, ...]  # of files, by which it is recognised
    description: str
    runs: bool = True  # whether an exported file can be run, and so be checked


TARGETS = {
    "python": Target("python", (".py",), "one module without imports"),
    "c": Target("c", (".c", ".h"), "one file of C99 without allocation"),
    "javascript": Target("javascript", (".mjs", ".js"), "one ES module"),
    "sql": Target("sql", (".sql",), "one SELECT over a table, for nine databases"),
    "onnx": Target("as_onnx", (".onnx",), "an ONNX model, for onnxruntime"),
    "pmml": Target("pmml", (".pmml",), "a PMML 4.4 document"),
    "sklearn": Target("sklearn", (".joblib",), "an estimator of scikit-learn", runs=False),
    "dot": Target("graphviz", (".dot", ".gv"), "a graph for Graphviz", runs=False),
    "text": Target("as_text", (".txt",), "text, one line per branch", runs=False),
    "json": Target("as_json", (".json",), "nested dictionaries", runs=False),
    "svg": Target("as_svg", (".svg",), "a picture", runs=False),
}


def target_of(to: str | None, path: Any) -> str:
    """The name of the format: the one given, or that of the suffix of the file."""
    known = ", ".join(map(repr, TARGETS))
    if to is None:
        name = "" if path is None else str(path).lower()
        found = [each for each, target in TARGETS.items() if name.endswith(target.suffixes)]
        if found:
            return found[0]
        where = (
            "a path is given whose suffix says so" if path is None else f"the suffix of {str(path)!r} says so"
        )
        raise ParameterError(f"to must be one of {known}, unless {where}. Got None.", "to")
    if to not in TARGETS:
        raise ParameterError(f"to must be one of {known}. Got {to!r}.{nearest(to, TARGETS)}", "to")
    return to


def module_of(to: str) -> Any:
    """The module that writes a format, loaded when it is needed."""
    return import_module(f".{TARGETS[to].module}", __package__)
