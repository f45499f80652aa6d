"""`fit` of a table that is named: read into memory if it fits, else coded and grown from a scratch file."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...data.common.errors import ParameterError
from ...data.common.hints import nearest
from ...data.common.plural import counted
from ...data.common.threads import threads
from ...data.files import read_table
from ...data.files.errors import TableError
from ...data.files.memory import shown_size
from ...data.parts import Reading, Source, TableDescription, describe, is_source, merge, sources_of
from ...data.parts.describe import target_values
from ...data.parts.in_memory import read_whole
from ...data.parts.memory import bytes_of, fits
from ...data.parts.merge import check_names
from ...data.parts.sources import Frame
from ...data.table import frame_of, is_frame
from ...tree.tree import Tree
from ..conflicts import Facts, check_together
from ..cross_validation.choose import Chosen, strengths_of
from ..params import CLASSIFICATION, PARAMETERS, check_params
from ..pruning import prune
from ..smoothing import smoothed
from .budget import Sizes
from .cluster import grow_on_cluster
from .coded import PartTotals, code_part
from .cross_validate import cross_validate
from .dask_frames import as_dask_frame, is_dask
from .grow import Held, grow_by_engine, signs
from .refusals import CLUSTER, is_chosen, refuse
from .scratch import ScratchEngine, ScratchFile


class Given(NamedTuple):
    """The rows of a fit, and what is beside the columns: arrays, or names of columns."""

    X: Any
    y: Any
    sample_weight: Any = None
    groups: Any = None
    exposure: Any = None


class Limits(NamedTuple):
    """What a fit may take: memory as text or bytes, the folder of its scratch file, and a cluster."""

    memory: Any = None
    scratch: Any = None
    client: Any = None
    checkpoint: Any = None


class FromParts(NamedTuple):
    """A tree that was grown from a table in parts."""

    tree: Tree
    description: TableDescription
    strength: float | None
    notes: tuple[str, ...]
    chosen: Chosen | None = None  # then the tree is not pruned or smoothed yet


def is_named(given: Given) -> bool:
    """Whether the table is named, or its target is."""
    return is_dask(given.X) or is_source(given.X) or (isinstance(given.y, str) and is_frame(given.X))


def read_named(
    estimator: Any, given: Given, limits: Limits, prune_rows: Any = None
) -> tuple[Given, tuple[str, ...]] | FromParts:
    """Read a named table into memory; where it does not fit, grow its tree from parts.

    Returns
    -------
    The rows in memory with notes, or what was grown.
    """
    memory = bytes_of(limits.memory)
    params = {each.name: getattr(estimator, each.name) for each in PARAMETERS[estimator.task]}
    check_params(estimator.task, params)
    if is_dask(given.X):
        refuse(params, CLUSTER, prune_rows=prune_rows, groups=given.groups, exposure=given.exposure)
        return _on_cluster(estimator, given, limits)
    if limits.client is not None or limits.checkpoint is not None:
        raise ParameterError(
            f"client and checkpoint are for Dask tables. Got X of type {type(given.X).__name__}.", "client"
        )
    if not is_source(given.X):
        return _split(estimator, given.X, given), ()
    _must_be_names(given)
    sources = _sources(given.X)
    names = [source.names() for source in sources]
    for source, its in zip(sources, names, strict=True):
        check_names(sources[0].name, names[0], source.name, its)
    _must_have(given, names[0])
    n_rows = sum(source.n_rows() for source in sources)
    where = counted(len(sources), "part")
    if fits(n_rows, len(names[0]), memory):
        note = f"{n_rows:,} rows in {where} were read into memory."
        return _split(estimator, read_whole(sources), given), (note,)
    refuse(params, prune_rows=prune_rows, groups=given.groups, exposure=given.exposure)
    return _grown(estimator, sources, given, (memory, limits.scratch, n_rows, where))


def _sources(X: Any) -> list[Source]:
    """The parts; a file that is not Parquet is read as the command line reads it."""
    sources = sources_of(X)
    if len(sources) == 1 and hasattr(sources[0], "path"):
        with sources[0].path.open("rb") as file:
            if file.read(4) != b"PAR1":
                return [Frame(sources[0].name, read_table(sources[0].path).frame)]
    return sources


# -- names


def _must_be_names(given: Given) -> None:
    for what, value in (("y", given.y), ("sample_weight", given.sample_weight), ("groups", given.groups)):
        if value is not None and not isinstance(value, str):
            raise ParameterError(
                f"{what} must be the name of a column where X is a file, a folder or a lazy table. "
                f"Got {type(value).__name__}.",
                what,
            )
    if given.y is None:
        raise ParameterError("y must be the name of a column of X. Got None.", "y")


def _must_have(given: Given, names: list[str]) -> None:
    for what, name in zip(given._fields[1:], given[1:], strict=True):
        if isinstance(name, str) and name not in names:
            few = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
            hint = nearest(name, names) or f" It has {few}."
            raise ParameterError(f"{what} must be a column of X. Got {name!r}.{hint}", what)


def _split(estimator: Any, frame: Any, given: Given) -> Given:
    """The columns to predict from, and the arrays beside them."""
    wrapped = frame_of(frame)
    _must_have(given, list(wrapped.columns))
    beside = {name for name in given[1:] if isinstance(name, str)}
    features = [name for name in wrapped.columns if name not in beside]
    if not features:
        raise TableError(f"X must have a column besides {given.y!r}. Got none.")
    if not len(wrapped):
        raise TableError("A table must have rows. Got none.")
    found = {
        what: wrapped[name].to_numpy() if isinstance(name, str) else name
        for what, name in zip(given._fields[2:], given[2:], strict=True)
    }
    y = given.y
    if isinstance(y, str):
        declared = getattr(estimator, "class_order", "sorted") == "declared"
        reading = Reading(y, estimator.task == CLASSIFICATION)
        series = wrapped[y]
        y = series.to_native() if declared else target_values(series, reading, "the table")
    return Given(wrapped.select(features).to_native(), y, **found)


# -- larger than memory


def _grown(estimator: Any, sources: list[Source], given: Given, about: Any) -> FromParts:
    memory, folder, n_rows, where = about
    params = {each.name: getattr(estimator, each.name) for each in PARAMETERS[estimator.task]}
    classes = estimator.task == CLASSIFICATION
    reading = Reading(given.y, classes, given.sample_weight, params["categorical_features"])
    with ScratchFile(folder) as scratch:
        n_columns = len(sources[0].names())
        scratch.must_have_room(n_rows * (9 * n_columns + 20))
        whole = merge([describe(each.batches(), reading, each.name) for each in sources], reading)
        params["monotonic_cst"] = signs(params["monotonic_cst"], whole.names)
        _check(whole, params, estimator.task)
        sizes = Sizes.of(memory, whole.n_columns, threads(params["n_jobs"]))
        for rows in _blocks(sources, sizes.block_rows):
            scratch.add(code_part(rows, whole, params))
        found = _tree(scratch, whole, params, sizes)
        size = scratch.size
    chosen = found if isinstance(found, Chosen) else None
    tree, strength = _finished(found, params) if isinstance(found, Tree) else (found.tree, None)
    held = f"{n_rows:,} rows in {where} are more than {shown_size(memory)} of memory hold"
    notes = [f"{held}; the tree was grown from a scratch file of {shown_size(size)}."]
    if chosen is not None:
        notes.append(f"The {params['cv']} folds of cross-validation are by a hash of the number of the row.")
    return FromParts(tree, whole, strength, tuple(notes), chosen)


def _finished(tree: Tree, params: dict[str, Any]) -> tuple[Tree, float | None]:
    """A tree pruned and smoothed by numbers that are given, and the strength of smoothing."""
    strength = next(iter(strengths_of(params)), None)
    tree = prune(tree, float(params["ccp_alpha"]))
    return (tree if strength is None else smoothed(tree, params["smoothing"], strength)), strength


def _on_cluster(estimator: Any, given: Given, limits: Limits) -> FromParts:
    """The tree of a Dask table."""
    params = {each.name: getattr(estimator, each.name) for each in PARAMETERS[estimator.task]}
    table, target, weights = as_dask_frame(given.X, given.y, given.sample_weight)
    reading = Reading(target, estimator.task == CLASSIFICATION, weights, params["categorical_features"])

    def known(whole: TableDescription) -> dict[str, Any]:
        found = params | {"monotonic_cst": signs(params["monotonic_cst"], whole.names)}
        _check(whole, found, estimator.task)
        return found

    tree, whole = grow_on_cluster(table, reading, known, limits.client, limits.checkpoint)
    tree, strength = _finished(tree, params)
    note = f"{whole.n_rows:,} rows in {table.npartitions:,} partitions were counted on a Dask cluster."
    return FromParts(tree, whole, strength, (note,))


def _tree(
    scratch: ScratchFile, whole: TableDescription, params: dict[str, Any], sizes: Sizes
) -> Tree | Chosen:
    """The tree of a scratch file; where cross-validation shall choose a parameter, what it chose."""
    totals = PartTotals()
    for number, part in enumerate(scratch.parts):
        totals.add(part.totals())
        scratch.release(number)
    engine = ScratchEngine(scratch, totals, threads(params["n_jobs"]), sizes)

    def grow(fold: int | None = None) -> Tree:
        engine.start(fold, params["cv"] if fold is not None else 1)
        return grow_by_engine(engine, totals, whole, params, Held(sizes.gather_rows, sizes.histogram_bytes))

    try:
        if is_chosen(params):
            return cross_validate(grow, scratch.parts, whole, params, scratch.release)
        return grow()
    finally:
        engine.close()


def _check(whole: TableDescription, params: dict[str, Any], task: str) -> None:
    """What must hold once the table is known, as in memory."""
    places = [j for j, known in enumerate(whole.types) if known.kind == "nominal"]
    bound = [j for j in places if params["monotonic_cst"] is not None and params["monotonic_cst"][j]]
    called = [tuple(f"column {whole.names[j]!r}" for j in some) for some in (places, bound)]
    ends = np.array([whole.low, whole.high])
    n_classes = (1,) if whole.classes is None else (len(whole.classes),)
    check_together(Facts(params, task, whole.n_columns, 1, n_classes, ends, *called))
    if whole.empty:
        warnings.warn(
            f"Every value is missing in {', '.join(whole.empty[:10])} of X, so no split can use it. "
            "Fill it or leave it out.",
            UserWarning,
            stacklevel=5,
        )


def _blocks(sources: list[Source], size: int) -> Iterator[list[Any]]:
    """The rows of all parts in blocks of about `size` rows, each a list of frames."""
    block: list[Any] = []
    n_rows = 0
    for source in sources:
        for batch in source.batches():
            if len(batch):
                block.append(batch)
                n_rows += len(batch)
            if n_rows >= size:
                yield block
                block, n_rows = [], 0
    if block:
        yield block
