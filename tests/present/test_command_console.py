"""Output of the command: colour, texts that are safe to print, JSON values."""

import datetime as dt
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.present.test_command import call
from tests.support.strategies import examples
from treewright.data.common.plural import counted
from treewright.data.common.tables import aligned
from treewright.data.common.text_width import fit_line, printable, width_of
from treewright.data.common.to_json import to_json
from treewright.present.command.console import Console, is_terminal, wants_colour

# -- colour and messages


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("asked", "env", "terminal", "wanted"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, False, False),
        ("auto", {"CLICOLOR_FORCE": "1"}, False, True),
        ("auto", {"CLICOLOR": "0"}, True, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colour_is_as_asked_then_as_the_variables_say_then_for_terminals(
    monkeypatch, asked, env, terminal, wanted
):
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(asked, Terminal() if terminal else io.StringIO()) is wanted


def test_a_closed_stream_is_no_terminal():
    stream = io.StringIO()
    stream.close()
    assert not is_terminal(stream)
    assert not is_terminal(None)


def test_errors_are_red_only_where_that_is_wanted():
    assert "\x1b[31m" in call("fti", env={"FORCE_COLOR": "1", "NO_COLOR": None}).err
    assert "\x1b" not in call("fti").err
    assert "\x1b" in call("--color", "always", "fti").err
    assert "\x1b" not in call("--no-color", "fti", env={"FORCE_COLOR": "1"}).err


def test_a_quiet_console_prints_results_and_stores_notes(capsys):
    console = Console(quiet=True)
    console.note("Rows were left out.")
    console.report("A tree")
    console.out("an answer")
    assert capsys.readouterr() == ("an answer\n", "")
    assert console.notes == ["Rows were left out."]


# -- texts and values


@given(st.text())
@examples(5)
def test_what_is_visible_can_steer_no_terminal(text):
    assert printable(text).isprintable()
    assert all(line.isprintable() for line in printable(text, lines=True).split("\n"))
    assert printable(printable(text)) == printable(text)
    if text.isprintable():
        assert printable(text) == text


@given(st.text(max_size=40), st.integers(4, 30))
@examples(5)
def test_a_cut_text_is_no_wider_than_asked(text, width):
    shown = fit_line(text, width)
    assert width_of(shown) <= width
    assert shown == printable(text) or shown.endswith("...")


@given(st.lists(st.tuples(*[st.text(max_size=10)] * 3), min_size=1, max_size=5))
@examples(3)
def test_columns_of_a_printed_table_are_aligned(rows):
    lines = aligned(rows, right=[1]).split("\n")
    assert len(lines) == len(rows)
    second = {width_of(line) for line in aligned([(*row[:2], "|") for row in rows], right=[1]).split("\n")}
    assert len(second) == 1


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.integers() | st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(VALUES)
@examples(5)
def test_every_value_becomes_plain_json(value):
    text = json.dumps(to_json(value), allow_nan=False)
    assert json.loads(text) == to_json(value) == to_json(to_json(value))


def test_arrays_numbers_times_and_strangers_become_plain():
    given_values = {
        "a": np.arange(2),
        1: np.float64("nan"),
        "when": dt.date(2020, 1, 2),
        "what": object,
    }
    assert to_json(given_values) == {"a": [0, 1], "1": None, "when": "2020-01-02", "what": "<class 'object'>"}


def test_numbers_of_things_agree_with_their_word():
    assert [counted(n, "row") for n in (0, 1, 1000)] == ["0 rows", "1 row", "1,000 rows"]
    assert counted(2, "leaf") == "2 leaves"
    assert counted(2, "class") == "2 classes"
