"""`treewright report`: a model as a page that needs nothing but a browser."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...data.common.text_width import printable
from .console import Console
from .failures import INPUT_OUTPUT, Failure, bad_data
from .files import MODEL, STDIN, load_model, load_table, must_be_free, must_have
from .parameters import Given
from .subcommand import (
    argument,
    force_option,
    known_target_option,
    option,
    reading_groups,
    subcommand,
    weight_option,
)

if TYPE_CHECKING:
    from ...learn.fitted_tree import FittedTree
    from ..page import Report

ASIDE = {"model", "force", "report", "any_size"}  # options that change nothing of the model
MORE = """The page is one HTML file that opens in any browser, without a network. It shows the tree, to
explore, prune and evaluate. DATA are the training rows, which are then scored by cross-validation, or other
rows, on which the model itself is scored. Without DATA, or without its target, the page has what the model
file has. Without --output the page is the model's name with .html, in the current folder."""


@subcommand(
    "report",
    examples=[
        "loans.tree.json loans.csv --output loans.html",
        "loans.tree.json --title 'Who pays back' --open",
        "loans.tree.json new.csv --held-out --output new.html",
    ],
    more=MORE,
    arguments=[argument("model"), argument("data", metavar="[DATA]", required=False)],
    groups={
        "Options": [
            option("--output", "-o", metavar="FILE", help="The page to write."),
            option("--title", metavar="TEXT", help="The title of the page."),
            option("--intended-use", metavar="TEXT", help="What the model is for, for its model card."),
            known_target_option(),
            weight_option(),
            option("--held-out", is_flag=True, help="DATA are rows that the model was not trained on."),
            option("--compare", is_flag=True, help="Compare with other kinds of models; takes longer."),
            option(
                "--stability", is_flag=True, help="Say how often each split is chosen again; takes longer."
            ),
            option("--open", "opened", is_flag=True, help="Open the page in a browser."),
            force_option(),
        ],
        **reading_groups(),
    },
)
def command(console: Console, model: str, data: str | None, **values: Any) -> None:
    """Make the page, and write it."""
    path = values["output"] or f"{Path(model).name.removesuffix(MODEL).removesuffix('.json')}.html"
    if data is None:
        for name in ("target", "sample_weight", "held_out", "compare", "stability"):
            if values[name]:
                raise click.UsageError(f"--{name.replace('_', '-')} needs DATA. Name a table too.")
    must_be_free(path, values["force"])
    must_be_apart("output", path, model=model, data=data)
    saved = load_model(console, model, values)
    rows, parts = ((), {}) if data is None else _rows(console, saved, data, values)
    with bad_data():
        texts = {"title": values["title"], "intended_use": values["intended_use"]}
        made = make_page(console, saved, *rows, **texts, **parts)
    store_page(made, path)
    size = Path(path).stat().st_size
    console.report(f"Page written to {printable(path)} ({size / 1000:,.0f} kB). It opens in any browser.")
    if values["opened"]:
        import webbrowser

        webbrowser.open(Path(path).absolute().as_uri())
    console.result(output=path, bytes=size, title=made.payload["title"], nodes=saved.tree.node_count)


