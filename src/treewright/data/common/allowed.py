"""What a value may be, in words and as a test."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from .errors import ParameterError


@dataclass(frozen=True)
class Allowed:
    """One kind of value that a parameter takes, in words and as a test."""

    description: str
    holds: Callable[[Any], bool]
    type: str = "Any"  # as Python annotates it


@dataclass(frozen=True)
class Parameter:
    """A parameter of the estimators."""

    name: str
    default: Any
    allowed: tuple[Allowed, ...]
    description: str

    def check(self, value: Any) -> None:
        """Reject a value that is not allowed."""
        if not any(kind.holds(value) for kind in self.allowed):
            raise ParameterError(f"{self.name} must be {self.must_be()}. Got {value!r}.", self.name)

    @property
    def type(self) -> str:
        """The annotation of the parameter."""
        types = dict.fromkeys(kind.type for kind in self.allowed)
        return " | ".join(each for each in types if each != "int" or "float" not in types)

    def must_be(self) -> str:
        """All allowed values in words."""
        return " or ".join(kind.description for kind in self.allowed)


def whole(at_least: int) -> Allowed:
    """An int from `at_least` on."""
    return Allowed(f"an int of at least {at_least}", lambda v: is_whole(v) and v >= at_least, "int")


def real(low: float, high: float = math.inf, ends: str = "[]", fraction: bool = False) -> Allowed:
    """A number between two ends, which `ends` includes or not; a fraction is a float and never an int."""
    shown = f"[{low:g}, inf)" if high == math.inf else f"{ends[0]}{low:g}, {high:g}{ends[1]}"

    def holds(v: Any) -> bool:
        if isinstance(v, bool) or not isinstance(v, Real) or (fraction and isinstance(v, Integral)):
            return False
        x = float(v)
        return (
            low <= x <= high
            and x < math.inf
            and (x != low or ends[0] == "[")
            and (x != high or ends[1] == "]")
        )

    return Allowed(f"a float in {shown}", holds, "float")


def one_of(options: Iterable[str]) -> Allowed:
    """One of these texts."""
    known = tuple(options)
    shown = ", ".join(map(repr, known))
    words, literal = f"one of {shown}" if len(known) > 1 else shown, shown.replace("'", '"')
    return Allowed(words, lambda v: isinstance(v, str) and v in known, f"Literal[{literal}]")


NONE = Allowed("None", lambda v: v is None, "None")
YES_NO = Allowed("True or False", lambda v: isinstance(v, bool | np.bool_))


def is_whole(v: Any) -> bool:
    """Whether this is an int, and no bool."""
    return isinstance(v, Integral) and not isinstance(v, bool)


def is_random_state(v: Any) -> bool:
    """Whether this seeds a generator."""
    if v is None:
        return False  # without a look at numpy.random, which takes time to load
    if is_whole(v):
        return 0 <= int(v) < 2**32
    return isinstance(v, np.random.RandomState) or v is np.random


def is_list_of_dicts(v: Any) -> bool:
    """Whether this is a list of dicts."""
    return isinstance(v, list | tuple) and all(isinstance(part, dict) for part in v)


def is_dict_of_signs(v: Any) -> bool:
    """Whether these are -1, 0 and 1 by name of column."""
    return isinstance(v, dict) and set(v.values()) <= {-1, 0, 1}


def is_list_of_signs(v: Any) -> bool:
    """Whether these are -1, 0 and 1 only."""
    return not isinstance(v, str | dict) and np.ndim(v) == 1 and set(np.asarray(v).tolist()) <= {-1, 0, 1}


def is_list_of_columns(v: Any) -> bool:
    """Whether this is a list of names, numbers or marks of columns."""
    return not isinstance(v, str | dict) and np.ndim(v) == 1


def is_matrix_of_numbers(v: Any) -> bool:
    """Whether this can be read as a matrix of numbers."""
    try:
        return np.ndim(np.asarray(v, dtype=np.float64)) == 2
    except (TypeError, ValueError):
        return False


def is_list_of_numbers(v: Any) -> bool:
    """Whether this can be read as a list of numbers."""
    try:
        return not isinstance(v, str) and np.ndim(np.asarray(v, dtype=np.float64)) == 1
    except (TypeError, ValueError):
        return False


def is_splitter(v: Any) -> bool:
    """Whether this divides rows: it has scikit-learn's `split`, or is a list of pairs."""
    return (hasattr(v, "split") and not isinstance(v, str)) or isinstance(v, list | tuple)
