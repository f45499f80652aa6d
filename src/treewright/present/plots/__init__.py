"""Plots of decision regions, impurity functions, coefficient paths and norm balls, drawn with matplotlib."""
