"""Plots of regions, clusters, impurity functions, coefficient paths and norm balls, by matplotlib."""
