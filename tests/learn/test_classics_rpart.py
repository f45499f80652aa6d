"""rpart as a classic: every recorded case in all that was recorded, and its options one by one."""

import json
import warnings

import numpy as np
import pytest

from tests.support.golden import cases_of
from tests.support.golden_counts import Case
from tests.support.golden_rpart import competitors_differ, differences, fitted
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, load, prune
from treewright.learn.classics import rpart
from treewright.learn.classics.rpart_cp_table import cp_table
from treewright.learn.classics.rpart_importance import importance
from treewright.tree.tree import STOPS

pd = pytest.importorskip("pandas")


def table(seed=0, n=300, missing=0.2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    X[:, 1] = X[:, 0] + rng.normal(0, 0.4, n)
    X[:, 3] = rng.integers(0, 5, n)
    y = (2 * X[:, 0] + X[:, 2] + rng.normal(0, 0.6, n) > 0).astype(int) + (X[:, 3] > 3)
    X[rng.random((n, 4)) < missing] = np.nan
    return X, y, rng.integers(0, 3, n).astype(float)


# -- the records


@pytest.mark.recorded
@pytest.mark.parametrize("path", cases_of("rpart"), ids=lambda path: path.stem)
def test_the_tree_and_all_that_was_recorded_of_it(path):
    assert differences(path) == []


SEARCHED = ("default", "information", "cost", "prior_loss", "surstyle1", "cp0_minsplit2")


def _is_searched(path):
    """Not rates, which are searched as rows of their own weight, nor large tables, which take their time."""
    data = json.loads(path.read_text())["dataset"]
    return path.stem.split("__")[2] in SEARCHED and not data["exposure"] and data["n_rows"] <= 400


@pytest.mark.recorded
@pytest.mark.filterwarnings("ignore:Every value is missing")
@pytest.mark.parametrize("path", [*filter(_is_searched, cases_of("rpart"))], ids=lambda path: path.stem)
def test_the_next_best_splits_are_its_competitors(path):
    case = Case(path)
    assert list(competitors_differ(case, fitted(case))) == []


# -- options


def test_the_options_become_parameters():
    model = rpart(minsplit=10, cp=0, usesurrogate=1, maxdepth=3, parms={"split": "information"}, xval=10)
    assert isinstance(model, DecisionTreeClassifier)
    assert (model.criterion, model.min_samples_split, model.min_samples_leaf) == ("entropy", 10, 3)
    assert model.pruning_options == {"alpha": 0.0, "risk": "error", "rule": "rpart"}
    assert model.growth_rules["after_surrogates"] == "stop"
    assert rpart().min_samples_leaf == 7
    assert rpart(minbucket=4).min_samples_split == 12
    assert rpart(cp=-1).pruning is None
    numbers = rpart(method="poisson", parms={"shrink": 2})
    assert isinstance(numbers, DecisionTreeRegressor)
    assert (numbers.smoothing, numbers.smoothing_strength) == ("events", 0.25)
    assert rpart("poisson", parms={"method": "sqrt"}).smoothing is None
    assert rpart(parms={"loss": [[0, 1], [1, 0]]}).costs is None
    assert rpart(parms={"loss": [[0, 1], [2, 0]]}).pruning_options["risk"] == "cost"


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"method": "exp"}, ValueError, "must be one of 'class', 'anova', 'poisson'"),
        ({"maxdepth": 31}, ValueError, "from 1 to 30. Got 31"),
        ({"usesurrogate": 3}, ValueError, "from 0 to 2"),
        ({"minsplit": 2.5}, ValueError, "whole number"),
        ({"cp": "low"}, ValueError, "cp of rpart must be a number"),
        ({"weights": [1]}, ValueError, "sample_weight"),
        ({"minbuckt": 3}, TypeError, "Did you mean 'minbucket'"),
        ({"parms": {"split": "chi"}}, ValueError, '"gini" or "information"'),
        ({"parms": {"shrink": 1}}, ValueError, "takes split, prior, loss. Got 'shrink'"),
        ({"method": "anova", "parms": {"split": "gini"}}, ValueError, "takes none"),
        ({"method": "poisson", "parms": {"shrink": -1}}, ValueError, "at least 0"),
    ],
)
def test_what_it_does_not_take_is_refused_by_name(options, error, words):
    with pytest.raises(error, match=words):
        rpart(**options)


