"""`treewright trace`: a page that shows how a tree grows, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...data.common.text_width import printable
from .console import Console
from .failures import USAGE, Failure, bad_data
from .files import load_table, must_be_free, stem
from .fit_arguments import exclude_option, fit_arguments, target_option
from .parameters import first_options, given, like_option, like_params, parameter_groups
from .report import must_be_apart, store_page
from .subcommand import READING, argument, force_option, option, reading_options, subcommand, weight_option

LIMITS = {"max_depth", "max_leaf_nodes", "min_samples_leaf", "min_samples_split", "min_impurity_decrease"}
SEVERAL = {"rule_model", "rule_set", "n_estimators"}  # rules made of trees, and boosted trees
MOST_LEAVES = 8  # where no limit is given: a lesson of a few minutes
DATASET = ("task", "exclude", "sample_weight")
MORE = """The subcommand grows a tree on DATA, prints which splits were compared at each step and what each
gains, and writes a page on which the growth can be played forwards and backwards. The page is one HTML file
with values of the table. Without a limit on its size the tree has at most 8 leaves.

Values of tree parameters are numbers, words, none, lists (a,b,c), pairs (a=1,b=2) or JSON."""


@subcommand(
    "trace",
    examples=[
        "tennis.csv --target play --like id3",
        "iris.csv --target species --max-leaf-nodes 5 --criterion entropy --open",
    ],
    more=MORE,
    arguments=[argument("data")],
    groups={
        "Options": [
            target_option(),
            exclude_option(),
            option(
                "--output", "-o", metavar="FILE", help="The page. Default: the table's name with .trace.html."
            ),
            option("--title", metavar="TEXT", help="The title of the page."),
            option("--open", "opened", is_flag=True, help="Open the page in a browser."),
            option(
                "--task",
                type=click.Choice(["classification", "regression"]),
                help="Default: classification for text, booleans and whole numbers of at most 20 values.",
            ),
            weight_option(),
            *first_options(),
            force_option(),
        ],
        READING: reading_options(),
        **parameter_groups(),
        "Classic programs": [like_option()],
    },
)
def command(console: Console, data: str, **values: Any) -> None:
    """Grow the tree, print the steps, and write the page."""
    path = values["output"] or f"{stem(data)}.trace.html"
    must_be_free(path, values["force"], own=values["output"] is None)
    must_be_apart("output", path, data=data)
    table = load_table(console, data, values)
    absent = {"groups": None, "time": None, "positive": None, "random_state": 0}
    arguments = fit_arguments(console, table.frame, values := values | absent)
    classic = like_params(values["like"], table.frame, values["target"], values["task"])
    if SEVERAL & {*classic}:
        got = f"Got {values['like']!r}, which makes rules or several trees"
        raise Failure(USAGE, f"--like must be a program that grows one tree. {got}. Use another.")
    typed = {name: arguments[name] for name in given(values)}
    limits = {} if classic or LIMITS & {*typed} else {"max_leaf_nodes": MOST_LEAVES}
    if limits:
        console.note(f"The tree has at most {MOST_LEAVES} leaves. --max-leaf-nodes sets another limit.")
    from ...evaluate.default_fit.dataset import read_dataset
    from ...interpret.growth.trace import trace
    from ...learn.plain import PLAIN
    from ..lesson.page import lesson

    with console.progress("growing"), bad_data():
        dataset = read_dataset(table.frame, values["target"], **{name: arguments[name] for name in DATASET})
        X, y, weights = dataset.data.X, dataset.y, dataset.weights
        model = PLAIN[dataset.task](**(classic | limits | typed)).fit(X, y, weights)
        found = trace(model, X, y, sample_weight=weights)
        made = lesson(found, title=values["title"] or f"How the tree for {dataset.target} grows")
    for sentence in (*dataset.notes, *made.notes):
        console.note(sentence)
    console.out(printable(found.text(width=console.width), lines=True))
    store_page(made, path)
    size = Path(path).stat().st_size
    console.report(f"Page written to {printable(path)} ({size / 1000:,.0f} kB). It opens in any browser.")
    if values["opened"]:
        import webbrowser

        webbrowser.open(Path(path).absolute().as_uri())
    console.result(output=path, bytes=size, steps=len(found), candidates=found.to_dicts())
