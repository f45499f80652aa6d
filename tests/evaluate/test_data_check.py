"""What a check finds in tables made to be found out."""

import datetime as dt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright
from tests.support.strategies import examples
from treewright.data.files import read_table
from treewright.evaluate.data_check import check

TENNIS = {
    "forecast": ["sunny", "sunny", "overcast", "rainy", "rainy", "rainy", "overcast"] * 2,
    "wind": ["weak", "strong", "weak", "weak", "weak", "strong", "strong"] * 2,
    "play": ["no", "no", "yes", "yes", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes", "no", "no"],
}


def only(found, kind):
    """The one finding of this kind."""
    (finding,) = found.of(kind)
    return finding


def table_of(n=200, seed=0, **more):
    """Columns that are clean and say nothing, and others."""
    rng = np.random.default_rng(seed)
    clean = {
        "a": rng.normal(size=n),
        "b": rng.integers(0, 9, size=n),
        "c": rng.choice(["u", "v", "w"], size=n),
    }
    return {name: list(values) for name, values in (clean | more).items()}


def numbers_of(n=200):
    return np.random.default_rng(0).normal(size=(n, 3))


def target_of(n=200, seed=1):
    return np.random.default_rng(seed).choice(["no", "yes"], size=n)


# -- rows


def test_repeated_and_contradictory_rows(frame):
    found = check(frame(TENNIS), "play")
    again = only(found, "duplicated rows")
    assert again.rows.tolist() == [4, 7, 9, 10, 11, 12]
    against = only(found, "contradictory rows")
    assert against.rows.tolist() == [1, 6, 8, 13]
    assert against.n_rows == 4
    assert "in 2 groups. Every tree gets at least 2 of them wrong." in against.sentence
    assert [finding.kind for finding in found] == ["contradictory rows", "duplicated rows"]
    assert found.columns == ("forecast", "wind", "play")


def test_missing_equals_missing_and_numbers_do_not_contradict(frame):
    table = frame({"a": [None, None, 1.5, 1.5], "y": [0.5, 0.25, 7.5, 7.5]})
    found = check(table, "y")
    assert only(found, "duplicated rows").rows.tolist() == [3]
    assert not found.of("contradictory rows")  # two measurements may differ
    found = check(table, "y", task="classification")
    assert only(found, "contradictory rows").rows.tolist() == [0, 1]


def test_a_key_does_not_hide_contradictions(frame):
    table = table_of(a=[1.5] * 200, b=[2] * 200, c=["u"] * 200, name=[f"n{i}" for i in range(200)])
    table["y"] = ["no"] * 100 + ["yes"] * 100
    found = check(frame(table), "y")
    assert "apart from column 'name'" in only(found, "contradictory rows").sentence
    assert only(found, "contradictory rows").n_rows == 200
    assert not found.of("duplicated rows")  # the key tells them apart, unless it is ignored
    assert only(check(frame(table), "y", exclude="name"), "duplicated rows").n_rows == 198


def test_rows_without_a_target(frame):
    found = check(frame({"a": [1, 2, 3, 4], "y": ["x", None, "z", None]}), "y")
    assert only(found, "missing target").rows.tolist() == [1, 3]
    assert "2 rows have no target" in only(found, "missing target").sentence


def test_rare_classes():
    y = np.array(["often"] * 150 + ["rather"] * 48 + ["rarely"] * 2)
    finding = only(check(numbers_of(), y), "rare class")
    assert finding.rows.tolist() == [198, 199]
    assert "'rarely' has 2 rows of 200 (1.00%)" in finding.sentence
    assert not check(np.arange(8).reshape(4, 2), [0, 0, 1, 1]).of(
        "rare class"
    )  # few, but as many as the others


def test_one_class_against_the_rest():
    table = {"a": [1, 1, 2, 2], "y": ["x", "y", "z", "z"]}
    pandas = pytest.importorskip("pandas")
    found = check(pandas.DataFrame(table), "y", positive="z")
    assert not found.of("contradictory rows")
    assert only(found, "duplicated rows").rows.tolist() == [3]
    assert "'z' 2" in str(found)
    found = check(pandas.DataFrame(table), "y", positive="x")
    assert only(found, "contradictory rows").rows.tolist() == [0, 1]


@examples()
@given(
    rows=st.lists(
        st.tuples(st.sampled_from([0, 1, None]), st.sampled_from("ab"), st.integers(0, 2)), min_size=1
    )
)
def test_rows_as_a_dictionary_counts_them(rows):
    X = np.empty((len(rows), 2), dtype=object)
    X[:] = [row[:2] for row in rows]
    y = [row[2] for row in rows]
    found = check(X, y)
    again = [i for i, row in enumerate(rows) if row in rows[:i]]
    against = [
        i for i, row in enumerate(rows) if any(row[:2] == other[:2] and row[2] != other[2] for other in rows)
    ]
    assert [i for f in found.of("duplicated rows") for i in f.rows] == again
    assert [i for f in found.of("contradictory rows") for i in f.rows] == against


# -- columns


def test_columns_with_one_value_or_none(frame):
    table = table_of(one=["same"] * 200, two=[7] * 200, gap=[7] * 199 + [None], none=[None] * 200)
    found = check(frame(table | {"y": list(target_of())}), "y")
    assert only(found, "constant column").columns == ("one", "two")
    assert only(found, "constant column").n_rows == 200
    assert only(found, "empty column").columns == ("none",)  # "gap" can still be asked for: missing or not


def test_a_target_with_one_value():
    found = check(numbers_of(), np.zeros(200))
    assert "nothing to learn" in only(found, "constant column").sentence


RNG = np.random.default_rng(7)
KEYS = {
    "texts": [f"user {i:03}" for i in range(200)],
    "counter": list(range(1000, 1200)),
    "counts down": list(range(400, 0, -2)),
    "shuffled": RNG.permutation(200).tolist(),
    "with a gap": [None, *RNG.permutation(199).tolist()],
    "customer_id": RNG.choice(100_000, size=200, replace=False).tolist(),
    "large": RNG.choice(10**9, size=200, replace=False).tolist(),
    "almost": [f"user {i:03}" for i in range(195)] + ["user 000"] * 5,
}
NOT_KEYS = {
    "measured": RNG.normal(size=200).tolist(),
    "whole and wide": RNG.integers(0, 100_000, size=200).tolist(),
    "years": RNG.integers(1900, 2020, size=200).tolist(),
    "levels": RNG.choice(["p", "q", "r"], size=200).tolist(),
    "days": [dt.datetime(2024, 1, 1) + dt.timedelta(days=i) for i in range(200)],
}


def test_keys_and_measurements(frame):
    found = check(frame(KEYS | NOT_KEYS | {"y": list(target_of())}), "y")
    assert [finding.columns[0] for finding in found.of("id-like column")] == list(KEYS)
    assert not found.of("leakage suspect")  # a key predicts nothing of other rows


def test_of_few_rows_only_what_names_each_row_is_a_key():
    y = [0, 1] * 7
    numbers = np.random.default_rng(0).permutation(14)
    assert not check(numbers[:, None], y).of("id-like column")
    assert not check((2.5 * np.arange(14))[:, None], y).of("id-like column")
    assert not check(np.arange(4)[:, None], [0, 1, 0, 1]).of("id-like column")
    counted = only(check(np.column_stack([np.arange(1, 15), numbers]), y), "id-like column")
    assert counted.columns == (0,)
    assert "that count the rows" in counted.sentence
    days = np.array([[f"D{k}", "ab"[k % 2]] for k in range(14)], dtype=object)
    assert only(check(days, y), "id-like column").columns == (0,)


# -- leakage


def test_leaks_of_classes(frame):
    y = np.random.default_rng(3).choice(["cold", "mild", "warm"], size=600, p=[0.6, 0.3, 0.1])
    rng = np.random.default_rng(4)
    code = np.select([y == "cold", y == "mild"], [0, 1], 2)
    leaks = {
        "copy": list(y),
        "renamed": [f"level {c}" for c in code],
        "number": (code + rng.uniform(0, 0.9, size=600)).tolist(),
        "scrambled": (10 * (code * 2 % 3) + rng.normal(size=600)).tolist(),  # not in order: a tree sees it
        "many": [f"town {c}{i}" for c, i in zip(code, rng.integers(0, 8, size=600), strict=True)],
    }
    noise = {
        "nearly": np.where(rng.uniform(size=600) < 0.15, "cold", y).tolist(),
        "key": [f"row {i}" for i in range(600)],
        "measured": rng.normal(size=600).tolist(),
    }
    found = check(frame(leaks | noise | {"y": list(y)}), "y")
    assert [finding.columns[0] for finding in found.of("leakage suspect")] == list(leaks)
    sentences = [finding.sentence for finding in found.of("leakage suspect")]
    assert "is a copy of the target" in sentences[0]
    assert "is a copy of the target" in sentences[1]
    assert "cross-validated" in sentences[2]


def test_missing_or_not_may_be_the_leak(frame):
    y = target_of()
    table = table_of(paid=[1.5 if label == "yes" else None for label in y])
    assert only(check(frame(table | {"y": list(y)}), "y"), "leakage suspect").columns == ("paid",)


def test_leaks_of_numbers(rng):
    x = rng.normal(size=(500, 4))
    y = np.exp(x[:, 1])
    x[:, 2] = y + 0.5 * rng.normal(size=500)
    found = check(x, y)
    assert [finding.columns for finding in found.of("leakage suspect")] == [(1,)]
    assert "variance" in found.of("leakage suspect")[0].sentence


def test_a_rare_class_is_not_a_leak_for_everything(rng):
    y = (np.arange(1000) % 100 == 0).astype(int)
    assert not check(rng.normal(size=(1000, 5)), y).of("leakage suspect")


def test_a_counter_of_sorted_rows_is_a_leak_too():
    found = check(np.arange(2000)[:, None], ["no"] * 900 + ["yes"] * 1100)
    assert only(found, "leakage suspect").columns == only(found, "id-like column").columns == (0,)


def test_the_limit_is_the_users(rng):
    y = rng.integers(0, 2, size=1000)
    X = np.where(rng.uniform(size=1000) < 0.1, 1 - y, y)[:, None]
    assert not check(X, y).of("leakage suspect")
    assert only(check(X, y, leak=0.7), "leakage suspect").columns == (0,)


# -- levels and types


def test_levels_that_differ_only_by_case_or_blanks(frame):
    table = {"town": ["New York"] * 5 + ["new york", "NewYork ", "Boston", None], "y": ["a", "b", "A"] * 3}
    found = check(frame(table), "y")
    goal, town = found.of("similar levels")  # the worse first
    assert (town.columns, town.rows.tolist()) == (("town",), [5, 6])
    assert (goal.columns, goal.rows.tolist()) == (("y",), [2, 5, 8])
    assert "'New York' = 'new york' = 'NewYork '" in town.sentence
    assert (town.severity, goal.severity) == ("low", "medium")
    assert goal.sentence.endswith("They are predicted as different classes.")


def test_mixed_types():
    pandas = pytest.importorskip("pandas")
    odd = pandas.DataFrame(
        {"a": [1, "two", 3.5, True, None], "b": [1, 2.5, None, 3, 4], "y": [0, 1, 0, 1, 0]}
    )
    finding = only(check(odd.astype({"b": object}), "y"), "mixed types")
    assert finding.columns == ("a",)
    assert finding.rows.tolist() == [1]
    assert "3 × number, 1 × text" in finding.sentence
    assert "'two'" in finding.sentence


def test_numbers_as_text_with_some_that_are_none(frame):
    ages = [str(20 + i % 30) for i in range(95)] + ["?", "n/a", "?", "unknown", "?"]
    found = check(frame({"age": ages, "plain": ages[:50] * 2, "y": [0, 1] * 50}), "y")
    assert only(found, "mixed types").columns == ("age",)
    assert only(found, "mixed types").rows.tolist() == [95, 96, 97, 98, 99]


def test_numbers_that_became_text_are_found_with_their_lines_and_never_left_out(tmp_path):
    file = tmp_path / "t.csv"
    rows = [
        f"{j} {'kg' if j % 2 else 'g'},{'about 3' if j == 7 else j},1.{j % 9}.{j},{'a' if j < 30 else 'b'}"
        for j in range(60)
    ]
    file.write_text("weight,n,version,y\n" + "\n".join(rows) + "\n")
    found = check(file, "y")
    mixed = {each.columns[0]: each for each in found.of("mixed types")}
    assert set(mixed) == {"weight", "n", "version"}
    assert "among numbers in g it has '1 kg' (line 3), '3 kg' (line 5)" in mixed["weight"].sentence
    assert "among numbers it has 'about 3' (line 9)" in mixed["n"].sentence
    assert "no number format suits '1.0.0' (line 2)" in mixed["version"].sentence
    assert mixed["n"].option == "also_missing"
    assert mixed["n"].rows.tolist() == [7]
    assert "--also-missing 'about 3'" in found.text(options=True)
    assert found.exclude == ()
    assert not found.of("id-like column")
    assert not found.of("grouped rows")
    in_memory = check(read_table(file).frame, "y").of("mixed types")
    assert "'about 3' (row 7)" in next(each.sentence for each in in_memory if each.columns == ("n",))


def test_the_lines_of_mixed_types_are_in_the_findings_of_fit(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("n,y\n" + "".join(f"{'about 3' if j == 7 else j},{j % 2}\n" for j in range(60)))
    assert "'about 3' (line 9)" in treewright.fit(file, "y", score=False).check.of("mixed types")[0].sentence
