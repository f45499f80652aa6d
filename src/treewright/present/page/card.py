"""The model card: what the model is for, where it comes from, and whether its file is as it was written."""

from __future__ import annotations

import hashlib
import platform
from typing import Any

import numpy as np

from ...data.common.today import today
from ...data.values import Column
from ...learn.model_file.writer import document
from .rows import Given
from .subject import Subject

NOT_GIVEN = "The report was made without the training rows, so that they have no digest here."
DIGEST = "SHA-256 of the training rows: the columns of the model and the target, in the order of the rows."


def card(subject: Subject) -> dict[str, Any]:
    """The part "card"."""
    given = subject.given
    known = given is not None and given.y is not None and given.origin.made_the_tree
    part = {
        "intended_use": subject.options.get("intended_use"),
        "verified": subject.saved.verified,
        "data_sha256": rows_digest(given) if known and given is not None else None,
        "model_sha256": document(subject.saved)["sha256"],
        "data_note": DIGEST if known else NOT_GIVEN,
        "rows": [[name, text] for name, text in _facts(subject).items() if text],
    }
    return {"card": part}


def _facts(subject: Subject) -> dict[str, str | None]:
    from ... import __version__

    training, saved = subject.training, subject.saved
    rows = training.get("rows")
    seed = training.get("random_state", saved.params.get("random_state"))
    return {
        "Model": f"{saved.estimator} ({saved.task})" if subject.clusters is None else "ClusteringTree",
        "Target": saved.target,
        "Table": str(training["table"]) if training.get("table") else None,
        "Training rows": f"{rows if isinstance(rows, int) else int(subject.tree.n_node_samples[0]):,}",
        "Fitted on": str(training["date"]) if training.get("date") else "not recorded in the model",
        "Changed": saved.fitted.get("changed_"),
        "Random state": None if seed is None else str(seed),
        "Report made on": today(),
        "Versions": f"treewright {__version__}, Python {platform.python_version()}, NumPy {np.__version__}",
    }


def rows_digest(given: Given) -> str:
    """The SHA-256 of the rows: names, values and levels of all columns, the target, and weights if any."""
    found = hashlib.sha256()
    for column in given.table.given:
        found.update(str(column.name).encode())
        if isinstance(column, Column):
            found.update(repr([str(level) for level in column.type.levels]).encode())
            _add(found, column.values, column.missing)
        else:
            found.update(repr([str(level) for level in column.levels]).encode())
            _add(found, column.codes, None)
    _add(found, given.codes, None)
    if given.weight is not None:
        _add(found, given.weight, None)
    return found.hexdigest()


def _add(found: Any, values: Any, missing: Any) -> None:
    """Numbers as little-endian bytes of one width; what a missing value holds does not count."""
    wide = np.asarray(values)
    wide = wide.astype("<f8" if wide.dtype.kind == "f" else "<u8" if wide.dtype.kind == "u" else "<i8")
    gone = np.isnan(wide) if missing is None and wide.dtype.kind == "f" else missing
    if gone is not None:
        wide = np.where(gone, 0, wide)
        found.update(np.packbits(np.asarray(gone, dtype=bool)).tobytes())
    found.update(np.ascontiguousarray(wide).tobytes())
