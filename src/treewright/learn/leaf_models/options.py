"""The options of linear and logistic leaves, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.common.allowed import is_list_of_columns, is_whole
from ...data.common.errors import ParameterError
from ...data.common.hints import nearest

RIDGE, LASSO = "ridge", "lasso"
MARGIN = 0.1  # of `clip=True`: a tenth of the range of the target in the leaf


@dataclass(frozen=True)
class LeafOptions:
    """How the models of leaves are fitted."""

    penalty: str | None = RIDGE
    alpha: Any = "cv"  # or a number
    columns: Any = "all"  # "all", "path" or a list
    max_columns: int | None = None
    clip: Any = True  # True, False, or the margin as a fraction of the range
    prune: bool = True
    look_ahead: int | None = (
        None  # None: 4 with max_depth, else none. Columns whose best splits are compared one level further
    )
    m5: Any = None  # the options of M5P, which replaces all else

    @property
    def margin(self) -> float:
        """How far predictions may leave the range of a leaf, as a fraction of it; inf: as they will."""
        if isinstance(self.clip, bool | np.bool_):
            return MARGIN if self.clip else np.inf
        return float(self.clip)


def _is_number(value: Any) -> bool:
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return bool(number and 0 <= value < np.inf)


M5_KEYS = {"min_rows", "unpruned", "unsmoothed", "regression_tree"}
ALLOWED: dict[str, tuple[Any, str]] = {
    "penalty": (lambda v: v is None or v in (RIDGE, LASSO), "None, 'ridge' or 'lasso'"),
    "alpha": (lambda v: v == "cv" if isinstance(v, str) else _is_number(v), "'cv' or a number of at least 0"),
    "columns": (
        lambda v: v in ("all", "path") if isinstance(v, str) else is_list_of_columns(v) and len(v) > 0,
        "'all', 'path' or a list of names or numbers of columns",
    ),
    "max_columns": (lambda v: v is None or (is_whole(v) and v >= 1), "an int of at least 1 or None"),
    "clip": (
        lambda v: isinstance(v, bool | np.bool_) or _is_number(v),
        "True, False or a number of at least 0",
    ),
    "look_ahead": (lambda v: v is None or (is_whole(v) and v >= 0), "an int of at least 0 or None"),
    "m5": (
        lambda v: v is None or (isinstance(v, dict) and set(v) <= M5_KEYS),
        "None or a dict of min_rows, unpruned, unsmoothed and regression_tree",
    ),
    "prune": (lambda v: isinstance(v, bool | np.bool_), "True or False"),
}


def read_options(given: Mapping[str, Any] | None) -> LeafOptions:
    """Reject an option that does not exist or is out of range."""
    for name, value in (given or {}).items():
        if name not in ALLOWED:
            hint = nearest(str(name), ALLOWED)
            raise ParameterError(
                f"leaf_options must have some of the keys {', '.join(ALLOWED)}. Got {name!r}.{hint}",
                "leaf_options",
            )
        holds, must_be = ALLOWED[name]
        if not holds(value):
            raise ParameterError(f"{name} of leaf_options must be {must_be}. Got {value!r}.", "leaf_options")
    options = LeafOptions(**(given or {}))
    if options.penalty is None and options.alpha not in {"cv", 0}:
        raise ParameterError(
            f"alpha of leaf_options is the strength of a penalty. Got {options.alpha!r} and penalty=None. "
            "Use penalty='ridge' or 'lasso'.",
            "leaf_options",
        )
    return options


def places_of(columns: Any, names: Any, n_columns: int) -> list[int]:
    """The places of the columns that may have terms."""
    if isinstance(columns, str):
        return list(range(n_columns))
    known = {} if names is None else {str(name): place for place, name in enumerate(names)}
    found = []
    for each in columns:
        if isinstance(each, str):
            if each not in known:
                raise ParameterError(
                    f"columns of leaf_options must be columns of X. Got {each!r}.{nearest(each, known)}",
                    "leaf_options",
                )
            found.append(known[each])
        elif is_whole(each) and 0 <= each < n_columns:
            found.append(int(each))
        else:
            raise ParameterError(
                f"columns of leaf_options must be names of columns or numbers in 0..{n_columns - 1}. "
                f"Got {each!r}.",
                "leaf_options",
            )
    return sorted(set(found))
