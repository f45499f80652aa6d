"""Peak memory of a fit beyond its input; each library in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .libraries import LIBRARIES, Task, ours
from .results import OURS, Result
from .setting import Setting, rows_of

PART = "Memory"
NAMES = ("scikit-learn", "HistGradientBoosting", "LightGBM", "XGBoost hist")
NOTE = (
    "Memory is the peak during training beyond what the process had before, divided by the size of the input."
)


def results(setting: Setting) -> Iterator[Result]:
    """Memory of training, over the size of the input."""
    n = setting.million
    work = f"training, {rows_of(n)} × 20 float64, depth 10"
    for name in (OURS, *(name for name in NAMES if LIBRARIES[name].is_installed)):
        yield Result(PART, work, name, _child(name, n, setting.threads), "× the input", NOTE)


def _child(name: str, n_rows: int, threads: int) -> float:
    command = [sys.executable, "-m", "benchmarks.memory", name, str(n_rows), str(threads)]
    root = Path(__file__).parent.parent
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    return float(done.stdout.split()[-1])


def _status(field: str) -> int:
    """A field of /proc/self/status in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


def _measure(name: str, n_rows: int, threads: int) -> float:
    """Train one tree and return how far resident memory rose above where it was, over the size of X.

    A first fit on a few rows loads every library; 5 in clear_refs resets the high-water mark.
    """
    from . import data

    train = ours if name == OURS else LIBRARIES[name].train
    X, y = data.two_classes(n_rows)
    train(Task(X[:200].copy(), y[:200].copy(), max_depth=10, threads=threads))()
    run = train(Task(X, y, max_depth=10, threads=threads))
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    model = run()
    peak = _status("VmHWM")
    del model
    return (peak - before) / X.nbytes


if __name__ == "__main__":
    print(_measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
