"""Cross-validation inside a fit: the loss of every pruned tree on held-out rows, and the choice from it."""
