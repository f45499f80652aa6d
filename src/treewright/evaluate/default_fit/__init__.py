"""`treewright.fit` and the default procedure behind it."""
