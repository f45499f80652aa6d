"""Overfitting by hand, on ten animals of which two are mislabelled; docs/pruning.md tells the story."""

import csv
from importlib.resources import files

import numpy as np
import pytest

from treewright import DecisionTreeClassifier, prune
from treewright.learn.pruning import METHODS
from treewright.learn.pruning.bounds import expected_errors
from treewright.textbook import gain
from treewright.tree.tree import tree_from_dict

NAMES = ["body_temperature", "gives_birth", "four_legged", "hibernates"]
BLOOD, NO_YES = ["cold-blooded", "warm-blooded"], ["no", "yes"]
COLUMNS = [{"kind": "nominal", "levels": levels} for levels in (BLOOD, NO_YES, NO_YES, NO_YES)]


def animals(name):
    text = (files("treewright") / "data" / "examples" / f"mammals-{name}.csv").read_text()
    rows = list(csv.DictReader(text.splitlines()))
    table = np.array([[row[column] for column in NAMES] for row in rows], dtype=object)
    return table, np.array([row["mammal"] for row in rows]), np.array([row["name"] for row in rows])


TRAIN, TEST, FEW = animals("train"), animals("test"), animals("few")


def leaf(label, n):
    return {"value": [float(label == name) for name in NO_YES], "n": n}


def split_on(feature, *children, **root):
    levels = BLOOD if feature == "body_temperature" else NO_YES
    return {
        "feature": NAMES.index(feature),
        "levels": [[level] for level in levels],
        "children": list(children),
        **root,
    }


def by_hand(warm, cold=5, **root):
    """A tree that tests the temperature first; `warm` is what it does with warm-blooded animals."""
    nested = split_on("body_temperature", leaf("no", cold), warm, columns=COLUMNS, **root)
    return DecisionTreeClassifier.from_tree(tree_from_dict(nested, classes=NO_YES))


def m1(**root):
    last = split_on("four_legged", leaf("no", 2), leaf("yes", 2))
    return by_hand(split_on("gives_birth", leaf("no", 1), last), **root)


def errors(model, table=TRAIN):
    """The names of the animals that a model takes for what they are not."""
    X, y, names = table
    return set(names[model.predict(X) != y])


def both(model):
    return len(errors(model)), len(errors(model, TEST))


def grown(**params):
    return DecisionTreeClassifier(n_jobs=1, **params).fit(*TRAIN[:2])


# -- the trees of the lecture


def test_m1_knows_every_animal_by_heart():
    assert both(m1()) == (0, 3)
    assert errors(m1(), TEST) == {"human", "dolphin", "spiny anteater"}


def test_m2_is_wrong_on_the_mislabelled_and_right_on_nearly_all_others():
    m2 = by_hand(split_on("gives_birth", leaf("no", 1), leaf("yes", 4)))
    assert both(m2) == (2, 1)
    assert (errors(m2), errors(m2, TEST)) == ({"bat", "whale"}, {"spiny anteater"})


def test_to_collapse_alone_leaves_a_tie_that_the_order_of_classes_decides():
    tree = m1().tree_
    cut = DecisionTreeClassifier.from_tree(tree.collapse(np.arange(tree.node_count) == 4))
    assert cut.tree_.value[4, 0].tolist() == [0.5, 0.5]
    assert cut.predict_proba([["warm-blooded", "yes", "no", "no"]]).tolist() == [[0.5, 0.5]]
    assert both(cut) == (2, 4)
    assert errors(cut) == {"porcupine", "cat"}


def test_with_a_cost_for_missed_mammals_reduced_error_pruning_makes_m2_of_m1():
    careful = m1(costs=[[0, 1], [2, 0]])
    assert both(careful) == (0, 3)
    pruned = prune(careful, "reduced_error", *TEST[:2], loss="error")
    assert pruned.get_n_leaves() == 3
    assert both(pruned) == (2, 1)
    assert pruned.pruning_["loss_before"] == 3
    assert pruned.pruning_["loss_after"] == 1
    assert prune(careful, "reduced_error", *TEST[:2], loss="error", form="greedy").get_n_leaves() == 3


