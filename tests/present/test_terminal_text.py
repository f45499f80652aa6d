"""A tree that fits a terminal: what it shows can be followed by hand, and nothing is wider than it may be."""

import re

import numpy as np
import pytest

from tests.support.random_trees import COLUMNS, predicted, random_rows, random_tree
from tests.support.reading import choice
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.common.text_width import width_of, wrapped
from treewright.present.text.export_text import HIDDEN, LEVELS, RULE
from treewright.present.text.terminal import terminal_text
from treewright.tree.tree import tree_from_dict

STEM = re.compile(r"((?:│  |   )*)(├─ |└─ )")
END = re.compile(r"(.*\S)\s+([\d,]+)\s+([\d.]+%)(?:\s+(\S+))?$")


class Reader:
    """The lines of a tree of numbers, with their levels, and the notes below."""

    def __init__(self, text):
        lines = text.splitlines()
        last = max(k for k, line in enumerate(lines) if k == 0 or STEM.match(line))
        self.notes = {}
        mark = None
        for line in lines[last + 1 :]:
            found = re.match(r"\[(\d+)\] (.*)", line)
            if found:
                mark = found.group(1)
                self.notes[mark] = found.group(2)
            elif mark and line.startswith("  "):
                self.notes[mark] += " " + line[2:]
        self.lines = [self._read(line) for line in lines[: last + 1]]

    def _read(self, line):
        stem = STEM.match(line)
        level = 0 if stem is None else len(stem.group()) // 3
        text = line if stem is None else line[stem.end() :]
        found = END.match(text)
        if " is missing: " in text:
            found = None
        condition, rows, answer = (found[1], found[2], found[4]) if found else (text, "0", None)
        if found is None and " is missing: stops here" in text:
            condition, answer = text.rsplit(None, 1)
        condition = condition.strip()
        note = re.search(r" \[(\d+)\]$", condition)
        full = self.notes[note.group(1)] if note else condition
        return level, full, int(rows.replace(",", "")), None if answer is None else float(answer)

    def below(self, place):
        """The places of the lines of the branches of a line."""
        level, found = self.lines[place][0], []
        for k in range(place + 1, len(self.lines)):
            if self.lines[k][0] <= level:
                break
            if self.lines[k][0] == level + 1:
                found.append(k)
        return found

    def value(self, row):
        open_, total = [(0, 1.0)], 0.0
        while open_:
            place, share = open_.pop()
            branches = self.below(place)
            if not branches:
                total += share * self.lines[place][3]
                continue
            open_ += [(k, share * part) for k, part in self._next(branches, row)]
        return total

    def _next(self, branches, row):
        last = self.lines[branches[-1]][1]
        apart = re.search(r" is missing: (stops here|goes down every branch by share \((.*)\))", last)
        own = branches[:-1] if apart else branches
        words = [self.lines[k][1] for k in own]
        child = choice([re.sub(r" or missing$", "", text) for text in words], row, COLUMNS)
        if child is not None:
            return [(own[child], 1.0)]
        if apart and apart.group(2):
            return [(k, float(part)) for k, part in zip(own, apart.group(2).split(", "), strict=True)]
        if apart:
            return [(branches[-1], 1.0)]
        told = [
            k for k, text in zip(own, words, strict=True) if text.endswith((" or missing", " is missing"))
        ]
        return [(told[0] if told else max(own, key=lambda k: (self.lines[k][2], k)), 1.0)]


def rooted(seed):
    return tree_from_dict({**random_tree(seed, surrogates=False), "n": 9})


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("width", [200, 80])
def test_an_unfolded_tree_can_be_followed_by_hand(seed, width):
    tree = rooted(seed)
    text = terminal_text(tree, width=width, max_lines=None)
    assert max(map(width_of, text.splitlines())) <= width
    reader = Reader(text)
    for row in random_rows(seed, 20):
        assert reader.value(row) == pytest.approx(predicted(tree, row), rel=2e-3, abs=2e-2), (row, text)


def noisy_model():
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(500, 4)), 2)
    y = np.where(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=500) > 0, "good", "bad")
    return DecisionTreeClassifier(min_samples_leaf=4).fit(X, y)


@pytest.fixture(scope="module")
def model():
    return noisy_model()


