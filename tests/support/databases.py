"""Database servers for the tests, where they can be started; else the test is skipped with the reason."""

import os
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest


def _program(name):
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    found = str(places[0]) if places else shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    return found or pytest.skip(f"{name} is not installed")


def _rights(own):
    """The servers refuse to run as root: another user then."""
    if os.getuid() != 0:
        return {}
    import pwd

    known = {entry.pw_name for entry in pwd.getpwall()}
    return {"user": next(name for name in (own, "nobody") if name in known)}


@contextmanager
def _server(own, make, call, client):
    """A function from SQL text to what the client prints; the server listens in a folder of its own alone."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        rights = _rights(own)
        if rights:
            shutil.chown(folder, rights["user"])
        make, call, client = ([part.format(folder) for part in each] for each in (make, call, client))
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        made = subprocess.run(make, cwd=folder, capture_output=True, check=False, **rights)
        if made.returncode:
            pytest.skip(f"{make[0]} fails: {made.stderr.decode()[-200:]}")
        running = subprocess.Popen(call, cwd=folder, **quiet, **rights)
        try:
            for _ in range(200):
                if running.poll() is not None:
                    pytest.skip(f"{call[0]} ended at once")
                if subprocess.run(client, input=b"SELECT 1;", **quiet, check=False).returncode == 0:
                    break
                time.sleep(0.1)
            else:
                pytest.skip(f"{call[0]} did not start within 20 seconds")
            yield lambda text: _said(client, text)
        finally:
            running.terminate()
            running.wait(20)


def _said(client, text):
    found = subprocess.run(client, input=text.encode(), capture_output=True, check=False)
    assert found.returncode == 0, found.stderr.decode()[-2000:]
    return found.stdout.decode()


def postgres():
    """PostgreSQL; results are CSV."""
    make = [_program("initdb"), "-D", "{}/data", "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C"]
    call = [_program("postgres"), "-D", "{}/data", "-k", "{}", "-c", "listen_addresses=", "-c", "fsync=off"]
    client = [_program("psql"), "-h", "{}", "-U", "tester", "-d", "postgres", "-X", "-q", "--csv"]
    return _server("postgres", make, call, [*client, "-v", "ON_ERROR_STOP=1"])


def mariadb():
    """MariaDB without its tables of users; results are lines with tabs."""
    own = ["--no-defaults", "--socket={}/socket"]
    call = [_program("mariadbd"), *own, "--datadir={}", "--skip-networking", "--skip-grant-tables"]
    client = [_program("mariadb"), *own, "-u", "root", "--batch", "--default-character-set=utf8mb4"]
    return _server("mysql", ["true"], [*call, "--character-set-server=utf8mb4"], client)
