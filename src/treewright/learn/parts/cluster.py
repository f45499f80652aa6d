"""Trees of Dask tables: parts stay on the workers, and only counts come back.

Every step of a part is a task of its own (describe, code, move its rows to other nodes), so that Dask makes
again from the source whatever a lost worker had. Nothing is scattered and nothing is pinned to a worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any

import numpy as np

from ...data.common.array_types import Array, Ints
from ...data.files.errors import TableError
from ...data.parts import PartDescription, Reading, TableDescription, describe, merge
from ...tree.tree import Tree
from .checkpoint import Checkpoint
from .coded import CodedPart, PartTotals, code_part
from .grow import ROUTE, Held, grow_by_engine

Reply = tuple[Ints, Ints, Ints]

PER_WORKER = 2  # coded parts
# A histogram has 256 bins a column: rows of small nodes, and of short stretches of keys, are fewer bytes.
HELD = Held(gather_rows=4 * 256, run_rows=2 * 256)
AT_ONCE = 4  # replies that one task adds up: a tree of fixed shape


def grow_on_cluster(
    table: Any,
    reading: Reading,
    params: Callable[[TableDescription], dict[str, Any]],
    client: Any = None,
    checkpoint: Any = None,
) -> tuple[Tree, TableDescription]:
    """Grow the tree of a Dask frame; it is the tree of the same rows in memory.

    Parameters
    ----------
    table : dask.dataframe.DataFrame
        With the target and the weights among its columns.
    reading : Reading
    params : function
        The parameters of the estimator, checked for a table of this description.
    client : distributed.Client, optional
        By default the current one; without one, a local cluster for this fit.
    checkpoint : path, optional
        A file in which all replies are kept until the tree is grown; a fit that was killed goes on from it.

    Returns
    -------
    The tree, and what is known of the table.
    """
    parts = table.to_delayed()
    if not len(parts):
        raise TableError("A table must have rows. Got a Dask frame without partitions.")
    with a_client(client) as used:
        engine = ClusterEngine(used, list(parts), reading, params)
        known, checked = engine.description, engine.params
        with Checkpoint(checkpoint, engine, _digest(known, checked)) as kept:
            tree = grow_by_engine(kept, engine.totals, known, checked, HELD)
        return tree, known


class ClusterEngine:
    """Coded parts as futures of a cluster, and the nodes of their rows."""

    def __init__(
        self,
        client: Any,
        parts: Sequence[Any],
        reading: Reading,
        params: Callable[[TableDescription], dict[str, Any]],
    ) -> None:
        self.client, self.n_bytes = client, 0  # of replies that left their workers
        frames = client.compute(list(parts))
        described = [self._run(_describe, part, reading, number) for number, part in enumerate(frames)]
        whole = self._run(merge, described, reading)
        self.description: TableDescription = whole.result()
        self.params = params(self.description)
        filled = [
            k for k, n in enumerate(client.gather([self._run(_n_rows, each) for each in described])) if n
        ]
        self.coded = [
            self._run(_code, [frames[k] for k in some], whole, self.params)
            for some in np.array_split(np.array(filled), min(len(filled), self._n_coded()))
        ]
        self.totals = PartTotals()
        for found in client.gather([self._run(CodedPart.totals, part) for part in self.coded]):
            self.totals.add(found)
        self.nodes = [self._run(CodedPart.start, part) for part in self.coded]

    def _n_coded(self) -> int:
        """Partitions are coded together, since every request costs the scheduler a task for each part."""
        return max(PER_WORKER, PER_WORKER * len(self.client.scheduler_info()["workers"]))

    def compute(self, operation: int, words: Ints) -> Reply:
        """Send a request to all parts, and add their replies."""
        found: Reply = self._sum(self.submit(operation, words)).result()
        self.n_bytes += sum(array.nbytes for array in found) * len(self.coded)
        return found

    def submit(self, operation: int, words: Ints) -> list[Any]:
        """The replies of all parts as futures; `route` moves their rows."""
        replies = []
        for k, part in enumerate(self.coded):
            reply = self._run(_reply, part, self.totals, self.nodes[k], operation, words)
            if operation == ROUTE:
                self.nodes[k], reply = self._run(_first, reply), self._run(_second, reply)
            replies.append(reply)
        return replies

    def _sum(self, replies: list[Any]) -> Any:
        while len(replies) > 1:
            replies = [
                self._run(_added, replies[first : first + AT_ONCE])
                for first in range(0, len(replies), AT_ONCE)
            ]
        return replies[0]

    def _run(self, function: Any, *given: Any) -> Any:
        return self.client.submit(function, *given, pure=False)


# -- the tasks


def _describe(frame: Any, reading: Reading, number: int) -> PartDescription:
    return describe([frame], reading, f"partition {number}")


def _n_rows(described: PartDescription) -> int:
    return described.n_rows


def _code(frames: Sequence[Any], whole: TableDescription, params: dict[str, Any]) -> CodedPart:
    return code_part(frames, whole, params)


def _reply(part: CodedPart, totals: PartTotals, nodes: Array, operation: int, words: Ints) -> Any:
    """A part's reply; of `route` the nodes of its rows too, which are new: a task changes nothing."""
    block = part.block(totals)
    if operation != ROUTE:
        return block.compute(operation, words, np.array(nodes))
    moved = np.array(nodes)
    reply = block.compute(operation, words, moved)
    return moved, reply


def _first(pair: tuple[Array, Reply]) -> Array:
    return pair[0]


def _second(pair: tuple[Array, Reply]) -> Reply:
    return pair[1]


def _added(replies: Sequence[Reply]) -> Reply:
    """Sums are added, maxima compared, items joined."""

    def both(one: Reply, other: Reply) -> Reply:
        return one[0] + other[0], np.maximum(one[1], other[1]), np.concatenate([one[2], other[2]])

    return reduce(both, replies)


# -- clients


@contextmanager
def a_client(given: Any) -> Iterator[Any]:
    """The client that was given, the current one, or one of a local cluster that ends with the work."""
    try:
        import distributed
    except ImportError as error:
        raise ImportError(
            "A Dask table needs Dask's scheduler. Install it with: pip install 'treewright[dask]'"
        ) from error
    if given is not None and not isinstance(given, distributed.Client):
        raise TypeError(f"client must be a distributed.Client. Got {type(given).__name__}.")
    made: Any = distributed
    try:
        found = given if given is not None else distributed.get_client()
    except ValueError:  # no client is connected
        cluster = made.LocalCluster(processes=True, threads_per_worker=1, dashboard_address=":0")
        with cluster, made.Client(cluster) as own:
            yield own
        return
    yield found


def _digest(description: TableDescription, params: dict[str, Any]) -> str:
    """Of what the replies depend on, to tell whether a checkpoint is of the same fit."""
    from hashlib import sha256

    known = (description.names, description.n_rows, description.counts, description.low, description.high)
    said = repr((known, [str(each) for each in description.types], sorted(map(repr, params.items()))))
    return sha256(said.encode()).hexdigest()