def test_a_cost_per_column_is_needed():
    X, y, _ = table()
    with pytest.raises(ValueError, match=r"for each of the 4 columns\. Got 2"):
        rpart(cost=[1, 2]).fit(X, y)
    plain, dear = rpart(cp=0).fit(X, y), rpart(cp=0, cost=[100, 1, 1, 1]).fit(X, y)
    assert plain.tree_.feature[0] == 0
    assert 0 not in dear.tree_.feature
    assert dear.tree_ != rpart(cp=0, cost=[1, 100, 1, 1]).fit(X, y).tree_
    assert rpart(cost=[7, 7, 7, 7]).fit(X, y).tree_ == rpart().fit(X, y).tree_


# -- what the rules do, counted and sorted alike


@pytest.mark.parametrize("use", [0, 1, 2])
@pytest.mark.parametrize("style", [0, 1])
@pytest.mark.parametrize("method", ["class", "anova"])
def test_large_nodes_are_counted_to_the_same_tree(use, style, method, sort_all):
    X, y, weight = table(3, n=6000)
    X = np.round(X, 2)
    codes = np.where(np.isnan(X[:, 3]), -1, X[:, 3]).astype(int)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["d"] = pd.Categorical.from_codes(codes, list("vwxyz"))
    model = rpart(method, cp=0, minsplit=40, usesurrogate=use, surrogatestyle=style, maxdepth=6)
    model.set_params(growth_rules=model.growth_rules | {"plain_sums": False})
    counted = model.fit(frame, y, sample_weight=weight)
    sort_all()
    by_order = rpart(method).set_params(**model.get_params()).fit(frame, y, sample_weight=weight)
    assert counted.tree_ == by_order.tree_
    assert counted.tree_.node_count > 20


def test_rows_stop_where_no_surrogate_knows():
    X, y, _ = table()
    tree = rpart(cp=0, usesurrogate=1).fit(X, y).tree_
    inner = ~tree.is_leaf
    assert (tree.missing_child[inner] == STOPS).all()
    below = tree.n_node_samples[tree.first_child[inner]] + tree.n_node_samples[tree.first_child[inner] + 1]
    assert (below < tree.n_node_samples[inner]).any()
    lost = X.copy()
    lost[:] = np.nan
    assert (tree.apply(lost) == 0).all()


def test_surrogates_that_are_not_used_still_count_for_importance():
    X, y, _ = table()
    model = rpart(cp=0.02, usesurrogate=0).fit(X, y)
    assert model.tree_.surrogates is None
    assert importance(model)["1"] > model.tree_.gain[model.tree_.feature == 1].sum()
    with pytest.raises(ValueError, match="Fit it again"):
        importance(prune(model, **model.pruning_options | {"alpha": 0.05}))


def test_rows_without_any_value_are_left_out():
    X, y, _ = table(missing=0.0)
    more, labels = np.vstack([X, np.full((20, 4), np.nan)]), np.append(y, [2] * 20)
    assert rpart().fit(more, labels).tree_ == rpart().fit(X, y).tree_
    assert rpart("anova").fit(more, labels).tree_ == rpart("anova").fit(X, y).tree_


def test_rows_of_no_weight_are_counted_but_weigh_nothing():
    X, y, weight = table()
    model = rpart(cp=0).fit(X, y, sample_weight=weight)
    assert model.tree_.n_node_samples[0] == 300
    assert model.tree_.weighted_n_node_samples[0] == weight.sum()
    assert (model.tree_.n_node_samples[~model.tree_.is_leaf] >= 20).all()


