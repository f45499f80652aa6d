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
    that they may come from a generator. An error ends all threads, and so does Ctrl-C, which reaches the
    calling one alone.
    """
    numbered, lock, flag = enumerate(items), Lock(), _core.StopFlag()
    found: dict[int, Found] = {}
    errors: list[BaseException] = []

    def take() -> None:
        try:
            while not errors:
                with lock:
                    number, item = next(numbered, (-1, None))
                if number < 0:
                    return
                found[number] = work(item)  # type: ignore[arg-type]
        except BaseException as error:  # noqa: BLE001 (the calling thread raises it)
            errors.append(error)
            flag.stop()

    def help_out() -> None:
        flag.watch()
        take()

    with ThreadPoolExecutor(max(1, n_threads - 1)) as pool:
        try:
            helpers = [pool.submit(copy_context().run, help_out) for _ in range(n_threads - 1)]
            take()
            wait(helpers)  # a thread of Python whose `join` is interrupted is taken for ended
        except BaseException as error:
            errors.append(error)
            flag.stop()
            raise
    if errors:
        raise errors[0]
    return [found[number] for number in range(len(found))]
