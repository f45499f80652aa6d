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
from .subcommand import READING, argument, option, reading_options, subcommand

MORE = """Scores the tree of fit, other models and a constant prediction, all on the same folds, and says
which to favour. The other models are by default a ridge or logistic regression, nearest neighbours, a random
forest and gradient boosting. The tree parameters are for the tree alone.

Names for --models: for numbers least-squares, ridge, lasso, elastic-net; for classes logistic,
polynomial-logistic, perceptron, naive-bayes; for both svm, knn, forest, boosting, model-tree; or all."""


@subcommand(
    "compare",
    examples=[
        "loans.csv --target default",
        "loans.csv -t default --max-depth 3 --json",
        "loans.csv -t default --models logistic,svm,naive-bayes",
    ],
    more=MORE,
    arguments=[argument("data")],
    groups={
        "Common options": [
            target_option(),
            exclude_option(),
            option("--models", metavar="A,B", help="The models to compare with, by name; all: all of them."),
            *group_and_time_options(),
            *first_options(),
        ],
        "Target and rows": target_options(),
        READING: reading_options(),
        **parameter_groups(),
    },
)
def command(console: Console, **values: Any) -> None:
    """Compare, and print the table."""
    frame = load_table(console, values["data"], values).frame
    arguments = fit_arguments(console, frame, values)
    from ...evaluate.model_comparison.compare import compare

    if values["models"] is not None:
        listed = [name.strip() for name in values["models"].split(",") if name.strip()]
        arguments["models"] = "all" if listed == ["all"] else listed
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
        advice=found.advice,
        remarks=list(found.notes),
    )
