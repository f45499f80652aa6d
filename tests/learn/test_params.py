import inspect

import numpy as np
import pytest
import sklearn.tree
from numpy.testing import assert_array_equal

import treewright
from treewright.learn import grow, params

X = np.arange(12.0).reshape(-1, 1)
Y = np.arange(12) % 2
NAMES = ["DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor"]
OURS = {"growth", "n_jobs", "categorical_features", "nominal_splits", "oblique", "level_correction"}
OURS |= {"growth_rules", "missing", "thresholds", "cv", "pruning", "pruning_options", "smoothing"}
OURS |= {"smoothing_strength", "cv_repeats", "leaf_model", "leaf_options"}
OURS_FOR_CLASSES = {"priors", "costs", "min_confidence", "class_order", "decision"}


@pytest.mark.parametrize("name", NAMES)
def test_the_constructor_is_scikit_learns_with_our_own_parameters_added(name):
    ours = inspect.signature(getattr(treewright, name)).parameters
    theirs = inspect.signature(getattr(sklearn.tree, name)).parameters
    own = OURS | OURS_FOR_CLASSES if "Classifier" in name else OURS
    assert set(ours) == set(theirs) | own
    assert {key: ours[key].default for key in theirs} == {key: theirs[key].default for key in theirs}


@pytest.mark.parametrize("name", NAMES)
def test_the_table_of_parameters_is_complete_and_its_words_are_in_the_docstring(name):
    cls = getattr(treewright, name)
    kind = params.CLASSIFICATION if "Classifier" in name else params.REGRESSION
    signature = inspect.signature(cls).parameters
    table = {parameter.name: parameter for parameter in params.PARAMETERS[kind]}
    assert set(table) == set(signature)
    for parameter in table.values():
        assert f"\n{parameter.name} : " in cls.__doc__
        assert f"default={signature[parameter.name].default!r}" in cls.__doc__
        if not name.startswith("Extra"):
            assert parameter.default == signature[parameter.name].default


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"criterion": "giny"}, "criterion must be one of 'gini', "),
        ({"criterion": "squared_error"}, "criterion must be one of 'gini', "),
        ({"splitter": "worst"}, "splitter must be one of 'best', 'random', 'gaussian'. Got 'worst'."),
        ({"max_depth": 0}, "max_depth must be an int of at least 1 or None. Got 0."),
        ({"max_depth": 2.5}, "max_depth must be an int of at least 1 or None. Got 2.5."),
        ({"max_depth": True}, "max_depth must be an int of at least 1 or None. Got True."),
        (
            {"min_samples_split": 1},
            "min_samples_split must be an int of at least 2 or a float in (0, 1]. Got 1.",
        ),
        ({"min_samples_split": 1.1}, "Got 1.1."),
        (
            {"min_samples_leaf": 0},
            "min_samples_leaf must be an int of at least 1 or a float in (0, 1). Got 0.",
        ),
        ({"min_samples_leaf": 1.0}, "Got 1.0."),
        ({"min_samples_leaf": float("nan")}, "Got nan."),
        ({"min_weight_fraction_leaf": 0.6}, "min_weight_fraction_leaf must be a float in [0, 0.5]. Got 0.6."),
        ({"max_features": 0}, "or one of 'sqrt', 'log2' or None. Got 0."),
        ({"max_features": 0.0}, "Got 0.0."),
        ({"max_features": "auto"}, "Got 'auto'."),
        (
            {"random_state": "one"},
            "random_state must be an int in [0, 2**32) or a numpy RandomState or None.",
        ),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes must be an int of at least 2 or None. Got 1."),
        ({"min_impurity_decrease": -0.1}, "min_impurity_decrease must be a float in [0, inf). Got -0.1."),
        ({"min_impurity_decrease": float("inf")}, "Got inf."),
        ({"class_weight": "heavy"}, "class_weight must be 'balanced' or a dict of weights by label"),
        ({"ccp_alpha": -1.0}, "or a number of standard errors such as '1se'. Got -1.0."),
        ({"monotonic_cst": [2]}, "or an array-like of -1, 0 or 1, one per column of X or None. Got [2]."),
        ({"monotonic_cst": {"a": 2}}, "monotonic_cst must be a dict of -1, 0 or 1 by name of column or"),
        ({"growth": "wild"}, "growth must be one of 'depth', 'breadth', 'best' or None. Got 'wild'."),
        ({"n_jobs": 0}, "n_jobs must be an int of at least 1 or an int of at most -1 or None. Got 0."),
    ],
)
def test_a_parameter_out_of_range_is_refused_in_one_form(given, sentence):
    with pytest.raises(ValueError, match="must be") as refusal:
        treewright.DecisionTreeClassifier(**given).fit(X, Y)
    assert sentence in str(refusal.value)
    assert str(refusal.value).endswith(f"Got {next(iter(given.values()))!r}.")


