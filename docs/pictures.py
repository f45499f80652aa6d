"""Draw the pictures of the documentation into docs/img: `python docs/pictures.py`.

The same data and libraries give the same files, byte for byte. `tools/screenshots.py` makes report.png.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import treewright
from treewright import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    compare_pruning,
    lab,
    learning_curve,
    textbook,
)

FOLDER = Path(__file__).parent / "img"
SETTINGS = {"criterion": "entropy", "level_correction": True, "min_samples_leaf": 10}


def save(ax: Any, name: str) -> None:
    """Write one picture, without the date, which would make every file different."""
    figure = np.ravel(ax)[0].get_figure(root=True)  # some draw several
    figure.savefig(FOLDER / f"{name}.svg", dpi=120, metadata={"Date": None})
    plt.close(figure)


def trees(X: Any, y: Any) -> None:
    """Drawn trees: one of numbers for the README, one with text columns."""
    tumours = load_breast_cancer(as_frame=True)
    limits = {"max_leaf_nodes": 6, "ccp_alpha": "cv", "thresholds": "rounded"}
    model = DecisionTreeClassifier(**limits).fit(tumours.data, tumours.target_names[tumours.target])
    treewright.draw(model, FOLDER / "tree.svg", title="Is the tumour malignant?", dark=False)
    model = DecisionTreeClassifier(max_leaf_nodes=6).fit(X, y)
    treewright.draw(model, FOLDER / "tree-credit.svg", title="Will the loan be repaid?", dark=False)


def pruning(X: Any, y: Any) -> None:
    """Pictures of the page "Pruning"."""
    save(compare_pruning(DecisionTreeClassifier(), X, y).plot(), "pruning")
    sizes = [50, 100, 200, 400, 800]
    curve = learning_curve(DecisionTreeClassifier(ccp_alpha="cv"), X, y, sizes=sizes, loss="brier")
    save(curve.plot(), "learning")


def decisions(X: Any, y: Any) -> None:
    """Pictures of the page "Probabilities and decisions"."""
    model = DecisionTreeClassifier(**SETTINGS, ccp_alpha="cv", smoothing="hierarchical").fit(X, y)
    save(treewright.calibration_curve(model, bins=10, positive="bad").plot(), "calibration")
    costs = {"false_positive": 1, "false_negative": 5}
    point = treewright.operating_point(model, costs=costs, positive="bad")
    save(point.plot(), "roc")
    save(point.curve.plot_coverage(), "coverage")
    small = DecisionTreeClassifier(**SETTINGS, ccp_alpha="1se", smoothing="hierarchical").fit(X, y)
    save(treewright.leaves(small, X, y, cv=5).plot(positive="bad"), "leaves")
    save(treewright.textbook.plot_impurities(), "impurities")


def regions(X: Any, y: Any) -> None:
    """What four models predict over two columns."""
    two = X[["duration", "credit_amount"]]
    models = {f"depth {d}": DecisionTreeClassifier(max_depth=d).fit(two, y) for d in (2, 4, 12)}
    cubic = make_pipeline(StandardScaler(), PolynomialFeatures(3), LogisticRegression(max_iter=1000))
    save_regions(treewright.plot_regions(models | {"logistic, cubic": cubic.fit(two, y)}, two, y), "regions")


def save_regions(axs: Any, name: str) -> None:
    """Write a picture of regions, in which dots and lines are pixels: as shapes they are megabytes."""
    for ax in axs:
        for dots_or_lines in ax.collections:
            dots_or_lines.set_rasterized(True)
    save(axs, name)


def linear(X: Any, y: Any) -> None:  # noqa: ARG001
    """Pictures of the page "Linear models and model trees"."""
    iris = treewright.load_example("iris")
    one, width = iris[["petal_length"]], iris["petal_width"]
    tree = DecisionTreeRegressor(max_leaf_nodes=5).fit(one, width)
    save(treewright.plot_regions([tree, "least squares"], one, width), "linear-line")
    save(treewright.linear.plot_norm_balls(), "norm-balls")
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, 25)
    wave = np.cos(np.pi * x) + rng.normal(scale=0.3, size=25)
    powers = {f"degree {d}": make_pipeline(PolynomialFeatures(d), LinearRegression()) for d in (1, 4, 15)}
    curves = {name: model.fit(x[:, None], wave) for name, model in powers.items()}
    save(treewright.plot_regions(curves, x[:, None], wave), "polynomial-degree")
    patients = load_diabetes(as_frame=True, scaled=False)
    axs = plt.subplots(1, 2, figsize=(13, 4.5), layout="constrained")[1]
    for ax, penalty in zip(axs, ("lasso", "ridge"), strict=True):
        treewright.linear.plot_coefficient_paths(patients.data, patients.target, penalty, ax=ax)
    axs[0].get_legend().remove()
    save(axs, "coefficient-paths")
    names = ["logistic", "polynomial logistic", "perceptron", "svm", "naive bayes", "knn"]
    two = iris[["petal_length", "sepal_width"]]
    save_regions(treewright.plot_regions(names, two, iris["species"]), "linear-regions")


def clusters(X: Any, y: Any) -> None:  # noqa: ARG001
    """Picture of the page "Trees without a target"."""
    flowers = treewright.load_example("iris")
    species = flowers.pop("species")
    save(treewright.ClusteringTree(3).fit(flowers).plot(flowers, species), "clusters")


def oblique(X: Any, y: Any) -> None:  # noqa: ARG001
    """Picture of the page "Beyond axis-parallel"."""
    points = pd.DataFrame(np.random.default_rng(0).random((2000, 2)), columns=["x", "y"])
    below = points.x + points.y <= 1
    models = {
        "axis-parallel": DecisionTreeClassifier().fit(points, below),
        "oblique=2": DecisionTreeClassifier(oblique=2).fit(points, below),
    }
    save_regions(treewright.plot_regions(models, points, below), "oblique")


def bias_variance(X: Any, y: Any) -> None:  # noqa: ARG001
    """Pictures of the page "Bias and variance"."""
    tree, points = DecisionTreeRegressor(max_depth=3), np.linspace(0, 1, 201)
    found = lab.bias_variance(tree, "sine", n=60, repeats=200, at=points, random_state=0)
    save(found.plot(), "bias-variance")
    depths = {"max_depth": range(1, 13)}
    curve = lab.bias_variance_curve(DecisionTreeRegressor(), "sine", depths, n=200, random_state=0)
    save(curve.plot(), "bias-variance-depth")
    axs = plt.subplots(1, 2, figsize=(13, 4.5), layout="constrained")[1]
    k = {"n_neighbors": [1, 3, 5, 9, 13, 21, 31, 45]}
    pairs = ((KNeighborsRegressor(), "sine"), (KNeighborsClassifier(), "circle and boxes"))
    for ax, (model, mechanism) in zip(axs, pairs, strict=True):
        lab.bias_variance_curve(model, mechanism, k, n=100, repeats=30, random_state=0).plot(ax)
    save(axs, "bias-variance-neighbours")
    stump, deep = DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier()
    models = {
        "stump": stump,
        "boosted stumps": AdaBoostClassifier(stump, n_estimators=50),
        "deep tree": deep,
        "bagged deep trees": BaggingClassifier(deep, n_estimators=25),
    }
    options: dict[str, Any] = {"n": 300, "repeats": 30, "random_state": 0}
    results = {name: lab.bias_variance(each, "circle and boxes", **options) for name, each in models.items()}
    save(lab.plot_bias_variance(results), "bias-variance-ensembles")


def theory(X: Any, y: Any) -> None:  # noqa: ARG001
    """Pictures of the page "The theory, computed"."""
    save(textbook.plot_impurities("entropy", children=[[8, 2], [1, 9]]), "theory-chord")
    leaves = [[10, 30], [20, 20], [15, 5]]
    save(textbook.plot_coverage_split(leaves, 1, [[2, 15], [18, 5]]), "theory-coverage")
    values = [0.05, 0.11, 0.34, 0.41, 0.54, 0.61, 0.84, 0.86]
    save(lab.candidates(values, list("AAABBBAA"), criterion="entropy").plot(), "theory-candidates")
    x, wave = lab.Mechanism.named("sine").sample(60, random_state=1)
    trees = {f"{k} leaves": DecisionTreeRegressor(max_leaf_nodes=k).fit(x, wave) for k in (2, 6, 60)}
    save(treewright.plot_fit(trees, x, wave), "theory-fit")
    two, inside = lab.Mechanism.named("circle and boxes").sample(600, random_state=0)
    models = {f"depth {d}": DecisionTreeClassifier(max_depth=d).fit(two, inside) for d in (4, 7, 100)}
    drawn = treewright.plot_regions(models | {"polynomial": "polynomial logistic"}, two, inside)
    save_regions(drawn, "theory-regions")
    save(lab.vc_bound(0.2, h=3, n=1000).plot(), "theory-bound")
    measured = lab.optimism(DecisionTreeClassifier(), "circle and boxes", n=300, random_state=0)
    save(measured.plot(), "theory-optimism")


def explanations(X: Any, y: Any) -> None:
    """Pictures of the page "Explanations"."""
    model = DecisionTreeClassifier(min_samples_leaf=20, ccp_alpha="cv").fit(X, y)
    save(treewright.shapley_values(model, X).plot(row=9, label="bad"), "shapley")
    save(treewright.importances(model, X, y).plot(), "importances")


def growth(X: Any, y: Any) -> None:  # noqa: ARG001
    """Pictures of the page "How a tree grows"."""
    eight = [0.05, 0.11, 0.34, 0.41, 0.54, 0.61, 0.84, 0.86]
    save(treewright.lab.candidates(eight, list("AAABBBAA"), criterion="entropy").plot(), "candidates")
    flowers = treewright.load_example("iris")
    species = flowers.pop("species")
    two = flowers[["petal_length", "petal_width"]]
    steps = treewright.lab.trace(DecisionTreeClassifier(max_leaf_nodes=4).fit(two, species), two, species)
    save_regions(steps.plot(2).axes, "growth-step")
    model = DecisionTreeClassifier(max_leaf_nodes=6).fit(flowers, species)
    stable = treewright.lab.stability(model, flowers, species, repeats=200, random_state=0)
    treewright.draw(model, FOLDER / "stability.svg", title="Which iris?", stability=stable, dark=False)


def main() -> None:
    """Draw them all."""
    mpl.use("agg")
    mpl.rcParams["svg.hashsalt"] = "treewright"
    FOLDER.mkdir(exist_ok=True)
    table = treewright.load_example("credit")
    y = table.pop("target")
    of_models = (trees, pruning, decisions, regions, linear, clusters, oblique, explanations)
    for draw in (*of_models, growth, bias_variance, theory):
        draw(table, y)


if __name__ == "__main__":
    main()
