"""The script and the style that ship are the build of the sources in web/."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.needed import not_here
from tests.support.paths import ROOT
from treewright.present.page.document import ASSETS, assets

WEB = ROOT / "web"
INTERPRETER = ROOT / "src" / "treewright" / "present" / "export" / "assets" / "interpreter.js"
SHIPPED = ROOT / "src" / "treewright" / "present" / "page" / "assets"


def hash_of_sources():
    """Names and contents of all that the build reads, as web/build.mjs adds them up."""
    files = [path for path in (WEB / "src").rglob("*") if path.is_file()]
    files += [INTERPRETER, WEB / "build.mjs", WEB / "package-lock.json"]
    digest = hashlib.sha256()
    for name in sorted(os.path.relpath(path, WEB).replace(os.sep, "/") for path in files):
        digest.update(name.encode() + b"\0" + (WEB / name).read_bytes() + b"\0")
    return digest.hexdigest()


@pytest.mark.parametrize("name", ["page.js", "page.css"])
def test_the_first_line_has_the_hash_of_the_sources(name):
    first = (SHIPPED / name).read_text(encoding="utf-8").split("\n", 1)[0]
    assert hash_of_sources() in first, "the page was not built after its last change: make web"


def test_a_rebuild_gives_the_same_bytes(tmp_path):
    node = shutil.which("node", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if node is None:
        not_here("The page is built with node, which is not installed; the hash was compared.")
    if not (WEB / "node_modules").is_dir():
        not_here("The packages of the page's build are not installed (make web); the hash was compared.")
    subprocess.run([node, WEB / "build.mjs", tmp_path], check=True, capture_output=True, timeout=120)
    for name in ASSETS:
        assert (tmp_path / name).read_bytes() == (SHIPPED / name).read_bytes(), f"{name}: make web"


def test_versions_are_exact_and_no_place_is_named():
    listed = (WEB / "package.json").read_text()
    versions = re.findall(r'"(?:preact|esbuild|typescript|axe-core)": "([^"]+)"', listed)
    assert len(versions) == 4
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)
    assert "resolved" not in (WEB / "package-lock.json").read_text()


def test_the_bundle_is_plain_and_asks_for_nothing():
    script = assets()["page.js"]
    assert script.isascii()
    for word in ("fetch(", "XMLHttpRequest", "WebSocket", "eval(", "import(", "sendBeacon"):
        assert word not in script, word
    assert len(script) < 200_000


def test_no_source_makes_markup_of_text():
    for path in (WEB / "src").rglob("*.ts*"):
        text = path.read_text(encoding="utf-8")
        for word in ("innerHTML", "outerHTML", "dangerouslySet", "insertAdjacentHTML", "document.write"):
            assert word not in text, f"{path.name}: {word}"


def test_the_page_uses_the_words_of_the_field():
    """Labels that readers had to guess at, and what stands in their place."""
    text = (ROOT / "src/treewright/present/page/assets/page.js").read_text(encoding="utf-8")
    for label in (
        "Show missing-value paths", "Horizontal layout", "Expand all", "Reset view", "Path to this node",
        "of the whole tree on unseen rows", "Smallest change that flips the prediction", "Prediction becomes",
        "Simplest within 1 SE", "Root only", "Cost of a false negative",
        "Permutation importance", "False-positive rate", "Lower is better", "Trained on", "Warnings",
    ):  # fmt: skip
        assert label in text, label
    for label in (
        "Ways of missing", "Turn to the side", "Unfold", "Fold back", "What it asks", "The way here",
        "Where rows go", "Wrong on unseen", "The nearest change", "Then it says", "As it is", "Least loss",
        "Root alone", "within one error", "missed", "false alarms", "when shuffled", "runners-up",
        "Less is better", "guess", "honest", "asks",
    ):  # fmt: skip
        assert label not in text, label
