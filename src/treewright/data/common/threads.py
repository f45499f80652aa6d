"""How many threads to use."""

from __future__ import annotations

import multiprocessing
import os
import sys


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
