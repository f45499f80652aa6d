"""Work that several threads share."""

import subprocess
import sys
import threading
import time
from contextvars import ContextVar

import numpy as np
import pytest

from treewright.data.common.threads import map_in_threads


@pytest.mark.parametrize("n_threads", [1, 2, 7])
@pytest.mark.parametrize("n_items", [0, 1, 50])
def test_results_are_in_order(n_items, n_threads):
    pauses = np.random.default_rng(0).uniform(0, 0.003, n_items)

    def work(k):
        time.sleep(pauses[k])
        return k * k

    assert map_in_threads(work, range(n_items), n_threads) == [k * k for k in range(n_items)]


def test_items_are_made_one_at_a_time_and_by_need():
    made, inside = [], []

    def items():
        for k in range(30):
            inside.append(k)
            time.sleep(0.001)
            assert inside.pop() == k
            assert not inside
            made.append(k)
            yield k

    map_in_threads(lambda _: time.sleep(0.002), items(), 4)
    assert made == list(range(30))


def test_all_threads_work():
    threads, together = set(), threading.Barrier(3, timeout=20)

    def work(_):
        together.wait()
        threads.add(threading.get_ident())

    map_in_threads(work, range(3), 3)
    assert len(threads) == 3
    assert threading.get_ident() in threads


@pytest.mark.parametrize("in_helper", [False, True])
def test_an_error_ends_the_work(in_helper):
    done, main = [], threading.get_ident()

    def work(k):
        if (threading.get_ident() != main) == in_helper:
            raise ValueError("no")
        time.sleep(0.01)
        done.append(k)

    before = threading.active_count()
    with pytest.raises(ValueError, match="no"):
        map_in_threads(work, range(10_000), 2)
    assert len(done) < 100
    assert threading.active_count() == before


@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_the_first_of_several_errors_is_raised(n_threads):
    """Whichever comes first: the items are fast and slow in turn."""

    def work(k):
        time.sleep(0 if k % 2 else 0.05)
        raise ValueError(f"item {k}")

    with pytest.raises(ValueError, match="item 0"):
        map_in_threads(work, range(10), n_threads)


def test_an_error_of_the_items():
    def items():
        yield 1
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        map_in_threads(lambda _: time.sleep(0.01), items(), 3)


def test_helpers_see_the_context_of_the_caller():
    name = ContextVar("name", default="")
    name.set("caller")
    assert set(map_in_threads(lambda _: (time.sleep(0.005), name.get())[1], range(10), 3)) == {"caller"}


WAITING = """
import os, signal, sys, threading, time
import numpy as np
from treewright import DecisionTreeRegressor
from treewright.data.common.threads import map_in_threads

X = np.random.default_rng(0).random((1_000_000, 1))

def work(k):
    if threading.current_thread() is not threading.main_thread():
        while True:
            DecisionTreeRegressor(n_jobs=1).fit(X, X[:, 0])
    time.sleep(0.1)

threading.Timer(0.6, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    map_in_threads(work, range(2), 2)
except KeyboardInterrupt:
    print("threads that run:", len(sys._current_frames()))
"""


def test_ctrl_c_while_the_caller_waits_ends_all_threads():
    done = subprocess.run(
        [sys.executable, "-c", WAITING], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "threads that run: 1\n"
