"""Boosted trees: trials that each look most at the rows which those before them predict wrongly."""
