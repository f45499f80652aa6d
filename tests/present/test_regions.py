"""Decision regions: what is coloured is what the models answer there."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import LinearSVC

from tests.support.pictures import drawn, rows
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.present.drawing.colours import CLASS_COLOURS
from treewright.present.plots.region_drawing import PALEST, STRONGEST
from treewright.present.plots.region_table import region_table
from treewright.present.plots.regions import plot_regions

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")
to_rgb = pytest.importorskip("matplotlib.colors").to_rgb


def picture(ax):
    return ax.get_images()[0].get_array()


@pytest.mark.parametrize("classes", [2, 3])
def test_regions_have_the_colours_of_what_is_predicted(classes):
    X, y = rows(classes=classes)
    models = {
        "small": DecisionTreeClassifier(max_depth=1).fit(X, y),
        "large": DecisionTreeClassifier(max_depth=6).fit(X, y),
        "curved": make_pipeline(PolynomialFeatures(3), LogisticRegression(max_iter=3000)).fit(X, y),
    }
    axs = plot_regions(models, X, y, resolution=40)
    assert [ax.get_title() for ax in axs] == list(models)
    table = region_table(X, None)
    asked = table.grid(40)
    drawn(axs[0])
    for ax, model in zip(axs, models.values(), strict=True):
        places = np.searchsorted(np.unique(y), model.predict(asked))
        hue = np.array([to_rgb(colour) for colour in CLASS_COLOURS])[places]
        strength = (1 - np.asarray(picture(ax)).reshape(-1, 3)) / (1 - hue)
        assert_allclose(strength, strength[:, :1].repeat(3, axis=1))  # the hue of the class, laid over white
        top = model.predict_proba(asked).max(axis=1)
        assert_allclose(strength[:, 0], np.interp(top, [1 / classes, 1], [PALEST, STRONGEST]))
    assert [t.get_text() for t in axs[-1].get_legend().get_texts()] == sorted(set(y))


def test_the_grid_is_asked_in_the_middle_of_what_is_coloured():
    X = np.array([[0.0, 10], [1, 30]])
    table = region_table(X, None)
    grid = table.grid(4)
    (left, right), (low, high) = table.limits(0), table.limits(1)
    assert left < X[:, 0].min() < X[:, 0].max() < right
    assert low < X[:, 1].min() < X[:, 1].max() < high
    step = (right - left) / 4
    assert_allclose(grid[:4, 0], left + step * np.array([0.5, 1.5, 2.5, 3.5]))
    assert_allclose(np.unique(grid[:, 1]), low + (high - low) / 4 * np.array([0.5, 1.5, 2.5, 3.5]))
    assert (grid[:4, 1] == grid[0, 1]).all()
    constant = region_table(np.array([[5.0, np.nan], [5, 2]]), None)
    assert constant.limits(0)[0] < 5 < constant.limits(0)[1]
    assert constant.limits(1)[0] < 2 < constant.limits(1)[1]


def test_edges_are_where_the_class_changes():
    X = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]])
    model = DecisionTreeClassifier().fit(X, X[:, 0] > 0.5)
    ax = plot_regions(model, X, X[:, 0] > 0.5, resolution=100)[0]
    lines = np.array(ax.collections[0].get_segments())
    assert_allclose(lines[:, :, 0], 0.5, atol=0.02)
    assert lines[:, :, 1].min() == pytest.approx(ax.get_ylim()[0])
    assert lines[:, :, 1].max() == pytest.approx(ax.get_ylim()[1])


def test_edges_are_all_changes_and_nothing_else():
    X, y = rows(classes=3)
    model = DecisionTreeClassifier(max_depth=6).fit(X, y)
    ax = plot_regions(model, X, y, resolution=25)[0]
    lines = np.array(ax.collections[0].get_segments())
    region = np.searchsorted(np.unique(y), model.predict(region_table(X, None).grid(25))).reshape(25, 25)
    step = np.array([np.ptp(ax.get_xlim()), np.ptp(ax.get_ylim())]) / 25
    long = np.abs(lines[:, 1] - lines[:, 0]) / step
    wanted = (region[1:] != region[:-1]).sum(), (region[:, 1:] != region[:, :-1]).sum()
    assert_allclose(long.sum(axis=0), wanted)
    corner = (lines[:, 0] - [ax.get_xlim()[0], ax.get_ylim()[0]]) / step
    for (column, row), upright in zip(np.rint(corner).astype(int), long[:, 1] > 0, strict=True):
        beside = (row, column - 1) if upright else (row - 1, column)
        assert region[row, column] != region[beside]


def test_rarer_classes_are_drawn_on_top():
    X, _ = rows()
    y = np.repeat(["few", "many", "some"], [10, 100, 40])
    ax = plot_regions(DecisionTreeClassifier(max_depth=2).fit(X, y), X, y, resolution=10)[0]
    dots = [part for part in ax.collections if len(part.get_offsets()) in {10, 40, 100}]
    assert [len(part.get_offsets()) for part in dots] == [100, 40, 10]
    assert len({part.get_zorder() for part in dots}) == 1  # then they lie in the order of drawing
    assert_allclose(dots[-1].get_offsets(), X[y == "few"])
    assert_allclose(dots[-1].get_facecolor()[0, :3], to_rgb(CLASS_COLOURS[0]))  # the colour goes by the label


def test_no_two_classes_look_alike():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), np.arange(200) % 20
    ax = plot_regions(DecisionTreeClassifier(max_depth=2).fit(X, y), X, y, resolution=10)[0]
    handles = ax.get_legend().legend_handles
    assert len({(tuple(h.get_color()), h.get_marker()) for h in handles}) == 20


def test_frames_are_asked_with_frames_and_other_columns_are_held(frame):
    rng = np.random.default_rng(0)
    columns = {
        "a": rng.normal(size=41), "town": ["x", "y", "y"] * 13 + ["z", "y"], "b": rng.normal(size=41),
        "n": np.arange(41) - 5, "gone": np.where(np.arange(41) % 3, np.nan, 2.5),
    }  # fmt: skip
    table = frame({name: list(values) for name, values in columns.items()})
    y = (columns["a"] + (np.array(columns["town"]) == "y") > 0.5).astype(int)
    model = DecisionTreeClassifier(max_depth=4).fit(table, y)
    asked = region_table(table, ["b", "a"]).grid(5)
    assert type(asked) is type(table)
    held = region_table(table, ["b", "a"])
    assert held.still() == (
        "other columns are held at the median or the most frequent value: town = y, n = 15, gone = 2.5"
    )
    ax = plot_regions(model, table, y, ["b", "a"], resolution=30)[0]
    drawn(ax)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("b", "a")
    assert "town = y" in ax.figure.get_suptitle().replace("\n", " ")
    own = plt.subplots()[1]
    assert "town = y" in plot_regions(model, table, y, (2, 0), ax=own, resolution=30)[0].get_title()
    wanted = model.predict(asked)
    by_hand = frame(
        {
            "a": np.repeat(np.unique(_column(asked, "a")), 5).tolist(), "town": ["y"] * 25,
            "b": np.tile(np.unique(_column(asked, "b")), 5).tolist(), "n": [15] * 25, "gone": [2.5] * 25,
        }
    )  # fmt: skip
    assert_array_equal(wanted, model.predict(by_hand))


def _column(table, name):
    return np.asarray(table[name])


def test_rows_of_a_frame_may_have_any_index():
    pd = pytest.importorskip("pandas")
    X, y = rows()
    columns = {"u": X[:, 0], "kind": pd.Categorical(y), "v": X[:, 1]}
    table = pd.DataFrame(columns, index=np.arange(150)[::-1] * 7)
    asked = region_table(table, ["u", "v"]).grid(3)
    assert asked["kind"].dtype == table["kind"].dtype
    assert not asked.isna().any(axis=None)
    assert len(asked) == 9
    drawn(plot_regions(DecisionTreeClassifier().fit(table, y), table, y, ["u", "v"], resolution=10)[0])


def test_numbers_have_one_scale_for_all_models():
    X, _ = rows()
    y = X[:, 0] * X[:, 1]
    models = [DecisionTreeRegressor(max_depth=3).fit(X, y), LinearRegression().fit(X, y)]
    axs = plot_regions(models, X, y, resolution=20)
    assert [ax.get_title() for ax in axs] == [
        f"tree of depth 3, {models[0].get_n_leaves()} leaves",
        "LinearRegression",
    ]
    asked = region_table(X, None).grid(20)
    drawn(axs[0])
    for ax, model in zip(axs, models, strict=True):
        assert_allclose(np.asarray(picture(ax)).ravel(), model.predict(asked))
    limits = {ax.get_images()[0].get_clim() for ax in axs}
    assert limits == {(y.min(), y.max())}


@pytest.mark.parametrize(("factor", "extend"), [(1, "neither"), (50, "both")])
def test_answers_beyond_the_scale_of_y_are_shown_as_such(factor, extend):
    X, _ = rows()
    y = X[:, 0]
    model = DecisionTreeRegressor(max_depth=3).fit(X, factor * y)
    ax = plot_regions(model, X, y, resolution=20)[0]
    assert ax.get_images()[0].colorbar.extend == extend


def test_many_models_names_and_models_without_probabilities():
    X, y = rows()
    tree = DecisionTreeClassifier(max_depth=1).fit(X, y)
    axs = plot_regions([tree, tree, LinearSVC().fit(X, y), tree, tree], X, y, resolution=10, points=False)
    wanted = ["tree of depth 1, 2 leaves", "tree of depth 1, 2 leaves (2)", "LinearSVC"]
    assert [ax.get_title() for ax in axs][:3] == wanted
    assert len(axs) == len(axs[0].figure.axes) == 5
    assert len(plot_regions(dict.fromkeys(range(4), tree), X, y, resolution=10)) == 4


def test_sparse_tables_and_costs():
    sparse = pytest.importorskip("scipy.sparse")
    X, y = rows()
    costs = [[0, 1], [50, 0]]
    model = DecisionTreeClassifier(max_depth=2, costs=costs).fit(sparse.csr_matrix(X), y)
    drawn(plot_regions(model, sparse.csr_matrix(X), y, resolution=20)[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": ["a", "b"]}, "features must be one or two columns of X, by name or number. Got"),
        ({"features": [0, 0]}, "features must be one or two columns of X"),
        ({"features": []}, "features must be one or two columns of X"),
        ({"features": 1.5}, "features must be one or two columns of X, by name or number. Got 1.5"),
        ({"models": KMeans(2)}, "models must predict classes or numbers. Got KMeans"),
        ({"X": np.zeros((150, 3))}, "features must name the one or two columns to draw, since X has 3"),
        ({"X": np.zeros((150, 0))}, "X must be a table with rows and columns. Got shape"),
        ({"y": ["no"]}, r"y must have one entry per row of X: shape \(150,\). Got shape \(1,\)"),
        ({"resolution": 1}, "resolution must be an int from 2 to 447. Got 1"),
        ({"resolution": 1000}, "resolution must be an int from 2 to 447. Got 1000"),
        ({"models": []}, "models must have at least one fitted estimator. Got none"),
        ({"X": np.full((150, 1), np.nan)}, "columns to draw must hold numbers. Got only missing values in"),
        ({"y": np.arange(150) > 7}, "y must hold labels such as those of the models, .*. Got False"),
        ({"models": "poly"}, r"models must be .* names: .*'svm'.* Got 'poly'."),
        ({"X": np.array([["a", "b"]] * 150, dtype=object)}, "columns to draw must hold numbers. Got object"),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, message):
    X, y = rows()
    asked = {"models": DecisionTreeClassifier(max_depth=1).fit(X, y), "X": X, "y": y} | change
    with pytest.raises(ValueError, match=message):
        plot_regions(**asked)


def test_kinds_and_axes_that_do_not_fit_are_refused():
    X, y = rows()
    tree, numbers = DecisionTreeClassifier(max_depth=1).fit(X, y), DecisionTreeRegressor().fit(X, X[:, 0])
    with pytest.raises(ValueError, match=r"all predict classes, or all numbers. Got both"):
        plot_regions([tree, numbers], X, y)
    with pytest.raises(ValueError, match=r"ax must be 1 matplotlib axes, one per model. Got 2"):
        plot_regions(tree, X, y, ax=plt.subplots(1, 2)[1])
    with pytest.raises(ValueError, match=r"models must predict one output. Got 2 from DecisionTreeRegressor"):
        plot_regions(DecisionTreeRegressor().fit(X, X), X, X[:, 0])
