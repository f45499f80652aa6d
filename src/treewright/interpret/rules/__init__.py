"""A tree as rules: mutually exclusive conditions with a prediction each, and every class as a normal form."""

from .normal_form import NormalForm
from .rule import Rule
from .rule_list import Rules, rules

__all__ = ["NormalForm", "Rule", "Rules", "rules"]
