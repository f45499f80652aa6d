"""Least squares and total least squares, with every quantity that a textbook derives them from."""
