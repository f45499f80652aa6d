"""Several arrays that belong together: equal if all of them are, and pickled by name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def read_only(values: ArrayLike, dtype: type) -> NDArray[Any]:
    """The values as a contiguous, aligned array of one type that cannot be written to."""
    found: NDArray[Any] = np.ascontiguousarray(values, dtype=dtype)
    view = (found if found.flags.aligned else found.copy()).view()
    view.flags.writeable = False
    return view


class FlatArrays:
    """Base of dataclasses whose fields are read-only arrays."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by name, as the core takes them."""
        kind: Any = type(self)
        return {each.name: getattr(self, each.name) for each in fields(kind)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FlatArrays) or type(other) is not type(self):
            return NotImplemented
        theirs = other.arrays()
        return all(
            np.array_equal(array, theirs[name], equal_nan=array.dtype.kind == "f")
            for name, array in self.arrays().items()
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return self.arrays()

    def __setstate__(self, state: dict[str, Any]) -> None:
        made: Any = self
        made.__init__(**state)
