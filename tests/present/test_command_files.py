"""Files as they are: titles, units, words for missing values, compression by name, formulas, links."""

import gzip

import polars as pl
import pytest

import treewright
from tests.present.test_command import call

ROWS = [(300 + 40 * j, "north" if j % 3 else "south") for j in range(60)]


def messy(folder, price="${:,.2f}", date="{:02}/{:02}/2020"):
    """A table as an office sends it: a title, currency, units, percent, dates."""
    lines = ["Houses of 2020", "", "price;area;share;sold;town"]
    for j, (area, town) in enumerate(ROWS):
        cells = [
            price.format(100 * area),
            f"{area:,} sqft",
            f"{j}%",
            date.format(j % 12 + 1, j % 28 + 1),
            town,
        ]
        lines.append(";".join(cells))
    (folder / "houses.csv").write_text("\n".join(lines) + "\n")
    return folder / "houses.csv"


def test_check_fit_predict_and_score_read_a_file_as_it_is(tmp_path):
    table, model = messy(tmp_path), tmp_path / "m.tree.json"
    assert "target 'price' is a number" in call("check", table, "-t", "price").out
    done = call("fit", table, "-t", "price", "-m", model)
    assert done.status == 0, done.err
    assert "as a title. Pass --skip-rows 0 if it belongs to the table." in done.err
    assert "'price': read '$30,000.00' as 30000 (unit $)." in done.err
    assert "300 to 2660 sqft" in done.out
    assert " sqft" in done.out.split("Tree:")[1]
    assert call("score", model, table).status == 0
    out = tmp_path / "out.csv"
    assert call("predict", model, table, "-o", out).status == 0
    plain = tmp_path / "plain.csv"
    frame = pl.DataFrame({"area": [area for area, _ in ROWS], "share": list(range(60))})
    frame = frame.with_columns(sold=pl.date(2020, 1, 1), town=pl.Series([town for _, town in ROWS]))
    frame.write_csv(plain)
    assert call("predict", model, plain, "-o", tmp_path / "plain_out.csv").status == 0
    (tmp_path / "other.csv").write_text(table.read_text().replace("sqft", "m²"))
    done = call("predict", model, tmp_path / "other.csv")
    assert done.status == 3
    assert "'area': line 4 has '300 m²', but at fit its numbers were in sqft." in done.err


def test_words_for_missing_values_can_be_added(tmp_path):
    table = tmp_path / "t.csv"
    cells = [f"{j},{j % 7}.5\n" for j in range(50)]
    table.write_text("x,y\n" + "".join(cells) + "NA,1.5\nunknown,2.5\n")
    done = call("check", table)
    assert (
        "Pass --also-missing unknown to read such cells as missing values, if that is what they are."
        in done.err
    )
    model = tmp_path / "m.tree.json"
    done = call("fit", table, "-t", "y", "-m", model, "--also-missing", "unknown", "--task", "regression")
    assert done.status == 0
    assert call("predict", model, table).status == 0


@pytest.mark.parametrize("packed", [False, True])
def test_the_name_of_the_output_says_its_compression(tmp_path, packed):
    table, model = messy(tmp_path), tmp_path / "m.tree.json"
    assert call("fit", table, "-t", "price", "-m", model).status == 0
    if packed:
        data = table.read_bytes()
        table = tmp_path / "t.csv.gz"
        table.write_bytes(gzip.compress(data))
    assert call("predict", model, table, "-o", tmp_path / "a.csv.gz").status == 0
    assert call("predict", model, table, "-o", tmp_path / "b.csv").status == 0
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()) == (tmp_path / "b.csv").read_bytes()
    assert call("predict", model, table, "-o", tmp_path / "c.parquet").status == 0
    assert pl.read_parquet(tmp_path / "c.parquet").height == 60


