"""What every part of a run shares: the sizes of the tables, the threads, and the number of repeats."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

PACKAGES = ("treewright", "numpy", "scikit-learn", "lightgbm", "xgboost", "ydf", "shap")


@dataclass(frozen=True)
class Setting:
    """One run. Each library, ours too, has the same threads and the same number of repeats."""

    threads: int = 2
    repeats: int = 3
    million: int = 1_000_000  # rows where only histogram methods are compared
    large: int = 200_000
    middle: int = 50_000
    small: int = 10_000
    wide: tuple[int, int] = (1_000, 2_000)
    one_row_columns: tuple[int, ...] = (30, 1_000)
    sizes: tuple[int, ...] = (1_000, 5_000, 20_000, 60_000, 150_000)
    in_files: int = 20_000_000  # rows of Parquet files
    on_cluster: int = 10_000_000
    one_row_repeats: int = 500
    many: int = 15  # repeats of what takes less than about 0.1 s

    def best(self, run: Callable[[], object], repeats: int | None = None) -> float:
        """The shortest time of all repeats in seconds, since other processes only ever add time."""
        return self.best_of({"": run}, repeats)[""]

    def best_of(
        self, runs: Mapping[str, Callable[[], object]], repeats: int | None = None
    ) -> dict[str, float]:
        """The same of several, in rounds: a slow minute of the machine meets all of them.

        In a round each runs twice in a row. Systems take back memory that was free for seconds, as while
        another library runs, and to hand it out again takes longer than a short fit.
        """
        repeats = repeats or self.repeats
        in_a_row = min(repeats, 2)
        best = dict.fromkeys(runs, float("inf"))
        for _ in range(-(-repeats // in_a_row)):
            for name, run in runs.items():
                for _ in range(in_a_row):
                    start = time.perf_counter()
                    run()
                    best[name] = min(best[name], time.perf_counter() - start)
        return best


TINY = Setting(
    repeats=1,
    million=2_000,
    large=1_500,
    middle=1_000,
    small=500,
    wide=(100, 40),
    one_row_columns=(30, 100),
    sizes=(300,),
    in_files=4_000,
    on_cluster=2_000,
    one_row_repeats=3,
    many=1,
)


def rows_of(count: int) -> str:
    """How a number of rows is written: 1,000,000 or 200,000."""
    return f"{count:,} rows"


def machine(threads: int) -> dict[str, str]:
    """What the numbers were measured on."""
    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{package} not installed")
    return {
        "processor": f"{_processor()}, {len(os.sched_getaffinity(0))} cores",
        "threads": str(threads),
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "versions": ", ".join(versions),
    }


def _processor() -> str:
    """The name of the processor, as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
