"""`treewright show`: a model as a tree that fits the terminal, or as rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ...data.common.plural import counted
from ...data.common.text_width import printable
from ...learn.boosting.fitted import FittedTrees
from ...learn.fitted_tree import BEST, IN_WORDS, SIMPLEST
from ...learn.rule_models.fitted import FittedRuleModel
from ...learn.rule_sets.fitted import FittedRules
from .console import Console
from .failures import bad_data
from .files import load_model, load_table, must_be_free, must_have
from .subcommand import argument, model_options, option, subcommand, width_option

if TYPE_CHECKING:
    from ...learn.fitted_tree import FittedTree

MORE = """Large trees are shortened to fit the terminal: a line says how many nodes are not shown. --all
prints every node, --depth only the first levels."""
LINES, MOST_RULES = 60, 200


@subcommand(
    "show",
    examples=["loans.tree.json", "loans.tree.json --rules", "loans.tree.json --depth 2 --ascii --width 60"],
    more=MORE,
    arguments=[argument("model")],
    groups={
        "Options": [
            option("--rules", is_flag=True, help="Print the rules, one per leaf, instead of the tree."),
            option(
                "--simplify",
                metavar="DATA",
                help="Print fewer and shorter rules that vote, made of the tree and the rows of this table.",
            ),
            option("--output", "-o", metavar="FILE", help="With --simplify: write these rules as a model."),
            option(
                "--original",
                is_flag=True,
                help="Print a model of C5.0, J48, M5P or rpart (fit --like) as that program does.",
            ),
            option("--data", metavar="DATA", help="With --original: the rows to evaluate the model on."),
            option("--depth", type=click.IntRange(0), metavar="N", help="Print at most this many levels."),
            option(
                "--all", "every", is_flag=True, help="Print every node or rule, and every level of a test."
            ),
            option("--ascii", "ascii_only", is_flag=True, help="Print without Unicode."),
            width_option(),
        ],
        "Reading the model": model_options(),
    },
)
def command(console: Console, model: str, rules: bool, **how: Any) -> None:
    """Print the model."""
    saved = load_model(console, model, how)
    if how["simplify"] is not None:
        _simplify(console, saved, how)
        return
    if how["output"] is not None:
        raise click.UsageError("--output goes with --simplify DATA.")
    if how["original"] or how["data"] is not None:
        _original(console, saved, how)
        return
    if console.json:
        console.result(**_facts(saved, rules))
        return
    if rules and not isinstance(saved, FittedRules | FittedRuleModel):
        console.out(console.wrap(printable(_rules_text(saved, how["every"]), lines=True).rstrip()))
        if saved.decision is not None:
            console.out(console.wrap(f"\nDecision: {printable(saved.decision['words'])}"))
        return
    from ..text.terminal import terminal_text

    console.aside(_head(saved))
    look = console.terminal | {"unicode": console.unicode and not how["ascii_only"]}
    look |= {"width": how["width"] or console.width, "max_depth": how["depth"]}
    console.out(terminal_text(saved, max_lines=None if how["every"] else LINES, **look).rstrip())


def _rows(console: Console, saved: FittedTree, option: str, data: str) -> tuple[Any, Any]:
    """The rows of a table whose target is known, and that."""
    if saved.target is None:
        raise click.UsageError(f"{option} needs a model file that names its target.")
    frame = load_table(console, data, {}, saved, saved.target).frame
    must_have("The target", saved.target, frame.columns)
    frame = frame.filter(frame.get_column(saved.target).is_not_null())
    return frame, frame.get_column(saved.target)


def _original(console: Console, saved: FittedTree, how: dict[str, Any]) -> None:
    """Print the model as the program that it follows."""
    from ..originals.output_text import output_text

    if not how["original"]:
        raise click.UsageError("--data goes with --original.")
    X, y = (None, None) if how["data"] is None else _rows(console, saved, "--data", how["data"])
    with bad_data():
        text = output_text(saved, X, y)
    console.out("\t".join(printable(part, lines=True) for part in text.split("\t")).rstrip("\n"))
    console.result(text=text)


def _simplify(console: Console, saved: FittedTree, how: dict[str, Any]) -> None:
    """Print simplified rules, and write them."""
    from ...interpret.rules import rules

    frame, y = _rows(console, saved, "--simplify", how["simplify"])
    with bad_data():
        found: Any = rules(saved, simplify="pessimistic", X=frame, y=y.to_numpy())
    console.out(console.wrap(printable(found.text(full=how["every"]), lines=True).rstrip()))
    if how["output"] is not None:
        must_be_free(how["output"], False)
        found.to_estimator().save(how["output"])
        console.report(f"Rules written to {printable(how['output'])}.")
    console.result(rules=found.to_dicts(), default=found.default)


def _head(saved: FittedTree) -> str:
    tree = saved.tree
    about = "" if saved.target is None else f" for {saved.target!r}"
    rows = saved.training.get("rows")
    trained = f", trained on {counted(rows, 'row')}" if isinstance(rows, int) else ""
    size = f"{counted(tree.n_leaves, 'leaf')}, depth {tree.max_depth}"
    alone = saved.members[0] if isinstance(saved, FittedTrees) else saved
    if isinstance(alone, FittedRules):
        size = f"{counted(alone.size, 'rule')} that {'votes' if alone.size == 1 else 'vote'}"
    if isinstance(saved, FittedTrees) and len(saved.members) > 1:
        parts = "leaves" if saved.what == "trees" else "rules"
        size = f"{len(saved.members)} {saved.what} that vote, {saved.n_leaves} {parts} in all"
    if isinstance(saved, FittedRuleModel):
        size = f"{counted(saved.rule_model.n_rules, 'rule')} with linear models"
        return f"{saved.task.capitalize()}{about}: {size}{trained}."
    return f"{saved.task.capitalize()}{about}: {size}{trained}.{_which(saved)}"


def _which(saved: FittedTree) -> str:
    """Which tree it is, and which other the file has."""
    words = _which_tree(saved)
    if saved.best is not None:
        leaves = counted(saved.best.tree.n_leaves, "leaf")
        other = IN_WORDS[BEST].format(_loss(saved))
        return f"\nThis is the {words} in cross-validation. --best uses the {other}, which has {leaves}."
    return f"\nThis is the {words} in cross-validation." if saved.training.get("tree") == BEST else ""


def _loss(saved: FittedTree) -> str:
    return str(saved.training.get("chosen_by", "loss"))


def _which_tree(saved: FittedTree) -> str | None:
    """Which of the two trees that `fit` chooses it is, in words; None where it is neither."""
    which = SIMPLEST if saved.best is not None else saved.training.get("tree")
    return IN_WORDS[which].format(_loss(saved)) if which in IN_WORDS else None


def _size(saved: FittedTree) -> dict[str, Any]:
    tree, scores = saved.tree, saved.training.get("scores")
    return {"n_leaves": int(tree.n_leaves), "depth": int(tree.max_depth), "scores": scores}


def _rules(saved: FittedTree) -> Any:
    from ...interpret.rules import rules

    return rules(saved)


def _rules_text(saved: FittedTree, every: bool) -> str:
    """The rules; of very many those with the most rows, and of long sets of levels the first."""
    found = _rules(saved)
    if every or len(found) <= MOST_RULES:
        return str(found.text(full=every))
    order = sorted(range(len(found)), key=lambda k: -(found[k].rows or 0))[:MOST_RULES]
    text: str = replace(found, rules=tuple(found[k] for k in sorted(order))).text()
    head = f"The {MOST_RULES} rules with the most rows, of {len(found):,}. --all prints every rule."
    return head + "\n" + text.partition("\n")[2]


def _facts(saved: FittedTree, rules: bool) -> dict[str, Any]:
    found = {
        "kind": saved.task,
        "target": saved.target,
        "estimator": saved.estimator,
        "which": _which_tree(saved),
        "n_leaves": int(saved.tree.n_leaves),
        "depth": int(saved.tree.max_depth),
        "features": None if saved.feature_names is None else list(map(str, saved.feature_names)),
        "params": saved.params,
        "decision": saved.decision,
        "training": saved.training,
        "best": None if saved.best is None else _size(saved.best),
    }
    if isinstance(saved, FittedRules):
        return found | {"rule_set": saved.rule_set.to_dict()}
    if isinstance(saved, FittedTrees) and not rules:
        trees = [member.tree.to_dict() for member in saved.members]
        return found | {"n_leaves": saved.n_leaves, "depth": saved.depth, "trees": trees}
    if isinstance(saved, FittedRuleModel):
        own = {"estimator": "RuleModelRegressor", "params": saved.rule_model.options}
        return found | own | {"n_leaves": saved.rule_model.n_rules, "rules": saved.rule_model.to_dict()}
    return found | ({"rules": _rules(saved).to_dicts()} if rules else {"tree": saved.tree.to_dict()})
