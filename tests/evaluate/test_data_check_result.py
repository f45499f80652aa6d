"""What a check does with its findings, what it finds in real tables, and what it refuses."""

import numpy as np
import pytest

from tests.evaluate.test_data_check import TENNIS, numbers_of, only, table_of, target_of
from tests.support import real_tables
from treewright.evaluate.data_check import KINDS, check

# -- cleaning


def test_nothing_is_removed_by_default(frame):
    table = frame(TENNIS)
    before = table.shape
    found = check(table, "play")
    assert found.clean(table, []).shape == table.shape == before
    cleaned = found.clean(table, "duplicated rows")
    assert type(cleaned) is type(table)
    assert cleaned.shape == (8, 3)
    assert not check(cleaned, "play").of("duplicated rows")
    assert found.clean(table, ["duplicated rows", "contradictory rows"]).shape == (4, 3)
    assert not check(found.clean(table, KINDS), "play").findings


def test_columns_are_left_out_but_never_the_target(frame):
    y = list(target_of())
    table = frame(table_of(one=["x"] * 200, copy=y, key=list(range(200)), y=y))
    found = check(table, "y")
    cleaned = found.clean(table, ["constant column", "leakage suspect", "id-like column"])
    assert list(getattr(cleaned, "column_names", None) or cleaned.columns) == ["a", "b", "c", "y"]


def test_levels_get_their_usual_spelling(frame):
    table = frame(
        {"town": ["Rome", "rome", "Rome ", "Rome", "Bonn", None], "y": ["a", "A", "a", "b", "b", "b"]}
    )
    cleaned = check(table, "y").clean(table, "similar levels")
    assert [str(v) if v else None for v in _listed(cleaned, "town")][:5] == ["Rome"] * 4 + ["Bonn"]
    assert _listed(cleaned, "y") == ["a", "a", "a", "b", "b", "b"]
    assert not check(cleaned, "y").of("similar levels")


def _listed(table, name):
    column = table[name]
    return column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()


def test_categories_stay_categories():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rank = pandas.CategoricalDtype(["low", "Low", "high"], ordered=True)
    frame = pandas.DataFrame({"a": ["low", "Low", "high", "low"], "y": [1, 0, 1, 0]}, index=[7, 3, 9, 1])
    frame = frame.astype({"a": rank})
    cleaned = check(frame, "y").clean(frame, "similar levels")
    assert cleaned["a"].tolist() == ["low", "low", "high", "low"]
    assert cleaned["a"].dtype.ordered
    assert cleaned.index.tolist() == [7, 3, 9, 1]
    for dtype in (polars.Categorical, polars.Enum(["low", "Low", "high"])):
        frame = polars.DataFrame({"a": ["low", "Low", "high", "low"], "y": [1, 0, 1, 0]})
        frame = frame.with_columns(polars.col("a").cast(dtype))
        cleaned = check(frame, "y").clean(frame, "similar levels")
        assert cleaned["a"].to_list() == ["low", "low", "high", "low"]
        assert cleaned.schema["a"] == dtype


def test_arrays_and_targets_of_their_own():
    X = np.array([["a", 1], ["A", 1], ["a", 1], ["b", 2]], dtype=object)
    found = check(X, ["no", "No ", "no", "yes"])
    cleaned, y = found.clean(X, ["similar levels", "duplicated rows"], y=["no", "No ", "no", "yes"])
    assert cleaned.tolist() == [["a", 1], ["a", 1], ["b", 2]]
    assert list(y) == ["no", "no", "yes"]
    assert X[1, 0] == "A"
    pandas = pytest.importorskip("pandas")
    goal = pandas.Series(["no", "No ", "no", "yes"], index=[4, 5, 6, 7], name="goal")
    _, y = check(X, goal).clean(X, ["similar levels", "duplicated rows"], y=goal)
    assert y.to_dict() == {4: "no", 5: "no", 7: "yes"}


def test_columns_may_be_named_by_numbers():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({0: [1, 1, 1], 1: ["a", "A", "a"], 2: [0, 1, 0]})
    cleaned = check(table, 2).clean(table, ["constant column", "similar levels", "duplicated rows"])
    assert cleaned.to_dict("list") == {1: ["a", "a"], 2: [0, 1]}


# -- how it reads


