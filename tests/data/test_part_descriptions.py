"""Descriptions of parts of a table add up to that of the whole."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright.data.files import TableError
from treewright.data.parts import Reading, describe, merge
from treewright.data.parts.sample import LEAST, Sample
from treewright.data.values import Column

READING = Reading("y", classes=True)


def merged(*frames, reading=READING):
    names = (f"part {number}" for number in range(len(frames)))
    return merge(
        [describe([frame], reading, name) for frame, name in zip(frames, names, strict=True)], reading
    )


def test_levels_classes_and_gaps_of_one_part_only():
    first = pl.DataFrame({"a": ["x", "z"], "b": [1, 2], "c": [None, None], "y": ["p", "p"]})
    second = pl.DataFrame({"a": ["y", None], "b": [None, 3], "c": [1.5, None], "y": ["q", "a"]})
    for parts in ((first, second), (second, first)):
        found = merged(*parts)
        assert found.types[0].levels == ("x", "y", "z")
        assert found.classes.tolist() == ["a", "p", "q"]
        assert [column.missing for column in found.columns] == [True, True, True]
        assert found.columns[1].dtype == "<i8"
        assert found.types[2].kind == "number"


def test_numbers_of_several_types_get_the_type_of_all():
    found = merged(
        pd.DataFrame({"a": np.array([1, 2], np.int8), "y": [0, 1]}),
        pd.DataFrame({"a": [0.5, np.nan], "y": [0, 1]}),
    )
    assert found.columns[0].dtype == "<f8"


def test_declared_levels_keep_their_order():
    kind = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    frames = [
        pd.DataFrame({"a": pd.Series(values, dtype=kind), "y": [0, 1]})
        for values in (["low", "mid"], ["high", None])
    ]
    assert merged(*frames).types[0].levels == ("low", "mid", "high")


def test_empty_parts_are_no_problem():
    table = pl.DataFrame({"a": [1.0, 2.0], "y": ["p", "q"]})
    assert merged(table[:0], table, table[:0]).n_rows == 2


def test_a_boolean_with_gaps_in_one_part():
    found = merged(
        pd.DataFrame({"a": [True, False], "y": [0, 1]}),
        pd.DataFrame({"a": pd.Series([True, None], dtype=object), "y": [0, 1]}),
    )
    assert found.types[0].levels == (False, True)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ({"b": [1.0], "y": ["p"]}, "part 1 lacks 'a', compared with part 0"),
        ({"a": [1.0], "c": [1.0], "y": ["p"]}, "part 1 has 'c' besides, compared with part 0"),
        ({"a": ["t"], "y": ["p"]}, "holds numbers in part 0 and text in part 1"),
        ({"a": [1.0], "z": ["p"]}, "part 1 has no column 'y'"),
        ({"a": [1.0], "y": [3]}, "text in part 0 and numbers in part 1"),
        ({"a": [1.0], "y": [0.5]}, "part 1 has numbers with decimals"),
    ],
)
def test_parts_of_other_tables_are_rejected(second, words):
    with pytest.raises(TableError, match=words):
        merged(pl.DataFrame({"a": [1.0, 2.0], "y": ["p", "q"]}), pl.DataFrame(second))


def test_the_part_that_is_unlike_most_others_is_named():
    usual, odd = pl.DataFrame({"b": [1.0], "c": [1.0], "y": ["p"]}), pl.DataFrame({"b": [1.0], "y": ["p"]})
    with pytest.raises(TableError, match="part 1 lacks 'c', compared with part 0"):
        merged(usual, odd, usual)


def test_a_table_must_have_rows():
    with pytest.raises(TableError, match="must have rows"):
        merged(pl.DataFrame({"a": [], "y": []}))


def test_a_sample_does_not_depend_on_the_batches():
    values = np.random.default_rng(0).normal(size=5 * LEAST + 17)
    found = []
    for size in (7, 100, 5000, len(values)):
        sample = Sample()
        for start in range(0, len(values), size):
            part = values[start : start + size]
            sample.add({"a": Column("a", part)}, len(part))
        found.append(sample.values()["a"])
    assert LEAST < len(found[0]) <= 2 * LEAST
    assert all(np.array_equal(found[0], other) for other in found)
