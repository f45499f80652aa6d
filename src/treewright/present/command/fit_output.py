"""What `treewright fit` prints: the columns, the warnings, the tree and its scores."""

from __future__ import annotations

from typing import Any

from ...data.common.plural import counted
from ...data.common.text_width import fit_line, printable
from .columns import columns_text
from .console import Console

MOST_FINDINGS, TREE_LINES = 8, 40


def print_result(console: Console, fitted: Any, facts: list[dict[str, Any]], sizes: str) -> None:
    """Print the result of `fit`; `sizes` is the line about both trees."""
    if console.json or console.quiet:
        return
    from ..text.terminal import terminal_text

    if fitted.check is not None:
        drawn = fitted.check.n_rows < fitted.n_rows
        size = f"{counted(fitted.n_rows, 'row')}. Of those that were drawn: " if drawn else ""
        console.report(printable(size + fitted.check.summary))
    console.report(f"\n{console.heading('Columns')}\n{columns_text(facts, console.width)}")
    if fitted.check is not None and len(fitted.check):
        console.report(f"\n{console.heading('Warnings')}\n{findings_text(fitted.check, console.width)}")
    leaves, depth = fitted.model.get_n_leaves(), fitted.model.get_depth()
    console.report(f"\n{console.heading('Tree')}: {counted(leaves, 'leaf')}, depth {depth}")
    console.report(
        terminal_text(fitted.fitted_tree, max_lines=TREE_LINES, merge=True, **console.terminal).rstrip()
    )
    console.report(f"\n{console.heading('Score')}")
    lines = [*fitted.scores_text(), *_sizes(fitted, sizes)]
    console.report("\n".join(f"  {printable(line)}" for line in lines) + "\n")


def _sizes(fitted: Any, sizes: str) -> list[str]:
    if not sizes:
        return []
    simple = hasattr(fitted.model, "best_")
    hint = "--best prints and writes the larger tree." if simple else "This is the larger tree (--best)."
    return [sizes, hint]


def findings_text(check: Any, width: int, most: int = MOST_FINDINGS) -> str:
    """The findings, one line each."""
    lines = [fit_line(f"  {each.kind}: {each.sentence}", width) for each in check.findings[:most]]
    rest = len(check) - most
    return "\n".join([*lines, f"  ... and {rest:,} more: treewright check"] if rest > 0 else lines)
