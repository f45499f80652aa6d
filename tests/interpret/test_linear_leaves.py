"""What explanations, Shapley values, rules and refusals say of linear leaves."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

import treewright as tw


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    n = 400
    table = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "rooms": rng.integers(1, 9, n).astype(float),
            "area": rng.choice(["north", "south", "west"], n),
        }
    )
    table.loc[rng.random(n) < 0.1, "size"] = np.nan
    size = table["size"].to_numpy()
    y = np.where(table.area == "north", 3 * np.nan_to_num(size, nan=2.0), -2 * np.nan_to_num(size))
    y = y + np.where(table.rooms > 4, table.rooms, 0) + rng.normal(size=n) * 0.1
    options = {"clip": False}
    model = tw.DecisionTreeRegressor(leaf_model="linear", leaf_options=options).fit(table, y)
    assert model.get_n_leaves() >= 3
    return model, table, y


def test_the_terms_of_a_leaf_add_up_to_the_prediction(fitted):
    model, table, _ = fitted
    predicted = model.predict(table[:30])
    for number, found in enumerate(tw.explain(model, table[:30])):
        assert found.end == pytest.approx(predicted[number])
        models = model.tree_.leaf_models
        moved = sum(term.score_change for term in found.terms)
        assert models.constant[found.leaves[0].node, 0] + moved == pytest.approx(predicted[number])
        assert sum(found.contributions.values()) == pytest.approx(found.end - found.start)
        assert "Equation: prediction = " in str(found)
        assert found.to_dict()["leaves"][0]["terms"]


@pytest.mark.parametrize("background", [None, slice(100, 115)])
def test_shapley_values_are_those_of_the_definition(fitted, background):
    model, table, _ = fitted
    usual = None if background is None else table[background].reset_index(drop=True)
    found = tw.shapley_values(model, table[:25], background=usual)
    assert np.allclose(found.values.sum(axis=1) + found.base, model.predict(table[:25]))
    if usual is None:
        return
    for number in (0, 3, 7):
        row = table.iloc[number]

        def worth(known, row=row):
            mixed = usual.copy()
            for j in known:
                mixed.iloc[:, j] = row.iloc[j]
            return model.predict(mixed).mean()

        for j in range(3):
            others = [k for k in range(3) if k != j]
            value = sum(
                math.factorial(size) * math.factorial(2 - size) / 6 * (worth((*known, j)) - worth(known))
                for size in range(3)
                for known in itertools.combinations(others, size)
            )
            assert found.values[number, j] == pytest.approx(value, abs=1e-9)


def test_rules_and_leaves_have_the_equations(fitted, capsys):
    model, _, _ = fitted
    assert " size" in str(tw.rules(model)).partition("then")[2].partition("\n")[0]
    assert all("equation" in row for row in tw.leaves(model).to_dicts())
    tw.show(model, width=100)
    assert "rooms" in capsys.readouterr().out
    assert "value: " in tw.export_text(model)


def test_pruned_leaves_have_the_models_of_their_nodes(fitted):
    model, table, y = fitted
    small = tw.prune(model, "leaf_budget", n_leaves=2)
    assert small.get_n_leaves() == 2
    assert small.score(table, y) > tw.prune(model, "leaf_budget", n_leaves=1).score(table, y)
    columns = model.fitted_tree.columns(table)
    one = model.tree_.collapse(np.arange(model.tree_.node_count) == 0)
    assert np.allclose(one.predict(columns), tw.prune(model, alpha=1e9).tree_.predict(columns))


@pytest.mark.parametrize("what", ["to_sklearn", "prune", "trace"])
def test_what_needs_constant_leaves_says_so(fitted, what):
    model, table, y = fitted
    use = {
        "to_sklearn": model.to_sklearn,
        "prune": lambda: tw.prune(model, "merge"),
        "trace": lambda: tw.lab.trace(model, table, y),
    }
    with pytest.raises(ValueError, match=r"needs leaves that predict a constant\. Got linear leaves"):
        use[what]()


def test_columns_of_terms_count_in_permutation(fitted):
    model, table, y = fitted
    found = tw.importances(model, table, y)
    assert {row["column"]: row["permutation"] for row in found.to_dicts()}["size"] > 0.1


def everywhere(row, table):
    """Rows all over the table, and how far each is from one row: 0.02 apart in size, every room and area."""
    size = np.r_[row["size"], np.arange(-3, 3, 0.02)] if pd.notna(row["size"]) else [np.nan]
    grid = pd.MultiIndex.from_product([size, np.arange(1.0, 9.0), ["north", "south", "west"]])
    rows = grid.to_frame(index=False, name=list(table))
    spread = table[["size", "rooms"]].quantile(0.75) - table[["size", "rooms"]].quantile(0.25)
    far = sum((rows[name] - row[name]).abs().fillna(0.0) / spread[name] for name in ("size", "rooms"))
    return rows, far + (rows.area != row.area)


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("target", [("above", 7.0), ("below", -4.0), (2.0, 2.5)])
def test_no_change_is_nearer_than_the_counterfactual(fitted, target, clip):
    model, table, y = fitted
    if clip:
        model = tw.DecisionTreeRegressor(leaf_model="linear").fit(table, y)
    low, high = {"above": (target[1], np.inf), "below": (-np.inf, target[1])}.get(target[0], target)
    for number in range(12):
        rows, far = everywhere(table.iloc[number], table)
        predicted = model.predict(rows)
        within = (predicted > low) & (predicted < high)
        found = tw.counterfactual(model, table, target, row=number, reference=table)
        if not found.found:
            assert not within.any()
            continue
        after = model.predict(found.X)[0]
        assert low <= after <= high
        assert found.least <= min(far[within], default=np.inf) + 1e-9
        assert found.least <= found.distance <= found.least + 0.2  # few digits


def test_counterfactuals_of_logistic_leaves_reach_the_other_class():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 2))
    y = np.where(X[:, 0] > 0, 3 * X[:, 1], -3 * X[:, 1]) + rng.logistic(size=500) > 0
    model = tw.DecisionTreeClassifier(leaf_model="logistic").fit(X, y)
    grid = np.stack(np.meshgrid(np.arange(-3, 3, 0.02), np.arange(-3, 3, 0.02)), axis=-1).reshape(-1, 2)
    spread, predicted = np.subtract(*np.quantile(X, [0.75, 0.25], axis=0)), model.predict(grid)
    for number in range(8):
        found = tw.counterfactual(model, X, row=number, reference=X)
        assert model.predict(found.X)[0] != model.predict(X[number : number + 1])[0]
        other = predicted != model.predict(X[number : number + 1])[0]
        assert found.least <= (np.abs(grid - X[number]) / spread).sum(axis=1)[other].min() + 1e-9
    three = tw.DecisionTreeClassifier(leaf_model="logistic").fit(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    with pytest.raises(ValueError, match="counterfactual needs two classes without costs"):
        tw.counterfactual(three, X[:1])


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("with_background", [False, True])
def test_shapley_values_of_logistic_leaves_are_of_the_log_odds(n_classes, with_background):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    score = np.where(X[:, 0] > 0, 3 * X[:, 1], -3 * X[:, 1]) + rng.logistic(size=400)
    y = np.digitize(score, [0] if n_classes == 2 else [-1, 1])
    model = tw.DecisionTreeClassifier(leaf_model="logistic", leaf_options={"clip": False}).fit(X, y)
    assert model.get_n_leaves() > 1
    usual = X[300:310] if with_background else None
    found = tw.shapley_values(model, X[:20], background=usual)
    assert found.scale == ("log odds" if n_classes == 2 else "score")
    assert found.values.shape == (20, 3, n_classes)
    total = found.values.sum(axis=1) + found.base
    shares = np.exp(total) if n_classes == 3 else 1 / (1 + np.exp(-total))
    assert np.allclose(shares / shares.sum(axis=1, keepdims=True), model.predict_proba(X[:20]))
    assert f"{found.scale}" in str(found)
    assert tw.shapley_values(model.tree_, X[:2]).scale == found.scale
    if not with_background or n_classes == 3:
        return

    def log_odds(rows):
        p = model.predict_proba(rows)
        return np.log(p[:, 1] / p[:, 0])

    def worth(known):
        mixed = usual.copy()
        mixed[:, list(known)] = X[0, list(known)]
        return log_odds(mixed).mean()

    for j in range(3):
        others = [k for k in range(3) if k != j]
        value = sum(
            math.factorial(size) * math.factorial(2 - size) / 6 * (worth((*known, j)) - worth(known))
            for size in range(3)
            for known in itertools.combinations(others, size)
        )
        assert found.of_class(1)[0][0, j] == pytest.approx(value, abs=1e-7)


def test_next_best_splits_are_compared_by_the_models_of_both_sides(fitted):
    model, table, y = fitted
    found = tw.next_best_splits(model, table, y, k=None)
    tree, alpha = model.tree_, model.leaf_alpha_
    assert [node.node for node in found] == np.flatnonzero(~tree.is_leaf).tolist()
    assert all({split.feature for split in node.next_best} < {"size", "rooms", "area"} for node in found)

    # The gain of the chosen split of the root, by the function that measures the others.
    from treewright.interpret.next_best.search import split_search

    search = split_search(model, table, y, None)
    rows, _ = search.rows_at(0)
    left = tree.collapse(np.isin(np.arange(tree.node_count), [1, 2]) & ~tree.is_leaf).apply(table) == 1
    assert alpha is not None
    assert search.linear.gain(0, rows, left[rows]) == pytest.approx(tree.gain[0], rel=1e-6)
    assert found[0].gain >= max(split.gain for split in found[0].next_best)
    assert "another column may show a greater gain" in str(found)


def test_next_best_splits_of_other_models_are_refused():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.where(X[:, 0] > 0, X[:, 1], -X[:, 1]) + 0.1 * rng.normal(size=300)
    logistic = tw.DecisionTreeClassifier(leaf_model="logistic").fit(X, y > 0)
    with pytest.raises(ValueError, match=r"needs constant or linear leaves\. Got logistic leaves"):
        tw.next_best_splits(logistic, X, y > 0)
    limited = tw.DecisionTreeRegressor(leaf_model="linear", leaf_options={"max_columns": 1}).fit(X, y)
    with pytest.raises(ValueError, match="needs leaf_options without columns, max_columns and m5"):
        tw.next_best_splits(limited, X, y)
