"""Rules with linear models: recorded ones of Cubist, what a rule predicts, files, and refusals."""

import json

import numpy as np
import pytest

import treewright
from tests.support.golden import TABLES, Recorded, cases_of, table
from tests.support.sklearn_checks import BY_MEAN_WEIGHT, checked
from treewright.classics import cubist, like, m5p
from treewright.learn.model_file import FileError

pandas = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore:The table has levels that were not seen at fit:UserWarning")

OTHER_NEIGHBORS = {"cpu__cubist__default"}  # of more rows than in the other cases
OPTIONS = {
    "committees3": {"committees": 3},
    "extrap0": {"extrapolation": 0},
    "rules2": {"rules": 2},
    "unbiased": {"unbiased": True},
}


def fitted(recorded, **more):
    rows = table(recorded.table, "train")
    target = next(name for name in rows if name not in recorded.features)
    options = OPTIONS.get(recorded.setting, {}) | more
    return cubist(**options).fit(rows[recorded.features], rows[target]), rows[target]


@pytest.mark.recorded
@pytest.mark.parametrize("path", cases_of("cubist"), ids=lambda path: path.stem)
def test_as_recorded(path):
    recorded = Recorded(path)
    model, y = fitted(recorded)
    for part in TABLES:
        wanted = np.array(recorded.predictions[part]["predictions"], dtype=float)
        assert np.abs(model.predict(recorded.rows(part)) - wanted).max() <= 1e-5 * np.ptp(y)
    for rules, known in zip(model.rule_model_.committee, recorded.extra["committees"], strict=True):
        assert [rule.cover for rule in rules] == [rule["cover"] for rule in known]
        for rule, other in zip(rules, known, strict=True):
            terms = {recorded.features[j]: size for j, size in rule.terms.items()}
            assert terms == pytest.approx(other["linear_model"]["coefficients"])
            assert rule.intercept == pytest.approx(other["linear_model"]["intercept"])
            assert rule.error == pytest.approx(other["est_err"], rel=0.02, abs=1e-3)
            assert rule.path.n_conditions == len(other["conditions"])


@pytest.mark.recorded
@pytest.mark.parametrize("path", cases_of("cubist"), ids=lambda path: path.stem)
def test_neighbors_as_recorded(path):
    recorded = Recorded(path)
    model, y = fitted(recorded, neighbors=5)
    shares = (0.97, 0.86, 0.9) if path.stem in OTHER_NEIGHBORS else (0.99, 0.96, 0.9)
    for part, least in zip(("train", "probe", "probe_nomiss"), shares, strict=True):
        wanted = np.array(recorded.predictions[part]["predictions_neighbors5"], dtype=float)
        off = np.abs(model.predict(recorded.rows(part)) - wanted)
        assert (
            np.mean(off <= 1e-3 * np.ptp(y)) >= least
        )  # the program draws pairs of rows for the mean distance


def test_of_rules_with_the_same_conditions_the_best_stays():
    rng = np.random.RandomState(26)
    for _ in range(30):  # levels that matter more than numbers, whose conditions are dropped
        level, X = rng.randint(0, 3, 100), np.round(rng.uniform(0, 10, (100, 2)), 1)
        y = 12 * level + 3 * X[:, 1] - X[:, 0] + 6 * (X[:, 1] > 5) * (level == 1) + rng.randn(100)
        y, levels = np.round(y, 1), pandas.Categorical(np.array(list("abc"))[level])
        rows = pandas.DataFrame({"n": levels, "x": X[:, 0], "z": X[:, 1]})
        rules = cubist().fit(rows, y).rule_model_.committee[0]
        assert len({frozenset(rule.path.values.values()) for rule in rules}) == len(rules)


