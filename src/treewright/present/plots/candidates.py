"""The candidates of one column as a plot: the values by class above, the gain of every candidate below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...data.common.errors import ParameterError
from ...data.common.numbers import figure
from ...data.common.plots import CHOICE, HELD_OUT, given_axes
from ...data.values import Column
from ...interpret.growth.candidates import ColumnRanking
from ...interpret.growth.column_candidates import ColumnCandidates, DrawnColumn
from ...interpret.growth.split_information import printed_criterion
from ...tree.value_text import level_text, levels_text
from ..drawing.colours import CLASS_COLOURS

MOST_BARS, MOST_GROUPINGS, MOST_DOTS, LONGEST = 12, 8, 2000, 36


def plot_candidates(found: ColumnCandidates | ColumnRanking, ax: Any = None) -> Any:
    """Draw the candidate splits of a column over its values, or the best split of every column.

    Parameters
    ----------
    found : ColumnCandidates or ColumnRanking
        What `lab.candidates` returned.
    ax : matplotlib axes, optional
        Of one column two: the values are drawn on the first, the gains on the second.

    Returns
    -------
    array of two matplotlib axes, or for a ranking of columns one
    """
    if not isinstance(found, ColumnCandidates | ColumnRanking):
        got = type(found).__name__
        raise ParameterError(f"found must be what lab.candidates returned. Got {got}.", "found")
    return found.plot(ax)


def plot_column(found: ColumnCandidates, ax: Any = None) -> Any:
    """Draw the values of a column with their target, and the gain of every candidate."""
    from matplotlib import pyplot as plt

    if ax is None:
        nominal = found.drawn.column.type.kind == "nominal"
        ax = plt.subplots(2, 1, figsize=(8, 5), sharex=not nominal, layout="constrained")[1]
    values, gains = given_axes(ax, 2)
    if found.drawn.column.type.kind == "nominal":
        _levels(values, found.drawn)
        _groupings(gains, found)
    else:
        _numbers(values, found)
        _gains(gains, found)
    values.set_title(found.column.replace("$", r"\$"), loc="left")
    for each in (values, gains):
        each.spines[["top", "right"]].set_visible(False)
    return np.array([values, gains], dtype=object)


def shown_numbers(column: Column) -> Any:
    """The values as numbers to draw; NaN where they are missing. Times are dates."""
    values = column.values
    if column.type.kind == "datetime":
        found = values.astype("datetime64[us]")
        return np.where(column.missing, np.datetime64("NaT"), found) if column.missing is not None else found
    numbers = values.astype(np.float64)
    return np.where(column.missing, np.nan, numbers) if column.missing is not None else numbers


def cut_places(found: ColumnCandidates, cuts: Any) -> Any:
    """Thresholds on the axis of the values."""
    if found.drawn.column.type.kind == "datetime":
        return np.asarray(cuts).astype("datetime64[us]")
    return cuts


def _numbers(ax: Any, found: ColumnCandidates) -> None:
    drawn = found.drawn
    x, y, classes = shown_numbers(drawn.column), drawn.y, drawn.classes
    draws = np.random.default_rng(0)  # only to set dots apart
    some = np.sort(draws.permutation(len(x))[:MOST_DOTS])
    x, y = x[some], y[some]
    if classes is None:
        ax.plot(x, y, "o", color=HELD_OUT, markersize=4, alpha=0.6)
        ax.set_ylabel("target")
    else:
        off = draws.uniform(-0.18, 0.18, len(x)) if len(x) > 30 else np.zeros(len(x))
        for k in range(len(classes[0])):
            here = y == k
            ax.plot(
                x[here],
                k + off[here],
                "o",
                color=CLASS_COLOURS[k % len(CLASS_COLOURS)],
                markersize=5,
                alpha=0.75,
            )
        ax.set_yticks(range(len(classes[0])), [name.replace("$", r"\$") for name in classes[0]])
        ax.set_ylim(-0.5, len(classes[0]) - 0.5)
    _mark(ax, found)


def _mark(ax: Any, found: ColumnCandidates) -> None:
    if found.best is not None and found.best.threshold is not None:
        ax.axvline(cut_places(found, found.best.threshold), color=CHOICE, linewidth=1.3)


def _gains(ax: Any, found: ColumnCandidates) -> None:
    finite = np.isfinite(found.thresholds)
    x, gains, ok = cut_places(found, found.thresholds[finite]), found.gains[finite], found.allowed[finite]
    ax.plot(x[ok], gains[ok], "o-", color=HELD_OUT, markersize=3.5 if len(x) < 100 else 1.5, linewidth=1)
    if not ok.all():
        ax.plot(x[~ok], gains[~ok], "x", color="0.6", markersize=4, label="branch too small")
    for gain in found.gains[~finite]:
        ax.axhline(
            gain,
            color=HELD_OUT,
            linestyle="--",
            linewidth=1,
            label="is it missing?",
        )
    if not finite.all() or not ok.all():
        ax.legend(frameon=False)
    _mark(ax, found)
    if found.best is not None:
        ax.set_title(
            f"best: {found.best.test}, gain {figure(found.best.gain, '.3g')}".replace("$", r"\$"),
            fontsize="medium",
        )
    ax.set_ylim(bottom=0)
    ax.set_ylabel(f"gain ({printed_criterion(found.criterion)})")
    ax.set_xlabel("threshold")


def _levels(ax: Any, drawn: DrawnColumn) -> None:
    """Stacked bars by level, or the mean target of each; of many levels the most frequent."""
    codes, levels = drawn.column.values, drawn.column.type.levels
    counts = np.bincount(codes[codes >= 0], minlength=len(levels))
    present = np.sort(np.argsort(-counts, kind="stable")[:MOST_BARS])
    present = present[counts[present] > 0]
    places = np.arange(len(present))
    if drawn.classes is None:
        mean = [np.average(drawn.y[codes == c], weights=drawn.weight[codes == c]) for c in present]
        ax.barh(places, mean, color=HELD_OUT)
        ax.set_xlabel("mean target")
    else:
        before = np.zeros(len(present))
        for k, name in enumerate(drawn.classes[0]):
            width = np.array([drawn.weight[(codes == c) & (drawn.y == k)].sum() for c in present])
            ax.barh(places, width, left=before, color=CLASS_COLOURS[k % len(CLASS_COLOURS)], label=name)
            before += width
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1), fontsize="small")
        ax.set_xlabel("rows")
    known = int(np.count_nonzero(counts))
    if known > len(present):
        ax.set_title(f"the {len(present)} most frequent of {known} levels", loc="right", fontsize="medium")
    _name_bars(ax, [level_text(levels[code]) for code in present])


def _groupings(ax: Any, found: ColumnCandidates) -> None:
    where = ""
    if len(found):
        gains = np.where(found.allowed, found.gains, -1.0)
        order = np.argsort(-gains, kind="stable")[:MOST_GROUPINGS].tolist()
        names, values = grouping_names(found, order), found.gains[order].tolist()
        where = ", with these levels in the first branch"
    else:
        names, values = ([], []) if found.best is None else ([found.best.test], [found.best.gain])
    places = np.arange(len(names))
    ax.barh(places, values, color=[CHOICE if k == 0 and found.best else HELD_OUT for k in places])
    _name_bars(ax, names)
    ax.set_xlabel(f"gain ({printed_criterion(found.criterion)}){where}")


def grouping_names(found: ColumnCandidates, which: Sequence[int]) -> list[str]:
    """What sets some groupings apart: the fewer levels of both sides, those first that few of them share."""
    codes = found.drawn.column.values
    levels = [found.drawn.column.type.levels[code] for code in np.unique(codes[codes >= 0]).tolist()]
    sides = []
    for k in which:
        inside = [level for level in levels if level in found.groupings[k]]
        outside = [level for level in levels if level not in found.groupings[k]]
        sides.append((inside, "") if len(inside) <= len(outside) or not outside else (outside, "all but "))
    shared = Counter(level for side, _ in sides for level in side)
    return [
        f"{how}{levels_text(sorted(side, key=shared.__getitem__), 2)}"
        if len(side) < len(levels)
        else "present"
        for side, how in sides
    ]


def _name_bars(ax: Any, names: list[str]) -> None:
    """Names beside horizontal bars, the first on top; long ones are cut."""
    short = [name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…" for name in names]
    ax.set_yticks(np.arange(len(names)), [name.replace("$", r"\$") for name in short], fontsize="small")
    ax.invert_yaxis()
