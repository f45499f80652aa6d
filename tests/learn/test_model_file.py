"""Model files: what is written is read again, bit for bit, and predicts the same."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.support.random_trees import core_columns, random_rows, random_tree
from tests.support.strategies import examples
from tests.tree.test_tree import chain
from tools.fuzz_models import HOSTILE, models
from treewright import ColumnType, DecisionTreeClassifier, ExtraTreeClassifier, Tree, prune
from treewright.evaluate.decision import with_decision
from treewright.learn.model_file import load, read, save
from treewright.learn.model_file.models import without_levels
from treewright.tree import walks
from treewright.tree.tree import tree_from_dict

LEFT_RIGHT = {"feature": 0, "threshold": 2.5, "left": {"value": [1, 0]}, "right": {"value": [0.25, 0.75]}}
NAMES = (
    "classes",
    "soft",
    "branch",
    "surrogates",
    "shares",
    "costs",
    "outputs",
    "numbers",
    "random",
    "decision",
    "by hand",
)
X = np.random.default_rng(0).normal(size=(80, 3))
Y = X[:, 0] + X[:, 1] ** 2 > 0.5


@pytest.fixture(scope="module")
def every():
    """Models of all kinds, each with rows."""
    return {name: (model, rows) for name, model, rows in models()}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.tree.json"


def same_bits(one, other):
    """Two trees, array by array, zeros with their signs."""
    for field in fields(Tree):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, np.ndarray) and a.dtype != object:
            assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()), field.name
    return one == other


@pytest.mark.parametrize("name", NAMES)
def test_a_model_comes_back_as_it_was(name, every, path):
    others = {"boosted", "boosted rules", "rules", "rule model"}  # their own files of tests have these
    assert every.keys() - others == set(NAMES)
    model, rows = every[name]
    training = {"rows": len(rows), "notes": HOSTILE, "by number": {3: [None, np.inf]}}
    saved = read(save(model, path, target="y", training=training))
    assert same_bits(saved.tree, without_levels(model.tree_, walks.tested_columns(model.tree_)))
    assert saved.target == "y"
    assert saved.training == training
    made = saved.to_estimator()
    assert type(made) is type(model)
    assert made.get_params() == model.get_params()
    for known in ("ccp_alpha_", "max_features_", "n_features_in_", "n_outputs_"):
        assert getattr(made, known, None) == getattr(model, known, None)
    names = [getattr(each, "feature_names_in_", np.empty(0)).tolist() for each in (made, model)]
    assert names[0] == names[1]
    methods = ["predict", "apply"] + ["predict_proba"] * hasattr(model, "classes_")
    for method in methods:
        wanted = getattr(model, method)(rows)
        for one in (saved, made):
            found = getattr(one, method)(rows)
            assert len(found) == len(wanted)
            for a, b in zip(found, wanted, strict=True):
                assert_array_equal(a, b)
    first = path.read_bytes()
    assert save(saved, path).read_bytes() == first
    assert save(made, path, target="y", training=training).read_bytes() == first


@given(st.integers(0, 2**32))
@examples(2)
def test_trees_of_every_kind_of_test_come_back(tmp_path_factory, seed):
    nested = random_tree(seed)
    open_ = [nested]
    while open_:  # their counts are made up
        node = open_.pop()
        node.pop("n", None)
        below = [node.get("left"), node.get("right"), node.get("missing"), *node.get("children", [])]
        open_ += [child for child in below if isinstance(child, dict)]
    tree = tree_from_dict(nested)
    saved = read(save(tree, tmp_path_factory.mktemp("trees") / "m.tree.json"))
    assert same_bits(saved.tree, without_levels(tree, walks.tested_columns(tree)))
    rows = core_columns(tree, random_rows(seed))
    assert_array_equal(saved.predict(rows), tree.predict(rows)[:, 0])


LABELS = {
    "bool": np.array([False, True]),
    "int8": np.array([-5, 7], dtype=np.int8),
    "other byte order": np.array([1, 2**40], dtype=">i8"),
    "uint64": np.array([1, 2**64 - 1], dtype=np.uint64),
    "float16": np.array([0.0, 2.0], dtype=np.float16),
    "float32": np.array([-1.0, 3.0], dtype=np.float32),
    "text": np.array(["1", 'a "quoted" <b>\n\u202e']),
    "objects": np.array(["1", "\U0001f333"], dtype=object),
    "days": np.array(["2020-01-01", "2021-06-30"], dtype="M8[D]"),
    "other times": np.array(["2020-01-01T00", "2021-06-30T01"], dtype=">M8[25s]"),
    "durations": np.array([-3, 9], dtype="m8[ns]"),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_every_type_come_back(kind, path):
    labels = LABELS[kind]
    model = DecisionTreeClassifier(max_depth=2).fit(X, labels[Y.astype(int)])
    made = load(save(model, path))
    assert made.classes_.dtype == model.classes_.dtype == labels.dtype
    assert_array_equal(made.classes_, model.classes_)
    assert made.n_classes_ == 2
    assert made.predict(X).dtype == model.predict(X).dtype
    assert_array_equal(read(path).predict(X), model.predict(X))


@pytest.mark.parametrize(
    "labels", [[1, "1"], [True, 1], [None, "None"], [0.5, np.inf], [1, 2**70], ["inf", -np.inf]]
)
def test_labels_that_only_look_alike_stay_apart(labels, path):
    given = np.empty(2, dtype=object)
    given[:] = labels
    tree = tree_from_dict(LEFT_RIGHT)
    made = load(save(DecisionTreeClassifier.from_tree(tree, classes=given), path))
    assert [(type(label), label) for label in made.classes_] == [(type(label), label) for label in labels]


@pytest.mark.parametrize(
    "levels", [(False, True), (0, 1), (0.5, 1e300), ("True", "1"), (-np.inf, 0.0, np.inf), HOSTILE]
)
def test_levels_that_only_look_alike_stay_apart(levels, path):
    tree = replace(chain(1), column_types=(ColumnType("ordered", tuple(levels)),))
    found = read(save(tree, path)).tree.column_types[0].levels
    assert [(type(level), level) for level in found] == [(type(level), level) for level in levels]


def test_parameters_that_no_file_can_hold_are_written_in_words(path):
    from sklearn.model_selection import KFold

    params = {"cv": KFold(3), "random_state": np.random.RandomState(0), "n_jobs": 10**6, "max_depth": 3}
    rows = [(np.arange(40), np.arange(40, 80))]
    for cv in (params["cv"], rows):
        model = DecisionTreeClassifier(**params | {"cv": cv}).fit(X, Y)
        saved = read(save(model, path))
        assert saved.unsaved.keys() == {"cv", "random_state", "n_jobs"}
        assert "0x" not in path.read_text()
        made = saved.to_estimator().get_params()
        assert (made["cv"], made["random_state"], made["n_jobs"], made["max_depth"]) == (5, None, None, 3)
    assert saved.unsaved["cv"].startswith("[(array(")


@pytest.mark.parametrize(
    "params",
    [
        {"class_weight": {False: 1, True: 2.5}},
        {"class_weight": "balanced", "max_features": 0.5, "random_state": 7},
        {"priors": {True: 0.25, False: 0.75}},
        {"costs": [[0, 1], [5.5, 0]]},
        {"monotonic_cst": [1, 0, -1], "min_samples_leaf": 0.05},
        {"categorical_features": [True, False, False], "level_correction": True},
        {"pruning": "pessimistic", "pruning_options": {"CF": 0.3}},
        {"ccp_alpha": "1se", "cv": 3, "smoothing": "hierarchical", "smoothing_strength": "cv"},
    ],
)
def test_parameters_come_back(params, path):
    data = np.round(X) if "categorical_features" in params else X
    model = ExtraTreeClassifier(**{"splitter": "best", "max_features": None} | params).fit(data, Y)
    made = load(save(model, path))
    assert made.get_params() == model.get_params()
    assert made.tree_ == model.tree_
    for name in ("smoothing_strength_", "smoothing_results_", "pruning_", "ccp_alpha_"):
        assert getattr(made, name, None) == getattr(model, name, None)


def test_arrays_in_parameters_become_lists(path):
    model = DecisionTreeClassifier(costs=np.array([[0, 1.5], [2, 0]]), max_depth=np.int64(2)).fit(X, Y)
    made = load(save(model, path))
    assert made.costs == [[0, 1.5], [2, 0]]
    assert made.max_depth == 2
    assert_array_equal(made.tree_.costs, model.tree_.costs)


def test_a_decision_keeps_its_words(path):
    model = with_decision(
        DecisionTreeClassifier(max_depth=4).fit(X, Y), threshold=0.3, positive=True, merge=True
    )
    made = load(save(model, path))
    assert str(made.decision_) == str(model.decision_)
    assert (made.decision_.threshold, made.decision_.positive) == (0.3, True)
    assert made.decision_.leaves == model.decision_.leaves
    assert getattr(made, "changed_", None) == getattr(model, "changed_", None)
    assert_array_equal(made.decision_.costs, model.decision_.costs)
    assert_array_equal(made.predict(X), model.predict(X))


def test_a_pruned_model_keeps_its_report_but_not_its_rows(path):
    model = DecisionTreeClassifier(pruning="reduced_error", random_state=0).fit(X, Y)
    made = load(save(model, path))
    assert made.pruning_["loss_after"] == model.pruning_["loss_after"]
    assert "grow_rows" in model.pruning_
    assert "grow_rows" not in made.pruning_
    assert load(save(prune(model, "leaf_budget", n_leaves=2), path)).changed_ == "pruned by leaf_budget"


def test_trees_made_by_hand_can_be_saved(path):
    tree = tree_from_dict(LEFT_RIGHT, feature_names=["<b>"], classes=["no", "yes"])
    saved = read(save(tree, path))
    assert (saved.task, saved.estimator, saved.params) == ("classification", "DecisionTreeClassifier", {})
    assert saved.predict({"<b>": [1, 9]}).tolist() == ["no", "yes"]
    named = DecisionTreeClassifier.from_tree(tree, classes=[0, 1], feature_names=["other"])
    saved = read(save(named, path))
    assert saved.feature_names == ("other",)
    assert saved.predict({"other": [1, 9]}).tolist() == [0, 1]
    assert read(save(chain(1000), path)).tree == chain(1000)


def test_a_loaded_model_is_saved_with_what_the_file_knew(tmp_path):
    X, y = np.arange(12.0)[:, None], np.repeat(["a", "b"], 6)
    model = DecisionTreeClassifier().fit(X, y)
    save(model, tmp_path / "one.tree.json", target="y", training={"rows": 12})
    again = load(tmp_path / "one.tree.json")
    again.save(tmp_path / "two.tree.json")
    found = read(tmp_path / "two.tree.json")
    assert (found.target, found.training) == ("y", {"rows": 12})
    again.fit(X, y).save(tmp_path / "three.tree.json")
    assert read(tmp_path / "three.tree.json").training == {}
