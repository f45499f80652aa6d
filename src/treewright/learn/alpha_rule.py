"""The rules by which cross-validation chooses `ccp_alpha`: "cv", or standard errors such as "1se"."""

from __future__ import annotations

import re
from typing import Any

from ..data.common.allowed import Allowed

_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)se")


def standard_errors(rule: Any) -> float:
    """How many standard errors above the least loss a rule allows: "cv" none, "0.2se" a fifth."""
    if rule == "cv":
        return 0.0
    found = _NUMBER.fullmatch(rule) if isinstance(rule, str) else None
    if found is None:
        raise ValueError(f"rule must be 'cv' or a number of standard errors such as '1se'. Got {rule!r}.")
    return float(found[1])


def _is_rule(value: Any) -> bool:
    return isinstance(value, str) and (value == "cv" or _NUMBER.fullmatch(value) is not None)


ALPHA_RULE = Allowed("'cv' or a number of standard errors such as '1se'", _is_rule, "str")
