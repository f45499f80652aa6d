"""Shapley values as text and as a drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.allowed import is_whole
from ...data.common.plural import counted
from ...data.common.text_width import cut, padded, width_of, wrapped

if TYPE_CHECKING:
    from .shapley import ShapleyValues

UP, DOWN = "#b2432f", "#2f6fb2"  # apart for colour-blind eyes too
MOST = 20


def as_text(of: ShapleyValues) -> str:
    """How much each column matters, the most first; for several targets the shape alone."""
    head = f"Shapley values of {counted(len(of.values), 'row')}: {of.how}."
    if of.classes is None and of.values.ndim > 2:
        return f"{head}\nvalues has the shape {of.values.shape}."
    sizes, what = of.importance, "prediction"
    if of.classes is not None:
        two = len(of.classes) == 2
        what = f"probability of {of.classes[-1]}" if two else "probabilities, summed over classes"
        sizes = sizes[:, -1] if two else sizes.sum(axis=1)
    order = [j for j in np.argsort(-sizes, kind="stable").tolist() if sizes[j] > 0]
    lines = [*wrapped(head, 80), f"Mean size of what each column adds to the {what}:"]
    names = {j: cut(of.names[j], 40) for j in order[:MOST]}
    room = max(map(width_of, names.values()), default=0)
    lines += [f"  {padded(name, room)}  {sizes[j]:.4g}" for j, name in names.items()]
    if len(order) > MOST:
        lines.append(f"  … and {len(order) - MOST} more columns")
    if len(order) < len(of.names):
        lines.append(f"{counted(len(of.names) - len(order), 'column')} without any part in it.")
    return "\n".join(lines)


def plot_shapley(of: ShapleyValues, row: int | None, label: Any, most: int, ax: Any) -> Any:
    """Bars: of one row from the base to the prediction, or the mean sizes over all rows."""
    from matplotlib import pyplot as plt

    if not is_whole(most) or most < 1:
        raise ValueError(f"most must be an int of at least 1. Got {most!r}.")
    values, base = of.of_class(label)
    if row is not None and (not is_whole(row) or not 0 <= row < len(values)):
        raise ValueError(f"row must be None or an int in 0..{len(values) - 1}. Got {row!r}.")
    ax = plt.subplots(figsize=(7, 4), layout="constrained")[1] if ax is None else ax
    shown = np.abs(values).mean(axis=0) if row is None else values[row]
    order = np.argsort(-np.abs(shown), kind="stable")
    order = order[np.abs(shown[order]) > 0][:most]
    sizes, places = shown[order], np.arange(len(order))
    start = np.zeros(len(order)) if row is None else base + np.concatenate([[0.0], np.cumsum(sizes)[:-1]])
    ax.barh(places, sizes, left=start, color=np.where(sizes >= 0, UP, DOWN).tolist())
    ax.set_yticks(places, [of.names[j].replace("$", r"\$") for j in order])
    ax.invert_yaxis()
    ax.use_sticky_edges = False
    told = "" if of.classes is None else f" (class {of.classes[-1] if label is None else label})"
    if row is None:
        ax.set_xlabel(f"mean size of the Shapley values{told}")
    else:
        ax.axvline(base, color="0.5", linewidth=1, linestyle="--")
        rest = values[row].sum() - sizes.sum()
        more = f", other columns {rest:+.3g}" if abs(rest) > 1e-12 else ""
        ax.set_xlabel(f"from {base:.4g} to {base + values[row].sum():.4g}{told}{more}")
    return ax
