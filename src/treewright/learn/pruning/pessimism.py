"""The options of pessimistic pruning, which of them exclude each other, and what they decide."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...data.common.allowed import YES_NO, Parameter, one_of, real
from ...tree.tree import Tree
from .bounds import BOUNDS
from .branches import JOINED
from .raising import ErrorOptions
from .refit import refit
from .risk import must_have_classes
from .rows import Rows

ERRORS = ("decided", "heaviest", "weighed")
REGROWN, UNCHANGED = "regrown", "unchanged"  # as C5.0 raises a branch

# fmt: off
OPTIONS = (
    Parameter("CF", 0.25, (real(0, 1, "()"),), "The confidence of the upper limit: a lower one prunes more."),
    Parameter("raising", True, (YES_NO, one_of([REGROWN, UNCHANGED])),
        "Allow a node to be replaced by its largest child; 'regrown': whose branch is grown anew (C5.0); "
        "'unchanged': chosen as there, but left as it is (C5.0's later trials)."),
    Parameter("bound", "exact", (one_of(BOUNDS),),
        "The upper limit: of the binomial, from C4.5's table, J48's normal approximation, or C5.0's table."),
    Parameter("collapse", True, (YES_NO,),
        "First cut branches that make no fewer errors on the training rows."),
    Parameter("pool", 0.0, (real(0),), "Sibling leaves of less weight than this count as one leaf."),
    Parameter("within", 0.0, (real(0),),
        "Then cut the branches that cost least per leaf, as long as all cuts together add at most this many "
        "standard errors to the errors."),
    Parameter("dropped", 0.0, (real(0),),
        "The weight of rows that are left out, but count as right in the standard error of `within` (C5.0's "
        "later trials)."),
    Parameter("join", "none", (one_of(JOINED),),
        "Last, merge the leaves of a node that predict the same class: none, those without rows, those with "
        "rows and those without, or all together. 'possible' merges none, but leaves out levels that cannot "
        "come to a node, as 'all' does too."),
    Parameter("errors", "decided", (one_of(ERRORS),),
        "With costs, which rows are errors: those not of the predicted class, those not of the class with "
        "the most weight, or the latter with the weights of growing."),
)
# fmt: on


@dataclass(frozen=True)
class Pessimism:
    """The options; METHODS has what they mean."""

    CF: float = 0.25
    raising: bool | str = True
    bound: str = "exact"
    collapse: bool = True
    pool: float = 0.0
    within: float = 0.0
    dropped: float = 0.0
    join: str = "none"
    errors: str = "decided"

    @property
    def error_options(self) -> ErrorOptions:
        """How errors are expected."""
        return ErrorOptions(self.CF, self.bound, self.pool)

    def check(self, tree: Tree, rows: Rows | None) -> None:
        """Reject what does not go together."""
        must_have_classes(tree, "Pessimistic pruning")
        if self.bound not in BOUNDS:
            raise ValueError(f"bound must be one of {', '.join(map(repr, BOUNDS))}. Got {self.bound!r}.")
        if not self.raising:
            self._check_without_rows()
            return
        if rows is None:
            raise ValueError(
                "raising=True needs the training rows. Got none. Give X and y, or set raising=False."
            )
        if len(tree.lower):
            raise ValueError(
                "raising=True needs a tree without monotone constraints, since rows that move change the "
                "values. Got one with bounds. Set raising=False."
            )
        if self.raising in (REGROWN, UNCHANGED) and rows.branches is None:
            raise ValueError(
                f"raising={self.raising!r} grows branches anew, which only `fit` can do. Got a tree that is "
                "grown. "
                "Fit with pruning='pessimistic' and these pruning_options, or use raising=True."
            )

    def _check_without_rows(self) -> None:
        given = {"pool": self.pool > 0, "join": self.join != "none", "errors": self.errors == "weighed"}
        for name in (name for name, is_given in given.items() if is_given):
            raise ValueError(
                f"{name}={getattr(self, name)!r} needs the training rows, as raising does. "
                f"Got raising=False. Set raising=True, or leave {name} out."
            )

    def evaluated(self, tree: Tree, rows: Rows | None) -> tuple[Tree, Rows | None]:
        """The tree and the rows as errors are counted on them: with `errors`, as if there were no costs."""
        if self.errors == "decided" or tree.costs is None:
            return tree, rows
        plain = replace(tree, costs=None)
        if self.errors != "weighed" or rows is None or rows.factor is None:
            return plain, rows
        factor = rows.factor
        heavy = replace(rows, weight=rows.weight * factor, factor=None, divisor=factor)  # growing weighs anew
        return refit(plain, heavy), heavy

    def scaled(self, rows: Rows | None) -> Pessimism:
        """With rows that weigh more by their class, `pool` is as many of the lightest."""
        if rows is None or rows.divisor is None:
            return self
        return replace(self, pool=self.pool * float(rows.divisor.min()))
