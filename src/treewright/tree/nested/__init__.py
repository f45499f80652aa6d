"""A tree as nested dictionaries and back: to look at, to keep as JSON, and to write by hand.

Every node may have "value", "n", "weight", "impurity", "lower", "upper", and "estimate": what it predicts in
place of its value. An inner node has "feature" and

- "threshold" with "left" and "right" (or "children", a list of two), and "strict": true for x < threshold. Of
  an ordered column the threshold may be the name of the last level that goes left. "feature" may be a list of
  pairs, a column and its coefficient: the threshold is compared with this sum of columns;
- or "levels", a list of level names for each of "children".

It may also have

- "missing": "left", "right" or the number of a child; "stop"; "share"; or a node for missing values alone;
- "shares": one number per child, which missing values are shared out by;
- "surrogates": a list of dictionaries with "feature", and "threshold" ("strict", "reversed") or "levels", and
  "agreement" and "adjusted";
- "gain", "missing_seen", "found_by" and "heuristic", as the arrays of the tree.

The root may have "n_features", "feature_names", "n_classes", "classes", "costs" and "columns": a list of
dictionaries with "kind", and "levels" or "utc" (datetimes that had a time zone).
"""

from .reader import from_nested
from .writer import to_nested

__all__ = ["from_nested", "to_nested"]
