"""Pictures and printed tables of bias and variance."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from treewright import DecisionTreeRegressor
from treewright.lab import Mechanism, bias_variance, bias_variance_curve, plot_bias_variance

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("agg")
FIVE = Mechanism(lambda a, b, c, d, e: np.sin(3 * a) + b * c - d * e, 0.3, 5)


def test_pictures():
    one = bias_variance(DecisionTreeRegressor(max_depth=2), "sine", repeats=10, at=50, random_state=0)
    assert len(one.plot()) == 2
    bars = plot_bias_variance({"depth 2": one, "again": one})
    heights = [patch.get_height() for patch in bars.patches]
    np.testing.assert_allclose(heights, np.repeat([one.bias2, one.variance, one.noise], 2))
    depths = {"max_depth": [1, 4]}
    curve = bias_variance_curve(DecisionTreeRegressor(), "sine", depths, repeats=10, random_state=0)
    lines = {line.get_label(): np.asarray(line.get_ydata()) for line in curve.plot().lines}
    np.testing.assert_allclose(lines["expected error"], curve.total)
    np.testing.assert_allclose(lines["bias²"] + lines["variance"] + lines["noise"], curve.total)
    plt.close("all")


def test_a_bias_below_zero_is_no_area():
    flat = Mechanism(lambda x: 0 * x + 1, 1.0)
    one = bias_variance(DecisionTreeRegressor(), flat, n=20, repeats=3, random_state=0)
    assert one.bias2 < 0
    bottoms = [patch.get_y() for patch in plot_bias_variance(one).patches]
    assert bottoms == pytest.approx([0, 0, one.variance])
    layers = one.plot()[1].collections
    assert all(layer.get_paths()[0].vertices[:, 1].min() >= 0 for layer in layers)
    assert layers[0].get_label() == f"bias²: {one.bias2:.3g} on average"
    plt.close("all")


def test_long_names_do_not_overlap():
    one = bias_variance(DecisionTreeRegressor(max_depth=2), "sine", repeats=3, at=5, random_state=0)
    ax = plot_bias_variance({f"a model with the long name {k}": one for k in range(6)})
    assert {label.get_rotation() for label in ax.get_xticklabels()} == {25}
    ax = plot_bias_variance(dict.fromkeys("abcdef", one))
    assert {label.get_rotation() for label in ax.get_xticklabels()} == {0}
    plt.close("all")


def test_a_curve_is_drawn_in_the_order_of_its_values():
    depths = {"max_depth": [7, 1, 3]}
    curve = bias_variance_curve(DecisionTreeRegressor(), "sine", depths, repeats=5, random_state=0)
    x, y = curve.plot().lines[0].get_data()
    assert x.tolist() == [1, 3, 7]
    np.testing.assert_allclose(y, curve.total[[1, 2, 0]])
    plt.close("all")


def test_the_printed_curve_of_a_table():
    depths = {"max_depth": [None]}
    sample = FIVE.sample(40, random_state=0)
    curve = bias_variance_curve(DecisionTreeRegressor(), sample, depths, repeats=9, random_state=0)
    head, columns, *_ = str(curve).splitlines()
    assert head.endswith("; 9 bootstrap samples of 40 rows; least at max_depth=None")
    assert columns.split("  ")[:2] == ["max depth", "bias² + noise"]
    assert set(curve.to_dicts()[0]) == {"max_depth", "bias2", "variance", "noise", "total"}


def test_the_parameter_of_a_curve_is_named_as_it_is():
    with pytest.raises(ValueError, match=r"Got 'maxdepth'\. Did you mean 'max_depth'\?"):
        bias_variance_curve(DecisionTreeRegressor(), "sine", {"maxdepth": [1]})
    line = make_pipeline(PolynomialFeatures(), LinearRegression())
    curve = bias_variance_curve(line, "sine", {"polynomialfeatures__degree": [3]}, repeats=2, at=5)
    assert str(curve).splitlines()[1].startswith("polynomialfeatures__degree  ")
    ax = curve.plot()
    low, high = ax.get_xlim()
    assert [place for place in ax.get_xticks() if low <= place <= high] == [3]
    plt.close("all")
