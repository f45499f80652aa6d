"""A million rows at the boundaries for every target, over all kinds of trees that it can express."""

import pytest

import treewright as tw
from tests.support.exported import KINDS, model
from treewright.present.export.check import compared
from treewright.present.export.form import form_of
from treewright.present.export.rows import boundary_rows
from treewright.present.export.targets import module_of

ROWS = 1_000_000
TARGETS = [
    ("python", {}), ("javascript", {}), ("c", {}),
    ("sql", {"dialect": "sqlite"}), ("sql", {"dialect": "duckdb"}),
    ("onnx", {}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("to", "options"), TARGETS, ids=str)
def test_a_million_rows_agree(tmp_path, to, options):
    texts = {}
    for kind in KINDS:
        try:
            texts[kind] = tw.export(model(kind), to=to, **options)
        except ValueError as error:
            assert "cannot express" in str(error)  # noqa: PT017
    path, done = tmp_path / "exported", 0
    for kind, text in texts.items():
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        form = form_of(model(kind))
        rows = boundary_rows(form, ROWS // len(texts) + 1, seed=2)
        found = compared(to, form, rows, module_of(to).run(path, form, rows))
        assert found.agrees, f"{kind}: {found}"
        done += found.rows
    assert done >= ROWS
