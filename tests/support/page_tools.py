"""Pages in a real browser: started once per process, every request, error and console message kept."""

import atexit
import functools
import json
import shutil
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from tests.support.needed import not_here
from treewright.learn.model_file.arrays import schema_doc, tree_doc
from treewright.present.export.rows import Predicted
from treewright.present.page.document import document
from treewright.present.page.making import report

NAMES = ("chromium", "chromium-browser", "google-chrome")


@functools.cache
def _browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None, "The page is tested with playwright, which is not installed: pip install playwright."
    path = next((path for name in NAMES if (path := shutil.which(name))), None)
    if path is None:
        return None, f"The page is tested in a browser, and none of {', '.join(NAMES)} is here: make browser."
    driver = sync_playwright().start()
    browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])

    def close():
        browser.close()
        driver.stop()

    atexit.register(close)
    return browser, ""


def browser():
    """The browser; where there is none the test fails or is skipped, see `needed`."""
    found, why = _browser()
    if found is None:
        not_here(why)
    return found


# The timers and frames that the page waits for. Timers of a second or more only tidy up.
COUNT_WAITING = """(() => {
    const waiting = new Set();
    const [later, frame] = [window.setTimeout, window.requestAnimationFrame];
    const [stop, stopFrame] = [window.clearTimeout, window.cancelAnimationFrame];
    window.setTimeout = (work, after = 0, ...rest) => {
        const id = later(() => { waiting.delete("timer " + id); work(...rest); }, after);
        if (after < 1000) waiting.add("timer " + id);
        return id;
    };
    window.requestAnimationFrame = (work) => {
        const id = frame((now) => { waiting.delete("frame " + id); work(now); });
        waiting.add("frame " + id);
        return id;
    };
    window.clearTimeout = (id) => { waiting.delete("timer " + id); stop(id); };
    window.cancelAnimationFrame = (id) => { waiting.delete("frame " + id); stopFrame(id); };
    window.until = (holds) => new Promise((done, refuse) => {
        const start = performance.now();
        const look = () => {
            if (holds()) done();
            else if (performance.now() - start > 30000) refuse(new Error("waited 30 s for: " + holds));
            else frame(look);
        };
        look();
    });
    const twoFrames = () => new Promise((done) => frame(() => frame(done)));
    window.settled = () => twoFrames().then(() => until(() => waiting.size === 0));
})()"""


def settle(page):
    """Wait until the page has taken in what was done to it: two frames, and then nothing more to wait for."""
    page.evaluate("settled()")


def wait_until(page, condition):
    """Wait for a condition in JavaScript; the policy of the page forbids playwright's own way."""
    page.evaluate(f"until(() => {condition})")


def html_of(payload):
    """The page of a payload, or of a model."""
    return document(payload) if isinstance(payload, dict) else report(payload).html


@contextmanager
def opened(payload, folder, *, address="", ready='[role="treeitem"]', **context):
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
    room.add_init_script(COUNT_WAITING)
    page = room.new_page()
    page.on("request", lambda made: made.url.startswith(("file:", "blob:")) or faults.append(made.url))
    page.on("console", lambda said: faults.append(f"{said.type}: {said.text}"))
    page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        page.goto(file.as_uri() + address)
        page.wait_for_selector(ready)
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
        "rows => { const plain = (key, x) => typeof x === 'number' && !Number.isFinite(x) "
        f"? {{ $float: String(x) }} : x; const from = {source}; "
        "return JSON.stringify(JSON.parse(rows).map(from.predict), plain); }"
    )
    found = page.evaluate(script, json.dumps(rows))
    return json.loads(found, object_hook=lambda doc: float(doc["$float"]) if "$float" in doc else doc)


def bare_payload(tree):
    """As much of a payload as predicting needs, of any tree, as text."""

    def listed(part):
        return (
            {name: listed(each) for name, each in part.items()}
            if isinstance(part, dict)
            else np.asarray(part).tolist()
        )

    sums = ["sum"] * (0 if tree.combinations is None else len(tree.combinations))
    words = {"edge": [], "edge_parts": [], "sums": sums}  # the page lays out the tree as it opens
    doc = {
        "model": {"schema": schema_doc(tree), "tree": listed(tree_doc(tree))},
        "columns": [],
        "words": words,
    }
    return json.dumps(doc).replace("NaN", '"nan"').replace("-Infinity", '"-inf"').replace("Infinity", '"inf"')


def plain(value):
    """A cell as JSON: text for what JSON does not have and for what JavaScript would round."""
    if isinstance(value, float) and not np.isfinite(value):
        return None if np.isnan(value) else str(value)
    return str(value) if isinstance(value, int) and abs(value) > 2**53 else value


def predicted_in(page, form, rows):
    """What the page predicts for rows of a form, as an export's `run` returns it."""
    given = []
    for row in rows:
        cells = [None] * form.tree.n_features
        for column, value in zip(form.columns, row, strict=True):
            cells[column.place] = plain(value)
        given.append(cells)
    found = predictions(page, given, f"treewright.reading({json.dumps(bare_payload(form.tree))})")
    leaf, one = [each["leaf"] for each in found], form.n_outputs == 1
    if not form.is_classifier:
        return Predicted(leaf, [[each["value"]] if one else each["value"] for each in found], [])
    shares = [[each["probabilities"]] if one else each["probabilities"] for each in found]
    return Predicted(leaf, [each["labels"] for each in found], shares)