def test_agreement_counts_rows_whatever_their_class_weighs():
    X, y, _ = table()
    how = {"missing": "surrogate", "max_depth": 1, "criterion": "gini"}
    plain = DecisionTreeClassifier(**how).fit(X, y).tree_
    other = DecisionTreeClassifier(**how, priors=[0.7, 0.2, 0.1]).fit(X, y).tree_
    assert plain.surrogates is not None
    extra = other.surrogates
    goes = other.apply(X) - 1  # where the first test or its surrogates send every row
    known = ~np.isnan(X[:, other.feature[0]])
    first = extra.test(0)
    value = X[:, first.feature]
    both = known & ~np.isnan(value)
    same = ((value <= first.threshold) != first.reversed) == (goes == 0)
    assert extra.agreement[0] == pytest.approx((same & both).sum() / known.sum())


def test_rates_are_shrunken_and_may_be_zero():
    rng = np.random.default_rng(1)
    X = rng.random((200, 2))
    time = rng.random(200) + 0.5
    events = np.where(X[:, 0] < 0.3, 0, rng.poisson(2 * time))
    model = rpart("poisson", cp=0.01).fit(X, events, exposure=time)
    leaf = model.apply(X)
    rate = events.sum() / time.sum()
    for node in np.unique(leaf):
        here = leaf == node
        wanted = (events[here].sum() + 1) / (time[here].sum() + 1 / rate)
        np.testing.assert_allclose(model.predict(X[here]), wanted, rtol=1e-9)
    unshrunken = rpart("poisson", cp=0.01, parms={"shrink": 0}).fit(X, events, exposure=time)
    assert unshrunken.predict(X).min() == 0


# -- an ordinary estimator


def test_it_is_shown_saved_and_pruned_as_any(tmp_path):
    X, y, weight = table()
    others = rpart(cp=0, maxsurrogate=0), rpart(cp=0, usesurrogate=1), rpart("anova", cp=0)
    for model in (rpart(cp=0), *others):
        model.fit(X, y, sample_weight=weight)
        assert "<" in str(model.tree_)
        again = load(model.save(tmp_path / "rpart.tree"))
        assert (again.predict(X) == model.predict(X)).all()
        stronger = model.pruning_options | {"alpha": 0.05}
        smaller = prune(model, **stronger)
        assert smaller.get_n_leaves() < model.get_n_leaves()
        wanted = type(model)(**model.get_params() | {"pruning_options": stronger})
        assert smaller.tree_ == wanted.fit(X, y, sample_weight=weight).tree_


def test_the_cp_table_ends_with_the_tree_itself():
    X, y, _ = table()
    model = rpart(cp=0.01).fit(X, y)
    rows = cp_table(model)
    assert rows[0][1:] == (0, 1.0)
    assert rows[-1][:2] == (0.01, model.get_n_leaves() - 1)
    for row in rows:
        left = prune(model, **model.pruning_options | {"alpha": row.cp})
        assert left.get_n_leaves() - 1 == row.n_splits
    with pytest.raises(ValueError, match="cp_table needs"):
        cp_table(DecisionTreeClassifier().fit(X, y))


def test_importance_is_the_gain_of_splits_and_stand_ins():
    X, y, _ = table()
    model = rpart(cp=0.02, parms={"split": "information"}).fit(X, y)
    tree, found = model.tree_, dict.fromkeys(range(4), 0.0)
    for node in np.flatnonzero(~tree.is_leaf):
        gain = tree.gain[node] * np.log(2)
        found[tree.feature[node]] += gain
        for place in tree.surrogates.of(node):
            found[tree.surrogates.feature[place]] += gain * tree.surrogates.adjusted[place]
    shown = importance(model)
    assert [*shown.values()] == sorted(shown.values(), reverse=True)
    assert shown == pytest.approx({str(k): v for k, v in found.items() if v > 0})
    plain = DecisionTreeClassifier(max_depth=3).fit(np.nan_to_num(X), y)
    assert sum(importance(plain).values()) == pytest.approx(plain.tree_.gain.sum())


def test_no_warning_comes_of_it():
    X, y, weight = table()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for model in (rpart(), rpart("anova"), rpart("poisson")):
            model.fit(X, y, sample_weight=weight).predict(X)
