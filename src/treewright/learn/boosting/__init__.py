"""Boosted trees: trials that each look most at the rows which those before them predict wrongly."""

from __future__ import annotations

from .estimator import BoostedTreeClassifier

__all__ = ["BoostedTreeClassifier"]
