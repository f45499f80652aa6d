"""`treewright compare`: what readability costs."""

from __future__ import annotations

from typing import Any

from ...data.common.text_width import printable
from .console import Console
from .failures import bad_data
from .files import load_table
from .fit_arguments import (
    exclude_option,
    fit_arguments,
    group_and_time_options,
    target_option,
    target_options,
)
from .parameters import first_options, parameter_groups
from .subcommand import READING, argument, reading_options, subcommand

MORE = """Scores the tree of fit, a linear or logistic model, nearest neighbours, a random forest, gradient
boosting and a constant prediction, all on the same folds. The tree parameters are for the tree alone."""


@subcommand(
    "compare",
    examples=["loans.csv --target default", "loans.csv -t default --max-depth 3 --json"],
    more=MORE,
    arguments=[argument("data")],
    groups={
        "Common options": [target_option(), exclude_option(), *group_and_time_options(), *first_options()],
        "Target and rows": target_options(),
        READING: reading_options(),
        **parameter_groups(),
    },
)
def command(console: Console, **values: Any) -> None:
    """Compare, and print the table."""
    frame = load_table(console, values["data"], values).frame
    arguments = fit_arguments(console, frame, values)
    from ...evaluate.default_fit.compare import compare

    with console.progress("comparing") as progress, bad_data():
        found = compare(frame, values["target"], progress=progress, **arguments)
    console.out(printable(str(found), lines=True))
    console.result(
        target=values["target"],
        metric=found.metric,
        n_rows=found.n_rows,
        n_folds=found.n_folds,
        models=found.to_dicts(),
        verdict=found.verdict,
        remarks=list(found.notes),
    )