def test_the_text_is_aligned_and_the_page_escaped():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(table_of(**{"<b>&": ["x"] * 200}))
    found = check(table, target_of())
    text = str(found).splitlines()
    assert text[0].startswith("200 rows, 4 columns; the target has 2 classes: 'no' 96, 'yes' 104")
    assert text[1] == "Low     constant column (200 rows): Column '<b>&' has one value in all rows. No"
    assert text[2] == "        split can use that: leave it out."
    assert text[-1].startswith("Nothing was changed")
    page = found._repr_html_()
    assert "&lt;b&gt;&amp;" in page
    assert "<b>" not in page
    assert found.to_dicts() == [
        {"kind": "constant column", "severity": "low", "columns": ["<b>&"], "n_rows": 200, "option": ""}
        | {"sentence": found[0].sentence}
    ]
    assert len(found) == len(list(found)) == 1


def test_nothing_to_report():
    found = check(numbers_of(), target_of())
    assert str(found).endswith("Nothing to report.")
    assert not found
    assert "Nothing to report" in found._repr_html_()


def test_many_columns_are_not_all_named():
    found = check(np.zeros((200, 50)), target_of())
    assert "0, 1, 2, 3, 4 and 45 more" in only(found, "constant column").sentence


# -- real tables


# table → kind of every finding, how many rows it is about, and its columns
KNOWN = {
    "bundled credit": set(),
    "bundled hepatitis": set(),
    "bundled iris": {("duplicated rows", 1, ())},
    "bundled mammals-train": {("rare class", 2, ()), ("id-like column", 10, ("name",))},
    "adult": {
        ("duplicated rows", 52, ()),
        ("contradictory rows", 10, ()),
        ("equal columns", 48842, ("education-num",)),
    },
    # odor errs on 1.5 %; the rows are sorted by species
    "mushroom": {
        ("constant column", 8124, ("veil-type",)),
        ("sorted rows", 8124, ()),
        ("leakage suspect", 8124, ("odor",)),
    },
    "vowel": {("similar levels", 450, ("target",))},
    "titanic": {("duplicated rows", 107, ()), ("contradictory rows", 43, ()), ("grouped rows", 107, ())},
}
HERE = [name for name in KNOWN if name in {**real_tables.BUNDLED, **real_tables.MORE}]


@pytest.mark.recorded
@pytest.mark.parametrize("name", HERE)
def test_findings_in_real_tables(name):
    table = real_tables.table(name)
    found = check(table, table.columns[-1])
    assert {(each.kind, each.n_rows, each.columns) for each in found} == KNOWN[name]


def test_a_column_that_errs_on_few_rows_is_a_leak_unless_the_limit_is_higher(rng):
    """As the odor of mushrooms, which has several levels: it tells the class of all rows but 1.5 %."""
    poisonous = rng.random(2000) < 0.5
    odor = np.where(poisonous & (np.arange(2000) % 33 > 0), "foul", rng.choice(["none", "almond"], 2000))
    table = {"odor": list(odor), "cap": list(rng.choice(["flat", "bell", "conical"], 2000)), "y": poisonous}
    frame = pytest.importorskip("polars").DataFrame(table)
    assert not check(frame, "y", leak=0.98).of("leakage suspect")
    assert only(check(frame, "y"), "leakage suspect").columns == ("odor",)


def test_classes_that_differ_by_case_are_similar_levels(rng):
    """As the vowels hid and hId."""
    y = rng.choice(["hid", "hId", "had", "hod"], 400)
    found = only(check(rng.normal(size=(400, 3)), y), "similar levels")
    assert "'hid' = 'hId'" in found.sentence or "'hId' = 'hid'" in found.sentence
    assert found.n_rows == min(np.sum(y == "hid"), np.sum(y == "hId"))  # the less frequent spelling


def repeated_table():
    """People of few kinds, as in Titanic: many rows are equal, and some equal ones end differently."""
    rng = np.random.default_rng(3)
    named = {
        "class": rng.choice(["first", "second", "crew"], 400),
        "sex": rng.choice(["m", "f"], 400),
        "age": np.where(rng.random(400) < 0.2, np.nan, rng.integers(1, 30, 400)),
        "target": rng.choice(["yes", "no"], 400, p=[0.3, 0.7]),
    }
    return pytest.importorskip("polars").DataFrame(named, nan_to_null=True)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "name", ["made", *(name for name in HERE if name in ("bundled iris", "titanic", "adult"))]
)
def test_repeated_rows_are_those_of_pandas(name):
    pytest.importorskip("pandas")
    table = (repeated_table() if name == "made" else real_tables.table(name)).to_pandas()
    target = table.columns[-1]
    found = check(table, target)
    again = table.duplicated(keep="first").to_numpy()
    assert only(found, "duplicated rows").rows.tolist() == np.flatnonzero(again).tolist()
    features = table.drop(columns=target)
    classes = table.groupby(list(features), dropna=False, observed=True)[target].transform("nunique")
    different = [row for each in found.of("contradictory rows") for row in each.rows.tolist()]
    assert different == np.flatnonzero(classes > 1).tolist()
    assert different or name == "bundled iris"


