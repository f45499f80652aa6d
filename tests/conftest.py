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


def pytest_terminal_summary(terminalreporter):
    """How many recorded trees of each program our classics reproduce."""
    reports = [each for kind in ("passed", "failed") for each in terminalreporter.stats.get(kind, [])]
    found = [value for report in reports for name, value in report.user_properties if name == "agreement"]
    if found:
        terminalreporter.section("agreement with the classic programs")
        for line in sorted(found):
            terminalreporter.write_line(line)
