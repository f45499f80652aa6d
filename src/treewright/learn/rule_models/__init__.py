"""Rules with linear models, as Cubist makes them of a model tree.

- `rule_model`: `LinearRule` and `RuleModel`, what they predict, and how a file has them
- `data`: the rows as numbers, and what linear models predict for them
- `growth`: the model tree as the core grows it, and smoothing
- `pruning`: which of its branches stay
- `induce`: from leaves to rules without needless conditions; committees
- `neighbors`: the correction by the nearest training rows
- `fitted`, `estimator`: the model, and `RuleModelRegressor`
- `text`: the rules as Cubist prints them
"""
