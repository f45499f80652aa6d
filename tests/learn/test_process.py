"""A long fit beside the rest of the process: Ctrl-C, forks, memory that is held and that runs out."""

import os
import shutil
import subprocess
import sys
import textwrap

import pytest

from tests.support.paths import ROOT

NOISE = """
import numpy as np
from treewright import DecisionTreeClassifier
rng = np.random.default_rng(0)
X, y = rng.normal(size=({rows}, 20)), rng.integers(0, 2, {rows})
"""


def python(code: str, rows: int, timeout: float = 250) -> str:
    """What a fresh interpreter prints, which has a table of so many rows."""
    script = NOISE.format(rows=rows) + textwrap.dedent(code)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=timeout, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_ctrl_c_stops_a_long_fit_soon_and_leaves_the_process_usable():
    said = python(
        """
        import os, signal, threading, time
        used = time.process_time()  # not of the clock: other work shares the machine
        DecisionTreeClassifier(max_depth=8).fit(X, y)
        level = (time.process_time() - used) / 8
        sent = []
        def interrupt():
            time.sleep(0.15)
            sent.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt).start()
        try:
            DecisionTreeClassifier().fit(X, y)
            print("finished")
        except KeyboardInterrupt:
            print((time.process_time() - sent[0]) / level)
        again = DecisionTreeClassifier(max_depth=2).fit(X[:1000], y[:1000])
        assert again.get_depth() == 2
        """,
        rows=400_000,
    )
    assert float(said) < 3, "after Ctrl-C it works on for less than it needs for three levels of the tree"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_child_forked_after_a_fit_can_fit():
    said = python(
        """
        import os, warnings
        warnings.simplefilter("ignore")
        before = DecisionTreeClassifier(max_depth=4, n_jobs=2).fit(X, y).tree_.threshold.tolist()
        child = os.fork()
        if child == 0:
            same = DecisionTreeClassifier(max_depth=4, n_jobs=2).fit(X, y).tree_.threshold.tolist() == before
            os._exit(0 if same else 1)
        print(os.waitpid(child, 0)[1])
        """,
        rows=60_000,
    )
    assert said == "0"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are set as on Linux")
@pytest.mark.skipif("TREEWRIGHT_SANITIZED" in os.environ, reason="sanitizers need address space")
def test_memory_that_runs_out_is_a_memory_error():
    said = python(
        """
        import resource
        DecisionTreeClassifier(max_depth=1, n_jobs=1).fit(X[:1000], y[:1000])
        pages = int(open("/proc/self/statm").read().split()[0])
        limit = pages * resource.getpagesize() + 4_000_000
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        try:
            DecisionTreeClassifier(n_jobs=1).fit(X, y)
            print("fitted")
        except MemoryError:
            print("MemoryError")
        """,
        rows=150_000,
    )
    assert said == "MemoryError"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the most memory held is read as on Linux")
@pytest.mark.skipif("TREEWRIGHT_SANITIZED" in os.environ, reason="sanitizers keep what is freed")
def test_leaves_that_are_done_hold_no_lists_of_their_rows():
    """With lists that stay to the end a deep tree needs the size of the table once more: 1.8 tables."""
    said = python(
        """
        import re
        from pathlib import Path
        def held(name):
            return 1024 * int(re.search(name + r":\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
        X = np.asfortranarray(X)
        DecisionTreeClassifier(max_depth=2).fit(X[:5000], y[:5000])
        Path("/proc/self/clear_refs").write_text("5")
        before = held("VmRSS")
        DecisionTreeClassifier(min_samples_leaf=20, n_jobs=1).fit(X, y)
        print((held("VmHWM") - before) / X.nbytes)
        """,
        rows=100_000,
    )
    assert float(said) < 1.2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory held is read as on Linux")
@pytest.mark.skipif("TREEWRIGHT_SANITIZED" in os.environ, reason="sanitizers keep what is freed")
def test_memory_does_not_grow_with_the_number_of_fits():
    """A fit or predict that kept its table of 320 kB would add more than 19 MB."""
    said = python(
        """
        import pickle, resource
        from pathlib import Path
        def held():
            return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
        X = np.round(X, 1)
        X[::7, 3] = np.nan
        settings = [{}, {"missing": "surrogate"}, {"missing": "fractional"}, {"ccp_alpha": "cv", "cv": 2}]
        def rounds(times):
            for number in range(times):
                model = DecisionTreeClassifier(max_depth=4, n_jobs=2, **settings[number % 4]).fit(X, y)
                pickle.loads(pickle.dumps(model)).predict_proba(X)
                try:
                    model.fit(X, y[:-1])
                except ValueError:
                    pass
        rounds(20)
        before = held()
        rounds(60)
        print((held() - before) / 1e6)
        """,
        rows=2_000,
    )
    assert float(said) < 10, said


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory held is read as on Linux")
@pytest.mark.skipif("TREEWRIGHT_SANITIZED" in os.environ, reason="sanitizers keep what is freed")
def test_memory_that_is_kept_for_the_next_fit_is_bounded_and_changes_no_tree():
    """Kept are at most 512 MiB; a fit of 150,000 rows uses about 100 MB of blocks that may be kept."""
    said = python(
        """
        import os, resource
        from concurrent.futures import ThreadPoolExecutor
        from pathlib import Path
        from treewright import DecisionTreeRegressor
        def held():
            return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
        z = X @ np.arange(X.shape[1]) + np.random.default_rng(1).normal(size=len(X))
        def digest(rows):
            return DecisionTreeRegressor(n_jobs=2).fit(X[:rows], z[:rows]).tree_.digest
        before, sizes = held(), [60_000, 150_000, 100_000]
        first = [digest(rows) for rows in sizes]
        again = [digest(rows) for rows in sizes * 3]
        with ThreadPoolExecutor(3) as pool:
            at_once = list(pool.map(digest, sizes * 2))
        child = os.fork()
        if child == 0:
            os._exit(0 if digest(sizes[0]) == first[0] else 1)
        same = again == first * 3 and at_once == first * 2 and os.waitpid(child, 0)[1] == 0
        print(same, (held() - before) // 2**20)
        """,
        rows=150_000,
    )
    same, kept = said.split()
    assert same == "True"
    assert int(kept) < 512 + 150, "the table and its tree are in memory too"


def test_the_check_of_the_threads_compiles():
    """It is run by `make sanitize` alone, and would else fall behind the core unseen."""
    compiler = shutil.which("c++") or shutil.which("g++")
    assert compiler is not None
    source = ROOT / "native" / "check" / "pool_check.cpp"
    command = [compiler, "-std=c++20", "-fsyntax-only", str(source)]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stderr == ""


@pytest.mark.parametrize("work", ["model.predict(X)", "DecisionTreeClassifier(max_depth=9).fit(X, y)"])
def test_a_daemon_thread_that_works_does_not_abort_the_process_at_its_end(work):
    python(
        f"""
        import threading, time
        model = DecisionTreeClassifier(max_depth=3).fit(X, y)
        def serve():
            while True:
                {work}
        for _ in range(3):
            threading.Thread(target=serve, daemon=True).start()
        time.sleep(0.5)
        """,
        rows=5_000,
    )
