"""Evaluation: how good a model is on rows it has not seen, and which model to choose.

- `data_check/`: findings about a table before training; one function per finding
- `recipes/`: `treewright.fit` and `treewright.compare`
- `tune`, `nested_cv`, `learning_curve`, `compare_pruning`: cross-validated choice and scores
- `metrics`, `intervals`: scores with confidence intervals
- `roc/`, `calibration_curve`, `decision`: ROC curves, operating points, calibration, decisions by cost
"""
