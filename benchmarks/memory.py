"""Peak memory of a fit over its input, and what `import treewright` costs; each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .data import Sizes
from .report import Row
from .rivals import is_installed

IMPORT = """
import sys, time
start = time.perf_counter()
import numpy
middle = time.perf_counter()
import treewright
print(time.perf_counter() - middle, any(name in sys.modules for name in ("sklearn", "pandas", "scipy")))
"""


def rows(sizes: Sizes, only: str) -> Iterator[Row]:
    """All rows whose names contain `only`."""
    work = f"peak memory over the input, {sizes.large:,} × 20 float64, depth 10"
    if only in work:
        yield Row(work, _child("ours", sizes.large), "of the input", aim=0.6, at_most=True)
        for rival in ("scikit-learn", "LightGBM"):
            if is_installed(rival):
                yield Row(work, _child(rival, sizes.large), "of the input", rival)
    if only in "import treewright, beyond numpy":
        yield _import()


def _child(name: str, n_rows: int) -> float:
    command = [sys.executable, "-m", "benchmarks.memory", name, str(n_rows)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent
    )
    return float(done.stdout.split()[-1])


def _import() -> Row:
    runs = []
    for _ in range(7):
        done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
        seconds, heavy = done.stdout.split()
        if heavy == "True":
            raise RuntimeError("import treewright must not load scikit-learn, scipy or pandas. It did.")
        runs.append(float(seconds))
    return Row("import treewright, beyond numpy", 1e3 * min(runs), "ms", aim=60, at_most=True)


def _status(field: str) -> int:
    """A figure of /proc/self/status in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


def _measure(name: str, n_rows: int) -> float:
    """Grow one tree and return how far resident memory rose above where it stood, over the size of X.

    A first fit on a few rows loads every library; 5 in clear_refs sets the high-water mark back.
    """
    from . import data, rivals

    fitter = rivals.ours if name == "ours" else rivals.RIVALS[name][1]
    X, y = data.two_classes(n_rows)
    fitter(rivals.Task(X[:200].copy(), y[:200].copy(), max_depth=10))()
    run = fitter(rivals.Task(X, y, max_depth=10))
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    model = run()
    peak = _status("VmHWM")
    del model
    return (peak - before) / X.nbytes


if __name__ == "__main__":
    print(_measure(sys.argv[1], int(sys.argv[2])))
