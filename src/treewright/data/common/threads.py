"""How many threads to use, and work that several of them share."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from threading import Lock
from typing import TypeVar

from ... import _core

Item = TypeVar("Item")
Found = TypeVar("Found")

INTERRUPTED, NO_ITEM = -1, sys.maxsize  # in place of an item's number
NOTICE = 0.1  # seconds until Ctrl-C is noticed


def threads(n_jobs: int | None) -> int:
    """How many threads; the variable TREEWRIGHT_NUM_THREADS is the most that None and negatives mean."""
    if n_jobs is not None and n_jobs > 0:
        return int(n_jobs)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    most = os.environ.get("TREEWRIGHT_NUM_THREADS", "")
    if most:
        if not most.isdecimal() or int(most) < 1:
            raise ValueError(f"TREEWRIGHT_NUM_THREADS must be an int of at least 1. Got {most!r}.")
        cores = min(cores, int(most))
    if n_jobs is not None:
        return max(1, cores + 1 + int(n_jobs))
    return 1 if _inside_worker() else cores


def _inside_worker() -> bool:
    """Whether joblib or multiprocessing runs several of us at once."""
    if multiprocessing.current_process().daemon:
        return True
    if "joblib" not in sys.modules:  # which its workers have loaded
        return False
    from joblib.parallel import get_active_backend

    return bool(getattr(get_active_backend()[0], "nesting_level", 0))


def map_in_threads(work: Callable[[Item], Found], items: Iterable[Item], n_threads: int) -> list[Found]:
    """`work` of every item, in their order.

    Each thread, the calling one too, takes the next item and works on it. Items are taken one at a time, so
    that they may come from a generator. After an error no item is taken any more, and the error of the first
    item that has one is raised. Ctrl-C, which reaches the calling thread alone, ends all threads at once.
    """
    numbered, lock, flag = enumerate(items), Lock(), _core.StopFlag()
    found: dict[int, Found] = {}
    errors: dict[int, BaseException] = {}  # by the number of the item

    def take() -> None:
        number = NO_ITEM
        try:
            while not errors:
                with lock:
                    number = NO_ITEM  # the generator may fail
                    number, item = next(numbered, (NO_ITEM, None))
                if number == NO_ITEM:
                    return
                found[number] = work(item)  # type: ignore[arg-type]
        except Exception as error:  # noqa: BLE001 (the calling thread raises it)
            errors[number] = error
        except BaseException as error:  # noqa: BLE001
            errors[INTERRUPTED] = error
            flag.stop()

    def help_out() -> None:
        flag.watch()
        take()

    with ThreadPoolExecutor(max(1, n_threads - 1)) as pool:
        try:
            helpers = [pool.submit(copy_context().run, help_out) for _ in range(n_threads - 1)]
            take()
            while wait(helpers, NOTICE).not_done:  # a wait without end may not notice a signal, and a thread
                pass  # of Python whose `join` is interrupted is taken for ended
        except BaseException as error:
            errors[INTERRUPTED] = error
            flag.stop()
            raise
    if errors:
        raise errors[min(errors)]
    return [found[number] for number in range(len(found))]
