"""Feature importances: by impurity and by permutation, with intervals."""
