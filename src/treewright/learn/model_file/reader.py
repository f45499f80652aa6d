"""From a file to a model: nothing of it is used before all of it is checked."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...data.schema import ColumnType
from ..fitted_tree import BEST, FITTED, FittedTree
from ..rule_models.fitted import FittedRuleModel, with_rule_model
from ..rule_models.rule_model import RuleModel
from ..rule_sets.fitted import FittedRules, with_rules
from ..rule_sets.rule_set import RuleSet
from .arrays import PARTS, TREE_TYPES, tree_of, with_arrays
from .boosted import check as check_boosted
from .boosted import with_members
from .json_values import decoded
from .limits import FORMAT, MAX_BYTES, VERSION, FileError, rejected, short_text
from .settings import check_saved
from .strict_json import parse
from .text import digest

KEYS = (
    *("format", "version", "min_reader", "created_by", "kind", "estimator", "target"),
    *("schema", "params", "unsaved", "fitted", "decision", "training", "tree", "sha256"),
)
OF_BEST = ("params", "fitted", "decision", "tree")  # what "best", the tree of the lowest loss, has of its own
_STEP = 2**20  # bytes that are read at a time


def read(source: str | os.PathLike[str] | bytes, *, allow_unverified: bool = False) -> FittedTree:
    """What a model file holds, given its path or its bytes; FileError for anything invalid.

    Everything is checked, and nothing in a file is ever run, opened or imported. A file whose hash is wrong
    was changed after it was written, and is rejected; `allow_unverified` takes it if all else is valid.
    """
    try:
        data = source if isinstance(source, bytes) else _bytes_of(source)
        with rejected("A model file"):
            return _saved(data, allow_unverified)
    except FileError as error:
        name = "This" if isinstance(source, bytes) else repr(str(source))
        raise FileError(f"{name} is not a valid model file. {error}") from None


def load(source: str | os.PathLike[str] | bytes, *, allow_unverified: bool = False) -> Any:
    """The fitted estimator in a model file; FileError, a ValueError, for anything invalid. See `read`."""
    return read(source, allow_unverified=allow_unverified).to_estimator()


def _bytes_of(path: str | os.PathLike[str]) -> bytes:
    """All of a file; FileError if it is too large, or cannot be a model by its first bytes."""
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size > MAX_BYTES:
            raise FileError(f"A model file must have at most {MAX_BYTES:,} bytes. Got {size:,}.")
        parts = [file.read(_STEP)]
        if not parts[0].lstrip(b" \t\r\n").startswith(b"{"):
            raise FileError(f"A model file must be JSON and begin with '{{'. Got {_first(parts[0])}.")
        if size:
            file.seek(0)
            return file.read(size)
        read = len(parts[0])
        while parts[-1]:  # a pipe has no size to go by
            parts.append(file.read(_STEP))
            read += len(parts[-1])
            if read > MAX_BYTES:
                raise FileError(f"A model file must have at most {MAX_BYTES:,} bytes. Got more.")
    return b"".join(parts)


def _first(data: bytes) -> str:
    """How a file that is no model begins."""
    if not data:
        return "an empty file"
    text = (data.split(maxsplit=1) or [data])[0][:20].decode("utf-8", "replace")
    return repr(text) if text.isprintable() and "\ufffd" not in text else "a file that is not text"


def _saved(data: bytes, allow_unverified: bool) -> FittedTree:
    if len(data) > MAX_BYTES:
        raise FileError(f"A model file must have at most {MAX_BYTES:,} bytes. Got {len(data):,}.")
    doc = parse(data)
    boosted = doc.get("boosted")
    if boosted is not None:
        check_boosted(boosted)
    members = [] if boosted is None else boosted["members"]
    for part in (doc, doc.get("best"), *members):
        if isinstance(part, dict) and "tree" in part:
            part["tree"] = with_arrays(part["tree"])
    _check_header(doc)
    wrong = _wrong_hash(doc)
    if wrong and not allow_unverified:
        raise FileError(f"{wrong} allow_unverified=True reads it anyway.")
    saved = _model(doc)
    if wrong:  # a file that is made from this one is not verified either
        saved = replace(saved, training=saved.training | {"unverified": True})
    verified = saved.training.get("unverified") is not True
    saved = replace(saved, verified=verified)
    saved = _with_rules(saved, doc)
    if boosted is not None:
        if doc.get("best") is not None:
            raise FileError('"boosted" must not stand beside "best". Got both.')
        others = [_model(doc | {"unsaved": {}, "training": {}} | each) for each in members]
        ruled = [
            _of_rules(other, each["rules"]) if "rules" in each else other
            for other, each in zip(others, members, strict=True)
        ]
        return with_members(saved, boosted, ruled)
    if doc.get("best") is None:
        return saved
    best = _model(doc | {"unsaved": {}, "training": {}} | doc["best"])
    best = replace(best, training=_training_of_best(saved.training), verified=verified)
    return replace(saved, best=best)


def _with_rules(saved: FittedTree, doc: dict[str, Any]) -> FittedTree:
    """The model with the rules that a file has beside its tree, if any."""
    if doc.get("rule_model") is None:
        return saved if doc.get("rules") is None else _of_rules(saved, doc["rules"])
    if any(doc.get(key) is not None for key in ("best", "boosted", "rules")):
        raise FileError('"rule_model" must be the only model in a file. Got others.')
    return _of_rule_model(saved, doc["rule_model"])


def _of_rules(saved: FittedTree, doc: Any) -> FittedRules:
    """The set of rules that a file has beside its tree."""
    tree = saved.tree
    types = tree.column_types or (ColumnType(),) * tree.n_features
    sums = 0 if tree.combinations is None else len(tree.combinations)
    with rejected('"rules"'):
        rule_set = RuleSet.from_dict(decoded(doc, '"rules"'), (*types, *(ColumnType(),) * sums))
    if len(saved.classes) != 1 or rule_set.n_classes != len(saved.classes[0]):
        raise FileError('"rules" must be for the classes of the tree. Got others.')
    if not set(rule_set.used) <= set(tree.feature[~tree.is_leaf].tolist()):
        raise FileError('"rules" must test columns that the tree tests. Got others.')
    return with_rules(saved, rule_set)


def _of_rule_model(saved: FittedTree, doc: Any) -> FittedRuleModel:
    """The rules with linear models that a file has beside their root."""
    tree = saved.tree
    if saved.classes or tree.n_outputs != 1 or tree.node_count != 1:
        raise FileError('"rule_model" must be beside a tree of one node for numbers. Got another.')
    with rejected('"rule_model"'):
        types = tree.column_types or (ColumnType(),) * tree.n_features
        return with_rule_model(saved, RuleModel.from_dict(decoded(doc, '"rule_model"'), types))


def _training_of_best(training: dict[str, Any]) -> dict[str, Any]:
    """The summary with the size and the scores of the best tree; splits by node are of the other."""
    kept = {name: value for name, value in training.items() if not name.startswith("next_best_splits")}
    scores = training.get("best")
    return kept | (scores if isinstance(scores, dict) else {}) | {"tree": BEST, "best": None}


def _model(doc: dict[str, Any]) -> FittedTree:
    """One of the models of a file."""
    tree = tree_of(doc["tree"], doc["schema"])
    parts = {
        key: decoded(doc[key], f'"{key}"') for key in ("params", "unsaved", "fitted", "decision", "training")
    }
    saved = FittedTree(doc["kind"], tree, doc["estimator"], target=doc["target"], **parts)
    if not isinstance(saved.fitted, dict) or not FITTED.keys() >= saved.fitted.keys():
        raise FileError(f'"fitted" must be an object with some of {", ".join(FITTED)}. Got others.')
    check_saved(saved)
    return saved


def _check_header(doc: dict[str, Any]) -> None:
    """Whether this is a model file, and one that this version can read."""
    if doc.get("format") != FORMAT:
        raise FileError(f'"format" must be {FORMAT!r}. Got {short_text(doc.get("format"))}.')
    version, needed = doc.get("version"), doc.get("min_reader")
    if type(version) is not int or type(needed) is not int or not 1 <= needed <= version:
        raise FileError(
            f'"version" and "min_reader" must be whole numbers from 1, the first not below the second. '
            f"Got {short_text(version)} and {short_text(needed)}."
        )
    if needed > VERSION:
        raise FileError(
            f'"min_reader" must be at most {VERSION}. Got {needed}: update treewright to read it.'
        )
    lacking = [key for key in KEYS if key not in doc and key != "sha256"]
    if lacking:
        raise FileError(f"A model file must have the keys {', '.join(KEYS)}. Got none of {lacking}.")
    if not isinstance(doc["created_by"], str):
        raise FileError(f'"created_by" must be text. Got {short_text(doc["created_by"])}.')
    best = doc.get("best")
    if best is not None and (not isinstance(best, dict) or not set(OF_BEST) <= best.keys()):
        raise FileError(f'"best" must be an object with {", ".join(OF_BEST)}. Got {short_text(best)}.')
    if version <= VERSION:
        _reject_unknown(doc, (*KEYS, "best", "boosted", "rules", "rule_model"), "A model file")
        _reject_unknown(doc["schema"], ("columns", "classes"), '"schema"')
        _reject_unknown(best, OF_BEST, '"best"')
        for part in (doc, *([] if best is None else [best]), *(doc.get("boosted") or {}).get("members", ())):
            _reject_unknown(part["tree"], (*TREE_TYPES, *PARTS, "found_by_names"), '"tree"')
            for name, types in PARTS.items():
                _reject_unknown(part["tree"].get(name, {}), tuple(types), f'"{name}"')


def _reject_unknown(part: Any, known: tuple[str, ...], what: str) -> None:
    """A later version may add keys that earlier ones can do without; this version has no others."""
    unknown = [key for key in part if key not in known] if isinstance(part, dict) else []
    if unknown:
        raise FileError(f"{what} must have no keys but {', '.join(known)}. Got {short_text(unknown[0])}.")


def _wrong_hash(doc: dict[str, Any]) -> str:
    """What is wrong with the hash of a file; nothing if it is right."""
    given = doc.get("sha256")
    if not isinstance(given, str):
        return '"sha256" must be the hash of all else. Got none.'
    if given != digest(doc):
        return (
            '"sha256" must be the hash of all else. Got another: the file was changed or damaged after it '
            "was written."
        )
    return ""
