"""Evaluation: how good a model is on rows it has not seen, and which model to choose.

- `data_check/`: findings about a table before training; one function per finding
- `default_fit/`: `treewright.fit` and the default procedure behind it
- `model_comparison/`: `treewright.compare` and the models that it knows by name
- `tune`, `nested_cv`, `learning_curve`, `compare_pruning`: cross-validated choice and scores
- `metrics`, `intervals`: scores with confidence intervals
- `roc/`, `calibration_curve`, `decision`: ROC curves, operating points, calibration, decisions by cost
"""