# -- what is grown and pruned here


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio", "sqrt_gini"])
def test_the_greedy_tree_is_another_one(criterion):
    model = grown(criterion=criterion)
    assert [NAMES[j] for j in model.tree_.feature[[0, 2]]] == ["four_legged", "body_temperature"]
    assert model.get_n_leaves() == 3
    assert both(model) == (0, 2)
    assert errors(model, TEST) == {"human", "dolphin"}


def test_legs_gain_more_than_temperature():
    X, y, _ = TRAIN
    found = {}
    for j, name in enumerate(NAMES):
        children = [[sum(y[X[:, j] == level] == label) for label in NO_YES] for level in set(X[:, j])]
        found[name] = gain([8, 2], children, "gini")
    assert found == pytest.approx(
        {"body_temperature": 0.08, "gives_birth": 0.08, "four_legged": 0.12, "hibernates": 1 / 300}
    )
    assert grown().tree_.gain[0] / 10 == pytest.approx(0.12)


def test_no_method_that_looks_at_these_rows_alone_doubts_the_greedy_tree():
    model = grown()
    for name, method in METHODS.items():
        rows = TRAIN[:2] if method.rows == "the training rows" else ()
        if method.rows != "held-out rows":
            assert both(prune(model, name, *rows)) == (0, 2), name
    for rule in "cv", "1se":  # bat and whale are alike, so each fold holds one and grows on the other
        chosen = grown(ccp_alpha=rule)
        assert both(chosen) == (0, 2)
        assert chosen.pruning_curve_.mean[0] == 0


def test_a_smaller_tree_has_no_leaf_for_mammals():
    model = grown()
    smaller = [
        prune(model, "leaf_budget", n_leaves=2),
        prune(model, "cost_complexity", alpha=0.1, risk="error"),
        prune(model, "cost_complexity", alpha=0.17),
        grown(min_samples_leaf=3),
        grown(min_confidence=0.8),
        grown(pruning="reduced_error"),
    ]
    for cut in smaller:
        assert cut.get_n_leaves() < 3
        assert both(cut) == (2, 4)


def test_c45_raises_the_last_test_of_m1():
    raised = prune(m1(), "pessimistic", *TRAIN[:2])
    assert [NAMES[j] for j in raised.tree_.feature[raised.tree_.feature >= 0]] == [
        "body_temperature",
        "four_legged",
    ]
    assert raised.pruning_["raised"] == 1
    assert both(raised) == (0, 2)


def test_c45_without_raising_cuts_m1_to_the_root():
    assert prune(m1(), "pessimistic", raising=False).get_n_leaves() == 1
    leaves = expected_errors([5, 1, 2, 2], 0, 0.25)
    assert leaves.tolist() == pytest.approx([5 * (1 - 0.25**0.2), 0.75, 1, 1])
    assert expected_errors(10, 2, 0.25) < leaves.sum()


def test_minimum_error_keeps_m1():
    kept = prune(m1(), "minimum_error")
    assert kept.get_n_leaves() == 4
    assert kept.pruning_["expected"] < 1 - (8 + 2 * 0.8) / 12


def test_cost_complexity_cuts_m1_all_at_once():
    assert prune(m1(), "cost_complexity", alpha=0.0666, risk="error").get_n_leaves() == 4
    assert prune(m1(), "cost_complexity", alpha=0.0667, risk="error").get_n_leaves() == 1


# -- too few rows


def test_too_few_rows():
    last = split_on("four_legged", leaf("no", 1), leaf("yes", 1))
    lecture = by_hand(split_on("hibernates", leaf("no", 1), last), cold=2)
    assert errors(lecture, FEW) == set()
    assert errors(lecture, TEST) == {"human", "elephant", "dolphin"}
    greedy = DecisionTreeClassifier(n_jobs=1).fit(*FEW[:2])
    assert errors(greedy, FEW) == set()
    assert errors(greedy, TEST) == {"human", "dolphin"}
