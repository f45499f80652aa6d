"""`treewright show`: a model as a tree that fits the terminal, or as rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...data.common.plural import counted
from ...data.common.text_width import printable
from .console import Console
from .files import load_model
from .subcommand import argument, option, subcommand, unverified_option

if TYPE_CHECKING:
    from ...learn.fitted_tree import FittedTree

MORE = """Deep trees are folded to fit: where branches are hidden, it says how many nodes. --all prints every
one of them, --depth ends below a level."""
LINES = 60


@subcommand(
    "show",
    examples=["loans.tree.json", "loans.tree.json --rules", "loans.tree.json --depth 2 --ascii --width 60"],
    more=MORE,
    options=[
        argument("model"),
        option("--rules", is_flag=True, help="The rules, one per leaf, instead of the tree."),
        option("--depth", type=click.IntRange(0), help="Print no more levels than this."),
        option("--all", "every", is_flag=True, help="Fold nothing."),
        option("--ascii", "ascii_only", is_flag=True, help="Draw without Unicode."),
        option("--width", type=click.IntRange(40), help="Columns to fit into; else those of the terminal."),
        unverified_option(),
    ],
)
def command(console: Console, model: str, rules: bool, **how: Any) -> None:
    """Print the model."""
    saved = load_model(model, how["allow_unverified"], console)
    if console.json:
        console.result(**_facts(saved, rules))
        return
    if rules:
        console.out(console.wrap(printable(_rules(saved).text(), lines=True).rstrip()))
        if saved.decision is not None:
            console.out(console.wrap(f"\nDecision: {printable(saved.decision['words'])}"))
        return
    from ..text.terminal import terminal_text

    console.aside(_head(saved))
    look = console.terminal | {"unicode": console.unicode and not how["ascii_only"]}
    look |= {"width": how["width"] or console.width, "max_depth": how["depth"]}
    console.out(terminal_text(saved, max_lines=None if how["every"] else LINES, **look).rstrip())


def _head(saved: FittedTree) -> str:
    tree = saved.tree
    about = "" if saved.target is None else f" for {saved.target!r}"
    rows = saved.training.get("rows")
    made = f", made from {counted(rows, 'row')}" if isinstance(rows, int) else ""
    size = f"{counted(tree.n_leaves, 'leaf')}, depth {tree.max_depth}"
    return f"{saved.task.capitalize()}{about}: {size}{made}."


def _rules(saved: FittedTree) -> Any:
    from ...interpret.rules import rules

    return rules(saved)


def _facts(saved: FittedTree, rules: bool) -> dict[str, Any]:
    found = {
        "kind": saved.task,
        "target": saved.target,
        "estimator": saved.estimator,
        "n_leaves": int(saved.tree.n_leaves),
        "depth": int(saved.tree.max_depth),
        "features": None if saved.feature_names is None else list(map(str, saved.feature_names)),
        "params": saved.params,
        "decision": saved.decision,
        "training": saved.training,
    }
    return found | ({"rules": _rules(saved).to_dicts()} if rules else {"tree": saved.tree.to_dict()})
