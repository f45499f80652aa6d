"""From a table to a finished tree, in one call: what `treewright fit` and `treewright compare` do."""
