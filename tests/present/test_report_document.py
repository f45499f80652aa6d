"""The file: one document whose data cannot run, whose script alone may, written whole or not at all."""

import base64
import hashlib
import html
import json
import os
import re
from html.parser import HTMLParser
from importlib.resources import files

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests.support.drawn import drawn
from tests.support.report_contract import STAND_IN, stand_in
from treewright.present.page import document as documents
from treewright.present.page import report
from treewright.present.page.document import data_text, document, policy

HOSTILE = [
    "</script><script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "<!--",
    "-->",
    "]]>",
    "&lt;b&gt;",
    "two\nlines\u2028and\u2029more",
    "quotes \" and ' and `",
    "🌳 \u202eright to left\u202c שלום",
    "@@SCRIPT@@",
    "\\u003c/script>",
]


class Tags(HTMLParser):
    """What a browser makes of a page: its tags in order, and the text of each script, style and title."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.text.append("")

    def handle_data(self, data):
        if self.text:
            self.text[-1] += data


def parsed(page):
    found = Tags()
    found.feed(page)
    found.close()
    return found


def small(names=("a", "b"), labels=("no", "yes")):
    rows = np.arange(40.0).reshape(-1, 2)
    X = pl.DataFrame(dict(zip(names, rows.T, strict=True)))
    y = np.array(labels, dtype=object)[(rows[:, 0] > 15).astype(int)]
    return tw.DecisionTreeClassifier().fit(X, y), X, y


texts = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20))


@drawn(200)
@given(
    st.recursive(
        texts | st.floats(allow_nan=False, allow_infinity=False) | st.none(), st.lists, max_leaves=8
    ),
    texts,
)
def test_the_data_come_back_as_they_were_and_make_no_tag(value, title):
    payload = {"title": title, "part": value, title: 1}
    page = document(payload, STAND_IN)
    found, plain = parsed(page), parsed(document({"title": ""}, STAND_IN))
    assert found.tags[1:] == plain.tags[1:]
    place = next(k for k, (tag, attrs) in enumerate(found.tags) if attrs.get("id") == "treewright-data")
    assert not set("<>&\u2028\u2029") & set(found.text[place])
    assert json.loads(found.text[place]) == payload


def test_the_policy_allows_this_script_and_this_style_and_nothing_else():
    page = document({"title": "x"}, STAND_IN)
    found = parsed(page)
    said = found.tags[0][1]["content"]
    rules = dict(rule.strip().split(" ", 1) for rule in said.split(";"))
    assert rules["default-src"] == "'none'"
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        inside = [
            text
            for (kind, attrs), text in zip(found.tags, found.text, strict=True)
            if kind == tag and not attrs
        ]
        hashed = base64.b64encode(hashlib.sha256(inside[0].rstrip("\n").encode()).digest()).decode()
        assert rules[name] == f"'sha256-{hashed}'"
    assert "unsafe" not in said
    assert "http" not in said


def test_marks_in_names_stay_text():
    page = document({"title": "@@DATA@@ @@SCRIPT@@"}, STAND_IN)
    assert page.count(STAND_IN["page.js"]) == 1
    assert "<title>@@DATA@@ @@SCRIPT@@</title>" in page


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("page.js", "x = '</script>'", "page.js must not have '</script'"),
        ("page.js", "x = '<!--'", "page.js must not have '<!--'"),
        ("page.css", "a::after { content: '</STYLE>' }", "page.css must not have '</style'"),
        ("page.js", "a\r\nb", "page.js must not have"),
        ("page.html", "<title>@@TITLE@@</title>", "page.html must have the mark @@POLICY@@ once. Got 0"),
    ],
)
def test_assets_that_a_browser_would_not_run_are_refused(name, text, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        document({"title": "x"}, STAND_IN | {name: text})


def test_hostile_names_and_levels_are_data_and_nothing_else(monkeypatch):
    stand_in(monkeypatch)
    for name in HOSTILE:
        model, X, y = small((name, f"other {name}"), sorted((name, f"z{name}")))
        made = report(model, X, y, title=name)
        found = parsed(made.html)
        assert [tag for tag, _ in found.tags] == ["meta", "title", "style", "script", "script"]
        payload = json.loads(found.text[3])
        assert payload == made.payload
        assert payload["columns"][0]["name"] == name
        assert name in payload["model"]["schema"]["classes"][0]["labels"]


# -- the file


def test_a_page_is_saved_whole_or_not_at_all(tmp_path, monkeypatch):
    stand_in(monkeypatch)
    model, X, y = small()
    made = report(model, X, y, path=tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == made.html
    before = (tmp_path / "page.html").read_bytes()
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space left"):
        made.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_what_cannot_be_written_is_said(tmp_path, monkeypatch):
    stand_in(monkeypatch)
    made = report(*small())
    with pytest.raises(ValueError, match="A page must be written to a file"):
        made.save(tmp_path)
    with pytest.raises(FileNotFoundError):
        made.save(tmp_path / "no" / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(monkeypatch):
    stand_in(monkeypatch)
    made = report(*small(), title='a "b" <c>')
    found = parsed(made._repr_html_())
    assert [tag for tag, _ in found.tags] == ["iframe"]
    attrs = found.tags[0][1]
    assert attrs["sandbox"] == "allow-scripts allow-modals allow-downloads"  # to run, to print, to save
    assert attrs["srcdoc"] == made.html
    assert attrs["title"] == 'a "b" <c>'
    assert "3 nodes" in repr(made)


# -- as it ships


def test_the_assets_ship_and_a_page_of_200_nodes_has_less_than_a_megabyte():
    folder = files("treewright.present.page") / "assets"
    assert all((folder / name).is_file() for name in documents.ASSETS)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 10))
    y = np.where(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=2000) > 0, "yes", "no")
    model = tw.DecisionTreeClassifier(max_leaf_nodes=100, random_state=0).fit(X, y)
    made = report(model, X, y)
    assert len(made.payload["model"]["tree"]["first_child"]) == 199
    assert len(made.html.encode()) < 1_000_000
    assert html.escape(made.payload["title"]) in made.html
    assert policy(documents.assets()["page.css"], documents.assets()["page.js"]) in made.html
    assert "http://" not in made.html.replace("http://www.w3.org/", "")
    assert data_text(made.payload) in made.html


def test_a_title_of_half_a_character_can_be_written(tmp_path):
    made = report(small()[0], title="a\ud800b", path=tmp_path / "p.html")
    assert parsed((tmp_path / "p.html").read_text(encoding="utf-8")).tags
    assert made._repr_html_().encode("utf-8")
