"""Trees of Dask tables: parts stay on the workers, and only counts come back.

Every step is a task that changes nothing (describe a part, code it, reply to a request), so that Dask makes
again from the source whatever a lost worker had. Nothing is scattered and nothing is pinned to a worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from logging import CRITICAL
from typing import Any
from uuid import uuid4
from warnings import catch_warnings, filterwarnings
from weakref import WeakSet

import numpy as np

from ...data.common.array_types import Array, Ints
from ...data.common.errors import ParameterError
from ...data.files.errors import TableError
from ...data.parts import PartDescription, Reading, TableDescription, describe, merge
from ...tree.tree import Tree
from .coded import CodedPart, PartTotals, code_part, totals_of
from .folds import RowFolds
from .leaf_counts import LeafCounts, sums_of
from .share import ROUTE, Moves, Reply, Share, added, packed

WAIT = "10s"  # for a scheduler to reply
LOST = dict.fromkeys(
    ("ClosedClientError", "FutureCancelledError", "CancelledError", "CommClosedError"),
    "The Dask client was closed before the tree was grown. Fit again with one that stays open.",
) | {
    "KilledWorker": "A task ended its worker several times, most often for lack of memory. Give the workers "
    "more memory, or make smaller partitions."
}
AT_ONCE = 4  # replies that one task adds up: a tree of fixed shape
Params = Callable[[TableDescription], dict[str, Any]]


class ClusterEngine:
    """Coded parts as futures of a cluster, one share for every thread of a worker.

    `parts` are delayed frames with the target among their columns; `params` checks and gives the parameters.
    The futures of its own tasks are added to `futures`, if it is given.
    """

    def __init__(
        self, client: Any, parts: Sequence[Any], reading: Reading, params: Params, futures: Any = None
    ) -> None:
        from distributed import wait

        self.client, self.n_bytes = client, 0  # of replies that left their workers
        self.futures = WeakSet() if futures is None else futures
        frames = client.compute(list(parts))
        described = [self._run(_describe, part, reading, number) for number, part in enumerate(frames)]
        whole = self._run(merge, described, reading)
        n_rows = self._run(_n_rows, described)
        self.description: TableDescription = whole.result()
        self.params = params(self.description)
        rows = n_rows.result()
        first_rows = np.cumsum([0, *rows]).tolist()
        filled = [place for place, n in enumerate(rows) if n]
        known = self._known(self.description)
        coded = {place: self._run(_code, frames[place], known, self.params) for place in filled}
        del frames, described, whole  # a frame goes when it is coded
        wait(list(coded.values()))  # type: ignore[no-untyped-call]
        shares = self._by_worker(coded, rows)
        self.totals = PartTotals()
        for found in client.gather([self._run(totals_of, [coded[k] for k in some]) for some in shares]):
            self.totals.add(found)
        self.shares = [
            self._run(Share, [coded[k] for k in some], [first_rows[k] for k in some], self.totals)
            for some in shares
        ]
        wait(self.shares)  # type: ignore[no-untyped-call]  # a request that comes too early may move one
        self.moves = Moves()

    def _by_worker(self, coded: dict[int, Any], n_rows: Sequence[int]) -> list[list[int]]:
        """Parts for each thread: of its own worker, until it has its share of all rows."""
        where = self.client.who_has(list(coded.values()))
        workers = self.client.nthreads()  # `scheduler_info` is renewed meanwhile, without the workers
        threads = [address for address, n in workers.items() for _ in range(n)] or ["none is left"]
        shares: list[list[int]] = [[] for _ in threads]
        rows = np.zeros(len(threads))
        left = []
        for place, future in coded.items():
            own = [k for k, address in enumerate(threads) if address in where.get(future.key, ())]
            least = min(own, key=rows.__getitem__, default=None)
            if least is None or rows[least] + n_rows[place] / 2 > sum(n_rows) / len(threads):
                left.append(place)
            else:
                shares[least].append(place)
                rows[least] += n_rows[place]
        for place in left:
            shares[least := int(rows.argmin())].append(place)
            rows[least] += n_rows[place]
        return [share for share in shares if share]

    def start(self, fold: int | None, folds: RowFolds) -> None:
        """Put all rows into the root, without those that a fold leaves out."""
        self.moves = Moves(fold, folds)

    def moved(self, words: Ints) -> None:
        """Rows are in other nodes from now on: each share moves its own with the next request."""
        self.moves = self.moves.then(words)

    def compute(self, operation: int, words: Ints) -> Reply:
        """Send a request to all shares, and add their replies."""
        replies = [self._run(_reply, share, self.moves, operation, words) for share in self.shares]
        self.n_bytes += 8 * len(words) * len(replies)
        while len(replies) > AT_ONCE:
            groups = range(0, len(replies), AT_ONCE)
            replies = [self._run(_added, replies[first : first + AT_ONCE]) for first in groups]
        found = self.client.gather(replies)
        self.n_bytes += sum(array.nbytes for reply in found for array in reply)
        if operation == ROUTE:
            self.moved(words)
        return added(found)

    def count_leaves(
        self, trees: Sequence[Tree], folds: RowFolds, ends: tuple[float, float]
    ) -> list[LeafCounts]:
        """As `Share.count_leaves`, over all shares."""
        counts = [self._run(Share.count_leaves, share, list(trees), folds, ends) for share in self.shares]
        return sums_of(self.client.gather(counts))

    def _known(self, description: TableDescription) -> Any:
        """The description as a task that needs no part: a lost part is coded again without the others."""
        with catch_warnings():
            filterwarnings("ignore", "Sending large graph")
            return self._run(_as_given, description)

    def _run(self, function: Any, *given: Any) -> Any:
        # To Dask, a pair as key is a group of its own. Tasks of large groups are sent to any worker.
        key = (f"{function.__name__}-{uuid4().hex}", 0)
        future = self.client.submit(function, *given, key=key, pure=False)
        self.futures.add(future)
        return future


# -- the tasks


def _describe(frame: Any, reading: Reading, number: int) -> PartDescription:
    return describe([frame], reading, f"partition {number}")


def _n_rows(parts: Sequence[PartDescription]) -> list[int]:
    return [part.n_rows for part in parts]


def _as_given(description: TableDescription) -> TableDescription:
    return description


def _code(frame: Any, whole: TableDescription, params: dict[str, Any]) -> CodedPart:
    return code_part([frame], whole, params)


def _reply(share: Share, moves: Moves, operation: int, words: Ints) -> tuple[Array, ...]:
    return tuple(map(packed, share.reply(moves, operation, words)))


def _added(replies: Sequence[Reply]) -> tuple[Array, ...]:
    return tuple(map(packed, added(replies)))


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
    made: Any = distributed
    if isinstance(given, distributed.Client):
        yield given
    elif given is not None and not isinstance(given, str):
        raise TypeError(f"client must be a distributed.Client or an address. Got {type(given).__name__}.")
    elif given is not None and not given.startswith("local:"):
        try:
            own = made.Client(given, timeout=WAIT)
        except (OSError, ValueError) as error:
            raise ParameterError(
                f"A cluster must be the address of a Dask scheduler, or 'local:N' for N processes of this "
                f"machine. Got {given!r}, where none is.",
                "client",
            ) from error
        with own:
            yield own
    elif given is None and made.client._get_global_client() is not None:  # noqa: SLF001
        yield made.get_client()
    else:
        n_workers = None if given is None else n_processes(given)
        with _local_cluster(made, n_workers) as cluster, made.Client(cluster) as own:
            yield own


def _local_cluster(made: Any, n_workers: int | None) -> Any:
    """Processes of this machine. What goes wrong in them is raised here, so that they need not log it."""
    options = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": CRITICAL}
    try:
        return made.LocalCluster(n_workers=n_workers, processes=True, **options)
    except RuntimeError as error:
        raise TableError(
            "The processes of a local cluster did not start. They import the script that fits: it must be a "
            "file whose fit is below \"if __name__ == '__main__':\". Or give the client of a cluster."
        ) from error


@contextmanager
def errors_in_words() -> Iterator[None]:
    """Errors of a cluster that is gone, or whose workers end again and again, as one sentence."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ not in LOST:
            raise
        raise TableError(LOST[type(error).__name__]) from error


def n_processes(given: str) -> int:
    """The N of 'local:N'."""
    number = given.removeprefix("local:")
    if not number.isdecimal() or int(number) < 1:
        raise ParameterError(
            f"A cluster must be 'local:N' with N processes of at least 1. Got {given!r}.", "client"
        )
    return int(number)
