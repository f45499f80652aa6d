"""Damaged model files, 700 of those that `make fuzz-files` tries; see `tools.fuzz_files`."""

import json

import pytest

from tools.fuzz_damage import OF_BYTES, OF_DOCUMENTS
from tools.fuzz_files import Subject, outcome_of, run
from tools.fuzz_models import models, unsound


@pytest.mark.filterwarnings("ignore:The table has levels that were not seen")
@pytest.mark.parametrize("n_files", [700, pytest.param(5000, marks=pytest.mark.slow)])
def test_damaged_files(n_files):
    found = run(n_files, seed=11)
    assert sum(found.values()) == n_files
    assert found["refused"] > n_files / 2
    assert min(found["loaded"], found["loaded, with another hash"]) > n_files / 100  # else it is coarse


@pytest.fixture(scope="module")
def subject():
    return Subject(*next(models()))


def test_the_check_notices(subject, monkeypatch):
    """What the run could not find would be worth nothing."""
    assert unsound(subject.data) is None
    for way, becomes in [("first_child", 0), ("n_node_samples", 999), ("value", 0.9), ("feature", 77)]:
        doc = json.loads(subject.data)
        doc["tree"][way][0] = becomes
        assert unsound(json.dumps(doc).encode()) is not None
    monkeypatch.setattr(subject, "sha256", "another")
    with pytest.raises(AssertionError, match="nobody noticed"):
        outcome_of(subject, subject.data, rehash=False)
    assert len(OF_BYTES) + len(OF_DOCUMENTS) == 11
