"""The law of exports: for every kind of tree and every row the export predicts what the model predicts.

The report page has the interpreter of the exports to JavaScript, and obeys the same law.
"""

import pytest

from tests.support.exported import KINDS, model
from tests.support.page_tools import predicted_in
from tests.support.random_trees import random_tree
from treewright.present.export.check import compared, export_check
from treewright.present.export.form import form_of
from treewright.present.export.rows import boundary_rows
from treewright.present.export.targets import module_of
from treewright.present.export.write import export
from treewright.tree.tree import tree_from_dict

ROWS = 400  # of each kind


def agreement(tmp_path, to, kind, rows=ROWS, **options):
    form = form_of(model(kind))
    path = tmp_path / "exported"
    export(model(kind), path, to=to, **options)
    given = boundary_rows(form, rows, seed=1)
    return compared(to, form, given, module_of(to).run(path, form, given))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("to", ["python", "javascript", "c"])
def test_every_kind_agrees(tmp_path, to, kind):
    found = agreement(tmp_path, to, kind)
    assert found.agrees, str(found)
    assert found.differing


@pytest.mark.parametrize("kind", KINDS)
def test_the_report_page_agrees(code, kind):
    form = form_of(model(kind))
    rows = boundary_rows(form, ROWS, seed=1)
    found = compared("page", form, rows, predicted_in(code, form, rows))
    assert found.agrees, str(found)


@pytest.mark.parametrize("kind", KINDS)
def test_a_module_checks_itself(kind):
    """The rows that an export carries agree with it."""
    module = {"__name__": "exported"}
    exec(export(model(kind), to="python"), module)
    assert len(module["ROWS"]) >= 1
    assert module["check"]() == 0


@pytest.mark.parametrize("seed", range(40))
def test_random_trees_agree_as_python(tmp_path, seed):
    """Strict, reversed, shared, stopping, own branches, unknown levels."""
    tree = tree_from_dict(random_tree(seed))
    path = tmp_path / "exported.py"
    export(tree, path)
    found = export_check(tree, path, n_rows=100)
    assert found.agrees, str(found)
