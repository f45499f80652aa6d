"""Trees for a terminal: hostile and wide letters, short names, colours, and lines that never overflow."""

import re

import numpy as np
import pytest

from tests.present.test_terminal_text import noisy_model
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.common.text_width import cut, middle_cut, width_of, wrapped
from treewright.present.text.export_text import RULE
from treewright.present.text.terminal import terminal_text
from treewright.tree.tree import tree_from_dict

HOSTILE = [
    "<script>",
    "=1+1\"'",
    "two\nlines\x1b[31m",
    "熊🐻 é",
    "\u202eאבג\u200f",
    "a" * 120,
    "a" * 119 + "b",
]


def hostile_model(rows=300):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    levels = pd.Categorical(rng.choice(HOSTILE, rows), categories=HOSTILE)
    X = pd.DataFrame(
        {HOSTILE[3]: levels, HOSTILE[2]: rng.normal(size=rows), HOSTILE[4]: rng.normal(size=rows)}
    )
    X[HOSTILE[5]], X[HOSTILE[6]] = rng.normal(size=rows), rng.normal(size=rows)
    code = levels.codes // 2 + (X[HOSTILE[4]] + X[HOSTILE[5]] > 0) + (X[HOSTILE[6]] > 0) + (X[HOSTILE[2]] > 0)
    return DecisionTreeClassifier(max_depth=7).fit(X, np.array(HOSTILE)[code])


@pytest.fixture(scope="module")
def hostile():
    return hostile_model()


@pytest.mark.parametrize("width", [40, 47, 66, 80, 133])
@pytest.mark.parametrize("unicode", [True, False])
def test_nothing_is_wider_than_it_may_be(hostile, width, unicode):
    text = terminal_text(hostile, width=width, unicode=unicode, max_lines=None)
    assert max(map(width_of, text.split("\n"))) <= width
    assert all(letter.isprintable() for letter in text.replace("\n", ""))
    assert unicode or text.isascii()


def test_short_names_stand_for_one_name_each(hostile):
    text = terminal_text(hostile, width=66, max_lines=None)
    legend = text[text.index("\n\n") :]
    plain = "".join(line.removeprefix("  ") for line in legend.split("\n"))
    for name in ("a" * 120, "a" * 119 + "b"):
        assert f"={name}" in plain.replace(" ", "")
    briefs = re.findall(r"^(a+…a+b?(?:~\d)?) =", legend, re.MULTILINE)
    assert len(set(briefs)) == len(briefs) >= 2


def test_colours_change_nothing_but_colours(hostile):
    for each in (hostile, noisy_model()):
        plain, tinted = terminal_text(each), terminal_text(each, color=True)
        assert "\x1b" not in plain
        assert "\x1b[38;5;" in tinted
        bare = re.sub(r"\x1b\[[\d;]*m", "", tinted)
        assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


def test_a_chain_of_many_levels_is_no_wider_than_others():
    nested = {"value": 0.5}
    for k in range(300):
        nested = {"feature": 0, "threshold": k, "left": nested, "right": {"value": k}}
    tree = tree_from_dict(nested)
    whole = terminal_text(tree, max_lines=None)
    assert max(map(width_of, whole.splitlines())) <= 80
    assert "(300) feature_0 <= 0" in whole
    assert len(terminal_text(tree).splitlines()) < 65


def test_where_rows_have_no_room_branches_say_where_missing_values_go():
    X = np.arange(6.0)[:, None] * 1234567.125
    model = DecisionTreeRegressor().fit(X, [1.23456789e-300, 2.5, 3e140, 1, 5, 6.000001])
    narrow = terminal_text(model, width=40, max_lines=None)
    assert max(map(width_of, narrow.splitlines())) <= 40
    wide = terminal_text(model, width=120, max_lines=None)
    assert RULE in " ".join(wide.splitlines())
    rows = re.search(r"all rows +6 ", narrow)
    assert bool(rows) == (RULE in " ".join(narrow.splitlines()))
    assert bool(rows) != (" or missing" in narrow)


def test_a_list_of_very_many_levels_is_cut_in_the_legend_too():
    levels = [f"level {k}" for k in range(5000)]
    nested = {"feature": 0, "levels": [levels[:4000], levels[4000:]]}
    tree = tree_from_dict({**nested, "children": [{"value": 1.0}, {"value": 2.0}]})
    text = terminal_text(tree)
    assert text.count("… (in full: show --all, or export_text)") == 2
    assert len(text.splitlines()) < 20
    whole = " ".join(terminal_text(tree, max_lines=None).split())
    assert all(f'"{level}"' in whole for level in levels)


@pytest.mark.parametrize(
    ("text", "width", "end", "middle"),
    [
        ("abcdefgh", 8, "abcdefgh", "abcdefgh"),
        ("abcdefgh", 5, "abcd…", "ab…gh"),
        ("熊熊熊熊", 5, "熊熊…", "熊…熊"),
        ("熊熊熊熊", 4, "熊…", "熊…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…", "e\u0301…"),
    ],
)
def test_texts_are_cut_by_their_width(text, width, end, middle):
    assert cut(text, width) == end
    assert middle_cut(text, width) == middle
    assert max(width_of(end), width_of(middle)) <= width


def test_lines_are_broken_at_spaces_and_long_words_where_they_must():
    assert wrapped("one two three", 8, "- ", "  ") == ["- one", "  two", "  three"]
    assert wrapped("aaaaaaaaaa b", 4) == ["aaaa", "aaaa", "aa b"]
    assert wrapped("熊熊熊", 3) == ["熊", "熊", "熊"]
    assert wrapped("", 10) == [""]


def test_an_indent_as_wide_as_the_line_leaves_one_letter_in_it():
    assert "".join(wrapped("a bc", 1, "  ")).split() == ["a", "b", "c"]
