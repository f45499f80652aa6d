"""Least squares and total least squares: the closed forms, their properties, and bad input."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import linalg, stats
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.utils.estimator_checks import check_estimator

from treewright.linear import TotalLeastSquares, least_squares


def rows(n=60, width=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, width)) @ rng.normal(size=(width, width)) + 3
    return X, X @ np.arange(1, width + 1) - 2 + rng.normal(size=n)


def test_one_column_is_covariance_over_variance():
    X, y = rows(width=1)
    found = least_squares(X, y)
    b = np.cov(X[:, 0], y)[0, 1] / np.var(X, ddof=1)
    assert_allclose(found.coefficients, [b])
    assert found.intercept == pytest.approx(y.mean() - b * X.mean())
    known = stats.linregress(X[:, 0], y)
    assert_allclose(found.standard_errors, [known.intercept_stderr, known.stderr])
    assert found.r2 == pytest.approx(known.rvalue**2)
    assert found.residuals.sum() == pytest.approx(0, abs=1e-10)
    assert_allclose(least_squares(X[:, 0], y).coefficients, found.coefficients)
    row = found.to_dicts()[1]
    assert row["cov / var"] == pytest.approx(row["coefficient"])
    assert "b = cov(x, y) / var(x) = " in str(found)
    assert "a = mean(y) − b mean(x) = " in str(found)


def test_several_columns_are_the_normal_equations_in_homogeneous_coordinates():
    X, y = rows()
    found = least_squares(X, y)
    homogeneous = np.column_stack([np.ones(len(X)), X])
    inverse = np.linalg.inv(homogeneous.T @ homogeneous)
    weights = inverse @ homogeneous.T @ y
    assert_allclose([found.intercept, *found.coefficients], weights)
    residuals = y - homogeneous @ weights
    assert_allclose(found.residuals, residuals, atol=1e-12)
    assert_allclose(found.standard_errors, np.sqrt(np.diag(inverse) * (residuals @ residuals) / (60 - 4)))
    assert_allclose(found.predict(X), y - residuals)
    centred = X - X.mean(axis=0)
    assert_allclose(found.centred, centred)
    assert_allclose(found.scatter, centred.T @ centred)
    assert_allclose(found.covariance, np.cov(X.T))
    assert found.rank == 3


def test_uncorrelated_columns_have_the_coefficients_of_one_column_each():
    grid = np.array([[a, b] for a in (-1.0, 0, 2) for b in (1.0, 5, 7, 8)])
    y = np.random.default_rng(0).normal(size=len(grid))
    both = least_squares(grid, y)
    assert both.covariance[0, 1] == pytest.approx(0)
    assert_allclose(both.coefficients, [least_squares(grid[:, j], y).coefficients[0] for j in range(2)])


def test_shifting_a_column_changes_the_intercept_alone():
    X, y = rows()
    found, shifted = least_squares(X, y), least_squares(X + np.array([5, -3, 100]), y)
    assert_allclose(shifted.coefficients, found.coefficients)
    assert shifted.intercept == pytest.approx(found.intercept - found.coefficients @ [5, -3, 100])
    assert least_squares(X - X.mean(axis=0), y).intercept == pytest.approx(y.mean())


def test_of_unit_variance_the_coefficient_is_the_covariance():
    X, y = rows(width=1)
    unit = X / X.std(ddof=1)
    assert_allclose(least_squares(unit, y).coefficients, [np.cov(unit[:, 0], y)[0, 1]])


def test_least_squares_is_the_maximum_likelihood_under_normal_noise():
    X, y = rows(width=1)
    found = least_squares(X, y)

    def likelihood(intercept, slope):
        return stats.norm.logpdf(y, intercept + slope * X[:, 0]).sum()

    best = likelihood(found.intercept, found.coefficients[0])
    steps = [(da, db) for da in (-1e-3, 0, 1e-3) for db in (-1e-3, 0, 1e-3) if da or db]
    assert all(likelihood(found.intercept + da, found.coefficients[0] + db) < best for da, db in steps)


def test_a_target_of_minus_one_and_one_makes_a_classifier():
    X = np.array([[0.0], [1], [2], [7], [8], [9]])
    found = least_squares(X, [-1, -1, -1, 1, 1, 1])
    assert np.sign(found.predict(X)).tolist() == [-1, -1, -1, 1, 1, 1]
    assert found.predict([[4.5]]) == pytest.approx(0)


def test_collinear_columns_have_a_warning_and_shrinkage_makes_them_unique():
    x, y = [-1, 0, 1], [-2, 0, 2]
    with pytest.warns(UserWarning, match=r"rank 1 of 2 columns\): 'x1' is a linear combination"):
        found = least_squares(np.column_stack([x, x]), y)
    assert found.rank == 1
    assert_allclose(found.scatter, [[2, 2], [2, 2]])
    assert_allclose(found.coefficients, [1, 1])
    assert np.isnan(found.standard_errors[1:]).all()
    shrunk = least_squares(np.column_stack([x, x]), y, shrinkage=1)  # no warning
    assert_allclose(shrunk.coefficients, [0.8, 0.8])
    assert shrunk.rank == 1


def test_shrinkage_is_ridge_regression():
    X, y = rows()
    for shrinkage in (0.1, 5.0, 1e6):
        found, known = least_squares(X, y, shrinkage), Ridge(alpha=shrinkage).fit(X, y)
        assert_allclose(found.coefficients, known.coef_)
        assert found.intercept == pytest.approx(known.intercept_)
        inverse = np.linalg.inv(found.scatter + shrinkage * np.eye(3))
        assert_allclose(found.coefficients, inverse @ found.centred.T @ y)
        wanted = found.noise**2 * np.diag(inverse @ found.scatter @ inverse)
        assert_allclose(found.standard_errors[1:], np.sqrt(wanted))
        assert found.degrees_of_freedom == pytest.approx(59 - np.trace(inverse @ found.scatter))
    assert "λI" in str(found)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_units_do_not_change_predictions(scale):
    X, y = rows()
    found = least_squares(X * [scale, 1, 1 / scale], y)
    wanted = linalg.lstsq(np.column_stack([np.ones(60), X]), y)[0]
    assert_allclose(found.coefficients * [scale, 1, 1 / scale], wanted[1:], rtol=1e-8)
    assert found.rank == 3


def test_nearly_collinear_columns_are_solved_as_by_qr():
    X, y = rows()
    X[:, 2] = X[:, 0] + 1e-5 * X[:, 2]
    found = least_squares(X, y)
    assert found.rank == 3
    Q, R = np.linalg.qr(X - X.mean(axis=0))
    assert_allclose(found.coefficients, linalg.solve_triangular(R, Q.T @ (y - y.mean())), rtol=1e-8)


def test_fewer_rows_than_columns_and_constant_columns_stay_finite():
    X, y = rows(n=4, width=6)
    with pytest.warns(UserWarning, match="rank 3 of 6 columns"):
        found = least_squares(X, y)
    assert_allclose(found.residuals, 0, atol=1e-10)
    assert "no degrees of freedom are left" in str(found)
    X, y = rows()
    X[:, 1] = 0.1
    with pytest.warns(UserWarning, match=r"rank 2 of 3 columns\): 'x1' is constant"):
        found = least_squares(X, y)
    assert found.coefficients[1] == 0
    assert_allclose(found.coefficients[[0, 2]], LinearRegression().fit(X[:, [0, 2]], y).coef_)
    assert np.isnan(found.standard_errors[[0, 2]]).all()  # the intercept may be any, too
    assert np.isfinite(found.standard_errors[[1, 3]]).all()
    with pytest.warns(UserWarning, match=r"rank 0 of 1 column\): 'x' is constant"):
        alone = least_squares([5, 5, 5], [1, 2, 6])
    assert alone.intercept == 3
    assert "The column is constant, so the prediction is mean(y)." in str(alone)


def test_names_come_from_the_table(frame):
    X, y = rows(width=2)
    found = least_squares(frame({"age": X[:, 0].tolist(), "weight": X[:, 1].tolist()}), y)
    assert found.feature_names == ("age", "weight")
    assert found.equation.startswith("y = ")
    assert " age" in found.equation
    assert found.to_frame().shape == (3, 7)
    assert "<table>" in found._repr_html_()
    other = frame({"more": [0.0, 0.0], "weight": [1.0, 2.0], "age": [5.0, 7.0]})
    assert_allclose(found.predict(other), found.predict([[5, 1], [7, 2]]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shrinkage": -1}, r"shrinkage must be a float in \[0, inf\). Got -1"),
        ({"shrinkage": "much"}, r"shrinkage must be a float in \[0, inf\). Got 'much'"),
        ({"X": [["a"], ["b"], ["c"]]}, r"X must hold numbers. Got .* in 'x0'. Leave the column out"),
        ({"X": [[1], [np.nan], [2]]}, r"finite numbers. Got a missing value in 'x0', row 1"),
        ({"X": [[1], [2], [np.inf]]}, r"finite numbers. Got an infinite number in 'x0', row 2"),
        ({"X": np.zeros((3, 0))}, r"at least one row and one column. Got shape \(3, 0\)"),
        ({"X": np.zeros((3, 1, 1))}, r"X must be a table, or one column of numbers. Got 3 dimensions"),
        ({"X": [[1]], "y": [1]}, "X must have at least 2 rows for a line. Got 1"),
        ({"y": [1, 2]}, r"y must have one number per row of X: shape \(3,\). Got shape \(2,\)"),
        ({"y": ["a", "b", "a"]}, "y must hold numbers. Got 'a'. Of two classes make -1 and 1"),
        ({"y": [1, np.nan, 2]}, "y must hold finite numbers. Got nan in row 1"),
    ],
)
def test_bad_input_of_least_squares_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        least_squares(**({"X": [[1], [2], [4]], "y": [1, 2, 3]} | change))


def test_predict_needs_the_same_columns():
    with pytest.raises(ValueError, match=r"X must have 1 column. Got 2"):
        least_squares([1, 2, 3], [1, 2, 3]).predict([[1, 2]])


# -- total least squares


def test_total_least_squares_passes_the_checks_of_scikit_learn():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some of its tables have no unique plane
        check_estimator(TotalLeastSquares())


def test_of_one_column_the_line_is_the_first_principal_axis():
    X, y = rows(width=1)
    found = TotalLeastSquares().fit(X, y)
    values, vectors = np.linalg.eigh(np.cov(X[:, 0], y))
    assert found.coef_[0] == pytest.approx(vectors[1, 1] / vectors[0, 1])
    assert found.intercept_ == pytest.approx(y.mean() - found.coef_[0] * X.mean())
    assert found.distance_ == pytest.approx(np.sqrt(values[0] * 59))


def test_the_sum_of_distances_to_the_plane_is_least():
    X, y = rows(width=2)
    found = TotalLeastSquares().fit(X, y)

    def distance(intercept, weights):
        return np.linalg.norm((y - intercept - X @ weights) / np.sqrt(1 + weights @ weights))

    assert distance(found.intercept_, found.coef_) == pytest.approx(found.distance_)
    rng = np.random.default_rng(0)
    for step in rng.normal(scale=1e-3, size=(50, 3)):
        assert distance(found.intercept_ + step[0], found.coef_ + step[1:]) > found.distance_


def test_x_and_y_may_change_places_unlike_in_least_squares():
    X, y = rows(width=1)
    forth = TotalLeastSquares().fit(X, y).coef_[0]
    back = TotalLeastSquares().fit(y[:, None], X[:, 0]).coef_[0]
    assert forth * back == pytest.approx(1)
    ordinary = least_squares(X, y).coefficients[0] * least_squares(y, X[:, 0]).coefficients[0]
    assert ordinary == pytest.approx(least_squares(X, y).r2) != 1


def test_noise_in_x_weakens_least_squares_and_not_total_least_squares():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200_000)  # no matrix of rows times rows fits into memory
    seen, y = x + rng.normal(scale=0.5, size=len(x)), 2 * x + rng.normal(scale=0.5, size=len(x))
    assert least_squares(seen, y).coefficients[0] == pytest.approx(2 / 1.25, abs=0.02)
    assert TotalLeastSquares().fit(seen[:, None], y).coef_[0] == pytest.approx(2, abs=0.03)


def test_a_plane_that_is_not_unique_has_a_warning():
    x = np.array([-1.0, 0, 1])
    with pytest.warns(UserWarning, match="not unique"):
        found = TotalLeastSquares().fit(np.column_stack([x, x]), 2 * x)
    assert_allclose(found.coef_, [1, 1])
    square = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])
    with pytest.warns(UserWarning, match="not unique"):
        assert_allclose(TotalLeastSquares().fit(square[:, :1], square[:, 1]).coef_, [0], atol=1e-9)


def test_without_an_intercept_the_plane_passes_through_the_origin():
    found = TotalLeastSquares(fit_intercept=False).fit([[1], [2], [3]], [2, 4, 6])
    assert found.intercept_ == 0
    assert_allclose(found.predict([[0], [5]]), [0, 10])
    with pytest.raises(ValueError, match=r"fit_intercept must be True or False. Got 'no'"):
        TotalLeastSquares(fit_intercept="no").fit([[1], [2]], [1, 2])
