"""What editors and type checkers see of the constructors is what they are."""

import ast
import inspect

import pytest

import treewright
from tools.signatures import ESTIMATORS, HOME, signatures


def test_the_file_is_as_the_table_has_it():
    assert HOME.read_text() == signatures(), "Run `python -m tools.signatures`."


@pytest.mark.parametrize("name", ESTIMATORS)
def test_names_and_defaults_are_those_of_the_class(name):
    """Read as static analysers do: without running it."""
    found = next(
        node
        for node in ast.walk(ast.parse(HOME.read_text()))
        if getattr(node, "name", "") == f"{name}Signature"
    )
    written = next(node for node in ast.walk(found) if isinstance(node, ast.FunctionDef)).args
    defaults = [ast.literal_eval(value) for value in written.kw_defaults]
    real = inspect.signature(getattr(treewright, name)).parameters
    assert dict(zip([each.arg for each in written.kwonlyargs], defaults, strict=True)) == {
        each: parameter.default for each, parameter in real.items()
    }
