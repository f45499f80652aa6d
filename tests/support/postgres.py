"""A PostgreSQL server for the tests, where one can be started."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest


def _program(name):
    found = shutil.which(name)
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return str(places[0]) if places else found


def _user():
    """The server refuses to run as root: another user then."""
    if os.getuid() != 0:
        return None
    import pwd

    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), None)


@contextmanager
def server():
    """A function from SQL text to the lines that psql prints; skipped where no server starts."""
    programs = {name: _program(name) for name in ("initdb", "postgres", "psql")}
    if None in programs.values():
        pytest.skip("PostgreSQL is not installed")
    user = _user()
    rights = {} if user is None else {"user": user, "group": None}
    rights = {k: v for k, v in rights.items() if v is not None}
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        if user is not None:
            shutil.chown(folder, user)
        data = f"{folder}/data"
        how = {"cwd": folder, "capture_output": True, **rights}
        made = subprocess.run([programs["initdb"], "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8",
                               "--locale=C"], **how, check=False)  # fmt: skip
        if made.returncode:
            pytest.skip(f"PostgreSQL cannot be started: {made.stderr.decode()[-200:]}")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        call = [programs["postgres"], "-D", data, "-k", folder, "-p", str(port), "-c", "listen_addresses="]
        running = subprocess.Popen(
            [*call, "-c", "fsync=off"],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **rights,
        )
        psql = [programs["psql"], "-h", folder, "-p", str(port), "-U", "tester", "-d", "postgres", "-X", "-q"]
        psql += ["-v", "ON_ERROR_STOP=1", "--csv"]
        try:
            _wait(psql, running)
            yield lambda text: _said(psql, text)
        finally:
            running.terminate()
            running.wait(20)


def _wait(psql, running):
    for _ in range(100):
        if running.poll() is not None:
            pytest.skip("PostgreSQL ended at once")
        if subprocess.run([*psql, "-c", "SELECT 1"], capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.1)
    pytest.skip("PostgreSQL did not start within 10 seconds")


def _said(psql, text):
    found = subprocess.run(psql, input=text.encode(), capture_output=True, check=False)
    assert found.returncode == 0, found.stderr.decode()[-2000:]
    return found.stdout.decode()
