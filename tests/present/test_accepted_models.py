"""Every output function takes every form of a fitted model."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import treewright as tw
from treewright.learn.fitted_tree import as_model
from treewright.present.export import to_sklearn


@pytest.fixture(scope="module")
def forms(tmp_path_factory):
    """One tree as an estimator, what fit returns, a FittedTree, a Tree and a model file."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 2)), columns=["a", "b"])
    frame["y"] = np.where(frame["a"] > frame["b"], "yes", "no")
    result = tw.fit(frame, "y", max_depth=2)
    path = tmp_path_factory.mktemp("model") / "m.tree.json"
    result.model.save(path)
    found = as_model(result)
    return frame, {
        "estimator": result.model,
        "result": result,
        "fitted tree": found,
        "tree": found.tree,
        "path": path,
        "text path": str(path),
    }


FUNCTIONS = {
    "export_text": tw.export_text,
    "export_graphviz": tw.export_graphviz,
    "draw": lambda model: tw.draw(model).shown,
    "plot_tree": lambda model: [note.get_text() for note in tw.plot_tree(model, ax=plt.figure().gca())],
    "report": lambda model: tw.report(model).payload["rules"],
    "to_sklearn": lambda model: to_sklearn(model).tree_.node_count,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_form_of_a_model_gives_the_same_output(forms, name):
    said = {form: FUNCTIONS[name](model) for form, model in forms[1].items()}
    plt.close("all")
    if name in {"export_text", "export_graphviz", "plot_tree"}:
        said.pop("tree")  # a Tree does not know its criterion
    assert all(each == said["estimator"] for each in said.values())


def test_every_form_of_a_model_is_printed_and_its_regions_are_plotted(forms, capsys):
    frame, models = forms
    X, y = frame[["a", "b"]], frame["y"]
    for model in models.values():
        tw.show(model)
        assert capsys.readouterr().out.startswith("all rows")
    axes = tw.plot_regions([*models.values(), LogisticRegression().fit(X, y)], X, y, resolution=5)
    assert len(axes) == 7
    plt.close("all")


@pytest.mark.parametrize("name", [*FUNCTIONS, "show", "plot_regions"])
@pytest.mark.parametrize("wrong", [3, None, tw.DecisionTreeClassifier], ids=str)
def test_anything_else_raises_a_type_error(name, wrong):
    others = {"show": tw.show, "plot_regions": lambda model: tw.plot_regions(model, [[0]], [0])}
    function = (FUNCTIONS | others)[name]
    with pytest.raises(TypeError, match=r"must be (a fitted tree|fitted models)"):
        function(wrong)
    plt.close("all")
