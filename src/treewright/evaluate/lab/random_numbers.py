"""Many random numbers at once: the same as from one generator, drawn by several threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ...data.common.array_types import Floats
from ...data.common.threads import threads
from .mechanism_checks import Generator

WORTH_SHARING = 200_000  # numbers


def uniform_numbers(rng: Generator, shape: tuple[int, ...]) -> Floats:
    """As ``rng.random(shape)``: each thread begins in the sequence where another one ends."""
    own: Any = rng.bit_generator
    size = int(np.prod(shape))
    n_threads = threads(None) if size >= WORTH_SHARING and type(own) is np.random.PCG64 else 1
    if n_threads == 1:
        return rng.random(shape)
    found, start = np.empty(size), own.state
    ends = [size * k // n_threads for k in range(n_threads + 1)]

    def generator_at(place: int) -> Any:  # which has given so many numbers
        made: Any = np.random.PCG64(0)
        made.state = start
        made.advance(place)
        return made

    def fill(first: int, end: int) -> None:
        np.random.Generator(generator_at(first)).random(out=found[first:end])

    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(fill, ends[:-1], ends[1:]))
    own.state = start | {"state": generator_at(size).state["state"]}
    return found.reshape(shape)
