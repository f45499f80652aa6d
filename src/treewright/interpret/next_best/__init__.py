"""The next-best splits: at every node, the best split of each column that was not chosen."""
