"""`treewright compare`: what readability costs."""

from __future__ import annotations

from typing import Any

from ...data.common.text_width import printable
from .console import Console
from .failures import bad_data
from .files import load_table
from .fit import asked_of, goal_options
from .parameters import parameter_options
from .subcommand import argument, reading_options, subcommand

MORE = """The tree that fit would make is set beside a linear or logistic model, nearest neighbours, a random
forest, gradient boosting and the most trivial guess, all on the same folds. Options of the estimator are
those of the tree."""


@subcommand(
    "compare",
    examples=["loans.csv --target default", "loans.csv -t default --max-depth 3 --json"],
    more=MORE,
    options=[argument("data"), *goal_options(), *reading_options(), *parameter_options()],
)
def command(console: Console, **values: Any) -> None:
    """Compare, and print the table."""
    frame = load_table(console, values["data"], values).frame
    asked = asked_of(console, frame, values)
    from ...evaluate.default_fit.compare import compare

    with console.progress("comparing") as progress, bad_data():
        found = compare(frame, values["target"], progress=progress, **asked)
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
