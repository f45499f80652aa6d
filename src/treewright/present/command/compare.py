"""`treewright compare`: what readability costs."""

from __future__ import annotations

from typing import Any

from .failures import bad_data
from .fit import asked_of, goal_options
from .loading import load_table
from .parameters import parameter_options
from .plain import visible
from .talk import Talk
from .verb import argument, reading_options, verb

MORE = """The tree that fit would make is set beside a linear or logistic model, nearest neighbours, a random
forest, gradient boosting and the most trivial guess, all on the same folds. Options of the estimator are
those of the tree."""


@verb(
    "compare",
    examples=["loans.csv --target default", "loans.csv -t default --max-depth 3 --json"],
    more=MORE,
    options=[argument("data"), *goal_options(), *reading_options(), *parameter_options()],
)
def command(talk: Talk, **values: Any) -> None:
    """Compare, and print the table."""
    frame = load_table(talk, values["data"], values).frame
    asked = asked_of(talk, frame, values)
    from ...evaluate.default_fit.compare import compare

    with talk.waiting("comparing") as progress, bad_data():
        found = compare(frame, values["target"], progress=progress, **asked)
    talk.out(visible(str(found), lines=True))
    talk.result(
        target=values["target"],
        metric=found.metric,
        n_rows=found.n_rows,
        n_folds=found.n_folds,
        models=found.to_dicts(),
        verdict=found.verdict,
        remarks=list(found.notes),
    )
