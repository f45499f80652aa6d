"""Files that a model reads after its fit, as the training file was read; and cells that do not fit it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..data.files.errors import shown
from ..data.schema import NUMBER

if TYPE_CHECKING:
    from ..data.files import ReadTable
    from .fitted_tree import FittedTree


def reading_as_at_fit(model: FittedTree) -> dict[str, Any]:
    """The options of `read_table` that read a file as at fit: types, formats and words for missing values."""
    known, tree = model.training, model.tree
    formats = known.get("formats")
    how: dict[str, Any] = {"formats": formats if isinstance(formats, dict) else {}}
    for name, key in (("missing", "missing_words"), ("also_missing", "also_missing")):
        if isinstance(known.get(key), str):
            how[name] = known[key].split(",")
    names = tree.feature_names or ()
    types = tree.column_types or (NUMBER,) * len(names)
    text = [name for name, each in zip(names, types, strict=True) if _has_text(each.levels)]
    is_number = [name for name, each in zip(names, types, strict=True) if each == NUMBER]
    trees = (tree, *([] if model.best is None else [model.best.tree]))
    used = {names[place] for each in trees for place in each.used} if names else set()
    numbers = [name for name in is_number if name in used]
    unused = [name for name in is_number if name not in used]
    if model.target is not None:
        text += [model.target] if any(_has_text(labels.tolist()) for labels in model.classes) else []
        numbers += [] if model.classes else [model.target]
    return how | {"text": text, "numbers": numbers, "unused": unused}


def _has_text(levels: Sequence[Any]) -> bool:
    return len(levels) > 0 and all(isinstance(level, str) for level in levels)


def check_cells(model: FittedTree, table: ReadTable) -> None:
    """Reject a file with a cell that does not fit a column of numbers or times that the tree uses."""
    tree = model.tree
    for place in tree.used:
        name = (tree.feature_names or ())[place] if tree.feature_names else None
        odd = table.odd.get(name or "")
        if odd is None or (tree.column_types is not None and tree.column_types[place].has_levels):
            continue
        words = odd.also_missing
        how = f"Pass also_missing={words!r} if that is a missing value, or correct the file."
        how = how if words else "Correct the file."
        raise ValueError(f"{shown(name or '')} must hold {odd.among}, as at fit, but {odd.text}. {how}")


def new_notes(model: FittedTree, table: ReadTable) -> list[str]:
    """How a later file was read, where that differs from the training file.

    Of the columns, only those that the tree uses count.
    """
    from ..data.files import formats_to_dicts

    tree, known = model.tree, model.training
    notes = list(table.file_notes)
    if notes and known.get("reading") == table.dialect.to_dict():
        notes = notes[1:]
    before = known.get("formats")
    now = formats_to_dicts(table.formats)
    names = tree.feature_names or ()
    used = {names[place] for place in tree.used} if names else set(now)
    for column, note in table.column_notes:
        same = isinstance(before, dict) and column in now and before.get(column) == now[column]
        if note in table.conversions or (column in used and not same):
            notes.append(note)
    return notes
