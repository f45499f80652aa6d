"""Pages in a real browser: started once per process, every request, error and console message kept."""

import atexit
import functools
import json
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from treewright.present.page.document import document
from treewright.present.page.making import report

NAMES = ("chromium", "chromium-browser", "google-chrome")


@functools.cache
def _executable():
    """The path of a browser, installed if that can be done, and else why there is none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found:
        return found, ""
    done = subprocess.run([ROOT / "tools" / "browser.sh"], capture_output=True, text=True, check=False)
    return (done.stdout.strip() or None), done.stderr.strip()


@functools.cache
def _browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None, "The page is tested with playwright, which is not installed: pip install playwright."
    path, why = _executable()
    if path is None:
        return None, why
    driver = sync_playwright().start()
    browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])

    def close():
        browser.close()
        driver.stop()

    atexit.register(close)
    return browser, ""


def browser():
    """The browser; the test is skipped with a sentence where there is none."""
    found, why = _browser()
    if found is None:
        pytest.skip(why)
    return found


def html_of(payload):
    """The page of a payload, or of a model."""
    return document(payload) if isinstance(payload, dict) else report(payload).html


@contextmanager
def opened(payload, folder, *, address="", **context):
    """A page of a payload, a model or HTML from a file; at the end it must be without faults.

    `page.faults` has every request but the page itself, every error, and every message of the console.
    """
    text = payload if isinstance(payload, str) else html_of(payload)
    file = Path(folder) / "page.html"
    file.write_text(text, encoding="utf-8")
    faults = []
    room = browser().new_context(
        **{"viewport": {"width": 1400, "height": 900}, "reduced_motion": "reduce"} | context
    )
    page = room.new_page()
    page.on("request", lambda made: made.url.startswith(("file:", "blob:")) or faults.append(made.url))
    page.on("console", lambda said: faults.append(f"{said.type}: {said.text}"))
    page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        page.goto(file.as_uri() + address)
        page.wait_for_selector('[role="treeitem"]')
        yield page
        assert faults == []
    finally:
        room.close()


def reopened(page, address=""):
    """The same page as it is when it is opened at an address."""
    page.goto(page.url.split("#")[0] + "#" + address)
    page.reload()
    page.wait_for_selector('[role="treeitem"]')
    return page


def predictions(page, rows, source="treewright"):
    """What the page itself says of rows, which are lists; numbers beyond 2^53 are given as text."""
    script = (
        f"rows => {{ const from = {source}; return JSON.stringify(JSON.parse(rows).map(from.predict)); }}"
    )
    return json.loads(page.evaluate(script, json.dumps(rows)))
