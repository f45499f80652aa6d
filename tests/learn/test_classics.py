"""The classics as a user meets them: options as the originals take them, refusals, rows held out, stumps."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from tests.support.golden import cases_of
from tests.support.golden_counts import Case
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, export_text, load
from treewright.learn.classics import c45, c50, cart, id3, j48, like, rep_tree, stump, triple
from treewright.learn.pruning.weka_folds import shuffled, weka_fold

pd = pytest.importorskip("pandas")

TENNIS = pd.DataFrame(
    {
        "forecast": pd.Categorical(list("ssorrrossrsoor"), categories=list("sor")),
        "humid": ["high"] * 4 + ["low"] * 3 + ["high"] + ["low"] * 3 + ["high", "low", "high"],
        "wind": [w == "s" for w in "wswwwsswwwsssw"],
    }
)
PLAY = pd.Categorical(["no", "no", *["yes"] * 3, "no", "yes", "no", *["yes"] * 5, "no"], ["yes", "no"])


# -- options


def test_what_is_made_is_an_ordinary_estimator():
    made = [id3(), c45(), c50(), cart(), j48(), rep_tree(), stump(), rep_tree(task="regression")]
    for model in made:
        assert type(model) in (DecisionTreeClassifier, DecisionTreeRegressor)
        assert clone(model).get_params() == model.get_params()


def test_options_are_taken_as_the_original_takes_them():
    for same in ("-sm5", "c4.5 -f stem -u -m5 -s"):
        assert c45(same).get_params() == c45("-s -m 5").get_params()
    assert c45("-c 10").pruning_options["CF"] == pytest.approx(0.1)
    assert c45("-g").criterion == "entropy"
    assert c45(pruned=False).pruning == "collapse"
    assert j48("-B -M 5").get_params() == j48("java weka.classifiers.trees.J48 -M 5 -B -L").get_params()
    assert (j48("-B -M 5").nominal_splits, j48("-B -M 5").min_samples_leaf) == ("one_vs_rest", 5)
    assert j48("-C 0.05").pruning_options["CF"] == float(np.float32(0.05))
    assert j48("-U").pruning == "collapse"
    assert j48("-U -O").pruning is None
    assert j48("-R -N 5 -Q 7").pruning_options == {"folds": 5, "fold": -1}
    assert rep_tree("-L 3 -P").get_params()["max_depth"] == 3
    assert rep_tree("-P").pruning is None
    assert rep_tree("-I 1 -R").smoothing == "even"
    assert c50(subset=False, CF=0.5, rules=False, trials=1).nominal_splits == "multiway"
    assert c50(noGlobalPruning=True).pruning_options["within"] == 0
    assert c50(costs=[[0, 1], [4, 0]]).costs == [[0, 4], [1, 0]]  # a row per predicted class, as there
    assert cart(max_depth=3, criterion="squared_error").__class__ is DecisionTreeRegressor


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: c45("-p"), "C4.5 -p is not supported: it makes thresholds soft"),
        (lambda: c45("-w 20"), "C4.5 -w is not supported: it grows trees on part of the rows"),
        (lambda: c45("-m"), "The option -m of C4.5 must have a value"),
        (lambda: c45("-m 0"), "-m of C4.5 must be a whole number of at least 1. Got '0'"),
        (lambda: c45("-z"), "C4.5 has no option '-z'"),
        (lambda: j48("-m 5"), "J48 has no option '-m'. Did you mean '-M'"),
        (lambda: j48("-M 2 -M 3"), "J48 takes the option -M once"),
        (lambda: j48("-C nan"), "-C of J48 must be a number from 0 to 1. Got 'nan'"),
        (lambda: j48("-M5"), "J48 has no option '-M5'"),
        (lambda: j48("-U -R"), "J48 does not take -U with -R"),
        (lambda: j48("-C 0.1 -R"), "J48 does not take -C with -R"),
        (lambda: id3("-M 2"), "Id3 has no option '-M'"),
        (lambda: rep_tree("-L 0"), "-L of REPTree must be at least 1"),
        (lambda: rep_tree(task="ranking"), "task of REPTree must be"),
        (lambda: rep_tree("-I 1", task="regression"), "-I of REPTree is for classes"),
        (lambda: stump(criterion="gini"), "criterion of stump must be None"),
        (lambda: stump(criterion="error", task="regression"), "is for classes"),
        (lambda: like("c4.6"), "There is no classic 'c4.6'. Did you mean 'c4.5'"),
        (lambda: like("rpart -m 2"), "must be written name=value"),
        (lambda: like("j48", task="regression"), "j48 takes classes only"),
        (lambda: like('c5.0 "'), "Every quote in options must be closed"),
        (lambda: like("j48 '-M"), "Every quote in options must be closed"),
        (lambda: like("c5.0 costs=1"), "costs of C5.0 must have a row per predicted class"),
        (lambda: c50(costs=[[0, 1, 1], [1, 0, 1]]), "costs of C5.0 must have a row per predicted class"),
        (lambda: like("c5.0 minCases=0"), "minCases of C5.0 must be a whole number of at least 1"),
        (lambda: like("ctree mincriterion=high"), "mincriterion of ctree must be a number from 0 to 1"),
    ],
)
def test_what_is_not_supported_is_refused_by_name(make, sentence):
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(")):
        make()


@pytest.mark.parametrize("option", ["rules", "winnow", "fuzzyThreshold"])
def test_the_switches_of_c50_are_true_or_false(option):
    with pytest.raises(ValueError, match=rf"{option} of C5\.0 must be True or False"):
        c50(**{option: 3})


@pytest.mark.parametrize("weight", [1e-60, 1e300])
def test_weights_of_c45_are_single_numbers(weight):
    X, y = [[0.0], [1.0], [2.0], [3.0]], list("aabb")
    with pytest.raises(ValueError, match="sample_weight must be 0 or lie between 1e-20 and 1e.20"):
        c45().fit(X, y, sample_weight=np.full(4, weight))
    found = c45("-m 1").fit(X, y, sample_weight=np.full(4, 1e10))
    assert np.isfinite(found.predict_proba(X)).all()


def test_keywords_that_nobody_has_are_refused():
    with pytest.raises(TypeError, match=r"C5\.0 has no option 'minCase'\. Did you mean 'minCases'"):
        c50(minCase=2)
    with pytest.raises(TypeError, match=r"cart takes scikit-learn's parameters\. Got 'max_deep'"):
        cart(max_deep=2)
    with pytest.raises(TypeError, match="must be one text"):
        j48(["-B"])
    with pytest.raises(TypeError, match=r"m5p has no option 'M'\. It takes a line of flags"):
        like("m5p M=3", task="regression")


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("id3", id3()),
        ("c4.5 -s", c45("-s")),
        ("C45 -m 5", c45("-m 5")),
        ("c5.0 subset=FALSE CF=0.5", c50(subset=False, CF=0.5)),
        ("c50 minCases=5 CF=.1", c50(minCases=5, CF=0.1)),
        ("cart max_depth=3 criterion=entropy", cart(max_depth=3, criterion="entropy")),
        ("j48 -B -M 5", j48("-B -M 5")),
        ("reptree -P", rep_tree("-P")),
        ("rep_tree -L 3", rep_tree("-L 3")),
        ("stump", stump()),
        ("stump criterion=error", stump(criterion="error")),
    ],
)
def test_a_line_is_read_as_its_function_would_be_called(line, made):
    assert like(line).get_params() == made.get_params()


def test_a_line_for_numbers():
    made = like("reptree -P", task="regression")
    assert made.get_params() == rep_tree("-P", task="regression").get_params()
    assert isinstance(like("cart", task="regression"), DecisionTreeRegressor)


# -- what is declared, and what is refused at fit


def test_a_declared_order_is_that_of_the_classes_and_levels():
    model = j48("-M 1").fit(TENNIS, PLAY)
    assert model.classes_.tolist() == ["yes", "no"]
    assert model.tree_.column_types[0].levels == ("s", "o", "r")
    assert DecisionTreeClassifier().fit(TENNIS, PLAY).classes_.tolist() == ["no", "yes"]
    wider = pd.Categorical(PLAY.tolist(), ["perhaps", "yes", "no"])
    model = j48("-A").fit(TENNIS, wider)
    assert model.classes_.tolist() == ["perhaps", "yes", "no"]
    assert (model.predict_proba(TENNIS)[:, 0] > 0).all()  # one row more of each class, declared ones too
    ordered = TENNIS.assign(forecast=TENNIS.forecast.cat.as_ordered())
    assert j48().fit(ordered, PLAY).tree_.column_types[0].kind == "nominal"


def test_id3_refuses_what_the_original_refuses():
    numbers = TENNIS.assign(wind=np.arange(14.0))
    with pytest.raises(ValueError, match=r"Got numbers in column 'wind'. Use treewright.classics.c45"):
        id3().fit(numbers, PLAY)
    with pytest.raises(ValueError, match=r"Got numbers in column 0"):
        id3().fit(np.arange(14.0).reshape(-1, 1), PLAY)
    holes = TENNIS[["forecast", "humid"]].copy()
    holes.loc[3, "humid"] = None
    with pytest.raises(ValueError, match=r"column 'humid', row 3. Use treewright.classics.c45"):
        id3().fit(holes, PLAY)


def test_a_leaf_of_id3_without_rows_has_no_prediction(tmp_path):
    X = pd.DataFrame({"a": pd.Categorical(list("ppqq"), categories=list("pqr"))})
    model = id3().fit(X, ["n", "n", "y", "y"])
    new = pd.DataFrame({"a": ["r", "p"]})
    assert model.predict(new).tolist() == [None, "n"]
    assert_array_equal(model.predict_proba(new), [[0, 0], [1, 0]])
    assert "no class" in export_text(model)
    model.save(tmp_path / "m.tree.json")
    assert load(tmp_path / "m.tree.json").predict(new).tolist() == [None, "n"]


# -- rows held out


@pytest.mark.recorded
@pytest.mark.parametrize(
    "path",
    [
        *(path for path in cases_of("reptree") if not path.stem.endswith("__P")),
        *(path for path in cases_of("j48") if "__R" in path.stem),
    ],
    ids=lambda path: path.stem,
)
def test_folds_are_as_recorded(path):
    case = Case(path)
    y = case.rows_of().y[:, 0]
    codes = None if case.classes is None else y
    if case.program == "reptree":
        found = weka_fold(codes, len(y), int(case.option("-N")), 0, int(case.option("-S")))
    else:
        found = weka_fold(
            codes, len(y), int(case.option("-N")) if "-N" in case.settings["full"] else 3, -1, None
        )
    assert found.grow.tolist() == sorted(case.extra["grow_rows"])
    assert found.prune.tolist() == sorted(case.extra["prune_rows"])


@pytest.mark.recorded
@pytest.mark.parametrize(
    "path", [path for path in cases_of("reptree") if path.stem.endswith("__P")], ids=lambda path: path.stem
)
def test_rows_of_numbers_are_shuffled_as_recorded(path):
    case = Case(path)
    if case.classes is None:
        assert shuffled(len(case.extra["grow_rows"]), 1).tolist() == case.extra["grow_rows"]


def test_prune_rows_are_kept_from_growing_and_used_for_pruning():
    rng = np.random.default_rng(1)
    X = rng.random((60, 3))
    y = (X[:, 0] > rng.random(60)).astype(int)
    held = np.arange(0, 60, 3)
    model = rep_tree().fit(X, y, prune_rows=held)
    assert_array_equal(model.pruning_["prune_rows"], held)
    marked = rep_tree().fit(X, y, prune_rows=np.isin(np.arange(60), held))
    assert marked.tree_ == model.tree_
    options = {"backfit": True, "rows": held.tolist()}
    shown = rep_tree().set_params(pruning_options=options).fit(X, y)
    assert shown.tree_ == model.tree_
    grown = np.setdiff1d(np.arange(60), held)
    alone = rep_tree("-P").fit(X[grown], y[grown])
    pruned_by = rep_tree().set_params(pruning_options={"rows": held.tolist()}).fit(X, y)
    assert pruned_by.tree_.weighted_n_node_samples[0] == alone.tree_.weighted_n_node_samples[0] == 40


@pytest.mark.parametrize(
    ("model", "rows", "sentence"),
    [
        (rep_tree("-P"), [0], "prune_rows are for a pruning method that holds rows out. Got pruning=None"),
        (rep_tree(), [99], "prune_rows must name some but not all of the 14 rows"),
        (rep_tree(), range(14), "prune_rows must name some but not all of the 14 rows"),
        (rep_tree("-N 20"), None, "folds must be a number from 2 to that of the rows, 14. Got 20"),
    ],
)
def test_rows_that_cannot_be_held_out_get_a_sentence(model, rows, sentence):
    with pytest.raises(ValueError, match=sentence):
        model.fit(TENNIS, PLAY, prune_rows=rows)


# -- exposure


def test_events_in_an_exposure_are_rates_that_weigh_so_much():
    rng = np.random.default_rng(0)
    X, t = rng.random((200, 2)), rng.uniform(0.5, 3, 200)
    e = rng.poisson(t * np.where(X[:, 0] > 0.5, 4, 1)).astype(float)
    how = {"criterion": "poisson", "max_depth": 2}
    model = DecisionTreeRegressor(**how).fit(X, e, exposure=t)
    assert_allclose(model.tree_.value[0, 0, 0], e.sum() / t.sum())
    assert model.tree_ == DecisionTreeRegressor(**how).fit(X, e / t, sample_weight=t).tree_
    for exposure, sentence in ((t[:5], "one number per row"), (t * 0, "must be above 0. Got 0 in row 0")):
        with pytest.raises(ValueError, match=sentence):
            DecisionTreeRegressor(**how).fit(X, e, exposure=exposure)
    with pytest.raises(ValueError, match="exposure needs criterion='poisson'"):
        DecisionTreeRegressor().fit(X, e, exposure=t)


# -- the stump of least error


def errors(x, y, b, theta):
    return int((np.where(theta * (b - x) >= 0, 1, -1) != y).sum())


@pytest.mark.parametrize("seed", range(30))
def test_the_stump_of_least_error_is_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (12, 3)).astype(float)
    y = np.where(rng.random(12) < [0.5, 0.85][seed % 2], 1, -1)
    y[0], y[1] = 1, -1
    model = stump(criterion="error").fit(X, y)
    b, theta, j = triple(model)
    cuts = [-math.inf, *np.arange(-0.5, 5), math.inf]
    least = min(errors(X[:, k], y, cut, sign) for k in range(3) for cut in cuts for sign in (1, -1))
    assert errors(X[:, j - 1], y, b, theta) == least == int((model.predict(X) != y).sum())
    new = rng.integers(-1, 7, (50, 3)) / 2
    assert_array_equal(model.predict(new), np.where(theta * (b - new[:, j - 1]) >= 0, 1, -1))


def test_a_constant_may_be_the_best_stump():
    X = np.array([[0.0], [1.0], [2.0]])
    model = stump(criterion="error").fit(X, [1, -1, 1])
    assert model.get_n_leaves() == 1
    assert triple(model) == (math.inf, 1, 1)
    assert triple(stump(criterion="error").fit(X, [-1, 1, -1])).b == -math.inf
    with pytest.raises(ValueError, match="triple needs a fitted stump of two classes"):
        triple(DecisionTreeClassifier().fit(X, [0, 1, 2]))


def test_id3_takes_lists():
    rows = [["a", "b"], ["c", "b"]]
    assert id3().fit(rows, [0, 1]).predict(rows).tolist() == [0, 1]
    with pytest.raises(ValueError, match="no missing value"):
        id3().fit([["a", "b"], [None, "b"]], [0, 1])
