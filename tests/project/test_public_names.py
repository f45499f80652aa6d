"""The public names are what they should be, whichever of them is used first."""

import subprocess
import sys
from types import ModuleType

import pytest

import treewright


@pytest.mark.parametrize("first", ["counterfactual", "explain", "report"])
def test_a_folder_never_hides_a_function(first):
    code = f"from treewright import {first}, explain; assert callable(explain), explain"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_four_public_names_are_modules():
    modules = [name for name in treewright.__all__ if isinstance(getattr(treewright, name), ModuleType)]
    assert modules == ["classics", "lab", "linear", "textbook"]
