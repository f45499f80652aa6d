"""`treewright.compare`: the tree of `fit` beside other models, on the same folds."""
