"""How good probabilities and means are: `python -m benchmarks.probabilities [--quick] [--only NAME]`.

The tables of two classes and those of numbers, five outer folds with a fixed seed. Each method has one
setting for all tables of a kind; nothing is tuned per table. AUC is the mean over the folds; log-loss (shares
clipped at 2⁻⁵²) and Brier score (the squared difference of the share and 0 or 1) are means over all rows; R²
is 1 − the squared error of all rows over that of the means of the training rows. A row is impossible if its
class was given a share of 0: unclipped, the log-loss is then infinite.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .contenders import REFERENCE
from .real_tables import Array, Floats, Table, asked_for, headline, outer_folds, ranks, ratios
from .shrunk_trees import OURS, Part, has_imodels, methods

LEAST = 2.0**-52
FIGURES = {True: ("AUC", "log-loss", "Brier"), False: ("R²",)}
GREATER_IS_BETTER = {"AUC", "R²"}


@dataclass(frozen=True)
class Result:
    """A method on one table."""

    figures: dict[str, float]
    leaves: float
    impossible: int = 0  # rows whose class was given a share of 0


def run(table: Table) -> dict[str, Result]:
    """Every method, on a table whose classes are 0 and 1 or whose target is a number."""
    chosen = methods(table.classes)
    predictions: dict[str, list[Floats]] = {name: [] for name in chosen}
    leaves: dict[str, list[int]] = {name: [] for name in chosen}
    truths, bases = [], []
    for train, test in outer_folds(table):
        part = Part(table, train, test)
        truths.append(part.truth)
        bases.append(((part.truth - part.y.mean()) ** 2).sum())
        for name, method in chosen.items():
            grown = method(part)
            predictions[name].append(grown.predict(table.classes))
            leaves[name].append(grown.leaves)
    found = {}
    for name, predicted in predictions.items():
        size = float(np.mean(leaves[name]))
        found[name] = (
            probabilities(predicted, truths, size)
            if table.classes
            else numbers(predicted, truths, sum(bases), size)
        )
    return found


def probabilities(predicted: list[Floats], truths: list[Array], leaves: float) -> Result:
    """The figures of two classes, from the shares predicted and the true class (0 or 1) per fold."""
    from sklearn.metrics import roc_auc_score

    auc = np.mean(
        [roc_auc_score(truth, shares[:, 1]) for shares, truth in zip(predicted, truths, strict=True)]
    )
    shares, truth = np.concatenate(predicted), np.concatenate(truths)
    own = shares[np.arange(len(truth)), truth]
    figures = (auc, -np.log(np.maximum(own, LEAST)).mean(), ((shares[:, 1] - truth) ** 2).mean())
    named = {name: float(figure) for name, figure in zip(FIGURES[True], figures, strict=True)}
    return Result(named, leaves, int((own <= 0).sum()))


def numbers(predicted: list[Floats], truths: list[Array], base: float, leaves: float) -> Result:
    """R², where `base` is the squared error of the means of the training rows."""
    wrong = sum(((mean - truth) ** 2).sum() for mean, truth in zip(predicted, truths, strict=True))
    return Result({"R²": float(1 - wrong / base)}, leaves)


# -- what is printed


def lines_of(table: Table, found: dict[str, Result]) -> Iterator[str]:
    """One table with all methods."""
    yield headline(table)
    for name, result in found.items():
        figures = "  ".join(f"{figure} {number:7.4f}" for figure, number in result.figures.items())
        lost = f"  impossible rows {result.impossible}" if result.impossible else ""
        yield f"  {name:28} {figures}  leaves {result.leaves:8.1f}{lost}"


def averages(runs: list[dict[str, Result]], classes: bool) -> Iterator[str]:
    """Mean ranks, figures and leaves over tables, then whether ours is first and no larger."""
    shared = list(runs[0])
    leaves = np.array([[found[name].leaves for name in shared] for found in runs])
    larger = ratios(leaves, shared.index(REFERENCE))
    places, means = {}, {}
    for figure in FIGURES[classes]:
        table = np.array([[found[name].figures[figure] for name in shared] for found in runs])
        sign = -1 if figure in GREATER_IS_BETTER else 1
        places[figure] = np.array([ranks(sign * row) for row in table]).mean(axis=0)
        means[figure] = table.mean(axis=0)
    yield f"{'Two classes' if classes else 'Numbers'}, tables: {len(runs)}; leaves ratio against: {REFERENCE}"
    titles = "  ".join(f"{figure + ' rank':>13}  {'mean':>7}" for figure in places)
    yield f"  {'method':28} {titles}  mean leaves  leaves ratio" + "  impossible on" * classes
    for k, name in enumerate(shared):
        figures = "  ".join(f"{places[figure][k]:13.2f}  {means[figure][k]:7.4f}" for figure in places)
        zeros = f"  {sum(found[name].impossible > 0 for found in runs):13d}" if classes else ""
        yield f"  {name:28} {figures}  {leaves[:, k].mean():11.1f}  {larger[k]:12.3f}{zeros}"
    yield from _verdicts(runs, places, dict(zip(shared, leaves.mean(axis=0), strict=True)))


def _verdicts(
    runs: list[dict[str, Result]], places: dict[str, Floats], leaves: dict[str, float]
) -> Iterator[str]:
    """Whether ours is first in each figure, no larger, and never certain of what is false."""
    for figure, ranked in places.items():
        yield _first(figure, dict(zip(leaves, ranked.tolist(), strict=True)))
    size, theirs = leaves[OURS], leaves[REFERENCE]
    yield _verdict(f"no more leaves than {REFERENCE}", size <= theirs, f"{size:.1f} against {theirs:.1f}")
    if "log-loss" in places:
        lost = sum(found[OURS].impossible for found in runs)
        yield _verdict("log-loss never infinite", lost == 0, f"impossible rows: {lost}")


def _first(figure: str, ranked: dict[str, float]) -> str:
    """Whether ours has the least mean rank; who shares the first place is not first."""
    other = min((name for name in ranked if name != OURS), key=ranked.__getitem__)
    against = f"mean rank {ranked[OURS]:.2f}, best other method: {other}, {ranked[other]:.2f}"
    return _verdict(f"first in {figure}", ranked[OURS] < ranked[other], against)


def _verdict(claim: str, holds: bool, why: str) -> str:
    return f"{OURS}, {claim}: {'yes' if holds else 'no'} ({why})"


def main(arguments: list[str] | None = None) -> list[dict[str, Result]]:
    """Run all tables and print them as they come, then the averages."""
    kinds: dict[bool, list[dict[str, Result]]] = {True: [], False: []}
    tables = asked_for("benchmarks.probabilities", __doc__, arguments, two_classes=True)
    if not has_imodels():
        print("imodels is not installed: its shrunk trees are left out. The extra 'bench' installs it.")
    for table in tables:
        coded = replace(table, y=np.unique(table.y, return_inverse=True)[1]) if table.classes else table
        kinds[table.classes].append(run(coded))
        print("\n".join(lines_of(table, kinds[table.classes][-1])), flush=True)
    for classes, runs in kinds.items():
        if runs:
            print("\n" + "\n".join(averages(runs, classes)))
    return kinds[True] + kinds[False]


if __name__ == "__main__":
    main()
