"""All pruning methods on one tree, side by side: the size of the tree, and its loss on held-out rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..data.common.progress import Progress, reporter
from ..data.common.result import Result
from ..learn.cross_validation.pruning_curve import Curve
from ..learn.problem import must_be_ours
from .procedure import Data
from .pruning_trials import Entry, Trials

_COLUMNS = (
    ("method", ""),
    ("leaves", ",d"),
    ("depth", "d"),
    ("training_loss", ".4f"),
    ("cv_loss", ".4f"),
    ("cv_se", ".4f"),
    ("seconds", ".3f"),
)


@dataclass(frozen=True, eq=False, repr=False)
class PruningComparison(Result):
    """The result of each pruning method. Print it, plot it, or take the model of one method."""

    entries: tuple[Entry, ...]
    curve: Curve  # of cost-complexity pruning, over all alphas
    estimator: Any  # as it was given
    feature_names: Any = None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, name: str) -> Entry:
        for entry in self.entries:
            if entry.name == name:
                return entry
        known = ", ".join(repr(entry.name) for entry in self.entries)
        raise KeyError(f"The name of a method must be one of {known}. Got {name!r}.")

    @property
    def best(self) -> Entry:
        """The least cross-validated loss; of equals the fewest leaves."""
        least = min(entry.cv_loss for entry in self.entries)
        slack = 1e-12 * abs(least)
        good = [entry for entry in self.entries if entry.cv_loss <= least + slack]
        return min(good, key=lambda entry: entry.leaves)

    @property
    def simplest(self) -> Entry:
        """The fewest leaves within one standard error of the best; of equals the least loss."""
        best = self.best
        good = [entry for entry in self.entries if entry.cv_loss <= best.cv_loss + best.cv_se]
        return min(good, key=lambda entry: (entry.leaves, float(f"{entry.cv_loss:.12g}")))

    def model(self, name: str | None = None) -> Any:
        """A fitted estimator with the tree of one method ("1se", "pessimistic", ...); None takes the best."""
        entry = self.best if name is None else self[name]
        params = self.estimator.get_params(deep=False) | {"ccp_alpha": entry.ccp_alpha}
        return type(self.estimator).from_tree(entry.tree, feature_names=self.feature_names, **params)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per method."""
        return [{key: getattr(entry, key) for key, _ in _COLUMNS} for entry in self.entries]

    def plot(self, ax: Any = None) -> Any:
        """Draw the loss over the number of leaves, with all methods; returns the axes."""
        from ..learn.cross_validation.plot import plot_curve

        others = [entry for entry in self.entries if not entry.on_curve]
        return plot_curve(self.curve, ax, [(e.name, e.leaves, e.cv_loss) for e in others])

    def _columns(self) -> Sequence[tuple[str, str]]:
        return _COLUMNS

    def _headline(self) -> str:
        return f"Loss: {self.curve.loss}; cross-validated on {self.curve.n_folds} folds."

    def _notes(self) -> Sequence[str]:
        best, simple = self.best, self.simplest
        return (f"Best: {best.method}. Simplest within one standard error of it: {simple.method}.",)


def compare_pruning(  # noqa: PLR0913
    estimator: Any,
    X: Any,
    y: Any,
    *,
    methods: Iterable[str] | Mapping[str, Mapping[str, Any]] | None = None,
    loss: str | None = None,
    cv: Any = 5,
    groups: Any = None,
    time: Any = None,
    sample_weight: Any = None,
    progress: bool | Progress | None = None,
) -> PruningComparison:
    """Grow a tree and those of the folds once, and compare all pruning methods on them.

    Parameters
    ----------
    estimator : DecisionTreeClassifier or DecisionTreeRegressor
        Its parameters say how to grow. It is not fitted itself.
    X, y : training rows, as for `fit`
    methods : list of names, or dict of names and their options, optional
        None: all of them with their default options; `leaf_budget` gets the leaves of the 1-SE choice.
    loss : {"error", "log_loss", "brier", "cost", "squared", "absolute"}, optional
        None: error, or cost where there are costs; squared, or absolute for that criterion.
    cv, groups, time, sample_weight, progress : as for `tune`

    Returns
    -------
    PruningComparison
        Per method: leaves and depth of the tree of all rows, its loss on these rows, the loss on held-out
        rows and its standard error (over rows), and the seconds that the method took after growing. "none"
        is the unpruned tree; "cv" and "1se" are cost-complexity pruning with alpha chosen on these folds,
        which makes their loss a little too good. `reduced_error` holds a third of its rows out of growing.
    """
    must_be_ours(estimator)
    say = reporter(progress)
    trials = Trials.grown(estimator, Data(X, y, groups, sample_weight, time), cv, loss, say)
    names = getattr(trials.fold_trees.trees[0], "feature_names", None)
    return PruningComparison(tuple(trials.run(methods, say)), trials.curve, estimator, names)
