"""`treewright fit`: from a table to a model file."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ...data.common.text_width import printable
from ...learn.boosting.fitted import FittedTrees
from ...learn.fitted_tree import FittedTree
from .columns import described
from .console import Console
from .failures import bad_data
from .files import MODEL, load_model, load_table, must_be_free, stem, store_model
from .fit_arguments import (
    exclude_option,
    fit_arguments,
    group_and_time_options,
    target_option,
    target_options,
)
from .fit_output import print_result
from .parameters import first_options, like_option, like_params, parameter_groups
from .parts import large_parts
from .report import command_line, make_page, must_be_apart, store_page
from .subcommand import READING, argument, force_option, option, reading_options, subcommand

if TYPE_CHECKING:
    from ...data.files import ReadTable
    from .parts import LargeParts

HIDDEN = {"columns", "notes", "training_rows"}  # of the summary: --json has columns and notes of its own
MOST_VALUES = 2e7  # the most values to search for next-best splits: about a second
MOST_SEARCHES = 2_500  # splits times columns: each is a search of its own, whatever its rows
PER_VALUE = 2e-6  # seconds to fit a value of the table once: for the progress bar alone
DATASET = ("task", "exclude", "positive", "sample_weight", "groups", "time")  # how a table is read
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)

MORE = """The subcommand reads and checks the table, grows a tree, prunes and smooths it by cross-validation,
scores it on rows that it was not trained on, prints it, and writes the model file. Without --model the file
is the table's name with .tree.json in the current folder; an older model file of that name is replaced.
Other files are overwritten only with --force.

The tree is the simplest whose loss in cross-validation is nearly as low as the lowest. The model file has
both this tree and the one of the lowest loss (--best). The loss is log loss for classes, squared error for
numbers, and the cost with --costs.

