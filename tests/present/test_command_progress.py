"""The progress bar of the command, and Ctrl-C."""

import os
import pty
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest

from tests.present.test_command import installed
from tests.present.test_command_console import Terminal
from treewright.evaluate.default_fit.fit import fit
from treewright.present.command import progress_bar
from treewright.present.command.console import Console
from treewright.present.command.files import load_table
from treewright.present.command.progress_bar import ProgressBar, duration


def test_long_work_has_a_bar_that_is_wiped_away(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress_bar, "PATIENCE", 0.01)
    monkeypatch.setattr(progress_bar, "EVERY", 0.01)
    with ProgressBar("reading", watched=True) as say:
        time.sleep(0.01)
        say(1, 4, "growing trees")
        for _ in range(500):
            if "growing trees" in stream.getvalue():
                break
            time.sleep(0.01)
    assert "%  growing trees" in stream.getvalue()
    last = stream.getvalue().split("\r")
    assert last[-1] == ""
    assert not last[-2].strip()


def test_short_or_unwatched_work_says_nothing(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with ProgressBar("reading", watched=True) as say:
        say(0, 2, "growing trees")
    with ProgressBar("reading", watched=False):
        pass
    assert not stream.getvalue()


def test_the_bar_shows_what_is_known():
    say = ProgressBar("pruning", watched=False)
    assert say.line(3.2) == "pruning, 3 s"
    say(0, 4, "growing trees")
    assert say.line(50) == "growing trees, 50 s"  # how long a step takes is not known yet
    say(1, 4, "scoring: fold 1 of 3")
    say.took = say.expected = 60  # for the first step
    assert say.line(60) == f"{'█' * 5}{'░' * 15}  25%  scoring: fold 1 of 3, about 3 min 0 s left"
    assert (
        say.line(90, unicode=False)
        == f"{'#' * 8}{'.' * 12}  38%  scoring: fold 1 of 3, about 2 min 30 s left"
    )
    assert duration(7500) == "2 h 5 min"


def test_the_bar_moves_steadily_never_back_and_never_ends_too_early():
    say = ProgressBar("growing trees", watched=False, seconds=10)
    shares = [say.share(second) for second in range(1000)]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[5] == pytest.approx(0.5)
    assert 0.9 < shares[20] < 1
    assert shares[-1] == 0.99
    say(0, 5, "growing trees")  # with more steps than expected it stays where it is
    assert say.share(11) == 0.99


def test_fit_says_what_it_does_step_by_step(rng):
    X = pl.DataFrame({"a": rng.normal(size=100), "y": np.arange(100) % 2})
    said = []
    fit(X, "y", progress=lambda *step: said.append(step))
    assert said[:3] == [(0, 1, "checking"), (1, 7, "growing trees"), (2, 7, "scoring: fold 1 of 5")]
    assert said[-2:] == [(6, 7, "scoring: fold 5 of 5"), (1, 1, "done")]


def test_the_size_of_a_large_file_is_said(tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(
        ProgressBar, "__enter__", lambda self: shown.append((self.what, self.expected)) or self
    )
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 500_000)
    load_table(Console(), str(path))
    assert shown == [(f"reading {path} (2 MB)", pytest.approx(0.04, rel=0.01))]


# -- Ctrl-C


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A table that takes long to fit: its fits run side by side in threads."""
    path, rng = tmp_path_factory.mktemp("slow") / "t.csv", np.random.default_rng(0)
    X = pl.DataFrame({f"x{k}": rng.normal(size=80_000) for k in range(25)})
    X.with_columns(y=pl.Series(rng.normal(size=80_000))).write_csv(path)
    return path


def test_ctrl_c_ends_a_fit_at_once_with_one_sentence(slow, tmp_path):
    ours, theirs = pty.openpty()
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": theirs}
    command = [*installed(), "--no-color", "fit", str(slow), "--target", "y"]
    with subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "TREEWRIGHT_NUM_THREADS": "2"}, **streams
    ) as running:
        said = ""
        while "growing trees" not in said:
            said += os.read(ours, 1000).decode()
        time.sleep(0.3)
        start = time.monotonic()
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
        took = time.monotonic() - start
    os.close(theirs)
    said += os.read(ours, 100_000).decode()
    os.close(ours)
    assert running.returncode == 130
    assert took < 5
    assert "Traceback" not in said
    assert said.split("\r")[-2].strip().endswith("treewright fit: interrupted.")
    assert not list(tmp_path.iterdir())


def test_an_interrupted_fit_stops_its_threads(slow):
    """In Python too: the exception comes at once, and nothing runs on."""
    code = f"""
import os, signal, threading, time, polars, treewright
table = polars.read_csv({str(slow)!r})
from treewright.learn import estimators
times = []
threading.Timer(2, lambda: (times.append(time.monotonic()), os.kill(os.getpid(), signal.SIGINT))).start()
try:
    treewright.fit(table, "y", check=False)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - times[0] < 3, threading.active_count())
"""
    env = {**os.environ, "TREEWRIGHT_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False)
    assert done.stdout.split() == ["interrupted", "True", "1"], done.stderr
