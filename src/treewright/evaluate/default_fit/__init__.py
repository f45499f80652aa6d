"""The main calls: `treewright.fit` and `treewright.compare`, and the default procedure behind them."""