def test_a_level_that_no_row_of_a_node_has_is_on_neither_side():
    X, y = two_lines()
    names = np.where(X[:, 0] <= 5, np.where(X[:, 1] > 4, "a", "b"), np.where(X[:, 1] > 4, "c", "d"))
    levels = pandas.Categorical(names, categories=list("abcdz"))
    model = cubist().fit(pandas.DataFrame({"level": levels, "x": X[:, 1]}), y)
    seen = [rule.path.values[0].codes for rule in model.rule_model_.committee[0] if 0 in rule.path.values]
    assert seen
    assert all(4 not in codes for codes in seen)
    new = pandas.DataFrame({"level": pandas.Categorical(["z"], categories=list("abcdz")), "x": [3.0]})
    if len(seen) == model.rule_model_.n_rules:
        assert model.predict(new) == pytest.approx(y.mean())


@pytest.mark.parametrize(("mean", "usual"), [(7.198, 7.2), (77.87, 77.8), (-22.02, -22.1), (2.394, 2.4)])
def test_a_missing_number_is_the_mean_rounded_down_but_for_the_last_tenth(mean, usual):
    column = np.full(501, np.floor(mean))
    column[: round(500 * (mean - np.floor(mean)))] += 1
    column[500] = np.nan
    assert cubist().fit(column[:, None], np.arange(501.0)).rule_model_.usual == (pytest.approx(usual),)


def two_lines(n=80, seed=0):
    rng = np.random.RandomState(seed)
    X = np.round(rng.uniform(0, 10, (n, 2)), 2)
    y = np.where(X[:, 0] <= 5, 3 * X[:, 1], 50 - 2 * X[:, 1]) + rng.normal(size=n) / 10
    return X, np.round(y, 2)


def test_a_row_is_predicted_the_mean_of_its_rules_within_their_ranges():
    X, y = two_lines()
    model = cubist(extrapolation=10).fit(X, y)
    new = np.vstack([X, [[2.0, 100.0], [8.0, -100.0]]])
    rules = model.rule_model_.committee[0]
    assert len(rules) == 2
    for row, found in zip(new, model.predict(new), strict=True):
        each = []
        for rule in rules:
            if all(_meets(values, row[j]) for j, values in rule.path.values.items()):
                predicted = rule.intercept + sum(size * row[j] for j, size in rule.terms.items())
                more = 0.1 * (rule.high - rule.low)
                low = rule.low - more if rule.low < 0 else max(0, rule.low - more)
                each.append(min(max(predicted, low), rule.high + more))
        assert found == pytest.approx(np.mean(each))


def _meets(values, x):
    return values.low < (x, 0.5) < values.high


def test_the_models_are_those_of_least_squares():
    X, y = two_lines()
    rules = cubist(unbiased=True).fit(X, y).rule_model_.committee[0]
    for rule, low in zip(rules, (True, False), strict=True):
        rows = (X[:, 0] <= 5) == low
        slope = np.polyfit(X[rows, 1], y[rows], 1)[0]
        assert rule.terms == {1: pytest.approx(slope, abs=0.005 * 10)}
        rest = y[rows] - rule.terms[1] * X[rows, 1]
        assert rule.intercept == pytest.approx(rest.mean(), abs=1e-3)
        assert (rule.cover, rule.low, rule.high) == (rows.sum(), y[rows].min(), y[rows].max())


def test_weights_are_divided_by_their_mean():
    X, y = two_lines()
    rng = np.random.RandomState(1)
    weight = rng.choice([1.0, 5.0], len(y))
    y = y + rng.normal(size=len(y))
    model = cubist().fit(X, y, sample_weight=weight)
    assert model.rule_model_ == cubist().fit(X, y, sample_weight=64 * weight).rule_model_
    assert (
        cubist().fit(X, y, sample_weight=np.full(len(y), 7.0)).rule_model_ == cubist().fit(X, y).rule_model_
    )
    assert model.rule_model_ != cubist().fit(X, y).rule_model_
    for rule in model.rule_model_.committee[0]:
        rows = rule.holds(X)
        assert rule.mean == pytest.approx(np.average(y[rows], weights=weight[rows]))


def test_scikit_learns_checks():
    checked(cubist(committees=2, neighbors=3), BY_MEAN_WEIGHT)


