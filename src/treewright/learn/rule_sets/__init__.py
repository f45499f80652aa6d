"""Sets of rules that vote: made of a tree by dropping conditions and choosing rules, as C5.0 does it.

- `rule_set`: `RuleSet`, its rules, and what they vote for
- `generalise`: a rule of every node, without the conditions that do not help
- `length`: how long a rule is, and whether it is worth it
- `choose`: which of these rules to keep
- `induce`: from a tree and rows to a `RuleSet`
- `fitted`, `estimator`: the model, and `RuleSetClassifier`
- `text`: the rules as C5.0 prints them
"""
