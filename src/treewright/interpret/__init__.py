"""Explanations: why a row gets its prediction, what would change it, and what the tree knows.

- `explanation`, `path`, `leaf`: the path of one row in words
- `counterfactual/`: the smallest change that changes a prediction
- `shapley/`, `importances/`: what each column contributes, to a prediction and overall
- `rules/`, `leaves/`: the tree as rules and as a table of leaves
- `next_best/`: the next-best splits of every node
- shared: `described_model` (any model with its texts), `row` (rows of any table), `value_sets`
  (sets of values of one column), `result_list` (the results of several rows),
  `checked_target` (the target of rows to compare with)
"""
