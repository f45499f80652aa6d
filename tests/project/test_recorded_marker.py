"""What reads the folder that TREEWRIGHT_BESIDE names is marked `recorded`, for `make test-recorded`."""

import re

import pytest

from tests.support.paths import ROOT

READS = re.compile(r"^from tests.* import .*\b(BESIDE|GOLDEN|CASES|cases_of|real_tables)\b", re.MULTILINE)
FILES = [
    path for path in sorted((ROOT / "tests").rglob("test_*.py")) if READS.search(path.read_text("utf-8"))
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_reads_the_folder_is_marked(path):
    assert "pytest.mark.recorded" in path.read_text("utf-8")


def test_there_are_such_files():
    assert {"test_missing", "test_files_large", "test_sklearn_recorded"} <= {path.stem for path in FILES}
