"""`compare` with models by name and with estimators: labels, preparation, folds, weights and advice."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LassoCV, LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import LinearSVC

from treewright import DecisionTreeClassifier, compare
from treewright.evaluate.model_comparison.candidates import candidates
from treewright.evaluate.model_comparison.models import DEFAULT, NAMED, About
from treewright.evaluate.model_comparison.naive_bayes import NaiveBayes
from treewright.evaluate.model_comparison.prepare import PreparedTable

pl = pytest.importorskip("polars")

ALWAYS = {"treewright", "treewright, best", "baseline"}
CLASSIFIERS = {
    "logistic": "logistic regression",
    "polynomial logistic": "logistic regression, degree 2",
    "perceptron": "perceptron, calibrated",
    "svm": "SVM, RBF kernel",
    "knn": "nearest neighbours",
    "naive bayes": "naive Bayes",
    "forest": "random forest",
    "boosting": "gradient boosting",
    "model tree": "model tree",
}
REGRESSORS = {
    "least squares": "least squares",
    "ridge": "ridge regression",
    "lasso": "lasso",
    "elastic net": "elastic net",
    "svm": "SVM, RBF kernel",
    "knn": "nearest neighbours",
    "forest": "random forest",
    "boosting": "gradient boosting",
    "model tree": "model tree",
}


def mixed(n=120, seed=0):
    """A table with numbers, levels (one of them rare), gaps and a class of three rows."""
    rng = np.random.default_rng(seed)
    x, size = rng.normal(size=n), rng.normal(50, 20, n)
    town = rng.choice(["a", "b", "c"], n).astype(object)
    town[7] = "rare"
    y = np.where(x + (town == "b") + rng.normal(0, 0.5, n) > 0.3, "yes", "no").astype(object)
    y[:3] = "seldom"
    return pl.DataFrame(
        {
            "x": np.where(rng.random(n) < 0.1, np.nan, x),
            "size": size,
            "town": [None if k % 11 == 0 else t for k, t in enumerate(town)],
            "y": y,
            "number": 3 * x - 0.1 * size + rng.normal(0, 0.3, n),
        }
    ).with_columns(pl.col("x").fill_nan(None))


def names(found):
    return {row["model"] for row in found.rows} - ALWAYS


@pytest.mark.parametrize(("target", "known"), [("y", CLASSIFIERS), ("number", REGRESSORS)])
def test_every_name_is_fitted_and_labelled_as_what_it_is(target, known):
    table = mixed().drop("number" if target == "y" else "y")
    found = compare(table, target, models=list(known), max_depth=3)
    assert names(found) == set(known.values())
    assert all(np.isfinite(row[found.metric]) for row in found.rows)
    best = min if target == "y" else max
    assert found.rows[0][found.metric] == best(row[found.metric] for row in found.rows)
    assert str(found).splitlines()[-1] == found.advice


def test_the_table_of_names_is_complete():
    assert set(NAMED) == {*CLASSIFIERS, *REGRESSORS}
    for task, known in (("classification", CLASSIFIERS), ("regression", REGRESSORS)):
        assert {name for name, each in NAMED.items() if task in each.tasks} == set(known)
        assert set(DEFAULT[task]) <= set(known)


def test_estimators_names_and_labels_may_be_mixed():
    table = mixed().drop("number")
    own = [LinearDiscriminantAnalysis(), "Naive_Bayes", LinearSVC(), LinearDiscriminantAnalysis()]
    wanted = {
        "LinearDiscriminantAnalysis", "LinearDiscriminantAnalysis (2)", "naive Bayes", "LinearSVC, calibrated"
    }  # fmt: skip
    assert names(compare(table, "y", models=own, max_depth=2)) == wanted
    again = compare(table, "y", models={"mine": "logistic", "tree": DecisionTreeClassifier()}, max_depth=2)
    assert names(again) == {"mine", "tree"}
    assert names(compare(table, "y", models="logistic", max_depth=2)) == {"logistic regression"}


def test_a_pipeline_reads_the_table_as_it_is_and_others_get_it_prepared():
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    about = About("classification", 60, 0)
    pipeline = make_pipeline(PolynomialFeatures(2), LogisticRegression())
    given = [pipeline, GridSearchCV(pipeline, {"logisticregression__C": [1.0]}), LogisticRegression()]
    found = candidates([*given, DecisionTreeClassifier()], about)
    assert [each.prepared for each in found] == [False, False, True, False]
    assert len(compare(X, y, models=given, max_depth=2).rows) == 6


def test_a_named_model_equals_the_estimator_that_it_stands_for():
    table = mixed().select("x", "size", "number")
    both = compare(table, "number", models=["least squares", LinearRegression()], max_depth=2)
    rows = {row["model"]: row for row in both.rows}
    assert rows["least squares"]["R²"] == pytest.approx(rows["LinearRegression"]["R²"])


def test_preparation_learns_from_the_rows_of_fit_alone():
    train = pl.DataFrame({"a": [1.0, None, 3.0, 8.0], "b": ["u", "v", None, "u"]})
    prepared = PreparedTable().fit(train)
    found = prepared.transform(pl.DataFrame({"a": [None, 4.0], "b": ["w", "v"]}))
    level, numbers = found[:, :3], found[:, 3:]  # missing, u, v; then a and whether it was missing
    assert_allclose(level, [[0, 0, 0], [0, 0, 1]])  # an unknown level is none of them
    filled = np.array([1.0, 3.0, 3.0, 8.0])  # by the median of 1, 3 and 8
    assert_allclose(numbers[:, 0], ([3, 4] - filled.mean()) / filled.std())
    assert_allclose(np.sign(numbers[:, 1]), [1, -1])


def test_rows_of_one_group_are_not_divided_when_a_penalty_is_chosen(monkeypatch):
    table = mixed().select("x", "size", "number").with_columns(who=pl.int_range(120) // 6)
    seen = []
    known = LassoCV.fit
    monkeypatch.setattr(
        LassoCV, "fit", lambda self, *args, **more: seen.append(self.cv) or known(self, *args, **more)
    )
    compare(table, "number", models=["lasso"], groups="who", max_depth=2)
    assert len(seen) == 5
    assert all(len(folds) == 5 and all(len(fold.train) % 6 == 0 for fold in folds) for folds in seen)
    assert names(compare(table, "number", models=["lasso", "ridge"], time="who", max_depth=2))


def test_calibrated_models_keep_time_in_order():
    table = mixed().drop("number").filter(pl.col("y") != "seldom").with_columns(when=pl.int_range(pl.len()))
    assert len(names(compare(table, "y", models=["svm", "perceptron"], time="when", max_depth=2))) == 2


def test_weights_reach_the_models_that_take_them():
    table = mixed().select("x", "number").drop_nulls()
    X, y = table["x"].to_numpy()[:, None], table["number"].to_numpy() ** 2
    heavy = np.where(y > np.median(y), 1000.0, 1.0)  # a line through these alone fits the others badly
    for model in ("least squares", make_pipeline(LinearRegression())):
        plain, weighted = (
            compare(X, y, models={"line": model}, sample_weight=weight, max_depth=1)
            for weight in (np.ones(len(y)), heavy)
        )
        error = [
            next(row for row in found.rows if row["model"] == "line")["mean absolute error"]
            for found in (plain, weighted)
        ]
        assert abs(error[1] / error[0] - 1) > 0.05


def test_progress_counts_the_fits():
    steps = []
    compare(
        mixed().drop("number"), "y", models=["logistic"], max_depth=2, progress=lambda *s: steps.append(s)
    )
    assert [done for done, _, _ in steps] == list(range(21))
    assert {total for _, total, _ in steps} == {20}
    assert steps[10][2] == "logistic regression: fold 1 of 5"


def test_naive_bayes_is_that_of_scikit_learn_for_one_kind_of_columns():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), rng.choice(["a", "b", "c"], 80)
    assert_allclose(NaiveBayes().fit(X, y).predict_proba(X), GaussianNB().fit(X, y).predict_proba(X))
    codes = rng.integers(0, 3, (80, 2))
    text = np.array(["p", "q", "r"], dtype=object)[codes]
    known = CategoricalNB(min_categories=5).fit(codes + 1, y)
    mine = NaiveBayes().fit(text, y)
    assert_allclose(mine.predict_proba(text), known.predict_proba(codes + 1))
    assert mine.predict(text).tolist() == known.predict(codes + 1).tolist()
    both = np.column_stack([X.astype(object), text])
    prior = np.log(np.unique(y, return_counts=True)[1] / 80)
    log = GaussianNB().fit(X, y).predict_log_proba(X) + known.predict_log_proba(codes + 1) - prior
    found = NaiveBayes().fit(both, y).predict_proba(both)
    assert_allclose(found, np.exp(log) / np.exp(log).sum(axis=1, keepdims=True))


def test_all_models_of_the_task():
    for task, known in (("classification", CLASSIFIERS), ("regression", REGRESSORS)):
        labels = {each.label for each in candidates("all", About(task, 100, 0))}
        assert labels == set(known.values())


# -- bad input


@pytest.mark.parametrize(
    ("models", "message"),
    [
        (["lasoo"], r"models must be names of models, or estimators. Got 'lasoo'. Did you mean 'lasso'"),
        (["wizard"], r"Got 'wizard'. They are 'logistic', 'polynomial logistic'"),
        (
            ["lasso"],
            r"must predict classes, as the target has. Got 'lasso', which predicts numbers. Choose from",
        ),
        (
            [LinearRegression()],
            r"must predict classes, as the target has. Got LinearRegression, which predicts num",
        ),
        ([LogisticRegression], r"models must hold names or estimators. Got .* Write LogisticRegression\(\)"),
        ([3], r"models must hold names or estimators. Got 3"),
        ({"mine": None}, r"models must hold names or estimators. Got None for 'mine'"),
        ({"baseline": "svm"}, r"A name in models must not be 'baseline'"),
        (
            [make_pipeline(LinearSVC())],
            r"models must have predict_proba, since classes are compared by log loss",
        ),
    ],
)
def test_models_that_cannot_be_compared_are_refused(models, message):
    with pytest.raises(ValueError, match=message):
        compare(mixed().drop("number"), "y", models=models)


def test_a_fit_that_fails_names_the_model():
    pipeline = make_pipeline(LogisticRegression())  # reads no text
    with pytest.raises(ValueError, match=r"The model 'mine' could not be fitted: .* Leave it out of models"):
        compare(mixed().drop("number"), "y", models={"mine": pipeline}, max_depth=1)
    wide = np.random.default_rng(0).normal(size=(40, 51))
    message = (
        r"The model 'logistic regression, degree 2' could not be fitted: it needs at most 50 columns of num"
    )
    with pytest.raises(ValueError, match=message):
        compare(wide, np.arange(40) % 2, models=["polynomial logistic"], max_depth=1)
