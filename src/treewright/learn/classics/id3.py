"""ID3 (Quinlan 1986), as Weka's Id3: nominal columns only, a branch per level, no pruning."""

from __future__ import annotations

from ..estimators import DecisionTreeClassifier
from .weka import FOR_CLASSES, command_line

ID3 = command_line("Id3")


def id3(options: str = "") -> DecisionTreeClassifier:
    """A classifier that is grown as Weka's Id3 grows its tree.

    Each node tests the column of greatest information gain, the first of equals, with a branch per
    level. A node is a leaf if it is pure or nothing gains more than 1e-6 bits. A level without rows gets a
    leaf without a prediction. Numbers and missing values are rejected.
    """
    ID3.parse(options)
    return DecisionTreeClassifier(
        criterion="entropy",
        nominal_splits="multiway",
        growth_rules={"least_gain": 1e-6, "empty_branches": "nothing", "rejects": ["numbers", "missing"]},
        **FOR_CLASSES,
    )
