"""Clients and clusters of Dask: what is wrong with them is one sentence."""

import os
import threading
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import treewright
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.learn.parts.cluster import ClusterEngine, a_client
from treewright.learn.parts.dask_frames import is_dask
from treewright.learn.parts.share import ROUTE

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning"
)


def table(rows):
    """Numbers, and a class to predict."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(rows, 3)), columns=list("abc"))
    return frame.assign(**{"class": np.where(frame["a"] + rng.normal(size=rows) > 0, "yes", "no")})


def test_what_is_no_client_is_rejected_in_a_sentence(monkeypatch):
    assert not is_dask(pd.DataFrame())
    with (
        pytest.raises(TypeError, match=r"client must be a distributed\.Client or an address\. Got int"),
        a_client(3),
    ):
        pass
    with (
        pytest.raises(ValueError, match="A cluster must be 'local:N' with N processes of at least 1"),
        a_client("local:x"),
    ):
        pass
    monkeypatch.setattr("treewright.learn.parts.cluster.WAIT", "1s")
    with (
        pytest.raises(ValueError, match=r"Got 'tcp://127.0.0.1:9', where none is"),
        a_client("tcp://127.0.0.1:9"),
    ):
        pass


def test_a_client_that_closes_in_the_middle_is_one_sentence(monkeypatch):
    frame, compute = table(9000), ClusterEngine.compute
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster:
        own = distributed.Client(cluster)

        def closes(engine, operation, words):
            if operation == ROUTE:
                own.close()
            return compute(engine, operation, words)

        monkeypatch.setattr(ClusterEngine, "compute", closes)
        with pytest.raises(ValueError, match="The Dask client was closed before the tree was grown"):
            DecisionTreeClassifier().fit(dd.from_pandas(frame, npartitions=2), "class", client=own)


def test_a_task_that_always_ends_its_worker_is_one_sentence():
    frame = table(100)
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    soon = dask.config.set({"distributed.scheduler.allowed-failures": 1})  # starting takes seconds
    with soon, distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as own:
        lazy = dd.from_map(lambda _: os._exit(1), range(1), meta=frame[:0])
        with pytest.raises(ValueError, match="A task ended its worker several times"):
            DecisionTreeClassifier().fit(lazy, "class", client=own)


def test_a_client_is_for_dask_tables():
    frame = table(50)
    with pytest.raises(
        ValueError, match=r"client and checkpoint are for Dask tables\. Got X of type DataFrame"
    ):
        DecisionTreeRegressor().fit(frame[["a"]], "a", client="x")


def test_processes_that_do_not_start_are_one_sentence(monkeypatch):
    def fails(**_):
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", fails)
    with (
        pytest.raises(ValueError, match="The processes of a local cluster did not start"),
        a_client("local:1"),
    ):
        pass


def test_a_moment_without_workers_does_no_harm(monkeypatch):
    frame, model = table(500), DecisionTreeClassifier(max_depth=3)
    whole = model.fit(frame, "class").tree_
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as own:
        monkeypatch.setattr(own, "nthreads", dict)
        monkeypatch.setattr(own, "scheduler_info", lambda **_: {"workers": {}})
        assert model.fit(dd.from_pandas(frame, npartitions=2), "class", client=own).tree_ == whole


def one_by_one(number):
    """A partition that takes a moment to read."""
    time.sleep(0.3)
    return table(9000).iloc[number * 1800 : number * 1800 + 1800]


def lazy_table():
    return dd.from_map(one_by_one, range(5), meta=table(1)[:0])


@pytest.mark.parametrize("lost", ["before", "while described", "while grown", "while persisted"])
def test_a_cluster_without_workers_ends_the_fit_in_one_sentence(lost, monkeypatch, tmp_path):
    compute, path = ClusterEngine.compute, tmp_path / "replies"
    model, whole = DecisionTreeClassifier(max_depth=3), table(9000)
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options, silence_logs=50) as cluster, distributed.Client(cluster) as own:

        def loses(engine, operation, words):
            if operation == ROUTE:
                cluster.scale(0)
            return compute(engine, operation, words)

        lazy = lazy_table().persist() if lost == "while persisted" else lazy_table()
        kept = set(own.futures)
        if lost == "before":
            cluster.scale(0)
        elif lost == "while described":
            threading.Timer(0.7, cluster.scale, [0]).start()
        else:
            monkeypatch.setattr(ClusterEngine, "compute", loses)
        n_threads = threading.active_count()
        with (
            dask.config.set({"treewright.no-workers-timeout": "1s"}),
            pytest.raises(ValueError, match=r"had no worker for 1 seconds.*Start workers.*checkpoint="),
        ):
            clone(model).fit(lazy, "class", client=own, checkpoint=path)
        until = time.monotonic() + 5
        while set(own.futures) != kept and time.monotonic() < until:
            time.sleep(0.05)  # Dask releases futures in a thread of its own
        assert set(own.futures) == kept
        assert threading.active_count() <= n_threads + 1  # the timer
        assert path.exists() == (lost in {"while grown", "while persisted"})
        monkeypatch.setattr(ClusterEngine, "compute", compute)
        cluster.scale(1)
        found = clone(model).fit(lazy, "class", client=own, checkpoint=path)
        assert found.tree_ == model.fit(whole, "class").tree_
        assert not path.exists()


def test_workers_that_come_back_in_time_let_the_fit_finish(monkeypatch):
    compute, times = ClusterEngine.compute, []
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options, silence_logs=50) as cluster, distributed.Client(cluster) as own:

        def loses(engine, operation, words):
            if operation == ROUTE and len(times) < 2:
                cluster.scale(0)
                times.append(time.monotonic())
                threading.Timer(1.2, cluster.scale, [1]).start()
            return compute(engine, operation, words)

        monkeypatch.setattr(ClusterEngine, "compute", loses)
        with dask.config.set({"treewright.no-workers-timeout": "10s"}):
            found = DecisionTreeClassifier(max_depth=3).fit(lazy_table(), "class", client=own)
    assert len(times) == 2
    assert found.tree_ == DecisionTreeClassifier(max_depth=3).fit(table(9000), "class").tree_


def test_the_whole_recipe_ends_without_workers_too():
    options = {"n_workers": 0, "processes": False, "dashboard_address": ":0"}
    with (
        distributed.LocalCluster(**options) as cluster,
        distributed.Client(cluster) as own,
        dask.config.set({"treewright.no-workers-timeout": "1s"}),
        pytest.raises(ValueError, match="had no worker for 1 seconds"),
    ):
        treewright.fit(lazy_table(), "class", client=own)