@pytest.mark.parametrize("max_lines", [2, 3, 4, 7, 20, 21, 61, None])
@pytest.mark.parametrize("max_depth", [None, 0, 2])
def test_folds_say_how_much_they_hide(model, max_lines, max_depth):
    text = terminal_text(model, width=200, max_lines=max_lines, max_depth=max_depth)
    lines = [line for line in text.splitlines() if line.startswith("all rows") or STEM.match(line)]
    assert max_lines is None or len(lines) <= max_lines
    hidden = [int(many) for many in re.findall(r"… (\d+) more nodes below", text)]
    assert len(lines) - len(hidden) + sum(hidden) == model.tree_.node_count
    total = f"{sum(hidden)} of {model.tree_.node_count} nodes are not shown."
    assert (total in text) == bool(hidden)
    assert bool(hidden) == (max_lines is not None or max_depth is not None)
    levels = [len(STEM.match(line).group()) // 3 for line in lines[1:] if "more nodes below" not in line]
    assert max_depth is None or max(levels, default=0) <= max_depth


def test_what_is_folded_has_the_fewest_rows(model):
    text = terminal_text(model, max_lines=30)
    folds = [int(rows) for rows in re.findall(r"\(depth \d+, (\d+) rows\)", text)]
    tree = model.tree_
    below = re.search(
        r"… (\d+) more nodes below \(depth (\d+), (\d+) rows\): mostly (\w+) \(([\d.]+)\)", text
    )
    many, depth, rows, name, share = below.groups()
    fits = [
        node
        for node in np.flatnonzero(tree.n_node_samples == int(rows))
        if tree.classes[tree.majority[node, 0]] == name
        and abs(tree.value[node, 0].max() - float(share)) < 0.006
    ]
    assert fits
    assert int(many) >= 2 * int(depth)
    shown = [int(rows) for rows in re.findall(r"  (\d+)  +[\d.]+%$", text, re.MULTILINE)]
    opened = sorted(shown, reverse=True)[: len(shown) - len(folds)]  # branches that are no leaves, unfolded
    assert max(folds) <= min(opened[:3])


def test_a_line_has_condition_rows_share_answer_and_bar():
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    model = DecisionTreeClassifier().fit(X, ["a", "a", "a", "b"])
    text = terminal_text(model)
    assert text.splitlines() == [
        "all rows             4  100%",
        "├─ feature_0 <= 3.5  3   75%  a 1.00  ██████████",
        "└─ feature_0 >  3.5  1   25%  b 1.00  ██████████",
        *wrapped(RULE, 80),
    ]
    smooth = DecisionTreeClassifier(smoothing="laplace").fit(X, ["a", "a", "a", "b"])
    assert "a 0.80  ████████\n" in terminal_text(smooth)
    assert "`- feature_0 >  3.5  1   25%  b 0.67  #######\n" in terminal_text(smooth, unicode=False)
    assert (
        terminal_text(DecisionTreeRegressor(max_depth=1).fit(X, [0, 0, 0, 1.5]))
        .splitlines()[2]
        .endswith("25%  1.5")
    )


def test_a_root_alone_and_several_outputs():
    X = np.zeros((3, 1))
    assert (
        terminal_text(DecisionTreeClassifier().fit(X, ["u", "u", "v"]))
        == "all rows  3  100%  u 0.67  ██████▋\n"
    )
    Z = np.arange(4.0)[:, None]
    both = DecisionTreeClassifier().fit(Z, [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]])
    assert "50%  a, x\n" in terminal_text(both)
    many = DecisionTreeRegressor().fit(Z, np.tile(Z, (1, 30)))
    assert max(map(width_of, terminal_text(many).splitlines())) <= 80
    assert terminal_text(many, max_lines=2).count("more nodes below") == 1


def test_shared_and_stopping_rows_have_a_line():
    test = {"feature": 0, "threshold": 1, "n": 8, "value": [0.25, 0.75]}
    leaves = {"left": {"value": [0, 1], "n": 6}, "right": {"value": [1, 0], "n": 2}}
    stops = terminal_text(tree_from_dict({**test, **leaves, "missing": "stop"}, classes=["a", "b"]))
    assert re.search(r"^└─ feature_0 is missing: stops here +b 0\.75", stops, re.MULTILINE)
    shares = terminal_text(tree_from_dict({**test, **leaves, "missing": "share"}, classes=["a", "b"]))
    assert "feature_0 is missing: goes down every branch by share (0.750, 0.250)" in shares


def test_the_sentences_below():
    nested = {"feature": 0, "levels": [["u"], ["v"]], "children": [{"value": 1.0}, {"value": 2.0}]}
    assert terminal_text(tree_from_dict(nested)).splitlines()[-2:] == [*wrapped(RULE, 80), LEVELS][-2:]
    extra = [{"feature": 1, "threshold": 2}]
    tree = tree_from_dict({**nested, "surrogates": extra}, n_features=2)
    assert HIDDEN in " ".join(terminal_text(tree).splitlines())


def test_bad_input_is_answered_with_a_sentence(model):
    for options, sentence in [
        ({"width": 39}, r"width must be an int of at least 40\. Got 39\."),
        ({"width": 80.5}, r"width must be an int of at least 40\. Got 80\.5\."),
        ({"width": True}, r"width must be an int of at least 40\. Got True\."),
        ({"max_lines": 1}, r"max_lines must be an int of at least 2 or None\. Got 1\."),
        ({"max_lines": -1}, r"max_lines must be an int of at least 0 or None\. Got -1\."),
        ({"max_depth": "x"}, r"max_depth must be an int of at least 0 or None\. Got 'x'\."),
    ]:
        with pytest.raises(ValueError, match=sentence):
            terminal_text(model, **options)
    with pytest.raises(TypeError, match="model must be a fitted tree of treewright"):
        terminal_text(None)
