"""A cluster without workers: the work ends after a while, in one sentence."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Any
from weakref import WeakSet

from ...data.files.errors import TableError

SETTING, USUAL = "treewright.no-workers-timeout", "60s"  # of Dask's configuration
NO_WORKERS = (
    "The Dask cluster had no worker for {:g} seconds, so the fit was ended. Start workers and fit again. "
    "With checkpoint=, fit of an estimator goes on from where it ended. Dask's configuration "
    f"{SETTING!r} sets how long it waits."
)


@contextmanager
def while_there_are_workers(client: Any) -> Iterator[Any]:
    """Give a set for the futures of some work: they are cancelled where no worker is there for too long.

    The set is weak, so that Dask forgets a future that nothing else needs. Whatever waits for a cancelled
    future ends, also what would wait for ever for a result that was lost with its worker.
    """
    import dask
    from dask.utils import parse_timedelta

    longest = float(parse_timedelta(dask.config.get(SETTING, USUAL)))
    futures: WeakSet[Any] = WeakSet()
    ended, given_up = Event(), Event()

    def watch() -> None:
        last = monotonic()
        while not ended.wait(min(1.0, longest / 4)):
            try:
                if client.nthreads():
                    last = monotonic()
                elif monotonic() - last > longest:
                    given_up.set()
                    client.cancel(list(futures), force=True)
            except Exception:  # noqa: BLE001 (the client was closed: whoever waits for it is told)
                return

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield futures
    except (Exception, CancelledError) as error:
        if given_up.is_set():
            raise TableError(NO_WORKERS.format(longest)) from error
        raise
    finally:
        ended.set()
        thread.join(timeout=5)


def computed(collection: Any) -> Any:
    """What a Dask collection holds, by the current client."""
    from distributed import get_client

    client: Any = get_client()
    with while_there_are_workers(client) as futures:
        future = client.compute(collection)
        futures.add(future)
        return future.result()
