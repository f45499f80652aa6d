"""`treewright.export`: a fitted tree as a program, a query or a file of another library."""

from __future__ import annotations

import inspect
import os
from typing import Any

from ...data.common.atomic import whole_or_nothing
from ...data.common.errors import ParameterError
from ...data.common.hints import nearest
from .form import form_of
from .targets import module_of, target_of


def export(
    model: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    to: str | None = None,
    output: str = "all",
    **options: Any,
) -> Any:
    """Write a fitted tree in another language or format.

    The export predicts what the model predicts, for every row: at thresholds, for missing values and for
    levels that were not seen at fit. A format that cannot express something in the tree is refused. An export
    cannot be read back: keep the model file too.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree, Tree or path
        The fitted model.
    path : path, optional
        The file to write. It appears whole or not at all.
    to : str, optional
        The format: "python", "c", "javascript", "sql", "onnx", "pmml", "sklearn", "dot", "text", "json" or
        "svg". By default the suffix of `path` decides.
    output : {"all", "prediction", "probabilities", "leaf"}, default="all"
        What the export computes.
    **options
        Options of the format. "sql": `dialect` ("sqlite", "duckdb", "postgres", "mysql", "mariadb",
        "sqlserver", "snowflake", "bigquery" or "spark"), `table`, `keep` (the columns of the table to keep),
        and `check=True` for a query that counts rows which differ from the model. "c": `name`, which begins
        every public name, and `header=True` for a header file. "onnx": `float32=True` to read float32.
        "dot", "text", "svg": those of `export_graphviz`, `export_text` and `draw`. "sklearn": `X`, rows to
        compare.

    Returns
    -------
    str, bytes or estimator
        What was written: text, the bytes of "onnx", or the estimator of "sklearn".

    Examples
    --------
    >>> import treewright
    >>> model = treewright.fit(treewright.load_example("iris"), "species")
    >>> code = treewright.export(model, to="python")
    >>> module = {}
    >>> exec(code, module)
    >>> module["predict"]({"petal_length": 1.4, "petal_width": 0.2})
    'setosa'
    """
    name = target_of(to, path)
    module = module_of(name)
    given = inspect.signature(module.write).parameters
    known = [each for each in given if each not in {"form", "output"}]
    for option in options:
        if option not in known and "options" not in known:
            raise ParameterError(_unknown(name, option, known), option)
    found = module.write(form_of(model), output, **options)
    if path is not None:
        with whole_or_nothing(path) as file:
            file.write(content(module, found))
    return found


def content(module: Any, found: Any) -> bytes:
    """What a file has of the result of a module's `write`."""
    if hasattr(module, "stored"):
        found = module.stored(found)
    return found if isinstance(found, bytes) else bytes(found.encode())


def _unknown(name: str, option: str, known: list[str]) -> str:
    must = f"takes the options {', '.join(known)}" if known else "takes no options"
    return f"export to {name!r} {must}. Got {option!r}.{nearest(option, known)}"
