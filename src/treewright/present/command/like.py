"""`--like`: the parameters of a classic program, from its name and its own options."""

from __future__ import annotations

from typing import Any

import click

from .failures import USAGE, Failure, bad_data
from .subcommand import option

# These come from elsewhere: costs are a file, and threads are no matter of the program.
NOT_TAKEN = {"costs", "n_jobs"}


def like_option() -> click.Option:
    """The option that names a classic."""
    return option(
        "--like",
        metavar="PROGRAM",
        help='Grow and prune as a classic program does, with its own options: "c4.5 -s", "j48 -B -M 5", '
        '"reptree -L 3", "rpart cp=0 minsplit=2", "c5.0 subset=FALSE", "cart max_depth=3", "id3", "stump".',
    )


def like_params(line: str | None, frame: Any, target: str, task: str | None) -> dict[str, Any]:
    """The parameters of the estimator that the program's name and options stand for."""
    if line is None:
        return {}
    from ...data.classes import class_order
    from ...evaluate.default_fit.dataset import task_of_column
    from ...learn.classics import like
    from ...learn.params import CLASSIFICATION

    series = frame.get_column(target)
    with bad_data():
        kind = task_of_column(series, task)
    try:
        found: dict[str, Any] = like(line, kind).get_params(deep=False)
    except (TypeError, ValueError) as error:
        raise Failure(USAGE, f"--like: {error}") from error
    if found.get("costs") is not None:
        raise Failure(USAGE, "--like takes no costs. Use --costs, or treewright.classics from Python.")
    declared = class_order(series, "declared") if kind == CLASSIFICATION else None
    if declared is not None:  # the levels as text, of those that are there
        there = set(series.unique().to_list())
        found["class_order"] = [str(label) for label in declared if label in there]
    return {name: value for name, value in found.items() if name not in NOT_TAKEN}
