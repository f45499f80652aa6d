"""What `treewright fit` prints: the columns, the warnings, the tree and its scores."""

from __future__ import annotations

from typing import Any

from ...data.common.plural import counted
from ...data.common.text_width import printable, wrapped
from .columns import columns_text
from .console import Console

TREE_LINES = 40


def print_result(
    console: Console, fitted: Any, facts: list[dict[str, Any]], sizes: str, excluded: list[str]
) -> None:
    """Print the result of `fit`; `sizes` is the line about both trees, `excluded` what --exclude names."""
    if console.json or console.quiet:
        return
    from ..text.terminal import terminal_text

    if fitted.check is not None:
        console.report("\n".join(wrapped(printable(fitted.check.summary), console.width)))
    console.report(f"\n{console.heading('Columns')}\n{columns_text(facts, console.width)}")
    if fitted.check is not None and len(fitted.check):
        lines = fitted.check.lines(console.width, options=True, excluded=excluded)
        console.report(f"\n{console.heading('Warnings')}\n{printable(chr(10).join(lines), lines=True)}")
    leaves, depth = fitted.tree_model.get_n_leaves(), fitted.tree_model.get_depth()
    size = f"{counted(leaves, 'leaf')}, depth {depth}"
    kind = type(fitted.fitted_tree).__name__
    if kind != "FittedTree":  # several trees that vote, or rules
        size = f"{leaves} in all, of at most {counted(depth, 'condition')}"
    heads = {"FittedTree": "Tree", "FittedTrees": "Leaves or rules"}
    console.report(f"\n{console.heading(heads.get(kind, 'Rules'))}: {size}")
    console.report(
        terminal_text(fitted.fitted_tree, max_lines=TREE_LINES, merge=True, **console.terminal).rstrip()
    )
    console.report(f"\n{console.heading('Score')}")
    lines = [*fitted.scores_text(), *_sizes(fitted, sizes)]
    shown = [part for line in lines for part in wrapped(printable(line), console.width, "  ")]
    console.report("\n".join(shown) + "\n")


def _sizes(fitted: Any, sizes: str) -> list[str]:
    if not sizes:
        return []
    simple = "best_" in vars(fitted.tree_model)
    hint = "--best prints and writes the larger tree." if simple else "This is the larger tree (--best)."
    return [sizes, hint]
