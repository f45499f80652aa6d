"""From a model to its file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ...data.common.atomic import whole_or_nothing
from ...tree.tree import Tree
from ..boosting.fitted import FittedTrees
from ..fitted_tree import FITTED, FittedTree
from ..rule_models.fitted import FittedRuleModel
from ..rule_sets.fitted import FittedRules
from .arrays import schema_doc, tree_doc
from .boosted import boosted_doc
from .json_values import encoded
from .limits import (
    FORMAT,
    MAX_BYTES,
    MAX_LISTS,
    VERSION,
    WITHOUT_BOOSTING,
    WITHOUT_COMBINATIONS,
    WITHOUT_LEAF_MODELS,
    FileError,
)
from .models import file_form
from .settings import check_saved
from .text import digest, written


def save(
    model: Any,
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    training: Mapping[str, Any] | None = None,
) -> Path:
    """Write a fitted estimator, a tree, or what `read` returned to a file, at once or not at all.

    It is read again before it takes its place, so that no file is left that cannot be read.
    `target` is the name of the column that is predicted, `training` a free summary of text, numbers, lists
    and dictionaries. FileError for a model that no file can hold; OSError if the disk is full or not
    writable, and then a file that was there before is untouched.
    """
    return _write_at_once(path, _within_limit(written(document(model, target=target, training=training))))


def _write_at_once(path: str | os.PathLike[str], pieces: Iterable[str]) -> Path:
    """Write a file, all of it or nothing."""
    place = Path(path)
    if place.exists() and not place.is_file():
        raise FileError(f"A model must be written to a file. Got {str(place)!r}, which is something else.")
    with whole_or_nothing(place, check=_must_be_readable) as file:
        file.writelines(piece.encode() for piece in pieces)
    return place


def _must_be_readable(path: Path) -> None:
    from .reader import read

    try:
        read(path.read_bytes())
    except ValueError as error:
        raise FileError(f"A model must be readable from its file. This one is not: {error}") from error


def _within_limit(pieces: Iterator[str]) -> Iterator[str]:
    """The same pieces, as long as a reader would take their file."""
    size = lists = 0
    for piece in pieces:
        size += len(piece) if piece.isascii() else len(piece.encode())
        lists += piece.count("[") + piece.count("{")
        if lists > MAX_LISTS:
            raise FileError(f"A model must have at most {MAX_LISTS:,} lists and columns. Got more.")
        if size > MAX_BYTES:
            raise FileError(f"A model file must have at most {MAX_BYTES:,} bytes. Got more; prune the tree.")
        yield piece


def document(
    model: Any, *, target: str | None = None, training: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The whole document, checked, with its hash; arrays are numpy's."""
    from ... import __version__

    saved = file_form(model, target=target, training=training)
    check_saved(saved)
    version = max(_version(each.tree) for each in (saved, saved.best) if each is not None)
    version = VERSION if isinstance(saved, FittedTrees | FittedRules | FittedRuleModel) else version
    doc = {
        "format": FORMAT,
        "version": version,
        "min_reader": version,
        "created_by": f"treewright {__version__}",
        "kind": saved.task,
        "estimator": saved.estimator,
        "target": encoded(saved.target, '"target"'),
        "schema": schema_doc(saved.tree),
        "params": encoded(saved.params, '"params"'),
        "unsaved": encoded(saved.unsaved, '"unsaved"'),
        "training": encoded(saved.training, '"training"'),
        **_fitted_doc(saved),
    }
    if saved.best is not None:
        doc["best"] = _member_doc(saved.best)
    if isinstance(saved, FittedTrees):
        doc["boosted"] = boosted_doc(saved, [_member_doc(each) for each in saved.members[1:]])
    doc |= _rules_doc(saved.members[0] if isinstance(saved, FittedTrees) else saved)
    return doc | {"sha256": digest(doc)}


def _member_doc(saved: FittedTree) -> dict[str, Any]:
    check_saved(saved)
    return {"params": encoded(saved.params, '"params"'), **_fitted_doc(saved), **_rules_doc(saved)}


def _rules_doc(saved: FittedTree) -> dict[str, Any]:
    """The rules that were made of a tree, or that a root stands for, if any."""
    if isinstance(saved, FittedRuleModel):
        return {"rule_model": encoded(saved.rule_model.to_dict(), '"rule_model"')}
    return {"rules": encoded(saved.rule_set.to_dict(), '"rules"')} if isinstance(saved, FittedRules) else {}


def _version(tree: Tree) -> int:
    """The first version whose readers know all that a tree has."""
    if len(tree.soft_low):
        return VERSION
    if tree.combinations is not None:
        return WITHOUT_BOOSTING
    return WITHOUT_LEAF_MODELS if tree.leaf_models is None else WITHOUT_COMBINATIONS


def _fitted_doc(saved: FittedTree) -> dict[str, Any]:
    """What the simplest and the best tree of a file have each."""
    fitted = {name: value for name, value in saved.fitted.items() if name in FITTED}
    return {
        "fitted": encoded(fitted, '"fitted"'),
        "decision": encoded(saved.decision, '"decision"'),
        "tree": tree_doc(saved.tree),
    }
