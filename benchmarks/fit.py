"""Fitting: the cases of the README's speed table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from . import data
from .clock import best
from .report import Row, against
from .rivals import RIVALS, Run, Task, is_installed, ours

NOT_SLOWER = 0.95  # "never slower", less what two runs of the same code differ by


@dataclass(frozen=True)
class Case:
    """A tree to grow, the aims by rival, and the rivals that are timed for information only."""

    work: str
    task: Task
    aims: dict[str, float]
    others: tuple[str, ...] = ()


def cases(sizes: data.Sizes) -> Iterator[Case]:
    """Every case; tables are made as they come."""
    large, middle = sizes.large, sizes.middle
    X, y = data.two_classes(large)
    for depth, aim in ((6, 80), (10, 60), (None, 50)):
        title = f"classifier {_rows(large)} × 20, " + (f"depth {depth}" if depth else "unlimited")
        exact = ("YDF", "XGBoost") if depth == 6 else ("YDF",)
        yield Case(title, Task(X, y, max_depth=depth), {"scikit-learn": aim}, exact)
    for title, (X, y) in (("pure noise", data.noise(large)), ("integers 0–9", data.digits(large))):
        task = Task(X, y, max_depth=10)
        yield Case(f"{title} {_rows(large)} × 20, depth 10", task, {"scikit-learn": 10})
    X, y = data.two_classes(large)
    best_first = Task(X, y, max_leaf_nodes=255)
    yield Case(f"best-first {_rows(large)} × 20, 255 leaves", best_first, {"LightGBM": 2}, ("XGBoost", "YDF"))
    task = Task(*data.numbers(large), regression=True, max_depth=10)
    yield Case(f"regression {_rows(large)} × 20, depth 10", task, {"scikit-learn": 40})
    task = Task(*data.numbers(middle), regression=True, max_depth=10, criterion="absolute_error")
    yield Case(f"absolute_error {_rows(middle)} × 20, depth 10", task, {"scikit-learn": 5})
    shape = sizes.wide
    yield Case(f"wide {shape[0]:,} × {shape[1]:,}, unlimited", Task(*data.wide(*shape)), {"scikit-learn": 1})
    yield Case(f"ten classes {_rows(middle)} × 20", Task(*data.ten_classes(middle)), {"scikit-learn": 1})
    yield Case("small: fit iris", Task(*data.iris()), {"scikit-learn": 1})
    yield Case("small: fit 1,000 × 10", Task(*data.small()), {"scikit-learn": 1})


def rows(sizes: data.Sizes, only: str) -> Iterator[Row]:
    """Time every case whose name contains `only`, beside each rival that is installed."""
    for case in cases(sizes):
        if only not in case.work:
            continue
        mine = best(ours(case.task))
        for rival in (*case.aims, *case.others):
            if is_installed(rival):
                theirs = best(RIVALS[rival][1](case.task), runs=3)
                yield against(case.work, rival, mine, theirs, case.aims.get(rival))
        if case.work.startswith(("pure noise", "integers")):
            yield against(case.work, "our own presorting", mine, best(_presorting(case.task)), NOT_SLOWER)


def _presorting(task: Task) -> Run:
    """The same fit with every node sorted outright: what the search must never be slower than."""
    from treewright.learn import grow

    usual = grow.settings

    def sort_all(*given: Any) -> Any:
        growth = usual(*given)
        growth.sort_below = 2**31 - 1
        return growth

    def run() -> None:
        with patch.object(grow, "settings", sort_all):
            ours(task)()

    return run


def _rows(count: int) -> str:
    return f"{count / 1e6:g}M" if count >= 1_000_000 else f"{count / 1e3:g}k"
