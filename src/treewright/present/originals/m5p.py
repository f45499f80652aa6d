"""Model trees as Weka's M5P prints them.

A column of levels is printed as the columns of 0 and 1 that the program makes of it: `c=b,d` is 1 for levels
from some place on, in the order of their mean target. This order, and the spread of the target, in whose
percents errors are given, are found from the training rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints
from ...learn.fitted_tree import FittedTree
from ...learn.leaf_models.m5 import by_mean_target, with_usual_level
from ...tree.leaf_models import NUMBER
from ...tree.tree_text import TreeText
from .thresholds import threshold_text
from .weka import branch_lines, decimals

NOTHING = 1e-9  # a coefficient that is left of a difference of equal ones


def m5p_text(model: FittedTree, columns: _core.Columns | None, y: Floats | None, target: str) -> str:
    """A tree as M5P prints it; without rows errors are left out, and columns of levels are refused."""
    return _Printed(model, target, columns, y).text()


@dataclass
class _Printed:
    model: FittedTree
    target: str
    columns: _core.Columns | None
    y: Floats | None
    numbers: dict[int, int] = field(default_factory=dict)  # of the models, by leaf

    def text(self) -> str:
        words, how = self.model.words(), self.model.params["leaf_options"]["m5"]
        kind = "regression" if how.get("regression_tree") else "model"
        lines = [f"M5 {'unpruned' if how.get('unpruned') else 'pruned'} {kind} tree:"]
        lines += [] if how.get("unsmoothed") else ["(using smoothed linear models)"]
        if words.is_leaf(0):
            lines.append(self._leaf(words, 0))
        else:
            lines += ["", *branch_lines(words, self._test, self._leaf)]
        for leaf, number in self.numbers.items():
            lines += ["", f"LM num: {number}", f"{self.target} = ", *self._model(leaf)]
        return "\n".join([*lines, "", f"Number of Rules : {len(self.numbers)}"]) + "\n"

    def _test(self, words: TreeText, node: int, place: int) -> tuple[str, str]:
        test, sign = words.tree.test(node), ("<=", "> ")[place]
        name, cut = words.feature(node), "0.5"
        if not test.is_nominal:
            cut = threshold_text(words, test, test.threshold, partial(decimals, most=3))
        else:
            high = self._order(test.feature)[-len(test.levels[1]) :]
            name = self._indicator(test.feature, high)
        return (f"{name} {sign} {cut} : ",) * 2

    def _leaf(self, words: TreeText, node: int) -> str:
        self.numbers[node] = number = len(self.numbers) + 1
        rows, error = int(words.tree.n_node_samples[node]), float(np.sqrt(words.tree.impurity[node]))
        spread = 0.0 if self.y is None else float(np.std(self.y))
        share = f"/{decimals(100 * error / spread, 3)}%" if spread else ""
        return f"LM{number} ({rows}{share})"

    # -- models

    def _model(self, leaf: int) -> Iterator[str]:
        models = self.model.tree.leaf_models
        assert models is not None
        for k, (name, size) in enumerate(self._terms(leaf)):
            sign = ("-" if size < 0 else "") if k == 0 else ("- " if size < 0 else "+ ")
            yield f"\t{sign}{decimals(abs(size), 4)} * {name} "
        constant = float(models.intercept(leaf)[0])
        yield f"\t{'-' if constant < 0 else '+'} {decimals(abs(constant), 4)}"

    def _terms(self, leaf: int) -> Iterator[tuple[str, float]]:
        """The columns of the program in their order, with coefficients."""
        models = self.model.tree.leaf_models
        assert models is not None
        numbers: dict[int, float] = {}
        levels: dict[int, dict[int, float]] = {}
        for term in models.terms(leaf):
            size = float(term.coefficient[0])
            if term.level == NUMBER:
                numbers[term.feature] = size
            else:
                levels.setdefault(term.feature, {})[term.level] = size
        for column in sorted({*numbers, *levels}):
            if column in numbers:
                yield self._words.name(column), numbers[column]
                continue
            order = self._order(column)
            each = [levels[column].get(int(code), 0.0) for code in order]
            for place, size in enumerate(np.diff(each), 1):
                if abs(size) > NOTHING * max(map(abs, each)):
                    yield self._indicator(column, order[place:]), float(size)

    @cached_property
    def _words(self) -> TreeText:
        return self.model.words()

    def _indicator(self, column: int, codes: Ints) -> str:
        words = self._words
        return f"{words.name(column)}={','.join(words.level(column, int(code)) for code in codes)}"

    def _order(self, column: int) -> Ints:
        """The codes of all levels of a column in the order of their mean target."""
        if self.columns is None or self.y is None:
            raise ValueError(
                "The text of M5P needs X and y, the training rows: the levels of "
                f"{self._words.name(column)!r} stand in the order of their mean target."
            )
        values = np.asarray(self.columns.numbers(column))
        codes, _ = with_usual_level(np.where(values < 0, np.nan, values))
        return by_mean_target(codes, self.y, len(self._words.column(column).levels))
