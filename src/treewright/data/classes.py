"""The order of the classes, if not sorted: as a categorical target declares it, or as the user gives it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .common.array_types import Array, Ints
from .levels import plain, series_labels


def class_order(y: Any, wanted: Any) -> list[Any] | None:
    """The labels in their order; None where they are to be sorted, or nothing is declared."""
    if isinstance(wanted, str):
        return None if wanted == "sorted" else _declared(y)
    labels = list(wanted)
    if len(set(labels)) != len(labels) or not labels:
        raise ValueError(f"class_order must name every class once. Got {labels!r:.200}.")
    return labels


def _declared(y: Any) -> list[Any] | None:
    """The categories of a column of categories, with those that no row has."""
    if y is None or isinstance(y, np.ndarray | list | tuple):
        return None
    if hasattr(y, "categories"):  # pandas' array or index of categories, which is no series
        return [plain(label) for label in y.categories]
    import narwhals.stable.v2 as nw

    series = nw.from_native(y, allow_series=True, pass_through=True)
    if not isinstance(series, nw.Series) or not isinstance(series.dtype, nw.Categorical | nw.Enum):
        return None
    labels = series_labels(series, "y")
    return [plain(label) for label in labels.levels] if labels.declared else None


def in_order(labels: Array, order: list[Any]) -> tuple[Array, NDArray[np.int32]]:
    """The classes in this order and the place of every label among them."""
    codes = codes_among(order, labels, "Leave such rows out, or name all classes in class_order.")
    text = any(isinstance(label, str) for label in order)
    return np.array(order, dtype=object if text else None), codes.astype(np.int32)


def codes_of(labels: Array, classes: Array) -> Ints:
    """The place of every label among the classes of a tree; a label that is none of them is rejected."""
    return codes_among(np.asarray(classes).tolist(), labels, "Leave such rows out.")


def codes_among(classes: list[Any], labels: Array, what_to_do: str) -> Ints:
    """The place of every label among the classes; one that is none of them is rejected."""
    place = {label: code for code, label in enumerate(classes)}
    found = np.array([place.get(label, -1) for label in labels.tolist()], dtype=np.int64)
    unknown = np.flatnonzero(found < 0)
    if len(unknown):
        raise ValueError(
            f"y must hold only the classes {classes!s:.200}. Got {labels.tolist()[unknown[0]]!r} in row "
            f"{unknown[0]}. {what_to_do}"
        )
    return found
