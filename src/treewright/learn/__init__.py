"""Learning: parameters, growth, pruning, smoothing, estimators, and model files.

- `params`, `conflicts`, `growth_rules`, `costs`: every parameter, and which do not go together
- `signatures`: the constructors as editors see them, written by `tools/signatures.py`
- `problem`, `grow`: a table with its target and parameters; the call into the core
- `pruning/`: one file per pruning method; `METHODS` lists them
- `cross_validation/`, `folds`: choosing `ccp_alpha` and the smoothing strength
- `smoothing`, `losses`, `impurities`, `entropies`: formulas
- `estimators`: `DecisionTreeClassifier`, `DecisionTreeRegressor` and the extra trees
- `classics/`: ID3, C4.5, C5.0, CART, J48, ... as sets of parameters; `classic_rules`: what they do with rows
- `clustering/`: `ClusteringTree`, and the dissimilarity of sets of rows
- `conjunctions/`: `Conjunctions`, which constructs columns
- `linear/`: least squares and total least squares
- `model_file/`: saving and loading
"""
