"""`treewright fit`: from a table to a model file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ...data.common.hints import nearest
from ...data.common.plural import counted
from ...data.common.text_width import fit_line, printable
from .columns import columns_text, described
from .console import Console
from .failures import USAGE, Failure, bad_data
from .files import MODEL, load_model, load_table, must_be_free, must_have, names_in, stem, store_model
from .parameters import given, like_option, like_params, option_name, parameter_options
from .report import command_line, make_page, must_be_apart, store_page
from .subcommand import argument, force_option, option, reading_options, subcommand, weight_option

MOST_FINDINGS, TREE_LINES = 8, 40
RUNNERS_UP = 2e7  # the most values to search for the splits that came second: about a second
DATASET = ("task", "exclude", "positive", "sample_weight", "groups", "time")  # how a table is read
SEED = click.IntRange(0, 2**32 - 1)
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)

MORE = """The table is read and checked, a tree is grown, pruned and smoothed by cross-validation, scored
on rows that had no part in making it, printed, and written to the model file. Without --model this is the
table's name with .tree.json in the current folder, where an older model file is replaced; any other file is
overwritten only with --force.

Options of the estimator come last; what is not given is as the recipe has it. Values are numbers, words,
none, lists (a,b,c), pairs (a=1,b=2) or JSON."""


def goal_options() -> list[click.Parameter]:
    """The options that say what to predict from what."""
    return [
        option("--target", "-t", required=True, metavar="COLUMN", help="The column to predict."),
        option("--exclude", "-x", metavar="A,B", help="Columns not to use."),
        option("--positive", metavar="LABEL", help="The class to rank first, of two."),
        weight_option(),
        option("--groups", metavar="COLUMN", help="Rows of one group stay on one side of every fold."),
        option("--time", metavar="COLUMN", help="The time of the rows: folds train on the past alone."),
        option(
            "--task",
            type=click.Choice(["classification", "regression"]),
            help="Without it, text, booleans and whole numbers of at most 20 values are classes.",
        ),
        option("--random-state", "--seed", type=SEED, default=0, help="Of what is drawn; default 0."),
    ]


@subcommand(
    "fit",
    examples=[
        "loans.csv --target default",
        "loans.csv --target default --positive yes --costs costs.json --max-depth 4",
        "loans.parquet -t amount -x id,name --test new.parquet --model amount.tree.json",
        'loans.csv --target default --like "c4.5 -s"',
        "loans.csv --target default --report loans.html",
    ],
    more=MORE,
    options=[
        argument("data"),
        *goal_options(),
        option("--model", "-m", metavar="FILE", help="The model file to write."),
        option("--report", metavar="FILE", help="Write a page about the model too, to open in a browser."),
        force_option(),
        option("--costs", metavar="FILE", help="What mistakes cost: JSON, or a table by class."),
        option("--prevalence", type=SHARE, help="The share of the positive class where it will be used."),
        option("--test", metavar="FILE", help="Another table to score on."),
        option(
            "--test-size", "--holdout", type=SHARE, help="A share of the rows to keep aside and score on."
        ),
        like_option(),
        *reading_options(),
        *parameter_options(),
    ],
)
def command(console: Console, **values: Any) -> None:
    """Fit, say what was found, and write the model."""
    data, target = values["data"], values["target"]
    path = values["model"] or stem(data) + MODEL
    if values["test"] and values["test_size"]:
        raise click.UsageError("--test and --test-size both name the rows to score on. Give one of them.")
    must_be_free(path, values["force"], own=values["model"] is None)
    must_be_apart("model", path, **_inputs(values))
    if values["report"] is not None:
        must_be_free(values["report"], values["force"])
        must_be_apart("report", values["report"], model=path, **_inputs(values))
    from ...data.files import formats_to_dicts

    table = load_table(console, data, values)
    asked = asked_of(console, table.frame, values)
    asked = like_params(values["like"], table.frame, target, values["task"]) | asked
    if values["test"]:
        text = [name for name, dtype in table.frame.schema.items() if str(dtype) == "String"]
        test = load_table(console, values["test"], values, text=text, formats=table.formats)
        asked["test"] = test.frame
    fitted = _fitted(console, table.frame, target, asked | {"test_size": values["test_size"]})
    fitted = replace(fitted, formats=formats_to_dicts(table.formats))
    training = fitted.summary() | {"table": table.name, "reading": table.dialect.to_dict()}
    training |= {name: values[name] for name in ("missing_words", "also_missing")}
    training |= {"command": command_line()}
    training |= {"like": values["like"]} if values["like"] else {}
    training |= _runners_up(console, fitted, table.frame, asked, values)
    store_model(fitted.model, path, target=target, training=training)
    facts = described(table.frame, fitted.columns, fitted.model.tree_.column_types)
    _print(console, fitted, facts)
    console.report(f"Model written to {printable(path)}.")
    pages = _page(console, path, fitted, table.frame, asked, values)
    _next(console, path, data)
    found = [] if fitted.check is None else fitted.check.to_dicts()
    # the columns are told in full, and the notes are those of the run
    summary = {name: fact for name, fact in fitted.summary().items() if name not in {"columns", "notes"}}
    console.result(model=path, columns=facts, findings=found, **pages, **summary)


def _inputs(values: dict[str, Any]) -> dict[str, str | None]:
    """The files that are read."""
    return {name: values[name] for name in ("data", "test", "costs")}


def _runners_up(
    console: Console, fitted: Any, frame: Any, asked: dict[str, Any], values: dict[str, Any]
) -> dict[str, Any]:
    """What `explain` tells of the splits that came second; nothing where the search would take long."""
    parts = getattr(fitted.model, "pruning_", None) or {}
    if values["test_size"] is not None or values["like"] is not None or "grow_rows" in parts:
        return {}  # only `fit` knows the rows of the tree
    if len(frame) * len(fitted.columns) > RUNNERS_UP:
        return {}
    from ...evaluate.default_fit.dataset import read_dataset
    from ...interpret.next_best.splits import next_best_splits

    with console.progress("looking for runners-up"), bad_data():
        found_in = read_dataset(frame, fitted.target, **{name: asked[name] for name in DATASET})
        rows = (found_in.data.X, found_in.y, 3, found_in.weights)
        found = next_best_splits(fitted.model, *rows, budget=RUNNERS_UP)
    return {"runners_up": found.to_dicts(), "runners_up_notes": list(found.notes)}


def _page(
    console: Console, path: str, fitted: Any, frame: Any, asked: dict[str, Any], values: dict[str, Any]
) -> dict[str, Any]:
    """Write the page that --report asks for, about the rows that the tree was grown on."""
    if values["report"] is None:
        return {}
    from ...evaluate.default_fit.dataset import read_dataset
    from ...evaluate.default_fit.scoring import hold_out

    with bad_data():
        dataset = read_dataset(frame, fitted.target, **{name: asked[name] for name in DATASET})
        fold = hold_out(dataset, values["test_size"], values["random_state"])
        rows = dataset.data if fold is None else dataset.data.rows(fold.train)
        looked = False if fitted.check is None else fitted.check
        wishes = {"sample_weight": rows.sample_weight, "held_out": False, "check": looked}
        made = make_page(console, load_model(path), rows.X, rows.y, **wishes)
    store_page(made, values["report"])
    console.report(f"Page written to {printable(values['report'])}.")
    return {"report": values["report"]}


def _fitted(console: Console, frame: Any, target: str, asked: dict[str, Any]) -> Any:
    from ...evaluate.default_fit.fit import fit

    with console.progress("fitting") as progress, bad_data():
        fitted = fit(frame, target, progress=progress, **asked)
    for sentence in fitted.notes:
        console.note(sentence)
    return fitted


# -- the options


def asked_of(console: Console, frame: Any, values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `treewright.fit` and `treewright.compare` that the options make."""
    columns, target = list(frame.columns), values["target"]
    must_have("--target", target, columns)
    exclude = names_in(values["exclude"], columns, "--exclude")
    beside = ("sample_weight", "groups", "time")
    for name in beside:
        if values[name] is not None:
            must_have(option_name(name), values[name], columns)
    asked = {name: values[name] for name in ("task", "positive", *beside, "random_state")}
    asked["exclude"] = exclude
    if values.get("prevalence") is not None:
        asked["prevalence"] = values["prevalence"]
    if values.get("costs") is not None:
        from .costs import read_costs

        asked["costs"] = read_costs(console, values["costs"], labels_of(frame, target))
    others = {target, *(values[name] for name in beside), *exclude}
    features = [name for name in columns if name not in others]
    return asked | _by_name(given(values), features, frame, target)


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


