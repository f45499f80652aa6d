"""Distinct labels in order: as numpy has them, whatever their type."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.data.common.labels import coded, distinct, is_text


@given(st.lists(st.text(max_size=3), min_size=1), st.sampled_from([object, None]))
def test_text_as_numpy_sorts_it(items, dtype):
    values = np.array(items, dtype=dtype)
    wanted, codes = np.unique(values, return_inverse=True)
    found, places = coded(values)
    assert found.tolist() == wanted.tolist() == distinct(values).tolist()
    assert found.dtype == values.dtype
    assert places.tolist() == codes.tolist()


@pytest.mark.parametrize(
    "values",
    [
        np.array([3, 1, 3]),
        np.array([2, 0, 2, 2]),
        np.array([-1, 0, 1]),
        np.array([0.5, 0.1]),
        np.array([True, False]),
        np.array([2, 1], dtype=object),
    ],
)
def test_other_values_are_sorted_by_numpy(values):
    assert distinct(values).tolist() == coded(values)[0].tolist() == np.unique(values).tolist()
    assert coded(values)[0][coded(values)[1]].tolist() == values.tolist()
    assert not is_text(values)


def test_values_of_several_kinds_are_no_text():
    assert not is_text(np.array(["a", None], dtype=object))
    with pytest.raises(TypeError):
        distinct(np.array(["a", 1], dtype=object))
