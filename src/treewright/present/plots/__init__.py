"""Plots of decision regions and impurity functions, drawn with matplotlib."""
