"""Experiments with known answers: sources of data, bias and variance, capacity, and estimators."""
