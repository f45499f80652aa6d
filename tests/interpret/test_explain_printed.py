"""What an explanation prints: it fits, nothing in a name can break it, and bad input gets a sentence."""

import json
import math
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

from tests.interpret.test_explain import loans, stored
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.common.text_width import width_of
from treewright.interpret.explanation import explain
from treewright.tree.tree import tree_from_dict

HOSTILE = ["<script>alert(1)</script>", "=1+1\"'", "two\nlines\x1b[31m", "熊🐻 é", "\u202eאבג", "a" * 200]


@pytest.fixture(scope="module")
def table():
    return loans()


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = set()

    def handle_starttag(self, tag, attrs):  # noqa: ARG002
        self.found.add(tag)


@pytest.mark.parametrize("missing", ["learned", "fractional"])
def test_hostile_names_and_levels_break_nothing(missing):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    levels = pd.Categorical(rng.choice(HOSTILE, 200), categories=HOSTILE)
    X = pd.DataFrame({HOSTILE[0]: levels, HOSTILE[2]: rng.normal(size=200), HOSTILE[4]: rng.normal(size=200)})
    X[HOSTILE[5]] = pd.Categorical(rng.choice(HOSTILE, 200), categories=HOSTILE)
    y = np.array(HOSTILE)[(levels.codes // 2) * 2 + (X[HOSTILE[4]] > 0).to_numpy()]
    model = DecisionTreeClassifier(max_depth=6, missing=missing).fit(X, y)
    X.loc[3, HOSTILE[0]] = None
    hostile = [{"node": 0, "feature": name, "test": name, "gain": 1.0} for name in HOSTILE]
    for row in (0, 3):
        found = explain(stored(model, training={"next_best_splits": hostile}, target=HOSTILE[2]), X, row)
        for width in (40, 61, 120):
            text = found.text(width)
            assert max(map(width_of, text.split("\n"))) <= width
            assert all(letter.isprintable() for letter in text.replace("\n", ""))
        tags = Tags()
        tags.feed(found._repr_html_())
        assert tags.found <= {"p", "b", "bdi", "table", "tr", "th", "td", "ul", "li"}
        assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_infinite_values_are_json_too():
    X = np.array([[-np.inf], [0.0], [np.inf], [np.nan]])
    model = DecisionTreeRegressor().fit(X, [1.0, 2.0, 3.0, 4.0])
    for row in range(4):
        found = explain(model, X, row).to_dict()
        assert json.loads(json.dumps(found, allow_nan=False)) == found
        assert math.isclose(found["prediction"], row + 1.0)


def test_deep_trees_and_many_ends_are_cut_short():
    nested = {"value": 0.5}
    for k in range(100):
        nested = {"feature": 0, "threshold": k, "left": nested, "right": {"value": k}}
    found = explain(tree_from_dict(nested), {0: -1})
    assert "… and 40 more steps" in str(found)
    assert found.leaves[0].rule == ("feature_0 <= 0",)
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(200, 5))
    Z[rng.random(Z.shape) < 0.1] = np.nan
    shared = explain(DecisionTreeRegressor(missing="fractional").fit(Z, rng.normal(size=200)), [np.nan] * 5)
    assert f"… and {len(shared.leaves) - 8:,} more leaves" in str(shared)
    assert sum(leaf.share for leaf in shared.leaves) == pytest.approx(1)


def test_next_best_splits_of_a_file_are_shown_and_nonsense_is_left_out(table):
    X, y, _ = table
    model = DecisionTreeClassifier(max_depth=1).fit(X, y)
    good = {"node": 0, "feature": "income", "test": "income <= 3", "gain": 1.25}
    wrong = [{**good, "node": k} for k in (1, -1, 99, True, "0")]
    wrong += [{**good, "gain": k} for k in (None, "1", float("nan"), True)]
    wrong += [{**good, "test": 5}, {**good, "feature": None}, {}, 7, None]
    found = explain(stored(model, training={"next_best_splits": [good, *wrong]}), X, 0)
    assert found.to_dict()["steps"][0]["next_best_splits"] == [good]
    assert "next-best splits: income <= 3 (gained 1.25," in found.text(120)
    for nothing in (None, 5, "text", {"node": 0}):
        assert explain(stored(model, training={"next_best_splits": nothing}), X, 0).next_best_splits == {}


def test_a_stored_model_needs_no_scikit_learn():
    program = """
import sys
from treewright import FittedTree, explain, show
from treewright.tree.tree import tree_from_dict
leaves = {"left": {"value": [1, 0]}, "right": {"value": [0, 1]}}
nested = {"feature": 0, "threshold": 2, "value": [1, 0], **leaves}
tree = tree_from_dict(nested, classes=["a", "b"], feature_names=["x"])
saved = FittedTree("classification", tree, "DecisionTreeClassifier", {}, {})
print(explain(saved, {"x": 3}).text(80), show(saved), explain(saved, {"x": 3})._repr_html_())
assert not {"sklearn", "pandas"} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "x = 3, and 3 > 2" in done.stdout


# -- bad input


def test_invalid_input_is_rejected_with_a_sentence(table):
    X, y, _ = table
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    cases = [
        (X, 300, r"row must be None or an int in 0\.\.299, the rows of X\. Got 300\."),
        (X, -1, r"row must be None or an int in 0\.\.299"),
        (X, 1.5, r"row must be None or an int in 0\.\.299, the rows of X\. Got 1\.5\."),
        (X, True, r"row must be None or an int"),
        (X.iloc[:0], 0, r"X must have at least one row\. Got a table without rows\."),
        (
            X.rename(columns={"age": "agee"}),
            0,
            r"It lacks 'age'\. Did you mean its column 'agee'\? Rename it\.",
        ),
        ({"income": 1, "job": "a"}, 0, r"X must have all columns .* It lacks 'age'\."),
        (
            {"age": [1, 2], "job": "a", "income": 3},
            0,
            r"The columns of X must have the same length\. Got \[1, 2\]\.",
        ),
        ({"age": 1, "job": "a", "income": 3}, 1, r"row must be None or an int in 0\.\.0"),
        (np.zeros((2, 2)), 0, r"X has 2 features, but DecisionTreeClassifier is expecting 3"),
        (np.zeros((2, 3, 1)), 0, r"X must be a table\. Got 3 dimensions\."),
        (
            {"age": "old", "job": "a", "income": 3},
            0,
            r"column 'age' holds text \('old' in row 0\), and at fit it held",
        ),
    ]
    for given, row, sentence in cases:
        with pytest.raises(ValueError, match=sentence):
            explain(model, given, row)
    with pytest.raises(ValueError, match=r"width must be an int of at least 40\. Got 39\."):
        explain(model, X, 0).text(39)
    with pytest.raises(TypeError, match="model must be a fitted tree of treewright"):
        explain(7, X)
