"""Phrases that readers had to puzzle over, which no text of the project uses any more."""

import pytest

from tests.support.paths import ROOT

PLACES = ("src/treewright/**/*.py", "web/src/**/*.ts*", "docs/**/*.md", "README.md")
OUTDATED = (
    "Ways of missing", "Turn to the side", "of which the tree asks", "etter than guessing", "not surely by",
    "Less is better", "left out of everything", "Unfold all", "Fold back", "What it asks", "The way here",
    "Where rows go", "Wrong on unseen", "The nearest change that alters", "Then it says", "Least loss",
    "Root alone", "Smallest within one error", "Cost of a missed", "said Yes", "false alarms",
    "when shuffled", "To look at", "runners-up", "no sound model file", "is there already",
)  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_outdated_phrases_are_gone(place):
    files = sorted(ROOT.glob(place))
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8")
        found = [phrase for phrase in OUTDATED if phrase in text]
        assert not found, f"{path.relative_to(ROOT)}: {found}"
