"""Constructed columns: conjunctions that a greedy tree misses."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import treewright
from treewright import Conjunctions, DecisionTreeClassifier, DecisionTreeRegressor

SIXTEEN = pd.DataFrame(list(product([0, 1], repeat=4)), columns=list("ABCD"))
EITHER = (SIXTEEN.A & SIXTEEN.B) | (SIXTEEN.C & SIXTEEN.D)


def names(found):
    return [each.name for each in found.conjunctions_]


def test_two_conjunctions_make_three_leaves_of_seven():
    found = Conjunctions().fit(SIXTEEN, EITHER)
    assert names(found) == ["A and B", "C and D"]
    made = found.transform(SIXTEEN)
    assert list(made.columns) == [*"ABCD", "A and B", "C and D"]
    assert made["A and B"].tolist() == (SIXTEEN.A & SIXTEEN.B).astype(bool).tolist()
    assert DecisionTreeClassifier().fit(SIXTEEN, EITHER).get_n_leaves() == 7
    tree = DecisionTreeClassifier().fit(made, EITHER)
    assert tree.get_n_leaves() == 3
    assert "A and B is true" in treewright.export_text(tree)
    assert sum(each.gain for each in found.conjunctions_) == pytest.approx(1)


def test_the_first_conjunction_has_the_greatest_gain_of_all():
    random = np.random.RandomState(1)
    X = random.randint(2, size=(300, 5))
    y = ((X[:, 1] == 1) & (X[:, 4] == 0)) * 2.0 + random.normal(size=300)
    best = max(
        (
            y.var() - sum(part.mean() * y[part].var() for part in (inside, ~inside) if part.any()),
            f"{'' if one else 'not '}x{a} and {'' if two else 'not '}x{b}",
        )
        for a, b in combinations(range(5), 2)
        for one, two in product([0, 1], repeat=2)
        for inside in [(X[:, a] == one) & (X[:, b] == two)]
    )
    found = Conjunctions(max_columns=1).fit(X, y)
    assert names(found) == [best[1]] == ["x1 and not x4"]
    assert found.conjunctions_[0].gain == pytest.approx(best[0] / y.var())


def test_a_range_is_one_condition():
    x = np.random.RandomState(0).uniform(0, 10, (500, 3))
    y = (x[:, 1] > 3) & (x[:, 1] <= 6)
    found = Conjunctions().fit(pd.DataFrame(x, columns=["a", "b", "c"]), y)
    assert len(found.conjunctions_) == 1
    low, name, high = names(found)[0].replace("<=", "<").split(" < ")
    assert name == "b"
    assert float(low) == pytest.approx(3, abs=0.1)
    assert float(high) == pytest.approx(6, abs=0.1)
    assert len(low) <= 5


def test_conditions_that_say_nothing_alone_are_found():
    x = np.random.RandomState(0).uniform(size=(400, 4))
    y = (x[:, 0] > 0.5) ^ (x[:, 3] > 0.5)
    model = make_pipeline(Conjunctions(), DecisionTreeClassifier(max_leaf_nodes=3)).fit(x, y)
    assert model.score(x, y) > 0.9
    assert DecisionTreeClassifier(max_leaf_nodes=3).fit(x, y).score(x, y) < 0.7


def test_three_terms():
    X = pd.DataFrame(np.random.RandomState(0).randint(2, size=(400, 6)), columns=list("abcdef"))
    y = X.a & X.c & (1 - X.f)
    assert names(Conjunctions(max_terms=3).fit(X, y)) == ["a and c and not f"]


def test_noise_gives_no_columns():
    random = np.random.RandomState(0)
    for _ in range(5):
        X, y = random.uniform(size=(300, 6)), random.randint(2, size=300)
        assert names(Conjunctions(max_terms=3).fit(X, y)) == []


def test_nominal_ordered_and_missing_values():
    random = np.random.RandomState(0)
    colour = np.array(["red", "green", "blue"])[random.randint(3, size=300)].astype(object)
    size = pd.Categorical.from_codes(random.randint(3, size=300), ["S", "M", "L"], ordered=True)
    y = np.where((colour == "red") & (size.codes >= 1), "yes", "no")
    X = pd.DataFrame({"colour": colour, "size": size, "when": pd.date_range("2020", periods=300)})
    found = Conjunctions().fit(X, y)
    assert names(found) == ["colour is red and size > S"]
    X.loc[:9, "colour"] = None
    made = found.transform(X)
    assert not made[names(found)[0]][:10].any()
    assert made["colour"].isna()[:10].all()
    array = found.transform(X.to_numpy())
    assert array.dtype == object
    assert array.shape == (300, 4)


def test_every_kind_of_frame_is_returned_as_it_came():
    import polars as pl

    found = Conjunctions().fit(SIXTEEN, EITHER)
    expected = found.transform(SIXTEEN)
    assert found.transform(pl.from_pandas(SIXTEEN)).to_dicts() == expected.to_dict("records")
    moved = SIXTEEN.set_index(np.arange(16)[::-1])
    assert found.transform(moved)["A and B"].tolist() == expected["A and B"].tolist()
    alone = Conjunctions(passthrough=False).fit(SIXTEEN, EITHER)
    assert list(alone.transform(SIXTEEN).columns) == ["A and B", "C and D"]
    assert alone.transform(SIXTEEN.to_numpy()).shape == (16, 2)
    assert alone.get_feature_names_out().tolist() == ["A and B", "C and D"]
    renamed = SIXTEEN.assign(**{"A and B": 0})
    assert names(Conjunctions().fit(renamed, EITHER))[0] == "(A and B)"


def test_numbers_are_targets_too():
    x = np.random.RandomState(0).uniform(size=(500, 3))
    y = 3.0 * ((x[:, 0] > 0.5) & (x[:, 1] > 0.5)) + 0.01 * x[:, 2]
    found = Conjunctions().fit(x, y)
    made = found.transform(x)
    stump = DecisionTreeRegressor(max_leaf_nodes=2)
    plain = stump.fit(x, y).score(x, y)
    assert stump.fit(made, y).score(made, y) > 0.99 > plain


@pytest.mark.parametrize(
    ("X", "y", "params", "sentence"),
    [
        (SIXTEEN, EITHER, {"max_terms": 1}, "max_terms must be an int of at least 2. Got 1"),
        (SIXTEEN, EITHER, {"max_columns": 0}, "max_columns must be an int of at least 1. Got 0"),
        (SIXTEEN, EITHER, {"passthrough": 3}, "passthrough must be True or False. Got 3"),
        (SIXTEEN, None, {}, "requires y to be passed"),
        (SIXTEEN, [1, 2], {}, "y must have one value per row of X, 16"),
        (SIXTEEN, [np.nan] * 16, {}, "y must hold no NaN"),
    ],
)
def test_bad_input_is_rejected_in_one_sentence(X, y, params, sentence):
    with pytest.raises(ValueError, match=sentence):
        Conjunctions(**params).fit(X, y)


def test_a_sparse_table_is_rejected():
    from scipy.sparse import csr_array

    with pytest.raises(TypeError, match="X must be a dense table"):
        Conjunctions().fit(csr_array(SIXTEEN.to_numpy()), EITHER)


def test_it_passes_the_checks_of_scikit_learn():
    check_estimator(Conjunctions(), on_skip=None)