# -- bad input


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda p: check(p.DataFrame({"age": [1], "y": [2]}), "yy"), "Got 'yy'. Did you mean 'y'?"),
        (lambda p: check(p.DataFrame({"y": [1, 2]}), "y"), "a column besides the target"),
        (lambda p: check(p.DataFrame({"a": [], "y": []}), "y"), "at least one row and one column"),
        (lambda p: check(p.DataFrame({"a": [1], "y": [None]}), "y"), "a value in at least one row"),
        (
            lambda p: check(p.DataFrame([[1, 2, 3]], columns=["a", "a", "y"]), "y"),
            "must have different names",
        ),
        (lambda _: check([1, 2, 3], [0, 1, 0]), "an array of two dimensions"),
        (lambda _: check(np.eye(3), [0, 1]), "one entry per row of the table: 3. Got 2."),
        (lambda _: check(np.eye(3), np.eye(3)), "Give one column"),
        (lambda _: check(np.eye(3), [0, 1, 0], groups=[1, 2]), "groups must have one entry per row"),
        (lambda p: check(p.DataFrame({"a": [], "y": []}), "y"), r"one column\. Got 0 rows and 2 columns\."),
        (lambda _: check(np.eye(3), [0, 1, 0]).text(width="a"), "width must be an int of at least 40"),
        (lambda _: check(np.eye(3), [0, 1, 0], leak=2), "leak must be a share above 0 and at most 1. Got 2."),
        (lambda _: check(np.eye(3), [0, 1, 0], task="ranking"), "task must be 'classification'"),
        (lambda _: check(np.eye(3), list("aba"), task="regression"), "needs a target of numbers"),
        (lambda _: check(np.eye(3), [0, 1, 0], positive=7), "positive must be a class of the target. Got 7."),
        (lambda _: check(np.eye(3), [0, 1, 0], positive=1, task="regression"), "Leave one of the two out"),
        (
            lambda _: check(np.eye(3), [0, 1, 0], exclude=5),
            "exclude must name columns of the table, and not the target. Got 5",
        ),
        (
            lambda p: check(p.DataFrame({"a": [1, 2], "t": [0, 1]}), "t", time="t"),
            "and not the target. Got 't'",
        ),
        (lambda _: check(np.eye(3), [0, 1, 0], labels="yes"), "labels must be True or False. Got 'yes'."),
        (
            lambda _: check(np.eye(3), [0, 1, 0]).of("dirt"),
            "kinds must be among 'leakage suspect'.*Got 'dirt'",
        ),
        (lambda _: check(np.eye(3), [0, 1, 0]).clean(np.eye(3), "dirt"), "kinds must be among"),
        (lambda _: check(np.eye(3), [0, 1, 0]).clean(np.eye(4), []), "the one that was checked, with 3 rows"),
        (lambda _: check(np.eye(3), [0, 1, 0]).clean([1, 2, 3], []), "Got 3 rows and 0 columns"),
        (lambda _: check(np.eye(3), [0, 1, 0]).clean(np.eye(3), [], y=[1]), "one entry per checked row: 3"),
    ],
)
def test_invalid_input_is_rejected_with_advice(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(pytest.importorskip("pandas"))


def test_unsupported_tables_are_rejected():
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"must be a table in memory\. Got a LazyFrame; collect it first"):
        check(polars.LazyFrame({"a": [1]}), "a")
    with pytest.raises(TypeError, match=r"Got values of type \w+ in column 'a'"):
        check(polars.DataFrame({"a": [[1, 2], [3]], "y": [0, 1]}), "y")
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match=r"Got a sparse matrix; use its .toarray\(\)"):
        check(sparse.eye(3).tocsr(), [0, 1, 0])


@pytest.mark.parametrize("values", [[np.inf, 1, 2] * 10, [2**63, 1, 5] * 10, [-0.0, 0.0, 1] * 10])
def test_extreme_numbers(values):
    assert check(np.array(values)[:, None], np.array([0.5, 1, 2] * 10)).n_rows == 30
    assert check(np.arange(30.0)[:, None] % 7, np.array(values, dtype=float)).n_rows == 30
