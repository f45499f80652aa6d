"""One front door: every function takes any fitted model and any table, and gives the same result."""

import numpy as np
import pytest

import treewright as tw

pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")


def table():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"age": rng.integers(18, 80, 120).astype(float), "income": rng.normal(30, 9, 120).round(2)}
    )
    return X, np.where(X["age"] + X["income"] + rng.normal(0, 8, 120) > 80, "yes", "no")


X, Y = table()
ROWS = {
    "pandas": X,
    "pandas, other order and more columns": X[["income", "age"]].assign(more=1),
    "polars": pl.from_pandas(X),
    "pyarrow": pl.from_pandas(X).to_arrow(),
    "numpy": X.to_numpy(),
    "list": X.to_numpy().tolist(),
    "dict": {name: X[name].tolist() for name in X},
}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A fitted estimator, the result of `fit`, a loaded model, its path, and the view of it."""
    fitted = tw.fit(X.assign(target=Y), "target", max_depth=4, score=False, check=False)
    path = tmp_path_factory.mktemp("models") / "loans.tree.json"
    fitted.save(path)
    estimator = fitted.model
    return {
        "estimator": estimator,
        "fit result": fitted,
        "loaded": tw.load(path),
        "path": str(path),
        "fitted tree": estimator.fitted_tree,
    }


def values(result):
    """What a result says, to compare: dictionaries if it has them, else its text."""
    return result.to_dicts() if hasattr(result, "to_dicts") else str(result)


def drawn(ax):
    import matplotlib.pyplot as plt

    artists = ax if isinstance(ax, list) else ax.get_children()
    found = [artist.get_text() for artist in artists if hasattr(artist, "get_text")]
    plt.close("all")
    return found


WITH_ROWS = {
    "explain": lambda model, X: tw.explain(model, X).to_dicts(),
    "explain, one row": lambda model, X: tw.explain(model, X, 3).to_dict()["steps"],
    "counterfactual": lambda model, X: tw.counterfactual(model, X, row=3, reference=X).to_dicts(),
    "shapley_values": lambda model, X: tw.shapley_values(model, X).to_dicts(),
    "importances, held out": lambda model, X: tw.importances(model, X, Y, held_out=True).to_dicts(),
    "importances": lambda model, X: tw.importances(model, X, Y, refits=2, repeats=1).to_dicts(),
    "leaves": lambda model, X: tw.leaves(model, X, Y).to_dicts(),
    "leaves, cv": lambda model, X: tw.leaves(model, X, Y, cv=2).to_dicts(),
    "next_best_splits": lambda model, X: tw.next_best_splits(model, X, Y).to_dicts(),
    "rules": lambda model, X: tw.rules(model).predict(X).tolist(),
    "roc_curve": lambda model, X: values(tw.roc_curve(model, X, Y)),
    "calibration_curve": lambda model, X: values(tw.calibration_curve(model, X, Y)),
    "roc_curve, cv": lambda model, X: values(tw.roc_curve(model, X, Y, cv=2)),
    "prune": lambda model, X: tw.prune(model, "reduced_error", X, Y).tree_.to_dict(),
    "operating_point": lambda model, X: str(tw.operating_point(model, X, Y, recall=0.8)),
}
WITHOUT_ROWS = {
    "rules": lambda model: tw.rules(model).to_dicts(),
    "leaves": lambda model: tw.leaves(model).to_dicts(),
    "prune": lambda model: tw.prune(model, "leaf_budget", n_leaves=3).tree_.to_dict(),
    "export_text": tw.export_text,
    "export": lambda model: tw.export(model, to="python", output="leaf").partition("COLUMNS")[2],
    "export_graphviz": tw.export_graphviz,
    "draw": lambda model: str(tw.draw(model)),
    "plot_tree": lambda model: drawn(tw.plot_tree(model)),
    "plot_regions": lambda model: drawn(np.ravel(tw.plot_regions(model, X, Y))[0]),
}


@pytest.mark.parametrize("kind", ["estimator", "fit result", "loaded", "path", "fitted tree"])
@pytest.mark.parametrize("name", WITHOUT_ROWS)
def test_every_kind_of_model_gives_the_same(models, name, kind):
    pytest.importorskip("matplotlib").use("agg")
    assert WITHOUT_ROWS[name](models[kind]) == WITHOUT_ROWS[name](models["estimator"])


@pytest.mark.parametrize("kind", ["fit result", "loaded", "path", "fitted tree"])
@pytest.mark.parametrize("name", WITH_ROWS)
def test_every_kind_of_model_takes_rows_alike(models, name, kind):
    assert WITH_ROWS[name](models[kind], X) == WITH_ROWS[name](models["estimator"], X)


@pytest.mark.parametrize("rows", [each for each in ROWS if each != "pandas"])
@pytest.mark.parametrize("name", WITH_ROWS)
def test_every_kind_of_table_gives_the_same(models, name, rows):
    assert WITH_ROWS[name](models["loaded"], ROWS[rows]) == WITH_ROWS[name](models["loaded"], X)


@pytest.mark.parametrize("kind", ["fit result", "loaded", "path"])
def test_what_is_printed_is_the_same(models, kind, capsys):
    tw.show(models["estimator"])
    wanted = capsys.readouterr().out
    tw.show(models[kind])
    assert capsys.readouterr().out == wanted


@pytest.mark.parametrize("kind", ["fit result", "loaded"])
def test_reports_take_every_model(models, kind):
    made = [tw.report(model, X, Y, check=False).payload for model in (models[kind], models["estimator"])]
    assert made[0]["model"]["tree"] == made[1]["model"]["tree"]


@pytest.mark.parametrize(
    "name",
    ["explain", "counterfactual", "shapley_values", "importances", "rules", "leaves", "next_best_splits"],
)
def test_what_is_not_a_model_is_rejected_alike(name):
    more = {"importances": (X, Y), "next_best_splits": (X, Y), "rules": (), "leaves": ()}.get(name, (X,))
    with pytest.raises(TypeError, match=r"model must be a fitted tree of treewright.*Got list\."):
        getattr(tw, name)([1, 2], *more)