def _rows(
    console: Console, saved: FittedTree, data: str, values: dict[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """X and y for the page, and what else it is to have; y is None where the table has no target."""
    weights = values["sample_weight"]
    target = values["target"] or saved.target
    frame = load_table(console, data, values, saved, target, weights, whole=True).frame
    if values["target"] is not None:
        must_have("--target", values["target"], frame.columns)
    if weights is not None:
        must_have("--sample-weight", weights, frame.columns)
    with bad_data():
        saved.columns(frame)  # an error names what is missing
    names = saved.feature_names
    for option_name, column in (("--target", values["target"]), ("--sample-weight", weights)):
        if column is not None and column in (names or ()):
            raise click.UsageError(f"{option_name} must not name a column of the model. Got {column!r}.")
    if target is None or target not in frame.columns or saved.tree.n_outputs > 1:
        table = frame if names is None else saved.select(frame)
        for name in ("compare", "stability"):
            if values[name]:
                raise click.UsageError(f"--{name} needs rows with the target. The table has none.")
        return (table, None), {"held_out": True if values["held_out"] else None}
    kept = [target, *(names or [name for name in frame.columns if name != target])]
    kept += [weights] if weights is not None and weights not in kept else []
    kept += [name for name in _divided_by(saved, frame).values() if name not in kept]
    return _rows_with_target(console, saved, frame.select(kept), target, values)


def _divided_by(saved: FittedTree, frame: Any) -> dict[str, str]:
    """The columns of groups and times that the model was fitted with, where the table has them."""
    known = saved.training.get("divided_by")
    found = known.items() if isinstance(known, dict) else ()
    return {name: column for name, column in found if name in {"groups", "time"} and column in frame.columns}


def _rows_with_target(
    console: Console, saved: FittedTree, frame: Any, target: str, values: dict[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """Rows with the target."""
    from ...evaluate.default_fit.dataset import read_dataset

    parts: dict[str, Any] = {"held_out": True if values["held_out"] else None}
    parts["stability"] = values["stability"]
    with bad_data():
        known = {"task": saved.task, "sample_weight": values["sample_weight"]}
        known |= _divided_by(saved, frame)
        dataset = read_dataset(frame, target, to_score=True, **known)
    parts |= {"groups": dataset.data.groups, "time": dataset.data.time}
    for sentence in dataset.notes:
        console.note(sentence)
    if values["compare"]:
        from ...evaluate.model_comparison.compare import compare

        with console.progress("comparing") as progress, bad_data():
            parts["compare"] = compare(frame, target, progress=progress, **known)
    return (dataset.data.X, dataset.y), parts | {"sample_weight": dataset.weights}


# -- what `fit --report` needs too


def must_be_apart(what: str, path: str, **others: str | None) -> None:
    """Refuse to write where something is read from, or something else is written to; and to no file."""
    if path == STDIN:
        raise click.UsageError(f"--{what} needs a file of its own. Got '-'. Name a file.")
    for name, other in others.items():
        if other is not None and other != STDIN and _same(path, other):
            raise click.UsageError(
                f"--{what} must be another file than {name.upper()}. Got {path!r} for both."
            )


def _same(path: str, other: str) -> bool:
    """Whether two paths are one file, be it there or not."""
    try:
        return Path(path).samefile(other)
    except OSError:
        return Path(path).resolve() == Path(other).resolve()


def make_page(console: Console, saved: FittedTree, *rows: Any, **parts: Any) -> Report:
    """The page of a model, with a progress bar while it is made."""
    from ..page import report

    with console.progress("making the page") as progress:
        made = report(saved, *rows, progress=progress, **parts)
    for sentence in made.notes:
        console.note(sentence)
    return made


def store_page(made: Report, path: str) -> None:
    """Write a page."""
    place = Path(path)
    if place.exists() and not place.is_file():
        raise Failure(INPUT_OUTPUT, f"A page needs a file of its own. Got {path!r}, which is something else.")
    made.save(place)


def command_line(**instead: str | None) -> str | None:
    """The command that is running, without what changes nothing of the model; None outside of one.

    `instead` has other values for some options; None leaves the option out.
    """
    ctx = click.get_current_context(silent=True)
    if ctx is None or ctx.info_name is None:
        return None
    parts = ["treewright", ctx.info_name]
    typed = click.core.ParameterSource.COMMANDLINE
    for param in ctx.command.params:
        name = param.name or ""
        if name in ASIDE or name not in ctx.params or ctx.get_parameter_source(name) is not typed:
            continue
        if name in instead and instead[name] is None:
            continue
        value = instead.get(name) or ctx.params[name]
        if isinstance(param, click.Argument):
            parts.append(str(value))
        elif isinstance(param, click.Option) and param.is_flag:
            parts += [param.opts[0]] if value else []
        else:
            parts += [max(param.opts, key=len), _typed(value)]
    return shlex.join(parts)


def _typed(value: Any) -> str:
    """A value as it can be typed again."""
    inner = value.value if isinstance(value, Given) else value
    if isinstance(inner, str):
        return inner
    return "none" if inner is None else json.dumps(inner)
