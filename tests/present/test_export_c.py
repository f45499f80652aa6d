"""C exports: they compile without a warning, behave as defined, and take what C takes."""

import subprocess

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.support.exported import KINDS, model
from treewright.present.export import c
from treewright.present.export.form import form_of
from treewright.present.export.rows import boundary_rows, predicted_by

STRICT = [*c.FLAGS, "-fsanitize=undefined", "-fno-sanitize-recover"]


def compiled(tmp_path, text, *flags, main=""):
    (tmp_path / "model.c").write_text(text + main)
    subprocess.run(["gcc", *STRICT, *flags, "model.c", "-o", "model", "-lm"], cwd=tmp_path, check=True)
    return subprocess.run(["./model"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("kind", [*KINDS][::3])
def test_an_export_checks_itself_under_the_sanitizer(tmp_path, kind):
    said = compiled(tmp_path, tw.export(model(kind), to="c"), "-DMODEL_CHECK")
    n = said.split()[0]
    assert said == f"{n} of {n} rows agree with the model {form_of(model(kind)).hash}\n"


ALONE = [
    pytest.param(kind, output, marks=() if kind == "numbers" or (k + n) % 3 == 0 else pytest.mark.slow)
    for k, kind in enumerate(
        ["numbers", "fractional", "smoothing fractional", "softmax", "two classifications"]
    )
    for n, output in enumerate(["leaf", "prediction", "probabilities"])
]


@pytest.mark.parametrize(("kind", "output"), ALONE)
def test_each_output_compiles_alone(tmp_path, kind, output):
    text = tw.export(model(kind), to="c", output=output, name="tree")
    said = compiled(tmp_path, text, "-DTREE_CHECK")
    assert "rows agree" in said
    assert ("tree_predict(" in text) == (output == "prediction")


@pytest.mark.parametrize("kind", ["numbers", "regression", "mixed"])
def test_many_rows_at_once(tmp_path, kind):
    """`predict_many` and `leaf_many` for a number of rows that is no multiple of anything."""
    form = form_of(model(kind))
    rows = boundary_rows(form, 531)
    c.packed(c.fields_of(form), rows).tofile(tmp_path / "rows.bin")
    number = "int32_t" if form.is_classifier else "double"
    main = f"""
#include <stdio.h>
int main(void) {{
  static model_row rows[531]; static int32_t leaf[531]; static {number} said[531];
  FILE *from = fopen("rows.bin", "rb");
  if (!from || fread(rows, sizeof *rows, 531, from) != 531) return 1;
  model_leaf_many(rows, 531, leaf); model_predict_many(rows, 531, said);
  for (int k = 0; k < 531; ++k) printf("%d %.17g\\n", (int)leaf[k], (double)said[k]);
  return fclose(from);
}}"""
    found = np.loadtxt(compiled(tmp_path, tw.export(model(kind), to="c"), main=main).splitlines())
    expected = predicted_by(form, rows)
    assert found[:, 0].tolist() == expected.leaf
    values = [row[0] for row in expected.prediction]
    if form.is_classifier:
        values = [form.classes[0].index(label) for label in values]
    assert found[:, 1].tolist() == values


def test_a_header_declares_what_the_file_defines(tmp_path):
    """A program that includes the header alone links with the file, and finds codes by names of levels."""
    chosen = tw.DecisionTreeClassifier().fit(
        pd.DataFrame({"town": ["a", '?"é', "b"] * 4}), ["no", "yes", "no"] * 4
    )
    (tmp_path / "model.h").write_text(tw.export(chosen, to="c", header=True))
    (tmp_path / "lib.c").write_text(tw.export(chosen, to="c"))
    main = """
#include "model.h"
#include "model.h"
#include <stdio.h>
int main(void) {
  model_row row;
  row.town = model_level_town("?\\"\\303\\251");
  printf("%s %d\\n", model_class(model_predict(&row)), (int)model_level_town("c"));
  return 0;
}"""
    assert compiled(tmp_path, main, "lib.c") == "yes -2\n"


def test_a_name_must_be_a_name_in_c():
    with pytest.raises(ValueError, match=r"name must be a name in C, such as 'model'\. Got 'my model'\."):
        tw.export(model("numbers"), to="c", name="my model")
