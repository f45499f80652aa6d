import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, Tree
from treewright.tree.tree import NODE_ARRAYS

X, Y = load_iris(return_X_y=True)


def chain(n_tests):
    """A tree that is one long branch: every first child is a leaf."""
    count = 2 * n_tests + 1
    inner = np.arange(count) % 2 == 0
    inner[-1] = False
    nothing = np.zeros(count)
    return Tree(
        first_child=np.where(inner, np.arange(count) + 1, -1),
        n_children=np.where(inner, 2, 0),
        feature=np.where(inner, 0, -2),
        threshold=np.where(inner, np.arange(count) // 2, -2.0),
        integer_threshold=[],
        integer_exact=[],
        missing_child=inner,
        missing_seen=nothing,
        n_node_samples=nothing,
        weighted_n_node_samples=nothing,
        impurity=nothing,
        gain=nothing,
        value=(np.arange(count) // 2).reshape(-1, 1, 1),
        lower=[],
        upper=[],
        n_features=1,
        n_classes=[1],
    )


@pytest.fixture(scope="module")
def model():
    return DecisionTreeClassifier(max_depth=4).fit(X, Y)


def test_arrays_are_read_only(model):
    for name in NODE_ARRAYS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(model.tree_, name)[...] = 0
    with pytest.raises(AttributeError):
        model.tree_.value = None


def test_scikit_learns_names(model):
    tree = model.tree_
    inner = ~tree.is_leaf
    assert_array_equal(tree.children_left == -1, tree.is_leaf)
    assert_array_equal(tree.children_right[inner], tree.children_left[inner] + 1)
    assert_array_equal(tree.feature[tree.is_leaf], -2)
    assert_array_equal(tree.threshold[tree.is_leaf], -2)
    assert set(tree.missing_go_to_left) <= {0, 1}
    assert tree.node_count == 2 * tree.n_leaves - 1 == len(tree.impurity)
    assert (tree.n_outputs, tree.max_n_classes, tree.n_classes.tolist(), tree.n_features) == (1, 3, [3], 4)
    left, right = tree.children_left[inner], tree.children_right[inner]
    assert_array_equal(tree.n_node_samples[inner], tree.n_node_samples[left] + tree.n_node_samples[right])
    mass = tree.weighted_n_node_samples * tree.impurity
    assert_allclose(tree.gain[inner], mass[inner] - mass[left] - mass[right], atol=1e-9)
    assert_allclose(tree.compute_feature_importances(normalize=False).sum(), tree.gain.sum() / len(X))


def test_parents_and_depths(model):
    tree = model.tree_
    assert tree.parent[0] == -1
    assert tree.depth[0] == 0
    for node in range(1, tree.node_count):
        assert node in {tree.children_left[tree.parent[node]], tree.children_right[tree.parent[node]]}
        assert tree.depth[node] == tree.depth[tree.parent[node]] + 1
    assert tree.max_depth == 4


def test_the_path_of_a_row_is_its_leaf_and_the_ancestors(model):
    path, leaves = model.decision_path(X), model.apply(X)
    assert path.shape == (len(X), model.tree_.node_count)
    for row, leaf in enumerate(leaves):
        nodes = [leaf]
        while nodes[-1] > 0:
            nodes.append(model.tree_.parent[nodes[-1]])
        assert_array_equal(path[[row]].indices, nodes[::-1])


def test_a_row_follows_the_tests_by_hand(model):
    tree = model.tree_
    for row, leaf in zip(X, model.apply(X), strict=True):
        node = 0
        while tree.n_children[node]:
            node = tree.first_child[node] + (row[tree.feature[node]] > tree.threshold[node])
        assert node == leaf


def test_collapse_makes_leaves_and_keeps_the_rest(model):
    tree = model.tree_
    for node in range(tree.node_count):
        small = tree.collapse(np.arange(tree.node_count) == node)
        below = tree.over_ancestors(np.logical_or, np.arange(tree.node_count) == node)
        assert small.node_count == tree.node_count - below.sum() + 1
        moved = tree.apply(X)
        at = small.apply(X)
        assert_allclose(small.value[at[~below[moved]]], tree.value[moved[~below[moved]]])
        assert_allclose(
            small.value[at[below[moved]]], np.broadcast_to(tree.value[node], (below[moved].sum(), 1, 3))
        )
    assert tree.collapse(np.zeros(tree.node_count)) == tree
    assert tree.collapse(np.ones(tree.node_count)).node_count == 1
    with pytest.raises(ValueError, match="one mark per node"):
        tree.collapse([True])


def test_a_tree_may_be_a_hundred_thousand_levels_deep():
    n_tests = 100_000
    tree = chain(n_tests)
    assert tree.max_depth == n_tests
    rows = np.array([[0.0], [5.0], [n_tests - 1.0], [n_tests + 5.0], [np.nan]])
    assert_array_equal(tree.predict(rows)[:, 0], [0, 5, n_tests - 1, n_tests, n_tests])
    assert tree.decision_path(rows).sum() == 2 + 7 + (n_tests + 1) * 3
    cut = tree.collapse(np.arange(tree.node_count) == 10)
    assert cut.max_depth == 5


@pytest.mark.parametrize("n_tests", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_a_deep_tree_is_written_and_read_without_recursion(n_tests):
    """Python gives up after a thousand calls, one in another."""
    tree = chain(n_tests)
    assert tree.from_dict(tree.to_dict()) == tree


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"n_children": [1, 0, 0]}, "n_children must be 0 or at least 2"),
        ({"first_child": [1, 5, -1]}, "first_child of a leaf must be -1"),
        ({"first_child": [0, -1, -1]}, "children must come after their parent"),
        ({"first_child": [2, -1, -1]}, "numbered breadth-first"),
        ({"n_children": [3, 0, 0]}, "every node but the root must be a child"),
        ({"feature": [7, -2, -2]}, "feature must be in 0..0"),
        ({"feature": [0, 3, -2]}, "feature of a leaf must be -2"),
        ({"threshold": [np.nan, -2, -2]}, "threshold must be a number"),
        ({"missing_child": [2, 0, 0]}, "missing_child must be the number of a child"),
        ({"n_classes": [4]}, "value must have shape"),
        ({"gain": [0.0]}, r"arrays of one length. At fault: \['gain'\]"),
    ],
)
def test_arrays_that_are_no_tree_are_refused(change, sentence):
    fields = {name: getattr(chain(1), name) for name in Tree.__dataclass_fields__}
    with pytest.raises(ValueError, match=sentence):
        Tree(**{**fields, **change})


def test_equality_and_words(model):
    assert model.tree_ == DecisionTreeClassifier(max_depth=4).fit(X, Y).tree_
    assert model.tree_ != DecisionTreeClassifier(max_depth=3).fit(X, Y).tree_
    assert model.tree_ != "tree"
    assert repr(DecisionTreeRegressor(max_depth=1).fit(X, Y).tree_) == "Tree(3 nodes, 2 leaves, depth 1)"
    assert "feature_" in str(model.tree_)


def test_scikit_learns_names_refuse_wide_nodes():
    fields = {name: getattr(chain(1), name) for name in Tree.__dataclass_fields__}
    for name in NODE_ARRAYS:
        if len(fields[name]):
            fields[name] = np.concatenate([fields[name], fields[name][-1:]])
    wide = Tree(**{**fields, "n_children": [3, 0, 0, 0], "missing_child": [2, 0, 0, 0]})
    for name in ("children_left", "children_right", "missing_go_to_left"):
        with pytest.raises(AttributeError, match=f"{name} needs a binary tree. Got node 0 with 3 children"):
            getattr(wide, name)
