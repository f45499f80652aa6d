"""Functions that users give, and what they are called with."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np

from .array_types import Floats
from .errors import ParameterError
from .plural import counted


def check_takes(name: str, function: Callable[..., Any], of: str, count: int) -> None:
    """Reject a function that does not take so many arguments."""
    try:
        signature(function).bind(*range(count))
    except TypeError:
        must = f"{name} must be a function of {of}: of {counted(count, 'argument')}."
        raise ParameterError(f"{must} Got a function of {signature(function)}.", name) from None
    except ValueError:
        pass  # some functions of C do not say what they take


def called(name: str, function: Callable[..., Any], of: str, *values: Any) -> Any:
    """What a function returns; one that does not take so many arguments is rejected."""
    try:
        return function(*values)
    except TypeError:
        check_takes(name, function, of, len(values))  # not before: a look costs more than a short call
        raise


def of_arrays(name: str, function: Callable[..., Any], of: str, *values: Any) -> Any:
    """What a function returns for arrays; one of single numbers is rejected."""
    try:
        return called(name, function, of, *values)
    except TypeError as error:
        array = "arrays" if len(values) > 1 else "an array"
        must = f"{name} must be a function of {array}, such as np.exp in place of math.exp."
        raise ParameterError(f"{must} Got {function!r:.80}: {error}.", name) from error


def numbers_of(made: Any, must: str) -> Floats:
    """What a function returned, as numbers."""
    try:
        return np.asarray(made, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{must} Got {made!r:.80}.") from None
