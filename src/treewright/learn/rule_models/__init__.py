"""Rules with linear models, as Cubist makes them of a model tree.

- `rule_model`: `LinearRule` and `RuleModel`, what they predict, and how a file has them
- `data`: the rows as numbers, and the linear model of some of them
- `growth`: the model tree: split, prune, smooth
- `induce`: from leaves to rules without needless conditions; committees
- `fitted`, `estimator`: the model, and `RuleModelRegressor`
- `text`: the rules as Cubist prints them
"""
