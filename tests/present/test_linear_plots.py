"""The plots of `treewright.linear`: coefficient paths and norm balls."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, Ridge

from tests.support.pictures import drawn
from treewright.linear import plot_coefficient_paths, plot_norm_balls
from treewright.present.plots.coefficient_paths import coefficient_paths
from treewright.present.plots.norm_balls import nearest_in_ball, unit_ball

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")


def rows(n=80, width=5):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, width))
    return (X - X.mean(axis=0)) / X.std(axis=0), X @ [3, -2, 1, 0, 0] + rng.normal(size=n)


@pytest.mark.parametrize(
    ("penalty", "model"),
    [
        ("lasso", lambda alpha: Lasso(alpha=alpha, tol=1e-8, max_iter=50_000)),
        ("elastic net", lambda alpha: ElasticNet(alpha=alpha, l1_ratio=0.5, tol=1e-8, max_iter=50_000)),
        ("ridge", lambda alpha: Ridge(alpha=alpha)),
    ],
)
def test_paths_are_the_coefficients_of_scikit_learn(penalty, model):
    X, y = rows()
    alphas, coefficients, chosen = coefficient_paths(X, y, penalty)
    assert (np.diff(alphas) > 0).all()
    for k in (0, 40, 70, 99):
        assert_allclose(coefficients[:, k], model(alphas[k]).fit(X, y).coef_, atol=2e-3)
    assert alphas[0] <= chosen <= alphas[-1]
    assert_allclose(coefficients[:, 0], LinearRegression().fit(X, y).coef_, atol=0.01)


def test_a_lasso_ends_at_0_and_ridge_does_not():
    X, y = rows()
    _, lasso, _ = coefficient_paths(X, y, "lasso")
    _, ridge, _ = coefficient_paths(X, y, "ridge")
    assert not lasso[:, -1].any()
    assert ((lasso == 0).sum(axis=0)[:-1] <= (lasso == 0).sum(axis=0)[1:]).mean() > 0.9
    assert ridge[:, -1].all()


def test_paths_are_drawn_with_the_largest_coefficients_first(frame):
    X, y = rows()
    table = frame({name: X[:, j].tolist() for j, name in enumerate("abcde")})
    ax = plot_coefficient_paths(table, y)
    assert drawn(ax)[:3] == ["a", "b", "c"]
    assert drawn(ax)[-1] == "least error in cross-validation"
    assert ax.get_title() == "Coefficients of a lasso"
    many = plot_coefficient_paths(np.random.default_rng(0).normal(size=(40, 20)), np.arange(40), "ridge")
    assert len(drawn(many)) == 13


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"penalty": "l1"}, r"penalty must be one of 'lasso', 'ridge', 'elastic net'. Got 'l1'"),
        ({"y": ["a"] * 80}, r"y must hold numbers. Got 'a'"),
        ({"X": [["a"]] * 80}, r"X must hold numbers. Got .* in 'x0'"),
        ({"X": np.zeros((5, 1)), "y": np.zeros(5)}, r"at least 10 rows for cross-validation. Got 5"),
    ],
)
def test_bad_input_of_paths_is_refused(change, message):
    X, y = rows()
    with pytest.raises(ValueError, match=message):
        plot_coefficient_paths(**({"X": X, "y": y} | change))


def test_constant_columns_have_no_path():
    X, y = rows()
    X[:, 1] = 7
    for penalty in ("lasso", "ridge", "elastic net"):
        lines = plot_coefficient_paths(X, y, penalty).lines
        assert all(np.isfinite(line.get_ydata()).all() for line in lines)


# -- norm balls


def test_the_lasso_touches_its_ball_at_a_corner_and_ridge_does_not():
    optimum = np.array([0.5, 1.8])
    assert nearest_in_ball(1, optimum).tolist() == [0.0, 1.0]
    assert_allclose(nearest_in_ball(2, optimum), optimum / np.linalg.norm(optimum), atol=1e-3)
    assert nearest_in_ball(3, optimum)[0] > nearest_in_ball(2, optimum)[0] > 0
    assert_allclose(nearest_in_ball(np.inf, optimum), [0.5, 1], atol=1e-3)
    inside = np.array([0.1, 0.2])
    assert nearest_in_ball(1, inside).tolist() == inside.tolist()


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, np.inf])
def test_the_edge_of_a_ball_has_norm_1(p):
    edge = unit_ball(p)
    assert_allclose(np.linalg.norm(edge, p, axis=1), 1)
    for corner in ([1, 0], [0, 1], [-1, 0], [0, -1]):
        assert (edge == corner).all(axis=1).any()


def test_balls_are_drawn_one_beside_the_other():
    axs = plot_norm_balls()
    assert [ax.get_title() for ax in axs] == ["lasso: |w₁| + |w₂| ≤ 1", "ridge: w₁² + w₂² ≤ 1", "p = 3"]
    for ax in axs:
        drawn(ax)
    assert plot_norm_balls(2, (0.1, 0.2), ax=plt.subplots()[1])[0].get_title().startswith("ridge")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"p": [0.5]}, r"p must be numbers of at least 1: below 1 there is no norm. Got \[0.5\]"),
        ({"p": []}, "p must be numbers of at least 1"),
        ({"p": "two"}, "p must be numbers of at least 1"),
        ({"optimum": (1, 2, 3)}, r"optimum must be two finite numbers. Got \(1, 2, 3\)"),
        ({"optimum": (1, np.nan)}, "optimum must be two finite numbers"),
    ],
)
def test_bad_input_of_balls_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        plot_norm_balls(**change)


def test_axes_must_fit_the_balls():
    with pytest.raises(ValueError, match=r"ax must be 3 matplotlib axes, one per p. Got 1"):
        plot_norm_balls(ax=plt.subplots()[1])
