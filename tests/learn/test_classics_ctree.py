"""ctree as a classic: recorded trees, every node against the definition of the tests, and its options."""

import numpy as np
import pytest

from tests.oracle.permutation import maximum, quadratic, transformed
from tests.support.golden import cases_of
from tests.support.golden_ctree import differences
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, export_text, load, prune
from treewright.learn.classics import ctree, like

pd = pytest.importorskip("pandas")


def table(seed, classes, n=150):
    """Numbers, few whole numbers and levels with missing values, a target and weights."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"number": rng.normal(size=n).round(1), "whole": rng.integers(0, 4, n) + 0.0})
    level = rng.integers(0, 4, n)
    frame["level"] = pd.Categorical.from_codes(level, list("abcd"))
    score = frame["number"] + np.array([0.0, 2.0, 0.0, 1.0])[level] + rng.normal(0, 0.7, n)
    frame.loc[rng.random(n) < 0.15, "number"] = np.nan
    frame.loc[rng.random(n) < 0.15, "level"] = None
    y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes)) if classes else score.round(1)
    return frame, np.asarray(y), rng.integers(1, 4, n).astype(float)


def influence(y, classes):
    return transformed(y, classes).astype(float)


def values(frame, name):
    column = frame[name]
    codes = column.cat.codes.to_numpy(float) if name == "level" else column.to_numpy(float)
    return np.where(column.isna(), np.nan, codes), 4 if name == "level" else 0


@pytest.mark.recorded
@pytest.mark.parametrize("path", cases_of("ctree"), ids=lambda path: path.stem)
def test_the_tree_and_all_that_was_recorded_of_it(path):
    assert differences(path) == []


@pytest.mark.parametrize("classes", [0, 2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_every_node_is_as_the_definition_says(seed, classes):
    frame, y, weight = table(seed, classes)
    task = "classification" if classes else "regression"
    model = ctree(task, maxsurrogate=seed % 3, minbucket=5, alpha=0.2)
    model.fit(frame, y, sample_weight=weight)
    tree, path = model.tree_, model.decision_path(frame).toarray().astype(bool)
    assert tree.node_count > 1
    for node in np.flatnonzero(tree.weighted_n_node_samples >= 20):
        rows = path[:, node]
        tests = []
        for name in frame:
            column, n_levels = values(frame, name)
            known = rows & ~np.isnan(column)
            g = transformed(column[known], n_levels)
            tests.append(quadratic(g, influence(y[known], classes), weight[known]))
        statistic, p_value = np.transpose(tests)
        n_tests = np.isfinite(statistic).sum()
        np.testing.assert_allclose(tree.test_statistic[node], statistic, 1e-8)
        with np.errstate(divide="ignore"):
            adjusted = -np.expm1(n_tests * np.log1p(-p_value))
        np.testing.assert_allclose(tree.p_value[node], adjusted, 1e-7)
        if tree.is_leaf[node]:
            continue
        assert tree.feature[node] == np.nanargmin(p_value)
        assert np.nanmin(tree.p_value[node]) < 0.2
        column, n_levels = values(frame, frame.columns[tree.feature[node]])
        known = rows & ~np.isnan(column)
        h, least = influence(y[known], classes), max(5, 0.01 * weight[rows].sum())
        check_cut(tree.test(node), column[known], n_levels, h, weight[known], least=least)


def check_cut(test, column, n_levels, h, w, *, least):
    """No other cut with enough rows on both sides tells them better apart."""
    sides = [column <= cut for cut in np.unique(column)]
    if n_levels:
        sides = [(k >> column.astype(int)) & 1 == 1 for k in range(1, 2**n_levels - 1)]
    found = [
        quadratic(side[:, None].astype(float), h, w)[0]
        for side in sides
        if min(w[side].sum(), w[~side].sum()) >= least
    ]
    chosen = np.isin(column, test.levels[0]) if n_levels else column <= test.threshold
    assert test.levels or test.threshold in column
    assert min(w[chosen].sum(), w[~chosen].sum()) >= least
    assert quadratic(chosen[:, None].astype(float), h, w)[0] == pytest.approx(max(found), 1e-9)


@pytest.mark.parametrize("classes", [0, 2, 3])
def test_the_greatest_entry_in_place_of_a_sum_of_squares(classes):
    frame, y, weight = table(3, classes)
    task = "classification" if classes else "regression"
    tree = ctree(task, teststat="maximum", testtype="Univariate", stump=True).fit(frame, y, weight).tree_
    for place, name in enumerate(frame):
        column, n_levels = values(frame, name)
        known = ~np.isnan(column)
        found = maximum(transformed(column[known], n_levels), influence(y[known], classes), weight[known])
        assert tree.test_statistic[0, place] == pytest.approx(found[0], 1e-9)
        assert tree.p_value[0, place] == pytest.approx(found[1], abs=4e-3)


def test_the_smallest_p_values_are_exact_and_zeros_are_ranked_by_the_statistic():
    from scipy.stats import chi2

    rng = np.random.default_rng(1)
    y = rng.normal(size=1200)
    X = np.column_stack([y + rng.normal(0, noise, 1200) for noise in (0.3, 0.2, 1.2)])
    tree = ctree("regression", testtype="Univariate", stump=True).fit(X[:, 2:], y).tree_
    assert tree.p_value[0, 0] == pytest.approx(chi2.sf(tree.test_statistic[0, 0], 1), 1e-9)
    assert tree.p_value[0, 0] < 1e-80
    y, X = np.tile(y, 3), np.tile(X, (3, 1))
    tree = ctree("regression", stump=True).fit(X, y).tree_
    assert tree.p_value[0, :2].tolist() == [0, 0]
    assert tree.feature[0] == 1


def test_a_weight_is_so_many_rows():
    frame, y, weight = table(2, 3)
    rows = np.repeat(np.arange(len(y)), weight.astype(int))
    weighted = ctree(alpha=0.2).fit(frame, y, sample_weight=weight)
    repeated = ctree(alpha=0.2).fit(frame.iloc[rows], y[rows])
    np.testing.assert_allclose(weighted.tree_.p_value, repeated.tree_.p_value, 1e-8)
    np.testing.assert_allclose(weighted.predict_proba(frame), repeated.predict_proba(frame))


def test_threads_and_the_order_of_columns_change_nothing():
    frame, y, _ = table(0, 3, n=6000)
    one = ctree().set_params(n_jobs=1).fit(frame, y).tree_
    assert one.node_count > 7
    assert ctree().set_params(n_jobs=3).fit(frame, y).tree_ == one
    turned = ctree().fit(frame[frame.columns[::-1]], y).tree_
    np.testing.assert_allclose(turned.p_value[:, ::-1], one.p_value)


def test_p_values_are_shown_kept_and_saved(tmp_path):
    frame, y, _ = table(4, 2)
    model = ctree(alpha=0.5).fit(frame, y)
    text = export_text(model)
    assert text.count("(p ") == (~model.tree_.is_leaf).sum()
    model.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert again.tree_ == model.tree_
    assert export_text(again) == text
    pruned = prune(model, "cost_complexity", alpha=1e9).tree_
    np.testing.assert_array_equal(pruned.p_value, model.tree_.p_value[:1])


def test_options_are_parameters_that_anyone_can_give():
    frame, y, _ = table(5, 3)
    rules = {"choice": "permutation_test", "alpha": 0.01, "min_share": 0.01, "max_surrogates": 0}
    sizes = {"min_samples_split": 20, "min_samples_leaf": 7}
    free = DecisionTreeClassifier(missing="surrogate", thresholds="observed", growth_rules=rules, **sizes)
    assert free.fit(frame, y).tree_ == like("ctree alpha=0.01").fit(frame, y).tree_
    assert ctree(mincriterion=0.99).growth_rules["alpha"] == pytest.approx(0.01)
    assert ctree(stump=True, majority=True, maxdepth="Inf", cores=2, multiway=False).max_depth == 1
    assert isinstance(like("ctree testtype=Univariate", "regression"), DecisionTreeRegressor)
    strict = ctree(testtype="Teststatistic", mincriterion=30).fit(frame, y).tree_
    inner = ~strict.is_leaf
    assert inner.any()
    assert (strict.test_statistic[inner].max(axis=1) > 30).all()


def test_a_column_without_an_admissible_cut_gives_way_to_the_next():
    y = np.r_[np.zeros(30), np.ones(30)] + np.tile([0, 0.01], 30)
    first = np.where(np.arange(60) == 59, 1000.0, 0.0)  # one row apart from the rest
    second = np.r_[np.zeros(29), np.ones(31)] + np.tile([0, 0.5], 30)
    X = np.column_stack([first, second])
    rules = ctree("regression", testtype="Teststatistic", mincriterion=0, stump=True, minbucket=1, minprob=0)
    assert rules.fit(X, y).tree_.feature[0] == 1
    y[59] = 50
    assert rules.fit(X, y).tree_.feature[0] == 0
    for tried, wanted in ((1, -2), (2, 1)):
        model = ctree("regression", testtype="Teststatistic", mincriterion=0, stump=True, splittry=tried)
        assert model.fit(X, y).tree_.feature[0] == wanted


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"testtype": "MonteCarlo"}, "Monte Carlo p-values are not available"),
        ({"teststat": "max"}, "teststat of ctree must be 'quadratic' or 'maximum'. Got 'max'."),
        ({"alpha": 2}, "alpha of ctree must be a number from 0 to 1. Got 2."),
        ({"multiway": True}, "multiway is not supported: a test has two branches"),
        ({"minsplit": 2.5}, "minsplit of ctree must be a whole number of at least 0. Got 2.5."),
        ({"maxdepth": -1}, "maxdepth of ctree must be a whole number of at least 1, or Inf. Got -1."),
        ({"mtry": 3}, "mtry is not supported: every column is tested"),
    ],
)
def test_other_options_are_rejected_in_a_sentence(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        ctree(**options)


def test_what_does_not_go_with_permutation_tests():
    frame, y, _ = table(5, 3)
    for given, words in (
        ({"missing": "learned"}, "needs missing='surrogate'"),
        ({"criterion": "error"}, "needs criterion='gini' or"),
        ({"max_features": 2}, "needs max_features=None"),
    ):
        with pytest.raises(ValueError, match=words):
            ctree().set_params(**given).fit(frame, y)
    with pytest.raises(ValueError, match="needs one output"):
        ctree().fit(frame, np.column_stack([y, y]))


def test_odd_tables():
    X = np.arange(40.0)[:, None]
    assert ctree().fit(X, np.zeros(40)).tree_.node_count == 1
    assert ctree().fit(X * 0, np.arange(40) % 2).tree_.node_count == 1
    with pytest.warns(UserWarning, match="Every value is missing"):
        assert ctree("regression").fit(X * np.nan, X[:, 0]).tree_.node_count == 1
    assert ctree().fit(X[:5], [0, 0, 0, 1, 1]).tree_.node_count == 1
    infinite = np.where(X > 20, np.inf, X)
    assert ctree("regression").fit(infinite, X[:, 0]).tree_.node_count == 1
