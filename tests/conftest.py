"""What several test files use."""

import importlib
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # boosting waits long for cores that other tests use

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