@pytest.mark.parametrize(
    "given",
    [
        {"min_samples_leaf": np.int64(2)},
        {"min_samples_leaf": np.float64(0.2)},
        {"max_depth": np.int32(3), "min_impurity_decrease": 0, "ccp_alpha": np.float32(0)},
        {"class_weight": {0: 1, 1: 2.5}},
        {"random_state": np.random.RandomState(0)},
        {"random_state": np.uint8(3)},
        {"monotonic_cst": (1,)},
        {"monotonic_cst": np.array([-1], dtype=np.int8)},
        {"n_jobs": -1},
        {"growth": "breadth", "max_leaf_nodes": 3},
    ],
)
def test_numbers_of_numpy_and_other_spellings_are_taken(given):
    treewright.DecisionTreeClassifier(**given).fit(X, Y)


@pytest.mark.parametrize(
    ("cls", "given", "y", "sentence"),
    [
        ("Classifier", {"monotonic_cst": [1]}, np.arange(12) % 3, "not supported with multiclass"),
        (
            "Classifier",
            {"monotonic_cst": [1]},
            np.column_stack([Y, Y]),
            "not supported with multiple outputs",
        ),
        ("Regressor", {"monotonic_cst": [1]}, np.column_stack([Y, Y]), "not supported with multiple outputs"),
        (
            "Regressor",
            {"monotonic_cst": [1, 0]},
            Y,
            "monotonic_cst has shape 2 but the input data X has 1 features",
        ),
        (
            "Classifier",
            {"criterion": "hellinger"},
            np.arange(12) % 3,
            "'hellinger' needs two classes. Got 3.",
        ),
        ("Regressor", {"criterion": "poisson"}, Y - 1.0, "y are negative which is not allowed for Poisson"),
        ("Regressor", {"criterion": "poisson"}, Y * 0.0, "Sum of y is not positive"),
        ("Regressor", {"criterion": "poisson"}, Y * 1e-290, "at least 1e-280: .* Got 1e-290"),
    ],
)
def test_what_does_not_go_together_is_refused(cls, given, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        getattr(treewright, "DecisionTree" + cls)(**given).fit(X, y)


def test_other_names_of_criteria_grow_the_same_tree():
    for kind, names in {
        "Classifier": [("log_loss", "entropy"), ("hellinger", "sqrt_gini")],
        "Regressor": [("friedman_mse", "squared_error")],
    }.items():
        cls = getattr(treewright, "DecisionTree" + kind)
        for alias, name in names:
            if alias == "friedman_mse":
                with pytest.warns(FutureWarning, match="friedman_mse"):
                    other = cls(criterion=alias).fit(X, Y)
            else:
                other = cls(criterion=alias).fit(X, Y)
            assert other.tree_ == cls(criterion=name).fit(X, Y).tree_


def test_shares_of_rows_are_rounded_up():
    assert grow.rows_of(0.1, 101) == 11
    assert grow.rows_of(7, 101) == 7
    assert grow.rows_of(2**40, 101) == 2**31 - 1


@pytest.mark.parametrize(
    ("given", "found"), [(None, 100), (7, 7), (0.25, 25), (0.001, 1), ("sqrt", 10), ("log2", 6), (500, 500)]
)
def test_max_features_become_a_number(given, found):
    assert grow.features_of(given, 100) == found
    table = np.random.default_rng(0).normal(size=(20, 100))
    assert treewright.DecisionTreeRegressor(max_features=given).fit(table, table[:, 0]).max_features_ == found


def test_rows_of_weight_zero_do_not_count_for_shares():
    weight = np.repeat([1.0, 0.0], 6)
    kept = treewright.DecisionTreeClassifier(min_samples_leaf=0.5).fit(X[:6], Y[:6])
    weighed = treewright.DecisionTreeClassifier(min_samples_leaf=0.5).fit(X, Y, sample_weight=weight)
    assert kept.tree_ == weighed.tree_
    assert kept.tree_.n_node_samples.min() == 3


def test_threads_follow_n_jobs_the_environment_and_joblib(monkeypatch):
    monkeypatch.delenv("TREEWRIGHT_NUM_THREADS", raising=False)
    cores = grow.threads(None)
    assert cores == grow.threads(-1) >= 1
    assert grow.threads(3) == 3
    assert grow.threads(-1000) == 1
    monkeypatch.setenv("TREEWRIGHT_NUM_THREADS", "1")
    assert (grow.threads(None), grow.threads(3)) == (1, 3)
    monkeypatch.setenv("TREEWRIGHT_NUM_THREADS", "many")
    with pytest.raises(ValueError, match=r"TREEWRIGHT_NUM_THREADS must be an int of at least 1. Got 'many'"):
        grow.threads(None)


@pytest.mark.parametrize("backend", ["threading", "multiprocessing", "loky"])
def test_one_thread_inside_a_joblib_worker(backend):
    joblib = pytest.importorskip("joblib")
    inside = joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(grow.threads)(None) for _ in range(2))
    assert inside == [1, 1]


