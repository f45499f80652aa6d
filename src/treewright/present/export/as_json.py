"""A tree as nested dictionaries in JSON, with its columns and classes."""

from __future__ import annotations

import json
from typing import Any

from ...learn.model_file.arrays import schema_doc
from .form import Form

DEEPEST = 300  # readers of JSON nest no deeper


def write(form: Form, output: str) -> str:  # noqa: ARG001 - the nodes have all outputs
    """The text. `Tree.from_dict` reads its entry "tree"."""
    if form.depth > DEEPEST:
        raise ValueError(
            f"json nests as deep as the tree, at most {DEEPEST} levels. Got {form.depth}. Use to='python'."
        )
    found: dict[str, Any] = {"hash": form.hash, "task": form.model.task, "target": form.model.target}
    found |= {"schema": schema_doc(form.tree), "tree": form.tree.to_dict()}
    return json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
