"""What models can express, and which of them `compare` advises to favour."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from treewright import compare
from treewright.evaluate.model_comparison.result import LINEAR, MANY_TREES, OTHER, Comparison


def test_a_line_between_classes_is_found_by_logistic_regression():
    rng = np.random.default_rng(0)
    X = rng.random((2000, 2))
    y = X[:, 1] > 0.8 * X[:, 0] + 0.1
    model = LogisticRegression(C=1e6, max_iter=1000).fit(X, y)
    (a, b), c = model.coef_[0], model.intercept_[0]
    assert -a / b == pytest.approx(0.8, abs=0.02)
    assert -c / b == pytest.approx(0.1, abs=0.02)
    found = compare(X[:300], y[:300], models=["logistic", "perceptron"], max_depth=3)
    assert found.rows[0]["model"] == "logistic regression"
    assert found.advice.startswith("Favour logistic regression: the relation is close to linear")


def test_a_circle_needs_squares():
    X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
    y = (X**2).sum(axis=1) < 0.5
    found = compare(X, y, models=["logistic", "polynomial logistic"], max_depth=3)
    rows = {row["model"]: row["accuracy"] for row in found.rows}
    assert rows["logistic regression, degree 2"] > 0.97
    assert rows["logistic regression"] < 0.7
    assert found.rows[0]["model"] == "logistic regression, degree 2"
    assert "smooth and curved" in found.advice


def test_two_boxes_are_found_by_the_tree_and_by_no_line_or_curve():
    X = np.random.default_rng(0).uniform(0, 1, (600, 2))
    first, second = (((low < X) & (high > X)).all(axis=1) for low, high in ((0.1, 0.4), (0.6, 0.9)))
    found = compare(X, first | second, models=["logistic", "polynomial logistic", "perceptron"])
    assert found.rows[0]["model"].startswith("treewright")
    assert found.rows[0]["accuracy"] > 0.95
    assert max(row["accuracy"] for row in found.rows if "treewright" not in row["model"]) < 0.87
    assert found.advice.startswith(("Favour the tree: no model here is better", "Favour treewright, best"))


# -- advice


def comparison(scores, behind, families):
    rows = [
        {"model": name, "R²": score, "low": score - 0.1, "high": score + 0.1, "leaves": 9.0, "seconds": 1.0}
        for name, score in sorted(scores.items(), key=lambda each: -each[1])
    ]
    return Comparison(tuple(rows), "R²", 100, 5, (), families, behind)


CLEAR, CHANCE = (0.1, 0.3), (-0.1, 0.2)


FAR = "The best readable model, the tree, is behind by 0.2000 in R²: the price of reading it."
NOISE = "no model is clearly better than the baseline, so these columns say little about the target"


@pytest.mark.parametrize(
    ("scores", "unclear", "wanted"),
    [
        (
            {"treewright": 0.9, "ridge": 0.7},
            (),
            "Favour the tree: no model here is better, and a tree can be read, drawn and explained.",
        ),
        (
            {"treewright": 0.7, "ridge": 0.9},
            (),
            "Favour ridge: the relation is close to linear, and one coefficient per column says it shortest.",
        ),
        (
            {"treewright": 0.7, "forest": 0.9},
            (),
            f"Favour forest: the relation needs more splits than one tree can hold. {FAR}",
        ),
        (
            {"treewright": 0.85, "forest": 0.9},
            ("treewright",),
            "Favour the tree: forest is ahead by 0.0500 in R², which may be chance, and a tree can be read.",
        ),
        (
            {"treewright": 0.7, "ridge": 0.88, "forest": 0.9},
            ("ridge",),
            "Favour ridge: forest is ahead by 0.0200 in R², which may be chance, and this model can be read.",
        ),
        (
            {"treewright": 0.1, "forest": 0.05},
            ("forest", "baseline"),
            f"Favour none yet: {NOISE}. Look for other columns, or for more rows.",
        ),
        ({"treewright": 0.7, "mine": 0.9}, (), f"Favour mine: it is the best here. {FAR}"),
    ],
)
def test_advice_says_which_model_to_favour_and_why(scores, unclear, wanted):
    families = {"ridge": LINEAR, "forest": MANY_TREES, "mine": OTHER}
    behind = {name: CHANCE if name in unclear else CLEAR for name in (*scores, "baseline")}
    assert comparison(scores | {"baseline": 0.0}, behind, families).advice == wanted


def test_a_linear_relation_is_called_one_and_noise_is_called_noise():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    found = compare(X, X @ [1, 2, 3, 4] + rng.normal(size=200), models=["least squares", "knn"], max_depth=4)
    assert found.advice.startswith("Favour least squares: the relation is close to linear")
    found = compare(X, rng.normal(size=200), models=["least squares", "knn"], max_depth=4)
    assert found.advice.startswith("Favour none yet: no model is clearly better than the baseline")


def test_of_one_fold_the_order_decides():
    X = np.random.default_rng(0).normal(size=(100, 2))
    fold = [(np.arange(70), np.arange(70, 100))]
    found = compare(X, X @ [1, 2], models=["least squares"], cv=fold, max_depth=2)
    assert found.advice.startswith("Favour least squares: the relation is close to linear")


def test_a_relation_that_is_linear_in_parts_is_for_a_model_tree():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 300)[:, None]
    y = np.abs(x[:, 0]) + rng.normal(scale=0.02, size=300)
    found = compare(x, y, models=["least squares", "model tree"], max_depth=4)
    assert found.rows[0]["model"] == "model tree"
    assert found.rows[0]["leaves"] >= 2
    assert found.advice.startswith("Favour model tree: the relation is linear in parts")
    straight = compare(x, 3 * x[:, 0] + rng.normal(scale=0.1, size=300), models="model tree", max_depth=2)
    assert straight.rows[0]["leaves"] == 1
    assert straight.advice.startswith("Favour model tree: the relation is close to linear")
