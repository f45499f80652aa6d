"""What a check does with its findings, what it finds in real tables, and what it refuses."""

import numpy as np
import pytest

from tests.evaluate.test_data_check import TENNIS, numbers_of, only, table_of, target_of
from tests.support.paths import BESIDE
from treewright.evaluate.data_check import KINDS, check

SHARED = BESIDE / "data"


# -- cleaning


def test_nothing_is_removed_unless_asked(frame):
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
    assert text[0].startswith("200 rows, 4 columns; the target has 2 classes: 'yes' 10")
    assert text[1].split() == ["kind", "rows", "what"]
    assert text[2].index("200") + 3 == text[1].index("rows") + 4  # numbers end where their title ends
    assert text[2].index("Column") == text[1].index("what")
    assert text[-1].startswith("Nothing was changed")
    assert max(map(len, text)) <= 110
    page = found._repr_html_()
    assert "&lt;b&gt;&amp;" in page
    assert "<b>" not in page
    assert found.to_dicts() == [
        {"kind": "constant column", "columns": ["<b>&"], "n_rows": 200, "sentence": found[0].sentence}
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


@pytest.fixture
def real():
    pandas = pytest.importorskip("pandas")

    def read(name):
        path = SHARED / f"{name}.parquet"
        if not path.exists():
            pytest.skip(f"the table {name} is not on this machine")
        pytest.importorskip("pyarrow")
        return pandas.read_parquet(path)

    return read


def test_adult(real):
    found = check(real("adult"), "target")
    assert only(found, "duplicated rows").n_rows == 52
    assert only(found, "contradictory rows").n_rows == 10
    assert len(found) == 2


def test_mushroom(real):
    table = real("mushroom")
    found = check(table, "target")
    assert [finding.kind for finding in found] == ["constant column"]
    assert found[0].columns == ("veil-type",)  # and odor, which errs on 1.5 %, is not called a leak
    assert only(check(table, "target", leak=0.95), "leakage suspect").columns == ("odor",)


def test_vowel_tells_its_classes_apart_by_case(real):
    found = check(real("vowel"), "target")
    assert only(found, "similar levels").columns == ("target",)
    assert "'hid' = 'hId'" in only(found, "similar levels").sentence


def test_titanic_repeats_itself(real):
    table = real("titanic")
    found = check(table, "target")
    first = table.duplicated(keep="first").to_numpy()
    assert only(found, "duplicated rows").rows.tolist() == np.flatnonzero(first).tolist()
    features = table.drop(columns="target")
    classes = table.groupby(list(features), dropna=False, observed=True)["target"].transform("nunique")
    assert only(found, "contradictory rows").rows.tolist() == np.flatnonzero(classes > 1).tolist()


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
        (lambda _: check(np.eye(3), np.eye(3)), "Check several targets one by one"),
        (lambda _: check(np.eye(3), [0, 1, 0], leak=2), "leak must be a share above 0 and at most 1. Got 2."),
        (lambda _: check(np.eye(3), [0, 1, 0], task="ranking"), "task must be 'classification'"),
        (lambda _: check(np.eye(3), list("aba"), task="regression"), "needs a target of numbers"),
        (lambda _: check(np.eye(3), [0, 1, 0], positive=7), "positive must be a class of the target. Got 7."),
        (lambda _: check(np.eye(3), [0, 1, 0], positive=1, task="regression"), "Leave one of the two out"),
        (lambda _: check(np.eye(3), [0, 1, 0], exclude=5), "exclude must name columns of the table. Got 5."),
        (
            lambda _: check(np.eye(3), [0, 1, 0]).of("dirt"),
            "kinds must be among 'missing target'.*Got 'dirt'",
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
