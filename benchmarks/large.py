"""Tables that are larger than memory or on a cluster: beside the same fit in memory, and other libraries.

Every fit runs in a process of its own, which reports its time and the peak of its memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .results import OURS, Result
from .setting import Setting, rows_of

PART = "Large tables"
N_FILES, DEPTH, MEMORY = 20, 10, "2GB"
NOTE = (
    "Every library trains one tree of depth 10. In memory: the files are read, then fitted. LightGBM reads "
    "its rows by Sequence, XGBoost by an iterator with its external memory. The cluster has two processes of "
    "one thread each. Libraries are loaded before, on the workers too. Times include reading and coding; "
    "peaks are of the process that calls `fit`."
)


def results(setting: Setting) -> Iterator[Result]:
    """From files within 2 GB, and on a local cluster of Dask."""
    with tempfile.TemporaryDirectory() as folder:
        for n, ways in ((setting.in_files, ("memory", "files")), (setting.on_cluster, ("memory", "cluster"))):
            _write(Path(folder), n)
            what = f"2 classes, {rows_of(n)} × 20, depth {DEPTH}"
            ours = {"memory": f"{OURS} in memory", "files": OURS, "cluster": OURS}
            title = (
                f"{what}, from Parquet within {MEMORY}" if "files" in ways else f"{what}, on a Dask cluster"
            )
            found: dict[str, dict[str, Any]] = {}
            for way in reversed(ways):
                found[ours[way]] = _child(folder, way, setting.threads)
            for rival in ("lightgbm", "xgboost"):
                if find_spec(rival) is not None:
                    try:
                        found[f"{rival} {ways[1]}"] = _child(folder, f"{rival} {ways[1]}", setting.threads)
                    except subprocess.CalledProcessError as error:
                        print(f"{rival} {ways[1]} failed: {error.stderr.strip()[-300:]}", file=sys.stderr)
            for library, each in found.items():
                yield Result(PART, title, library, each["seconds"], note=NOTE)
            for library, each in found.items():
                yield Result(PART, f"{title}: peak memory", library, each["peak"] / 1e9, "GB")
            if "sent" in found[OURS]:
                sent, levels = found[OURS]["sent"], DEPTH
                yield Result(PART, f"{title}: sent per level", OURS, sent / levels / 1e6, "MB")


def _write(folder: Path, n: int) -> None:
    """The table in files of equal size."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    for number in range(N_FILES):
        rng = np.random.default_rng(number)
        x = rng.normal(size=(20, n // N_FILES))
        y = x[0] + x[1] * x[2] + np.sin(3 * x[3]) + 0.5 * rng.normal(size=n // N_FILES) > 0
        columns = {f"x{k}": values for k, values in enumerate(x)} | {"y": y.astype(np.int8)}
        pq.write_table(pa.table(columns), folder / f"{number:02}.parquet", compression="none")


def _child(folder: str, way: str, threads: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.large", folder, way, str(threads)]
    root = Path(__file__).parent.parent
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    return dict(json.loads(done.stdout.splitlines()[-1]))


# -- in the child


def _fit(folder: str, way: str, threads: int) -> dict[str, Any]:
    import time

    rival = way.split(maxsplit=1)[0]
    names = ["pyarrow.parquet", "pandas", "sklearn.base", "treewright.learn.estimators", rival]
    if way.endswith("cluster"):
        names += ["dask.dataframe", "treewright.learn.parts.cluster", f"{rival}.dask"]
    _load(names)  # loading is not training
    more: dict[str, Any] = {}
    with _cluster(way, threads) as client:
        if client is not None:
            client.run(_load, names)
        start = time.perf_counter()
        if way in {"memory", "files", "cluster"}:
            more = _ours(folder, way, threads, client)
        elif way == "lightgbm files":
            _lightgbm(folder, threads)
        elif way == "xgboost files":
            _xgboost(folder, threads)
        else:
            _on_dask(folder, way, client)
        seconds = time.perf_counter() - start
    lines = Path("/proc/self/status").read_text().splitlines()
    peak = 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return {"seconds": seconds, "peak": peak} | more


def _load(names: list[str]) -> None:
    from importlib import import_module

    for name in names:
        if find_spec(name.split(".")[0]) is not None:
            import_module(name)


def _cluster(way: str, threads: int) -> Any:
    from contextlib import nullcontext
    from importlib import import_module

    if not way.endswith("cluster"):
        return nullcontext()
    distributed: Any = import_module("distributed")
    cluster = distributed.LocalCluster(n_workers=threads, threads_per_worker=1, dashboard_address=":0")
    return distributed.Client(cluster)


def _ours(folder: str, way: str, threads: int, client: Any) -> dict[str, Any]:
    from treewright import DecisionTreeClassifier

    model = DecisionTreeClassifier(max_depth=DEPTH, n_jobs=threads)
    if way != "cluster":
        model.fit(folder, "y", memory=MEMORY if way == "files" else "1000GB")
        return {}
    import dask.dataframe as dd

    from treewright.learn.parts import cluster

    engines: list[Any] = []
    made = cluster.ClusterEngine.__init__

    def remembered(self: Any, *given: Any, **named: Any) -> None:
        engines.append(self)
        made(self, *given, **named)

    cluster.ClusterEngine.__init__ = remembered  # type: ignore[method-assign]
    model.fit(dd.read_parquet(folder), "y", client=client)
    return {"sent": engines[0].n_bytes}


def _files(folder: str) -> list[Path]:
    return sorted(Path(folder).glob("*.parquet"))


def _lightgbm(folder: str, threads: int) -> None:
    import lightgbm as lgb
    import numpy as np
    import pyarrow.parquet as pq

    class Rows(lgb.Sequence):
        batch_size = 4096

        def __init__(self, path: Path) -> None:
            self.path, self.size = path, pq.ParquetFile(path).metadata.num_rows
            self.values: Any = None

        def __len__(self) -> int:
            return int(self.size)

        def __getitem__(self, place: Any) -> Any:
            if self.values is None:
                table = pq.read_table(self.path).drop(["y"])
                self.values = np.column_stack([column.to_numpy() for column in table.columns])
            found = self.values[place]
            if isinstance(place, slice) and place.stop >= self.size:
                self.values = None  # one file in memory at a time
            return found

    y = np.concatenate([pq.read_table(path, columns=["y"])["y"].to_numpy() for path in _files(folder)])
    params = {
        "objective": "binary", "num_leaves": 2**DEPTH, "max_depth": DEPTH, "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0, "num_threads": threads, "verbosity": -1,
    }  # fmt: skip
    lgb.train(params, lgb.Dataset([Rows(path) for path in _files(folder)], y), num_boost_round=1)


def _xgboost(folder: str, threads: int) -> None:
    import pyarrow.parquet as pq
    import xgboost as xgb

    class Files(xgb.DataIter):
        def __init__(self) -> None:
            self.place = 0
            super().__init__(cache_prefix=str(Path(folder) / "cache"))

        def next(self, input_data: Any) -> bool:
            if self.place == len(_files(folder)):
                return False
            frame = pq.read_table(_files(folder)[self.place]).to_pandas()
            input_data(data=frame.drop(columns="y"), label=frame["y"])
            self.place += 1
            return True

        def reset(self) -> None:
            self.place = 0

    params = {"tree_method": "hist", "objective": "binary:logistic", "max_depth": DEPTH, "nthread": threads}
    xgb.train(
        params | {"min_child_weight": 0, "lambda": 0}, xgb.ExtMemQuantileDMatrix(Files()), num_boost_round=1
    )


def _on_dask(folder: str, way: str, client: Any) -> None:
    import dask.dataframe as dd

    frame = dd.read_parquet(folder).persist()
    X, y = frame.drop(columns="y"), frame["y"]
    if way.startswith("lightgbm"):
        from lightgbm import DaskLGBMClassifier

        model = DaskLGBMClassifier(
            n_estimators=1, num_leaves=2**DEPTH, max_depth=DEPTH, min_child_samples=1, min_child_weight=0.0,
            client=client, verbosity=-1,
        )  # fmt: skip
        model.fit(X, y)
        return
    from xgboost import dask as xgb

    matrix = xgb.DaskQuantileDMatrix(client, X, y)
    params = {"tree_method": "hist", "objective": "binary:logistic", "max_depth": DEPTH}
    xgb.train(client, params | {"min_child_weight": 0, "lambda": 0}, matrix, num_boost_round=1)


if __name__ == "__main__":
    print(json.dumps(_fit(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
