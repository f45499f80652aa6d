"""Files that a model reads after its fit, as the training file was read; and cells that do not fit it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..data.files.errors import shown

if TYPE_CHECKING:
    from ..data.files import ReadTable
    from .fitted_tree import FittedTree

_FAMILY = {"number": "number", "boolean": "boolean", "datetime": "time"}


def reading_as_at_fit(model: FittedTree) -> dict[str, Any]:
    """What a model knows of its training file, as `read_table` takes it.

    What was text is text, numbers and dates are written as they were, and the words that the user gave for
    missing values still are.
    """
    tree, known = model.tree, model.training
    formats = known.get("formats")
    how: dict[str, Any] = {"formats": formats if isinstance(formats, dict) else {}}
    for option, key in (("missing", "missing_words"), ("also_missing", "also_missing")):
        if isinstance(known.get(key), str):
            how[option] = known[key].split(",")
    names = tree.feature_names or ()
    kinds = ["number"] * len(names) if tree.column_types is None else [t.kind for t in tree.column_types]
    families = {names[place]: _FAMILY.get(kinds[place]) for place in tree.used if names}
    how["families"] = {name: family for name, family in families.items() if family is not None}
    levels = zip(names, tree.column_types or (), strict=False)
    how["text"] = [name for name, t in levels if t.levels and all(isinstance(v, str) for v in t.levels)]
    classes = tree.classes if not isinstance(tree.classes, tuple) else None
    if model.target is not None and classes is not None and all(isinstance(v, str) for v in classes.tolist()):
        how["text"].append(model.target)
    return how


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
    """What the user should know of how a later file was read, without what held for the training file too."""
    from ..data.files import formats_to_dicts
    from ..data.files.notes import Note

    tree, known = model.tree, model.training
    before, formats = known.get("reading_notes"), known.get("formats")
    words = known.get("words_read_as_missing")
    used = {(tree.feature_names or ())[place] for place in tree.used} if tree.feature_names else None
    same = {
        name
        for name, each in formats_to_dicts(table.formats).items()
        if isinstance(formats, dict) and formats.get(name) == each
    }
    found = []
    for number, note in enumerate(table.notes):
        if number == 0 and known.get("reading") == table.dialect.to_dict():
            continue
        if isinstance(before, list) and note in before:
            continue
        if isinstance(note, Note):
            about = set(note.columns) - same
            concerns = about if used is None else about & used
            expected = note.words and isinstance(words, list) and set(note.words) <= set(words)
            if not concerns or expected:
                continue
        found.append(str(note))
    return found