# -- the output


def _print(console: Console, fitted: Any, facts: list[dict[str, Any]]) -> None:
    if console.json or console.quiet:
        return
    from ..text.terminal import terminal_text

    if fitted.check is not None:
        drawn = fitted.check.n_rows < fitted.n_rows
        size = f"{counted(fitted.n_rows, 'row')}. Of those that were drawn: " if drawn else ""
        console.report(printable(size + fitted.check.summary))
    console.report(f"\n{console.heading('Columns')}\n{columns_text(facts, console.width)}")
    if fitted.check is not None and len(fitted.check):
        console.report(f"\n{console.heading('To look at')}\n{findings_text(fitted.check, console.width)}")
    leaves, depth = fitted.model.get_n_leaves(), fitted.model.get_depth()
    console.report(f"\n{console.heading('Tree')}: {counted(leaves, 'leaf')}, depth {depth}")
    console.report(terminal_text(fitted.model, max_lines=TREE_LINES, **console.terminal).rstrip())
    console.report(f"\n{console.heading('Score')}")
    console.report("\n".join(f"  {printable(line)}" for line in fitted.scores_text()) + "\n")


def findings_text(check: Any, width: int, most: int = MOST_FINDINGS) -> str:
    """The findings, one line each."""
    lines = [fit_line(f"  {each.kind}: {each.sentence}", width) for each in check.findings[:most]]
    rest = len(check) - most
    return "\n".join([*lines, f"  ... and {rest:,} more: treewright check"] if rest > 0 else lines)


def _next(console: Console, path: str, data: str) -> None:
    import shlex

    model, table = shlex.quote(path), shlex.quote(data if data != "-" else "new.csv")
    console.aside("Next:")
    console.aside(f"  treewright show {model} --rules")
    console.aside(f"  treewright explain {model} {table} --row 1")
    console.aside(f"  treewright predict {model} {table} --output answers.csv")
