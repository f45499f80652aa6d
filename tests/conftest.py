"""What several test files use."""

import gc
import importlib
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")  # boosting waits long for cores that other tests use

import numpy as np
import pytest

import tests.support.drawn  # noqa: F401 (chooses how cases are drawn)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is loaded with the tests stays: the garbage collector need not walk over it again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_unconfigure():
    """At the end all of it goes."""
    gc.unfreeze()


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="module")
def client():
    """A Dask cluster of two workers in this process."""
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as made:
        yield made


@pytest.fixture(params=["pandas", "polars", "pyarrow"])
def frame(request):
    """A function from a dict of columns to a table of each library that is installed."""
    library = pytest.importorskip(request.param)
    if request.param == "pyarrow":
        return library.table
    return importlib.import_module(request.param).DataFrame


@pytest.fixture
def sort_all(monkeypatch):
    """A function after whose call nodes of any size are sorted, and none is counted in bins."""
    from treewright.learn import grow

    usual = grow.settings

    def settings(*args):
        growth = usual(*args)
        growth.sort_below = 10**9
        return growth

    return lambda: monkeypatch.setattr(grow, "settings", settings)


@pytest.fixture(scope="session")
def kept(tmp_path_factory):
    """One page of a table in a browser, for the tests that need no other."""
    from tests.support.page_models import credit
    from tests.support.page_tools import opened

    with opened(credit()[0], tmp_path_factory.mktemp("page")) as found:
        yield found


@pytest.fixture(scope="session")
def code(tmp_path_factory):
    """The code of the page in a browser: it predicts and searches with any payload that it is given."""
    import treewright
    from tests.support.page_tools import opened

    rows = np.arange(50.0)
    model = treewright.DecisionTreeRegressor(max_depth=2).fit(rows[:, None], rows)
    with opened(model, tmp_path_factory.mktemp("page")) as found:
        yield found


def pytest_terminal_summary(terminalreporter):
    """How many recorded trees of each program our classics reproduce."""
    reports = [each for kind in ("passed", "failed") for each in terminalreporter.stats.get(kind, [])]
    found = [value for report in reports for name, value in report.user_properties if name == "agreement"]
    if found:
        terminalreporter.section("agreement with the classic programs")
        for line in sorted(found):
            terminalreporter.write_line(line)
