"""A tree as rules: mutually exclusive conditions with a decision each, and every class as a normal form."""

from .book import Rules, rules
from .normal_form import NormalForm
from .rule import Rule

__all__ = ["NormalForm", "Rule", "Rules", "rules"]