def test_predicted_classes_are_no_formulas(tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "m.tree.json"
    lines = [f"{j},{'=1+1' if j < 30 else '-'},{'@x' if j % 2 else '-5'}" for j in range(60)]
    table.write_text("x,y,z\n" + "\n".join(lines) + "\n")
    assert call("fit", table, "-t", "y", "-m", model, "-x", "z").status == 0

    def column(name, *options):
        out = tmp_path / "out.csv"
        assert call("predict", model, table, "-o", out, "--force", *options).status == 0
        return pl.read_csv(out, infer_schema=False)[name].unique().sort().to_list()

    assert column("prediction") == ["'=1+1", "-"]
    assert column("z") == ["-5", "@x"]
    assert column("z", "--safe-csv", "yes") == ["'@x", "-5"]
    assert column("y", "--safe-csv", "yes") == ["'=1+1", "-"]
    assert column("prediction", "--safe-csv", "no") == ["-", "=1+1"]


def test_safe_csv_keeps_the_names_that_predict_looks_up(tmp_path):
    table, model, out = tmp_path / "t.csv", tmp_path / "m.tree.json", tmp_path / "out.csv"
    rows = [f"{j},{60 - j},{j % 7},{'a' if j < 30 else 'b'}" for j in range(60)]
    table.write_text("=x,-1,@home,y\n" + "\n".join(rows) + "\n")
    assert call("fit", table, "-t", "y", "-m", model).status == 0
    done = call("predict", model, table, "-o", out, "--safe-csv", "yes")
    assert "'=x', '@home' would be a formula in a spreadsheet: written with an apostrophe" in done.err
    assert out.read_text().splitlines()[0].startswith("'=x,-1,'@home,y,prediction")
    assert call("predict", model, out, "-o", tmp_path / "again.csv").status == 0


def test_a_unit_that_was_not_there_at_fit_is_an_error_with_its_line(tmp_path):
    table, model, other = tmp_path / "t.csv", tmp_path / "m.tree.json", tmp_path / "other.csv"
    table.write_text("w,p,y\n" + "".join(f"{j},{j / 60},{'a' if j < 30 else 'b'}\n" for j in range(60)))
    assert call("fit", table, "-t", "y", "-m", model).status == 0
    other.write_text("w,p\n0,0.5\n5 kg,0.5\n")
    done = call("predict", model, other)
    assert done.status == 3
    assert "'w': line 3 has '5 kg', but at fit its numbers had no unit." in done.err
    table.write_text("w,p,y\n" + "".join(f"x,{j / 60},{'a' if j < 30 else 'b'}\n" for j in range(60)))
    assert call("fit", table, "-t", "y", "-m", model, "--force").status == 0
    other.write_text("w,p\nx,35%\nx,40%\n")
    assert "'p': line 2 has '35%', but at fit its numbers had no unit." in call("predict", model, other).err
    with pytest.raises(ValueError, match=r"line 2 has '35%'"):
        treewright.load(model).predict(other)


def test_percent_of_fit_takes_fractions_with_a_note(tmp_path):
    table, model, other = tmp_path / "t.csv", tmp_path / "m.tree.json", tmp_path / "other.csv"
    table.write_text("x,p,y\n" + "".join(f"a,{j}%,{'a' if j < 30 else 'b'}\n" for j in range(60)))
    assert call("fit", table, "-t", "y", "-m", model).status == 0
    other.write_text("x,p\na,0.35\na,0.05\n")
    done = call("predict", model, other)
    assert "'p': read '0.35' as 35 (a fraction, while at fit the numbers were in %)." in done.err
    assert [line.split(",")[2] for line in done.out.splitlines()[1:]] == ["b", "a"]
    with pytest.warns(UserWarning, match="a fraction"):
        assert treewright.load(model).predict(other).tolist() == ["b", "a"]


def test_model_file_and_page_hold_no_values_of_columns_that_the_tree_does_not_use(tmp_path):
    table, model, page = tmp_path / "t.csv", tmp_path / "m.tree.json", tmp_path / "p.html"
    rows = [
        f"{j},{'unused word' if j % 40 == 1 else j % 7},{'Hidden' if j % 2 else 'hidden'},"
        f"{'secret' if j % 60 == 1 else j % 5},{'a' if j < 60 else 'b'}"
        for j in range(120)
    ]
    table.write_text("x,mixed,spelled,other,y\n" + "\n".join(rows) + "\n")
    done = call("fit", table, "-t", "y", "-m", model, "--report", page, "--also-missing", "secret")
    assert done.status == 0
    assert "unused word" in done.out
    for file in (model, page):
        text = file.read_text("utf-8").lower()
        assert not [word for word in ("unused word", "secret", "hidden'", "'hidden") if word in text]
    assert "mixed types" in page.read_text("utf-8")
    result = treewright.fit(table, "y")
    result.save(model)
    assert "unused word" in str(result)
    assert "unused word" not in model.read_text("utf-8")


def test_a_link_to_nothing_is_named_as_such(tmp_path):
    (tmp_path / "x.csv").symlink_to(tmp_path / "gone.csv")
    done = call("check", tmp_path / "x.csv")
    assert done.status == 74
    assert "is a link to" in done.err
    assert "which does not exist." in done.err
    assert "Did you mean" not in done.err


def test_many_classes_need_the_task(tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{j},name {j % 150}\n" for j in range(600)))
    done = call("fit", tmp_path / "t.csv", "-t", "y", "-m", tmp_path / "m.tree.json")
    assert done.status == 2
    assert "Pass --task classification if they are meant" in done.err
