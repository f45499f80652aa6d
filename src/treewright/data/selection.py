"""The columns of a model in a table: found by name where both have names, else by position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .common.array_types import Array
from .common.hints import nearest
from .table import as_array, frame_of, is_frame, reject_lazy
from .values import Read, values_of

MOST_NAMES = 20  # in a message


def select_columns(
    X: Any, names: Sequence[str] | None, n_features: int, who: str, used: Sequence[int] | None = None
) -> Any:
    """X with the columns of the model alone, in the order of fit: a frame, a matrix, or a dict of arrays.

    With `used`, a frame or a dictionary has the columns of these places alone: only they must be there where
    columns are found by name.
    """
    used = range(n_features) if used is None else used
    if isinstance(X, Mapping) and not hasattr(X, "tocsc"):  # one kind of sparse matrix is a mapping
        return _of_mapping(X, names, n_features, who, used)
    if is_frame(X):
        return _of_frame(X, names, n_features, who, used)
    reject_lazy(X)
    X = X if hasattr(X, "tocsc") else as_array(X)
    if X.ndim != 2:
        raise ValueError(_other_dimensions(X))
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: X must hold real numbers.")
    if X.shape[1] != n_features:
        raise ValueError(other_width(X.shape[1], n_features, who))
    return X


def there_of(X: Any, names: Sequence[str] | None, n_features: int) -> list[int]:
    """The places of the model's columns that X has; all of them where columns are not found by name."""
    there: set[Any] = set()
    if isinstance(X, Mapping) and not hasattr(X, "tocsc"):
        there = set(X)
    elif names is not None and is_frame(X):
        there = set(frame_of(X).columns)
    by_name = names is not None and there and all(isinstance(name, str) for name in there)
    return [place for place in range(n_features) if not by_name or (names or ())[place] in there]


def places_of(
    there: list[Any], names: Sequence[str] | None, n_features: int, who: str, used: Sequence[int]
) -> list[int]:
    """The places of the model's columns `used` in a frame whose columns have the names `there`."""
    if names is not None and all(isinstance(name, str) for name in there):
        place_of = {name: place for place, name in enumerate(there)}
        wanted = _found_in([names[place] for place in used], there, len(used) == n_features)
        return [place_of[name] for name in wanted]
    if len(there) != n_features:
        raise ValueError(other_width(len(there), n_features, who))
    return list(used)


def _of_frame(X: Any, names: Sequence[str] | None, n_features: int, who: str, used: Sequence[int]) -> Any:
    frame = frame_of(X)
    there = frame.columns
    places = places_of(there, names, n_features, who, used)
    return X if places == [*range(len(there))] else frame[:, places].to_native()


def _of_mapping(
    given: Mapping[Any, Any], names: Sequence[str] | None, n_features: int, who: str, used: Sequence[int]
) -> dict[Any, Array]:
    if names is None:
        wanted: list[Any] = list(given)
        if len(wanted) != n_features:
            raise ValueError(other_width(len(wanted), n_features, who))
        numbers: list[list[Any]] = [[*range(n_features)], [f"feature_{j}" for j in range(n_features)]]
        for known in numbers:
            wanted = known if set(known) == set(wanted) else wanted  # as they are called here
        wanted = [wanted[place] for place in used]
    else:
        wanted = list(_found_in([names[place] for place in used], list(given), len(used) == n_features))
    arrays = {name: np.atleast_1d(as_array(given[name])) for name in wanted}
    sizes = {len(array) for array in arrays.values()}
    if len(sizes) > 1:
        raise ValueError(f"The columns of X must have the same length. Got {sorted(sizes)}.")
    return arrays


def each_of_dict(columns: Mapping[Any, Array]) -> Iterator[Read]:
    """The columns of a dictionary of arrays, each as what it is."""
    return (values_of(array, f"column {name!r}") for name, array in columns.items())


def n_rows_of(X: Any) -> int:
    """The number of rows of a frame, an array or a dictionary of columns."""
    if isinstance(X, Mapping) and not hasattr(X, "tocsc"):
        return len(np.atleast_1d(as_array(next(iter(X.values()), []))))
    return int(X.shape[0] if hasattr(X, "shape") else len(X))


def _found_in(wanted: Sequence[str], names: list[Any], every: bool) -> list[str]:
    """These columns of the model, or every one, all of which must be there, each once."""
    there = set(names)
    if len(there) < len(names):
        twice = next((name for name in wanted if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"X must have every column of the model once. Got {twice!r} twice.")
    lacking = [name for name in wanted if name not in there]
    if not lacking:
        return list(wanted)
    hint = nearest(lacking[0], [name for name in names if name not in wanted], "its column ")
    hint += " Rename it." if hint else ""
    more = f" and {len(lacking) - MOST_NAMES} more" if len(lacking) > MOST_NAMES else ""
    shown = ", ".join(map(repr, lacking[:MOST_NAMES])) + more
    which = "of the model" if every else "that the model uses"
    raise ValueError(f"X must have all columns {which}. It lacks {shown}.{hint}")


def other_width(got: int, wanted: int, who: str) -> str:
    """The sentence about a table of too many or too few columns."""
    return f"X has {got} features, but {who} is expecting {wanted} features as input."


def _other_dimensions(X: Array) -> str:
    return (
        f"Expected 2D array: X must be a table. Got {X.ndim} dimensions. Reshape your data: one row is "
        "X.reshape(1, -1), one column is X.reshape(-1, 1)."
    )
