"""Trees of tables that are not in memory: from a scratch file of the coded table, or on a cluster."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from ...data.common.threads import threads
from ...data.files.errors import TableError
from ...data.files.memory import shown_size
from ...data.known_target import lost_note
from ...data.parts import Reading, Source, TableDescription, describe, merge
from ...tree.tree import Tree
from ..conflicts import Facts, check_together
from ..cross_validation.choose import Chosen, strengths_of
from ..params import CLASSIFICATION, PARAMETERS
from ..pruning import prune
from ..smoothing import smoothed
from .budget import Sizes
from .checkpoint import Checkpoint, digest_of
from .cluster import ClusterEngine, a_client, errors_in_words
from .coded import PartTotals, code_part
from .cross_validate import CountingEngine, cross_validate
from .dask_frames import as_dask_frame
from .folds import Division
from .given import FromParts, Given, Limits
from .grow import Held, grow_by_engine, signs
from .progress import Watched
from .refusals import is_chosen
from .scratch import ScratchEngine, ScratchFile
from .workers import while_there_are_workers

# On a cluster. A histogram has 256 bins a column: rows of small nodes, and of short stretches of keys, are
# fewer bytes.
HELD = Held(gather_rows=4 * 256, run_rows=2 * 256)


def from_files(estimator: Any, sources: list[Source], given: Given, about: Any) -> FromParts:
    """The tree of files, whose rows are coded into a scratch file."""
    memory, folder, n_rows, where = about
    params, reading = _params_and_reading(estimator, given.beside())
    with ScratchFile(folder) as scratch:
        scratch.must_have_room(n_rows * (9 * len(sources[0].names()) + 20))
        n_threads = threads(params["n_jobs"])
        with ThreadPoolExecutor(n_threads) as pool:
            described = pool.map(lambda each: describe(each.batches(), reading, each.name), sources)
            whole = merge(described, reading)
            params = _known(whole, params, estimator.task)
            sizes = Sizes.of(memory, whole.n_columns, n_threads)
            totals = PartTotals()
            blocks = _blocks(sources, sizes.block_rows)
            for part in _ahead(pool, partial(code_part, description=whole, params=params), blocks, n_threads):
                if part.n_rows:  # with a target
                    totals.add(part.totals())
                    scratch.add(part)
        engine = ScratchEngine(scratch, totals, n_threads, sizes)
        try:
            held = Held(sizes.gather_rows, sizes.histogram_bytes, sizes.gather_together)
            found = _grown((engine, engine), totals, whole, params, held)
        finally:
            engine.close()
        size = scratch.size
    note = f"{n_rows:,} rows in {where} are more than {shown_size(memory)} of memory hold"
    note = f"{note}; the tree was grown from a scratch file of {shown_size(size)}."
    return _finished(found, whole, params, note)


def from_cluster(estimator: Any, given: Given, limits: Limits) -> FromParts:
    """The tree of a Dask table."""
    table, names = as_dask_frame(given)
    params, reading = _params_and_reading(estimator, names)
    parts = table.to_delayed()
    if not len(parts):
        raise TableError("A table must have rows. Got a Dask frame without partitions.")
    with errors_in_words(), a_client(limits.client) as client, while_there_are_workers(client) as futures:
        known = partial(_known, params=params, task=estimator.task)
        engine = ClusterEngine(client, parts, reading, known, futures)
        whole, params = engine.description, engine.params
        with Checkpoint(limits.checkpoint, engine, digest_of(whole, params)) as kept:
            found = _grown((engine, kept), engine.totals, whole, params, HELD)
    note = f"{whole.n_rows:,} rows in {len(parts):,} partitions were counted on a Dask cluster."
    return _finished(found, whole, params, note)


def _params_and_reading(estimator: Any, names: dict[str, str]) -> tuple[dict[str, Any], Reading]:
    params = {each.name: getattr(estimator, each.name) for each in PARAMETERS[estimator.task]}
    beside = {what: name for what, name in names.items() if what != "y"}
    known = {"categorical_features": params["categorical_features"]}
    return params, Reading(names["y"], estimator.task == CLASSIFICATION, **beside, **known)


def _grown(
    engines: tuple[CountingEngine, Any],
    totals: PartTotals,
    whole: TableDescription,
    params: dict[str, Any],
    held: Held,
) -> Tree | Chosen:
    """The tree; where cross-validation shall choose a parameter, what it chose.

    `engines` are the engine, and what computes: the same, or a checkpoint of it.
    """

    def grow() -> Tree:
        return grow_by_engine(Watched(engines[1], whole.n_rows), totals, whole, params, held)

    return cross_validate(engines[0], grow, whole, params) if is_chosen(params) else grow()


def _finished(found: Tree | Chosen, whole: TableDescription, params: dict[str, Any], note: str) -> FromParts:
    """What was chosen; or a tree pruned and smoothed by numbers that are given."""
    notes = (note, *lost_note(whole.n_lost, whole.reading.target))
    if isinstance(found, Chosen):
        folds = Division(whole, int(params["cv"]))
        return FromParts(found.tree, whole, None, (*notes, folds.note), found)
    strength = next(iter(strengths_of(params)), None)
    tree = prune(found, float(params["ccp_alpha"]))
    tree = tree if strength is None else smoothed(tree, params["smoothing"], strength)
    return FromParts(tree, whole, strength, notes)


def _known(whole: TableDescription, params: dict[str, Any], task: str) -> dict[str, Any]:
    """The parameters for a table of this description, checked as in memory."""
    params = params | {"monotonic_cst": signs(params["monotonic_cst"], whole.names)}
    _check(whole, params, task)
    return params


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


def _ahead(
    pool: ThreadPoolExecutor, function: Callable[[Any], Any], given: Iterable[Any], n: int
) -> Iterator[Any]:
    """The results of a function in order, of which `n` are computed while the next ones are read."""
    waiting: deque[Future[Any]] = deque()
    for each in given:
        waiting.append(pool.submit(function, each))
        if len(waiting) > n:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


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
