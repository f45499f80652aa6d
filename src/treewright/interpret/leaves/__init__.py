"""A table of the leaves: what each predicts and how certain that is."""
