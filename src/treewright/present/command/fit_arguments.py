"""From the options of `fit` and `compare` to the arguments of the functions of that name."""

from __future__ import annotations

from typing import Any

import click

from ...data.common.hints import nearest
from .console import Console
from .failures import USAGE, Failure
from .files import must_have, names_in
from .parameters import given, option_name
from .subcommand import option, weight_option

SEED = click.IntRange(0, 2**32 - 1)
COLUMNS = ("sample_weight", "groups", "time")  # options that name a column, which is not used to predict


def target_option() -> click.Option:
    """The option that names the column to predict."""
    return option("--target", "-t", required=True, metavar="COLUMN", help="The column to predict.")


def exclude_option() -> click.Option:
    """The option that names columns not to use."""
    return option("--exclude", "-x", metavar="A,B", help="Columns not to use.")


def group_and_time_options() -> list[click.Parameter]:
    """The columns that decide on the folds."""
    return [
        option(
            "--groups",
            metavar="COLUMN",
            help="Keep rows of one group, such as a customer, in the same fold. The column is then not "
            "used to predict.",
        ),
        option(
            "--time",
            metavar="COLUMN",
            help="Time of the rows: train on earlier rows, score on later ones. The column is then not "
            "used to predict.",
        ),
    ]


def target_options() -> list[click.Parameter]:
    """More about the target and the rows."""
    return [
        option(
            "--task",
            type=click.Choice(["classification", "regression"]),
            help="Default: classification for text, booleans and whole numbers of at most 20 values.",
        ),
        option(
            "--positive",
            metavar="LABEL",
            help="The positive class, of two: AUC, costs and prevalence are about it, and the model file "
            "keeps it. Default: the second in sorted order.",
        ),
        weight_option(),
        option(
            "--random-state",
            "--seed",
            type=SEED,
            metavar="INTEGER",
            default=0,
            help="Seed of all that is random; default 0.",
        ),
    ]


def fit_arguments(console: Console, frame: Any, values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `treewright.fit` and `treewright.compare` for these values of the options.

    The names of columns in `values` are then as the table has them.
    """
    columns = list(frame.columns)
    target = values["target"] = must_have("--target", values["target"], columns)
    exclude = names_in(values["exclude"], columns, "--exclude")
    for name in COLUMNS:
        if values[name] is not None:
            values[name] = must_have(option_name(name), values[name], columns)
    arguments = {name: values[name] for name in ("task", "positive", *COLUMNS, "random_state")}
    exclude += _outside_formula(values, columns, exclude)
    arguments["exclude"] = exclude
    if values.get("prevalence") is not None:
        arguments["prevalence"] = values["prevalence"]
    if values.get("costs") is not None:
        from .costs import read_costs

        arguments["costs"] = read_costs(console, values["costs"], labels_of(frame, target))
    others = {target, *(values[name] for name in COLUMNS), *exclude}
    features = [name for name in columns if name not in others]
    return arguments | _by_name(given(values), features, frame, target)


def _outside_formula(values: dict[str, Any], columns: list[str], exclude: list[str]) -> list[str]:
    """The columns that the formula of --like does not name."""
    if not values.get("like"):
        return []
    from ...learn.classics.r_call import read_call

    try:
        call = read_call(values["like"])
    except ValueError as error:
        raise Failure(USAGE, f"--like: {error}") from error
    if call is None or call.formula is None:
        return []
    target, named = call.formula
    if target != values["target"]:
        raise Failure(USAGE, f"--target must be that of the formula, {target!r}. Got {values['target']!r}.")
    if named is None:
        return []
    for name in named:
        must_have("--like", name, columns)
    others = {target, *named, *exclude, *(values[name] for name in COLUMNS)}
    return [name for name in columns if name not in others]


def labels_of(frame: Any, target: str) -> list[Any]:
    """The values of a column, sorted, without missing ones."""
    found: list[Any] = frame.get_column(target).drop_nulls().unique().sort().to_list()
    return found


def _by_name(params: dict[str, Any], features: list[str], frame: Any, target: str) -> dict[str, Any]:
    """Parameters with the names of columns and classes as the table has them."""
    signs = params.get("monotonic_cst")
    if isinstance(signs, dict):
        for name in signs:
            must_have("--monotonic-cst", str(name), features)
        params["monotonic_cst"] = [signs.get(name, 0) for name in features]
    nominal = params.get("categorical_features")
    for name in nominal if isinstance(nominal, list) else ():
        if isinstance(name, str):
            must_have("--categorical-features", name, features)
    for name in ("class_weight", "priors"):
        if isinstance(params.get(name), dict):
            by_text = {str(label): label for label in labels_of(frame, target)}
            params[name] = {by_text.get(str(key), key): value for key, value in params[name].items()}
    if params.get("pruning") is not None:
        from ...learn.pruning import METHODS

        if params["pruning"] not in METHODS:
            hint = nearest(params["pruning"], METHODS) or f" The methods are {', '.join(METHODS)}."
            raise Failure(USAGE, f"pruning must name a method. Got {params['pruning']!r}.{hint}")
    return params
