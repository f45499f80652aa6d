"""What several test files use."""

import importlib

import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(params=["pandas", "polars", "pyarrow"])
def frame(request):
    """A function from a dict of columns to a table of each library that is installed."""
    library = pytest.importorskip(request.param)
    if request.param == "pyarrow":
        return library.table
    return importlib.import_module(request.param).DataFrame