def test_the_page_has_rules_a_form_and_errors(tmp_path):
    X, y = two_lines()
    frame = pandas.DataFrame({"a": X[:, 0], "b<c": X[:, 1], "c": np.where(X[:, 0] > 5, "high", "low")})
    model = cubist(committees=2, neighbors=2).fit(frame, y)
    page = treewright.report(model, frame, y, path=tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    for part in (
        "b&lt;c",
        "Member 2",
        "nearest training rows",
        '<form id="try">',
        "mean absolute error",
        "script-src",
    ):
        assert part in page.html
    assert "b<c" not in page.html
    shown = page.payload["model"]
    total = 0.0
    values = {column["place"]: column["usual"] for column in shown["columns"]}
    for rules in shown["members"]:  # as the script does it
        holding = [
            rule for rule in rules if all(_passes(test, values[test["column"]]) for test in rule["tests"])
        ]
        own = [rule["intercept"] + sum(size * values[j] for j, size in rule["terms"]) for rule in holding]
        near = [min(max(p, r["low"]), r["high"]) for p, r in zip(own, holding, strict=True)]
        total += np.mean(near) / len(shown["members"])
    plain = cubist(committees=2).fit(frame, y)
    usual = pandas.DataFrame({"a": [np.nan], "b<c": [np.nan], "c": [None]})
    assert total == pytest.approx(plain.predict(usual)[0])
    assert "Rows" not in treewright.report(plain).html


def _passes(test, x):
    if test["levels"] is not None:
        return x in test["levels"]
    return (test["above"] is None or x > test["above"]) and (test["upto"] is None or x <= test["upto"])


def test_committees_are_averaged_and_later_members_correct_the_first():
    X, y = two_lines(seed=3)
    y = y + np.sin(3 * X[:, 0])
    one, three = cubist().fit(X, y), cubist(3).fit(X, y)
    assert three.rule_model_.committee[0] == one.rule_model_.committee[0]
    second = cubist().fit(X, 2 * y - one.predict(X)).rule_model_.committee[0]
    assert [rule.terms for rule in three.rule_model_.committee[1]] == [rule.terms for rule in second]


def test_missing_values_are_the_mean_or_the_most_frequent_level():
    X, y = two_lines()
    frame = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": np.where(X[:, 0] > 5, "high", "low")})
    model = cubist().fit(frame, y)
    holes = pandas.DataFrame({"a": [np.nan, 2.0], "b": [3.0, np.nan], "c": ["low", None]})
    usual = model.rule_model_.usual
    level = ["high", "low"][int(usual[2])]
    full = pandas.DataFrame({"a": [usual[0], 2.0], "b": [3.0, usual[1]], "c": ["low", level]})
    assert model.predict(holes).tolist() == model.predict(full).tolist()


def test_a_file_has_all_of_it(tmp_path):
    X, y = two_lines()
    frame = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": np.where(X[:, 0] > 5, "high", "low")})
    model = cubist(committees=2, rules=7, neighbors=2, seed=4).fit(frame, y)
    again = treewright.load(model.save(tmp_path / "rules.json"))
    assert again.get_params() == model.get_params()
    assert again.predict(frame).tolist() == model.predict(frame).tolist()
    assert again.rule_model_ == model.rule_model_


@pytest.mark.parametrize(
    "change",
    [
        {"default": "1"},
        {"default": float("inf")},
        {"usual": [1.0]},
        {"decimals": -1},
        {"committee": []},
        {"committee": {}},
        {"options": {}},
        {"more": 1},
        {"terms": [[5, 1.0]]},
        {"terms": [[0, 1.0], [0, 2.0]]},
        {"terms": [[0, None]]},
        {"conditions": [[9, None, [1.0, 1], True]]},
        {"conditions": "x <= 1"},
        {"cover": -1},
        {"low": 1e9},
        {"error": -1.0},
        {"neighbors": {"X": []}},
        {"neighbors": None, "options": {}},
    ],
)
def test_a_changed_file_is_rejected(tmp_path, change):
    path = cubist().fit(*two_lines()).save(tmp_path / "rules.json")
    doc = json.loads(path.read_text())
    of_rule = doc["rule_model"]["committee"][0][0]
    (of_rule if set(change) <= of_rule.keys() else doc["rule_model"]).update(change)
    path.write_text(json.dumps(doc))
    with pytest.raises(FileError):
        treewright.load(path, allow_unverified=True)


def test_it_is_printed_as_cubist_does():
    X, y = two_lines()
    text = str(cubist().fit(X, y).fitted_tree)
    for part in ("Rule 1: [", "cases, mean", "est err", "    if\n\tfeature_0 <= ", "    then\n\toutcome = "):
        assert part in text


def test_what_needs_a_tree_says_so():
    X, y = two_lines()
    model = cubist().fit(X, y)
    for function in (treewright.rules, treewright.draw):
        with pytest.raises(ValueError, match="Got rules with linear models"):
            function(model)


def test_on_the_command_line(tmp_path, capsys):
    from treewright.present.command.program import run

    X, y = two_lines()
    rows, model = str(tmp_path / "rows.csv"), str(tmp_path / "rules.json")
    pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": y}).to_csv(rows, index=False)
    assert run(["fit", rows, "--target", "y", "--like", "cubist committees=2", "--model", model]) == 0
    assert run(["show", model]) == 0
    assert "Rule 1/1: [" in capsys.readouterr().out
    assert run(["predict", model, rows]) == 0
    last = float(capsys.readouterr().out.strip().splitlines()[-1].split(",")[-1])
    assert last == pytest.approx(treewright.load(model).predict(pandas.read_csv(rows))[-1])
    assert run(["explain", model, rows, "--row", "1"]) != 0
    assert "Got rules with linear models" in capsys.readouterr().err


def test_options():
    made = like("cubist committees=5 unbiased=TRUE", "regression")
    assert (made.committees, made.unbiased) == (5, True)
    with pytest.raises(ValueError, match="weights is not supported"):
        cubist(weights=[1])
    with pytest.raises(ValueError, match=r"neighbors must be a whole number from 0 to 9\. Got 10"):
        cubist(neighbors=10).fit(*two_lines())
    with pytest.raises(ValueError, match="extrapolation must be"):
        cubist(extrapolation=200).fit(*two_lines())
    with pytest.raises(ValueError, match="target of numbers only"):
        like("cubist")


@pytest.mark.parametrize("y", [[1.0, 1.0, 1.0], [1.0], [0.0, 1.0]])
def test_few_rows_and_a_constant_target(y):
    X = np.arange(len(y), dtype=float)[:, None]
    model = cubist(committees=2).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    assert model.rule_model_.n_rules >= 1


@pytest.mark.parametrize(("start", "step"), [(1.7e9, 1.0), (1.0, 1e-9), (-1e100, 1e98)])
def test_values_that_are_equal_in_single_precision_are_divided(start, step):
    x = start + step * np.arange(400.0)
    rng = np.random.default_rng(0)
    y = np.where(np.arange(400) < 200, 1.0, -2.0) * np.arange(400) + rng.normal(size=400)
    model = cubist().fit(x[:, None], y)
    assert model.rule_model_.n_rules > 1
    assert model.score(x[:, None], y) > 0.9


def test_columns_whose_squares_are_beyond_floats_are_refused():
    x = np.arange(20.0)
    with pytest.raises(ValueError, match=r"between -1e\+145 and 1e\+145.* in column 0"):
        cubist().fit(x[:, None] * 1e160, x)


def test_numbers_beyond_floats_have_a_prediction():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    y = 3 * X[:, 0] - 2 * X[:, 1]
    model = cubist().fit(X, y)
    far = [[1e308, 1e308], [np.inf, np.inf], [-np.inf, 0.0]]
    found = model.predict(far)
    assert np.isfinite(found).all()
    assert (np.abs(found - y.mean()) <= 2 * np.ptp(y)).all()


def test_a_tree_with_linear_leaves_prints_their_equations_as_rules():
    X, y = two_lines()
    for model in (m5p("-U"), treewright.DecisionTreeRegressor(leaf_model="linear")):
        assert "feature_1" in str(treewright.rules(model.fit(X, y)))
