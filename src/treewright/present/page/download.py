"""What the page needs to write a model file of the tree that it shows, pruned or not.

The page has the arrays of the tree already. All other parts of the file are given as they are written in the
form that its hash is made of, so that a script need not know how Python writes them.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ...learn.model_file.arrays import SURROGATE_TYPES, TREE_TYPES
from ...tree.invariants import OUTCOMES
from ...tree.leaf_models import MODEL_ARRAYS
from ...tree.tree import AS_LEAF, NODE_ARRAYS

PARTS = ("format", "version", "min_reader", "created_by", "kind", "estimator", "target", "params", "unsaved")
BY_KEY = ("fitted", "training")  # pruning changes some of their keys


def file_parts(doc: dict[str, Any]) -> dict[str, Any]:
    """The parts of a model file but its tree, as text, and how a node becomes a leaf in its arrays."""
    return {
        "parts": {name: _canonical(doc[name]) for name in (*PARTS, "decision", "schema")},
        **{name: {key: _canonical(value) for key, value in doc[name].items()} for name in BY_KEY},
        "floats": [
            name
            for name, dtype in (TREE_TYPES | SURROGATE_TYPES | MODEL_ARRAYS).items()
            if dtype is np.float64
        ],
        "node_arrays": [name for name in NODE_ARRAYS if name not in OUTCOMES],
        "outcomes": list(OUTCOMES),
        "as_leaf": dict(AS_LEAF),
    }


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
