"""Exact Shapley values."""