Values of tree parameters are numbers, words, none, lists (a,b,c), pairs (a=1,b=2) or JSON."""


@subcommand(
    "fit",
    examples=[
        "loans.csv --target default",
        "loans.csv --target default --positive yes --costs costs.json --max-depth 4",
        "loans.parquet -t amount -x id,name --test new.parquet --model amount.tree.json",
        'loans.csv --target default --like "c4.5 -s"',
        "loans.csv --target default --report loans.html",
        "'parts/*.parquet' --target default --memory 2GB",
        "'parts/*.parquet' --target default --cluster local:2",
    ],
    more=MORE,
    arguments=[argument("data")],
    groups={
        "Common options": [
            target_option(),
            exclude_option(),
            option("--model", "-m", metavar="FILE", help="The model file to write."),
            option("--report", metavar="FILE", help="Also write a report page that opens in any browser."),
            option("--best", is_flag=True, help="Print and write the tree of lowest loss, not the simplest."),
            *group_and_time_options(),
            option("--costs", metavar="FILE", help="Costs of errors: JSON, or a table by class."),
            option("--test", metavar="FILE", help="Another table to score on."),
            *first_options(),
        ],
        "Target and rows": target_options(),
        "Scoring": [
            option(
                "--test-size",
                "--holdout",
                type=SHARE,
                metavar="SHARE",
                help="Hold out this share of the rows to score on, in place of nested cross-validation.",
            ),
            option(
                "--prevalence",
                type=SHARE,
                metavar="SHARE",
                help="The share of the positive class where the model will be used.",
            ),
        ],
        "Writing files": [force_option()],
        READING: [
            *reading_options(),
            option("--memory", metavar="SIZE", help="The most memory for Parquet files: 2GB, 500MB."),
            option(
                "--cluster",
                metavar="ADDRESS",
                help="Fit Parquet files on a Dask cluster: its address, or local:N for N processes.",
            ),
        ],
        **parameter_groups(),
        "Classic programs": [like_option()],
    },
)
def command(console: Console, **values: Any) -> None:
    """Fit, print the result, and write the model."""
    path = values["model"] or stem(values["data"]) + MODEL
    _check_paths(values, path)
    with large_parts(console, values) as large:
        _run(console, path, values, large)


def _run(console: Console, path: str, values: dict[str, Any], large: LargeParts | None) -> None:
    data = values["data"]
    table = load_table(console, data, values) if large is None else large.sample
    arguments = fit_arguments(console, table.frame, values)
    target = values["target"]
    arguments = like_params(values["like"], table.frame, target, values["task"]) | arguments
    if values["test"]:
        test = load_table(console, values["test"], values, **table.like_this())
        arguments["test"] = test.frame
    simple = _fitted(console, table, target, arguments | {"test_size": values["test_size"]}, large)
    fitted = _chosen(console, simple, values)
    training = fitted.training() | {"table": table.name, "reading": table.dialect.to_dict()}
    also_missing = _words_in_use(values["also_missing"], table, simple)
    training |= {"missing_words": values["missing_words"], "also_missing": also_missing}
    training |= {"command": command_line(also_missing=also_missing)}
    training |= {"like": values["like"]} if values["like"] else {}
    if large is None:
        training |= _next_best_splits(console, fitted, table.frame, arguments, values)
    store_model(fitted.tree_model, path, target=target, training=training)
    model = fitted.fitted_tree
    facts = described(table.frame, fitted.columns, model.tree.column_types, model.units)
    print_result(console, fitted, facts, simple.sizes, arguments["exclude"])
    console.report(f"Model written to {printable(path)}.")
    pages = _page(console, path, fitted, table.frame, arguments, values)
    _next_steps(console, path, data, model)
    found = [] if fitted.check is None else fitted.check.to_dicts()
    summary = {name: fact for name, fact in fitted.summary().items() if name not in HIDDEN}
    if simple.sizes:
        summary |= {"simple": simple.summary_of_size(), "best": simple.best.summary_of_size()}
    console.result(model=path, columns=facts, findings=found, **pages, **summary)


def _check_paths(values: dict[str, Any], path: str) -> None:
    """Reject what could not be written or read, before any work."""
    if values["test"] and values["test_size"]:
        raise click.UsageError("--test and --test-size both name the rows to score on. Give one of them.")
    inputs = {name: values[name] for name in ("data", "test", "costs")}
    must_be_free(path, values["force"], own=values["model"] is None)
    must_be_apart("model", path, **inputs)
    if values["report"] is not None:
        must_be_free(values["report"], values["force"])
        must_be_apart("report", values["report"], model=path, **inputs)


def _fitted(
    console: Console, table: ReadTable, target: str, arguments: dict[str, Any], large: LargeParts | None
) -> Any:
    from ...evaluate.default_fit.fit import fit

    seconds = PER_VALUE * len(table.frame) * len(table.frame.columns)
    given: Any = replace(table, notes=())  # which were printed when it was read
    if large is not None:
        console.note(table.notes[0])
        given, seconds = large.table, seconds * large.table.n_rows / len(table.frame)
        arguments |= large.limits
    with console.progress("fitting", seconds) as progress, bad_data():
        fitted = fit(given, target, progress=progress, **arguments)
    for sentence in fitted.notes:
        console.note(sentence)
    return fitted


def _words_in_use(given: str | None, table: ReadTable, fitted: Any) -> str | None:
    """Of the words of --also-missing those that stand in the target or in columns that the trees test."""
    if given is None:
        return None
    used = {fitted.columns[j] for each in (fitted, fitted.best) for j in each.fitted_tree.used}
    found = {word for name in (*used, fitted.target) for word in table.missing_words.get(name, ())}
    return ",".join(word for word in given.split(",") if word in found) or None


def _chosen(console: Console, fitted: Any, values: dict[str, Any]) -> Any:
    """The result of the tree to print and to write."""
    if not values["best"]:
        return fitted
    if fitted.best is fitted:
        console.note("There is only one tree, so --best changes nothing.")
    return fitted.best


def _next_best_splits(
    console: Console, fitted: Any, frame: Any, arguments: dict[str, Any], values: dict[str, Any]
) -> dict[str, Any]:
    """The next-best splits that `explain` prints; nothing where the search would take long."""
    parts = getattr(fitted.tree_model, "pruning_", None) or {}
    if not hasattr(fitted.tree_model, "tree_"):
        return {}  # several trees vote
    if fitted.tree_model.tree_.leaf_models is not None and fitted.tree_model.tree_.classes is not None:
        return {}  # splits for logistic leaves are not compared
    if values["test_size"] is not None or values["like"] is not None or "grow_rows" in parts:
        return {}  # only `fit` knows the rows of the tree
    searches = (fitted.tree_model.get_n_leaves() - 1) * len(fitted.columns)
    if len(frame) * len(fitted.columns) > MOST_VALUES or searches > MOST_SEARCHES:
        return {}
    from ...evaluate.default_fit.dataset import read_dataset
    from ...interpret.next_best.splits import next_best_splits

    with console.progress("searching for next-best splits"), bad_data():
        dataset = read_dataset(frame, fitted.target, **{name: arguments[name] for name in DATASET})
        rows = (dataset.data.X, dataset.y, 3, dataset.weights)
        found = next_best_splits(fitted, *rows, budget=MOST_VALUES)
    return {"next_best_splits": found.to_dicts(), "next_best_splits_notes": list(found.notes)}


def _page(
    console: Console, path: str, fitted: Any, frame: Any, arguments: dict[str, Any], values: dict[str, Any]
) -> dict[str, Any]:
    """Write the page of --report, about the rows that the tree was grown on."""
    if values["report"] is None:
        return {}
    from ...evaluate.default_fit.dataset import read_dataset
    from ...evaluate.default_fit.scoring import hold_out

    with bad_data():
        dataset = read_dataset(frame, fitted.target, **{name: arguments[name] for name in DATASET})
        fold = hold_out(dataset, values["test_size"], values["random_state"])
        rows = dataset.data if fold is None else dataset.data.rows(fold.train)
        check = False if fitted.check is None else fitted.check
        parts = {"sample_weight": rows.sample_weight, "groups": rows.groups, "time": rows.time}
        parts |= {"held_out": False, "check": check}
        made = make_page(console, load_model(console, path), rows.X, rows.y, **parts)
    store_page(made, values["report"])
    console.report(f"Page written to {printable(values['report'])}.")
    return {"report": values["report"]}


def _next_steps(console: Console, path: str, data: str, fitted: FittedTree) -> None:
    model, table = shlex.quote(path), shlex.quote(data if data != "-" else "new.csv")
    console.aside("Next:")
    one = " --trial 0" if isinstance(fitted, FittedTrees) else ""
    if type(fitted) is FittedTree or (one and type(fitted.members[0]) is FittedTree):
        console.aside(f"  treewright show {model} --rules{one}")
        console.aside(f"  treewright explain {model} {table} --row 1{one}")
    console.aside(f"  treewright predict {model} new.csv --output predictions.csv")
