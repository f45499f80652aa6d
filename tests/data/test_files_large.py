"""Tables that are longer than the part from which their types are guessed."""

import io

import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.support import real_tables
from tests.support.drawn import drawn
from treewright.data.files import Dialect, csv_rows, layout, read_table, write_table

USUAL = ["1", "2", "-3", "10", ""]
ODD = [
    "2.5",
    "1e3",
    " 4",
    "5 ",
    "NA",
    "?",
    "-",
    "None",
    "NaN",
    "-nan",
    "inf",
    "x",
    "true",
    "False",
    "2020-01-01",
    '"6"',
    '""',
]
ODD += ["9" * 19, "9" * 30, "1,5", '"a\nb"', "+7", "0.5", "2020-01-01T05:06", "é"]
ODD += ["1,234", "$5", "5 kg", "(6)", "7%", "31/01/2020", "unknown", "n.a.", "0000-00-00", "1.234.567"]


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(layout, "SAMPLE", 64)


@pytest.fixture
def reads(monkeypatch):
    """The types of each read of polars."""
    seen = []
    parse = csv_rows.parse
    monkeypatch.setattr(
        csv_rows, "parse", lambda body, types, **how: seen.append(types) or parse(body, types, **how)
    )
    return seen


def table(cells):
    return io.BytesIO("".join(["a;b\n", *(f"{first};{second}\n" for first, second in cells)]).encode())


def said(found):
    """The notes, but for the spelling of NaN, which a column that was read as numbers has lost."""
    return [note for note in found.notes if "nan'" not in note.lower()]


@given(
    st.lists(
        st.tuples(st.sampled_from(USUAL), st.sampled_from(["0.5", "1.25", ""])), min_size=20, max_size=25
    ),
    st.lists(st.tuples(st.sampled_from(USUAL + ODD), st.sampled_from(["0.5", "", *ODD])), max_size=4),
)
@drawn(80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_guess_changes_nothing(first, last):
    how = {"separator": ";", "header": True, "decimal": ".", "quote": '"'}
    whole = read_table(table(first + last), **how)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "SAMPLE", 64)
        guessed = read_table(table(first + last), **how)
    assert_frame_equal(guessed.frame, whole.frame)
    assert said(guessed) == said(whole)


@pytest.mark.usefixtures("short")
def test_a_usual_table_is_read_once(reads):
    found = read_table(table([("7", "x")] + [(str(j), "x" if j % 3 else "NA") for j in range(99)]))
    assert found.frame.dtypes == [pl.Int64, pl.String]
    assert reads == [[pl.Int64, pl.String]]


@pytest.mark.usefixtures("short")
def test_late_odd_cells_are_found_and_named(reads):
    cells = [(str(j), "0.5", "true") for j in range(40)]
    cells[30], cells[35], cells[36] = ("1.5", "?", "true"), ("5", "oops", "true"), ("5", "", "")
    found = read_table(io.BytesIO(("a,b,c\n" + "".join(",".join(row) + "\n" for row in cells)).encode()))
    assert found.frame.dtypes == [pl.Float64, pl.String, pl.Boolean]
    assert found.notes[1] == "'b': line 37 has 'oops' among numbers; read as text."
    assert found.notes[2] == "Read as missing: '?' in 1 cell (column 'b')."
    assert len(reads) == 3  # the guess, a look at which columns do not fit it, and those as text


@pytest.mark.usefixtures("short")
def test_codes_of_one_length_are_text_if_a_late_one_starts_with_0():
    codes = [(str(10_000 + j), "x") for j in range(50)]
    assert read_table(table(codes)).frame["a"].dtype == pl.Int64
    found = read_table(table([*codes, ("00123", "x")]))
    assert found.frame["a"][-1] == "00123"
    assert "'a' has whole numbers that start with 0, as codes do; read as text." in found.notes


@pytest.mark.usefixtures("short")
def test_a_row_longer_than_the_first_part():
    wide = "x" * 200_000
    found = read_table(table([(wide, "1"), (wide, "2"), ("y", "3")]))
    assert found.frame["a"].to_list() == [wide, wide, "y"]
    assert found.frame["b"].dtype == pl.Int64


@pytest.mark.usefixtures("short")
def test_types_of_columns_that_begin_with_nothing():
    found = read_table(table([("", "x")] * 60 + [("1.5", "x")]))
    assert found.frame["a"].dtype == pl.Float64


@pytest.mark.usefixtures("short")
def test_a_character_cut_off_at_the_end_of_the_first_part():
    for shift in range(4):
        data = ("a,b\n" + "x" * shift + "".join(f"😀{j},1\n" for j in range(30))).encode()
        assert read_table(io.BytesIO(data)).dialect.encoding == "utf-8"


@pytest.mark.usefixtures("short")
def test_quotes_that_open_cells_only_later():
    cells = [('5" pipe', "1")] * 20
    found = read_table(table([*cells, ('"x;y"', "2")]))
    assert found.frame["a"].to_list() == ['5" pipe'] * 20 + ["x;y"]


# -- real tables


@pytest.mark.recorded
@pytest.mark.parametrize("name", [*real_tables.BUNDLED, real_tables.MADE, *real_tables.MORE])
@pytest.mark.parametrize(
    "dialect",
    [
        Dialect(),
        Dialect(separator=";", decimal=",", encoding="cp1252", newline="\r\n"),
        Dialect(separator="\t", encoding="utf-16", compression="gzip"),
    ],
    ids=["comma", "semicolon", "tab"],
)
def test_real_tables_come_back_with_their_types(name, dialect, tmp_path):
    frame = real_tables.table(name).head(3000)
    write_table(frame, tmp_path / "t", dialect)
    found = read_table(tmp_path / "t")
    assert_frame_equal(found.frame, _as_read(frame, dialect.decimal))
    assert found.dialect.separator == dialect.separator
    assert found.dialect.compression == dialect.compression


def _as_read(frame, decimal):
    """Numbers are 64 bits wide; levels are text, unless all look like numbers or all like true and false."""
    wanted, comma = [], decimal == "," and any(kind.is_float() for kind in frame.dtypes)
    for column in frame.iter_columns():
        kind = column.dtype
        if kind.base_type() in {pl.Categorical, pl.Enum, pl.String}:
            wanted.append(_levels_as_read(column.cast(pl.String), comma))
        else:
            wanted.append(
                column.cast(pl.Int64 if kind.is_integer() else pl.Float64 if kind.is_float() else kind)
            )
    return pl.DataFrame(wanted)


def _levels_as_read(levels, comma):
    levels = levels.replace("null", None)
    known = set(levels.drop_nulls().str.to_lowercase())
    code = any(level[0] == "0" and level[1:].isdecimal() for level in known)  # a number has no zeros in front
    fractions = [level.partition(".")[2] for level in known if "." in level]
    if comma and any(len(digits) != 3 for digits in fractions):  # a point, since it parts no thousands
        comma = False
    if not known or code or (comma and fractions):
        return levels
    if known <= {"true", "false"}:
        return levels.str.to_lowercase() == "true"
    tried = [levels.cast(number, strict=False) for number in (pl.Int64, pl.Float64)]
    fits = [numbers for numbers in tried if numbers.null_count() == levels.null_count()]
    return [*fits, levels][0]
