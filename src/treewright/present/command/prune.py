"""`treewright prune`: a smaller tree from a model file, by any of the methods."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, Any

import click

from ...data.common.plural import counted
from ...data.common.text_width import printable
from ...learn.pruning import METHODS, NO_ROWS
from .console import Console
from .failures import BAD_MODEL, USAGE, Failure, bad_data
from .files import load_model, load_table, must_be_free, must_have, store_model
from .parameters import by_name, given, option_name, option_of
from .subcommand import argument, force_option, known_target_option, option, reading_groups, subcommand

if TYPE_CHECKING:
    from ...learn.fitted_tree import FittedTree

MORE = "Methods, and the options that each takes:\n\n\b\n"


def _methods_text() -> str:
    lines = []
    for method in METHODS.values():
        takes = ", ".join(option_name(each.name) for each in method.options)
        rows = "" if method.rows == NO_ROWS else f" Needs --data: {method.rows}."
        lines += [method.name, f"  {method.description}{rows}", *([f"  {takes}"] if takes else [])]
    return "\n".join(lines)


@subcommand(
    "prune",
    examples=[
        "loans.tree.json --method leaf_budget --n-leaves 5 --output small.tree.json",
        "loans.tree.json --method reduced_error --data held_out.csv --output small.tree.json",
    ],
    more=MORE + _methods_text(),
    arguments=[argument("model")],
    groups={
        "Options": [
            option("--output", "-o", metavar="FILE", required=True, help="The model file to write."),
            option(
                "--method",
                type=click.Choice(list(METHODS)),
                metavar="NAME",
                default="cost_complexity",
                help="The pruning method; default cost_complexity.",
            ),
            option("--data", metavar="FILE", help="A table with rows for methods that need some."),
            known_target_option(),
            force_option(),
        ],
        "Options of the methods": [
            *starmap(option_of, by_name(method.options for method in METHODS.values()).items())
        ],
        **reading_groups(),
    },
)
def command(console: Console, **values: Any) -> None:
    """Prune, print the smaller tree, and write the model."""
    options, method, path = given(values), values["method"], values["output"]
    _must_take(method, options)
    saved = load_model(console, values["model"], values)
    _must_have_costs(saved, options)
    must_be_free(path, values["force"])
    rows = _rows(console, saved, values)
    needs = METHODS[method].needs(**options)
    if needs != NO_ROWS and not rows:
        raise Failure(USAGE, f"The method {method} needs {needs}. Give them with --data.")
    _must_say_how_it_is_smoothed(saved)
    from ...learn.pruning.model import prune_estimator

    with console.progress("pruning"), bad_data():
        made = prune_estimator(saved.to_plain_estimator(), method, **rows, **options)
    training = _still_true(saved.training) | {"pruned": {"method": method, **options}}
    training |= {"leaves": int(made.get_n_leaves()), "depth": int(made.get_depth())}
    store_model(made, path, target=saved.target, training=training)
    before, after = int(saved.tree.n_leaves), int(made.get_n_leaves())
    if not console.quiet and not console.json:
        from ..text.terminal import terminal_text

        console.report(f"{counted(before, 'leaf')} before, {counted(after, 'leaf')} now.")
        console.report(terminal_text(made, **console.terminal).rstrip())
        console.report(f"Model written to {printable(path)}.")
    console.result(model=path, method=method, options=options, leaves_before=before, leaves=after)


def _must_say_how_it_is_smoothed(saved: FittedTree) -> None:
    """What is left of a smoothed tree is smoothed anew."""
    known = saved.params.get("smoothing") is not None and "smoothing_strength_" in saved.fitted
    if len(saved.tree.estimate) and not known:
        raise Failure(
            BAD_MODEL,
            'The tree is smoothed, so the model file must have "smoothing" in its "params" and '
            '"smoothing_strength_" in "fitted". It lacks one of them; fit the model again.',
        )


def _still_true(training: dict[str, Any]) -> dict[str, Any]:
    """The summary without what is only true of the larger tree; its scores are named so."""
    kept = {
        name: value
        for name, value in training.items()
        if name not in {"tree", "best"} and not name.startswith("next_best_splits")
    }
    if "scores" in kept:
        kept["scores_before_pruning"] = kept.pop("scores")
    return kept


def _must_take(method: str, options: dict[str, Any]) -> None:
    known = [each.name for each in METHODS[method].options]
    for name in options:
        if name not in known:
            takes = ", ".join(map(option_name, known)) or "no options"
            raise click.UsageError(f"The method {method} takes {takes}. Got {option_name(name)}.")


def _must_have_costs(saved: FittedTree, options: dict[str, Any]) -> None:
    for name in ("risk", "loss"):
        if options.get(name) == "cost" and saved.tree.costs is None:
            raise click.UsageError(
                f"--{name} cost needs a model with costs. This one has none. Fit it with --costs FILE, or "
                f"use --{name} error."
            )


def _rows(console: Console, saved: FittedTree, values: dict[str, Any]) -> dict[str, Any]:
    """X and y, if there are rows."""
    if values["data"] is None:
        return {}
    target = values["target"] or saved.target
    if target is None:
        raise click.UsageError("--target must be given: the model file does not name its target.")
    frame = load_table(console, values["data"], values, saved, target, whole=True).frame
    must_have("--target", target, frame.columns)
    frame = frame.filter(frame.get_column(target).is_not_null())
    with bad_data():
        X = frame.drop(target) if saved.feature_names is None else saved.select(frame)
    return {"X": X, "y": frame.get_column(target).to_numpy()}