def test_the_number_of_threads_does_not_change_the_tree(rng):
    table = rng.integers(0, 50, size=(3000, 4)).astype(float)
    y = rng.integers(0, 3, size=3000)
    one, four = (treewright.DecisionTreeClassifier(n_jobs=n).fit(table, y) for n in (1, 4))
    assert one.tree_ == four.tree_
    assert_array_equal(one.predict(table), four.predict(table))


def test_monotone_constraints_by_name_are_those_by_place():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    frame = pandas.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    y = frame["a"] - frame["c"] + rng.normal(size=60)
    by_name = treewright.DecisionTreeRegressor(monotonic_cst={"c": -1, "a": 1}).fit(frame, y)
    by_place = treewright.DecisionTreeRegressor(monotonic_cst=[1, 0, -1]).fit(frame, y)
    assert by_name.tree_ == by_place.tree_
    assert by_name.monotonic_cst == {"c": -1, "a": 1}
    with pytest.raises(ValueError, match=r"must name columns of X. Got 'aa'. Did you mean 'a'"):
        treewright.DecisionTreeRegressor(monotonic_cst={"aa": 1}).fit(frame, y)
    with pytest.raises(ValueError, match="only where X has names of columns"):
        treewright.DecisionTreeRegressor(monotonic_cst={"a": 1}).fit(frame.to_numpy(), y)


@pytest.mark.parametrize(
    ("regressor", "n_targets", "options", "sentence"),
    [
        (
            False,
            1,
            {"nominal_splits": "merged"},
            "nominal_splits='merged' needs missing='fractional'. Got 'learned'",
        ),
        (
            True,
            1,
            {"nominal_splits": "merged"},
            "nominal_splits='merged' needs one target of classes. Got a target",
        ),
        (
            False,
            2,
            {"growth_rules": {"side_share": 0.1}},
            "side_share=0.1 needs one target of classes. Got 2 targets",
        ),
        (
            False,
            1,
            {"growth_rules": {"choice": "c4.5"}},
            "choice='c4.5' needs criterion='entropy' or 'gain_ratio'",
        ),
        (
            False,
            1,
            {"growth_rules": {"choice": "c4.5"}, "criterion": "entropy"},
            "choice='c4.5' needs missing='fractional'",
        ),
        (
            False,
            1,
            {"growth_rules": {"threshold_cost": "cuts"}},
            "threshold_cost needs missing='fractional' or 'surrogate'",
        ),
        (True, 1, {"growth_rules": {"choice": "j48"}}, "choice='j48' needs one target of classes"),
    ],
)
def test_rules_of_classes_say_what_they_need(regressor, n_targets, options, sentence):
    y = np.tile([[0, 1], [1, 0]], (6, 1))[:, :n_targets]
    model = (treewright.DecisionTreeRegressor if regressor else treewright.DecisionTreeClassifier)(**options)
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y)
