"""Trees with a linear or logistic model in every leaf: options, terms, growth, cross-validation, the tree."""
