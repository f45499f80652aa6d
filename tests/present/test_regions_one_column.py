"""Decision regions over one column, and of models that are given by name."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import LinearSVC

from tests.support.pictures import drawn, rows
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.present.plots.region_table import region_table
from treewright.present.plots.regions import plot_regions

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")


def test_numbers_over_one_column_are_curves_through_the_rows():
    X, _ = rows()
    y = np.cos(X[:, 0])
    models = [DecisionTreeRegressor(max_depth=2).fit(X[:, :1], y), "least squares"]
    axs = plot_regions(models, X[:, :1], y, resolution=50)
    assert [ax.get_title() for ax in axs] == ["tree of depth 2, 4 leaves", "least squares"]
    table = region_table(X[:, :1], None)
    for ax in axs:
        drawn(ax)
        assert_allclose(ax.collections[0].get_offsets(), np.column_stack([X[:, 0], y]))
    steps = axs[0].lines[0]
    assert_allclose(steps.get_xdata(), table.grid(250)[:, 0])
    assert_allclose(steps.get_ydata(), models[0].predict(table.grid(250)))
    line = LinearRegression().fit(X[:, :1], y)
    assert_allclose(axs[1].lines[0].get_ydata(), line.predict(table.grid(250)))


def test_a_curve_far_beyond_the_rows_does_not_squeeze_them():
    x = np.linspace(0, 1, 30)[:, None]
    wild = make_pipeline(PolynomialFeatures(1), LinearRegression()).fit(x, 1000 * x[:, 0])
    ax = plot_regions(wild, x, x[:, 0], resolution=20)[0]
    assert ax.get_ylim() == pytest.approx((-0.55, 1.55))


@pytest.mark.parametrize("classes", [2, 3])
def test_classes_over_one_column_are_bands_with_their_probabilities(classes):
    X, y = rows(classes=classes)
    model = LogisticRegression().fit(X[:, :1], y)
    axs = plot_regions({"curve": model, "no curve": LinearSVC().fit(X[:, :1], y)}, X[:, :1], y, resolution=20)
    grid = region_table(X[:, :1], None).grid(100)
    assert drawn(axs[0]) == []
    assert drawn(axs[1]) == sorted(set(y))
    shares = model.predict_proba(grid).T[-1:] if classes == 2 else model.predict_proba(grid).T
    assert_allclose([line.get_ydata() for line in axs[0].lines], shares)
    assert not axs[1].lines
    assert axs[0].get_ylabel() == ("probability of yes" if classes == 2 else "probability of each class")
    dots = np.concatenate([part.get_offsets() for part in axs[0].collections])
    assert_array_equal(np.sort(dots[:, 0]), np.sort(X[:, 0]))
    assert ((dots[:, 1] < 0) | (dots[:, 1] > 1)).all()  # beside the curves, not on them


def test_one_of_many_columns_holds_the_others():
    X, y = rows()
    ax = plot_regions(DecisionTreeClassifier(max_depth=3).fit(X, y), X, y, 1, resolution=20)[0]
    assert ax.get_xlabel() == "feature_1"
    assert "feature_0 = " in ax.figure.get_suptitle()


def test_a_value_that_is_held_stands_beside_its_name():
    X, y = rows()
    for width in range(3, 9):
        wide = np.column_stack([X, np.zeros((150, width - 2))])
        model = DecisionTreeClassifier(max_depth=3).fit(wide, y)
        said = plot_regions(model, wide, y, 1, resolution=5)[0].figure.get_suptitle().splitlines()
        assert not any(line.endswith((" =", "feature_0")) for line in said)


def test_one_column_will_do():
    X, y = rows()
    model = DecisionTreeClassifier(max_depth=2).fit(X[:, :1], y)
    wanted = plot_regions(model, X[:, :1], y, resolution=5)[0]
    ax = plot_regions(model, X[:, 0], y[:, None], resolution=5)[0]
    assert ax.get_xlabel() == wanted.get_xlabel() == "feature_0"
    assert_allclose(ax.lines[0].get_data(), wanted.lines[0].get_data())
    pd = pytest.importorskip("pandas")
    age = pd.Series(X[:, 0], name="age")
    model = DecisionTreeClassifier(max_depth=2).fit(age.to_frame(), y)
    assert plot_regions(model, age, y, resolution=5)[0].get_xlabel() == "age"


@pytest.mark.parametrize(
    ("kind", "y", "message"),
    [
        ("numbers", [np.nan] + [1.0] * 149, "y must be known for every row. Got 1 missing of 150"),
        ("numbers", [np.inf] + [1.0] * 149, "y must hold finite numbers, .* Got inf"),
        ("numbers", ["no"] * 150, "y must hold finite numbers, .* Got 'no'"),
        ("classes", [None] + ["no"] * 149, "y must be known for every row. Got 1 missing of 150"),
        ("classes", np.array(["no", 3] * 75, object), "y must hold labels such as .*, 'no'. Got 3"),
        ("halves", [np.nan] + [0.0, 1.0] * 74 + [0.0], "y must be known for every row. Got 1 missing of 150"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("columns", [1, 2])
def test_targets_that_cannot_be_drawn(kind, y, message, columns):
    X, labels = rows()
    trees = {
        "numbers": DecisionTreeRegressor(max_depth=1).fit(X[:, :columns], X[:, 0]),
        "classes": DecisionTreeClassifier(max_depth=1).fit(X[:, :columns], labels),
        "halves": DecisionTreeClassifier(max_depth=1).fit(X[:, :columns], (labels == "no") * 1.0),
    }
    with pytest.raises(ValueError, match=message):
        plot_regions(trees[kind], X[:, :columns], y, resolution=5)


# -- models by name


def test_models_by_name_are_fitted_on_the_rows(frame):
    X, y = rows()
    table = frame({"u": X[:, 0].tolist(), "v": X[:, 1].tolist(), "town": ["a", "b", "c"] * 50})
    names = ["logistic", "polynomial-logistic", "svm", "naive bayes", "knn"]
    axs = plot_regions(names, table, y, ["u", "v"], resolution=10)
    assert [ax.get_title() for ax in axs] == [
        "logistic regression", "logistic regression, degree 2", "SVM, RBF kernel", "naive Bayes",
        "nearest neighbours",
    ]  # fmt: skip
    drawn(axs[0])
    assert [ax.get_title() for ax in plot_regions({"mine": "svm"}, X, y, resolution=5)] == ["mine"]
    whole = np.arange(150) % 3  # few whole numbers may be classes or numbers
    assert plot_regions("least squares", X, whole, resolution=5)[0].get_title() == "least squares"
    with pytest.raises(ValueError, match=r"must predict classes, as the target has. Got 'lasso'"):
        plot_regions("lasso", X, y)
