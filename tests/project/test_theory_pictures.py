"""The pictures of the theory pages, drawn again, have the size and the words of those in docs."""

import re
from runpy import run_path

import pytest

from tests.support.paths import ROOT

PAGES = {"bias_variance": "bias-and-variance.md", "theory": "theory.md"}


def size_and_words(path):
    """The size of an SVG, and how often it says each word (text is drawn as glyphs with a comment)."""
    text = path.read_text(encoding="utf-8")
    return re.search(r'viewBox="[^"]+"', text)[0], sorted(re.findall(r"<!-- (.+?) -->", text))


@pytest.mark.parametrize("page", PAGES)
def test_pictures_are_those_of_the_page(page, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    matplotlib.use("agg")
    drawn = run_path(str(ROOT / "docs" / "pictures.py"))
    monkeypatch.setitem(drawn[page].__globals__, "FOLDER", tmp_path)
    drawn[page](None, None)
    shown = set(re.findall(r"img/([\w.-]+)", (ROOT / "docs" / PAGES[page]).read_text(encoding="utf-8")))
    assert {path.name for path in tmp_path.iterdir()} == shown
    for path in tmp_path.iterdir():
        assert 10_000 < path.stat().st_size < 400_000
        assert size_and_words(path) == size_and_words(ROOT / "docs" / "img" / path.name), path.name
