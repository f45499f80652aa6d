"""The shelf of judges: how good a tree is on rows that it has not seen, and what follows from that.

`folds`, `losses`, `problem`, `ends` and `curve` stand below the estimators, which choose `ccp_alpha` by them.
`report`, `tune`, `honest` and `learning` stand above: they fit estimators and speak of the results.
"""
