"""What does not go together: parameters with each other, and with the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..data.common.allowed import is_whole
from ..data.common.errors import ParameterError
from .params import CLASSIFICATION
from .smoothing import METHODS

LEAST = 1e-280  # of the largest count
SQUARES = {"squared_error", "friedman_mse"}
# What a tree with linear leaves does not have, and what to use.
FOR_CONSTANT_LEAVES = (
    (
        "monotonic_cst",
        None,
        "A linear leaf may fall where the constraint says that it rises: use constant leaves.",
    ),
    ("splitter", "best", "Use constant leaves for other splitters."),
    ("max_features", None, "Limit the columns of leaves with max_columns of leaf_options."),
    ("missing", "learned", "Use constant leaves for other rules."),
    ("nominal_splits", "subset", "Use constant leaves for other tests."),
    ("thresholds", ("midpoint", "observed", "rounded"), "Use constant leaves for recorded ones."),
    ("level_correction", False, "Use constant leaves with it."),
    ("growth_rules", None, "Use constant leaves with them."),
    ("pruning", None, "Linear leaves are pruned by their own cross-validation: see prune of leaf_options."),
    ("smoothing", None, "Linear leaves are shrunk towards the node above: see alpha of leaf_options."),
)
# What a tree with tests of several columns does not have, and what to use.
FOR_OBLIQUE = (
    ("splitter", "best", "Other splitters propose tests of one column: leave oblique None."),
    ("missing", ("learned", "branch"), "Surrogates and shares of rows need tests of one column."),
    ("monotonic_cst", None, "A sum of columns cannot be constrained column by column: leave oblique None."),
    ("max_features", None, "A test combines the columns that matter most: search them all."),
    ("thresholds", ("midpoint", "observed", "rounded"), "A sum of columns has no recorded values."),
    ("leaf_model", "constant", "Use constant leaves, or leave oblique None."),
    ("growth_rules", None, "The classic programs test one column: leave oblique None."),
)
# What growth by permutation tests needs, and why.
FOR_PERMUTATION_TESTS = (
    ("splitter", "best", "The tests choose the column, and the best cut of it is taken."),
    ("missing", "surrogate", "Rows without a value are left out of the test of a column."),
    ("nominal_splits", "subset", "A cut has two sides."),
    ("thresholds", ("midpoint", "observed", "rounded"), "Use another choice with recorded ones."),
    ("max_features", None, "Every column is tested."),
    ("monotonic_cst", None, "Use another choice with constraints."),
    ("criterion", ("gini", "entropy", "squared_error"), "It measures impurity, and the tests choose."),
)
# What the finer rules need that count classes, and why.
FOR_C45 = (
    ("criterion", ("entropy", "gain_ratio"), "C4.5 compares gain ratios."),
    ("missing", "fractional", "C4.5 sends rows without a value down every branch."),
)
FOR_MERGED = (("missing", "fractional", "Use nominal_splits='subset' with other rules for missing values."),)
FOR_THRESHOLD_COST = (("missing", ("fractional", "surrogate"), "Leave threshold_cost out."),)
FOR_CLASSES = {name for name, method in METHODS.items() if method.for_classes}


@dataclass(frozen=True)
class Facts:
    """What is known once X and y are read."""

    params: dict[str, Any]
    kind: str
    n_features: int
    n_outputs: int
    n_classes: tuple[int, ...]
    y: np.ndarray[Any, Any]
    nominal: tuple[str, ...] = ()  # the names of nominal columns
    nominal_constrained: tuple[str, ...] = ()  # of these, the ones with a monotone constraint
    n_numbers: int = field(default=2, kw_only=True)  # columns that a test may combine
    sparse: bool = field(default=False, kw_only=True)

    def has(self, name: str, value: Any) -> bool:
        """Whether a parameter has this value."""
        return bool(self.params[name] == value)

    def rule(self, name: str, default: Any) -> Any:
        """One of the growth rules."""
        return (self.params["growth_rules"] or {}).get(name, default)

    @property
    def constrained(self) -> bool:
        """Whether there are monotone constraints."""
        return self.params["monotonic_cst"] is not None

    @property
    def linear(self) -> bool:
        """Whether leaves are linear or logistic models."""
        return not self.has("leaf_model", "constant")

    @property
    def oblique(self) -> bool:
        """Whether tests may combine columns."""
        return self.params["oblique"] is not None

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.y)

    @property
    def largest(self) -> float:
        """The largest value of the target."""
        return float(self.y.max())

    @property
    def by_permutation(self) -> bool:
        """Whether permutation tests choose the columns."""
        return bool(self.rule("choice", "exact") == "permutation_test")

    @property
    def n_costs(self) -> int:
        """How many columns the rules give a cost."""
        return len(self.rule("column_costs", None) or ())

    @property
    def counts_classes(self) -> str:
        """The first of the finer rules that needs one target of classes; "" if there is none."""
        if self.has("nominal_splits", "merged"):
            return "nominal_splits='merged'"
        if self.rule("choice", "exact") not in {"exact", "permutation_test"}:
            return f"choice={self.rule('choice', '')!r}"
        if self.rule("threshold_cost", "none") != "none":
            return f"threshold_cost={self.rule('threshold_cost', '')!r}"
        return f"side_share={self.rule('side_share', 0)}" if self.rule("side_share", 0) else ""

    @property
    def target(self) -> str:
        """What is not one target of classes, in words."""
        return f"{self.n_outputs} targets" if self.n_outputs > 1 else "a target of numbers"

    @property
    def n_constraints(self) -> int:
        """How many columns the monotone constraints speak of."""
        return len(self.params["monotonic_cst"])


class Conflict(NamedTuple):
    """When parameters and data do not go together, and the sentence that says so."""

    holds: Callable[[Facts], bool]
    sentence: str


def _one_output_only(name: str) -> Conflict:
    return Conflict(
        lambda f: f.kind == CLASSIFICATION and f.params[name] is not None and f.n_outputs > 1,
        f"{name} can be given for one output only. Got {{f.n_outputs}} outputs. Fit one tree per output.",
    )


def _listed(allowed: Any) -> tuple[Any, ...]:
    return allowed if isinstance(allowed, tuple) else (allowed,)


def _allows(allowed: Any, value: Any) -> bool:
    plain = isinstance(value, (str, bool, int, float))
    return any(value is each or (plain and value == each) for each in _listed(allowed))


def _needs(
    subject: str, applies: Callable[[Facts], bool], rows: Iterable[tuple[str, Any, str]]
) -> list[Conflict]:
    return [
        Conflict(
            lambda f, name=name, allowed=allowed: applies(f) and not _allows(allowed, f.params[name]),  # type: ignore[misc]
            f"{subject} needs {name}={' or '.join(map(repr, _listed(allowed)))}. "
            f"Got {{f.params[{name}]!r}}. {hint}",
        )
        for name, allowed, hint in rows
    ]


# The sentences start as scikit-learn's do where it has one.
# fmt: off
CONFLICTS = (
    Conflict(lambda f: f.constrained and f.n_outputs > 1,
        "Monotonicity constraints are not supported with multiple outputs. Got {f.n_outputs} outputs. "
        "Fit one tree per output."),
    Conflict(lambda f: f.constrained and max(f.n_classes) > 2,
        "Monotonicity constraints are not supported with multiclass classification. "
        "Got {f.n_classes[0]} classes. Fit one class against the rest."),
    Conflict(lambda f: f.constrained and f.n_constraints != f.n_features,
        "monotonic_cst has shape {f.n_constraints} but the input data X has {f.n_features} features. "
        "Give one of -1, 0 or 1 per column."),
    Conflict(lambda f: f.has("criterion", "hellinger") and any(n != 2 for n in f.n_classes),
        "criterion='hellinger' needs two classes. Got {f.n_classes[0]}. "
        "Use 'sqrt_gini', which is the same for two classes and takes any number."),
    Conflict(lambda f: f.has("criterion", "poisson") and bool((f.y < 0).any()),
        "Some value(s) of y are negative which is not allowed for Poisson regression. "
        "Use criterion='squared_error', or leave these rows out."),
    Conflict(lambda f: f.has("criterion", "poisson") and bool(f.y.sum() <= 0),
        "Sum of y is not positive which is necessary for Poisson regression. Got only zeros. "
        "Use criterion='squared_error', or check y."),
    Conflict(lambda f: f.has("criterion", "poisson") and f.largest < LEAST,
        f"criterion='poisson' needs a y whose largest value is at least {LEAST:g}: parts of smaller ones are "
        "beyond floats. Got {f.largest:g}. Multiply y by a constant."),
    Conflict(lambda f: bool(f.nominal_constrained),
        "monotonic_cst must be 0 for a nominal column, whose levels have no order. Got a constraint on "
        "{f.nominal_constrained[0]}. Make it an ordered category or drop the constraint."),
    Conflict(lambda f: not f.has("splitter", "best") and not f.has("missing", "learned"),
        "missing={f.params[missing]!r} needs splitter='best'. Got splitter={f.params[splitter]!r}. "
        "Use missing='learned'."),
    Conflict(lambda f: f.has("splitter", "gaussian") and f.kind != CLASSIFICATION,
        "splitter='gaussian' needs classes: it fits a normal density to each. Got a regressor. Use 'best'."),
    Conflict(lambda f: f.has("splitter", "gaussian") and f.n_outputs > 1,
        "splitter='gaussian' needs one output. Got {f.n_outputs}. Use 'best', or fit one tree per output."),
    Conflict(
        lambda f: bool(f.nominal) and f.has("missing", "surrogate") and f.has("nominal_splits", "multiway"),
        "missing='surrogate' needs tests with two branches. Got nominal_splits='multiway'. Use 'subset' or "
        "'one_vs_rest', or another rule for missing values."),
    Conflict(
        lambda f: bool(f.nominal) and f.has("criterion", "absolute_error") and f.has("splitter", "random"),
        "criterion='absolute_error' with splitter='random' takes numbers only. Got the nominal "
        "{f.nominal[0]}. Use splitter='best'."),
    Conflict(
        lambda f: (
            bool(f.nominal) and f.has("criterion", "absolute_error") and f.has("level_correction", True)
        ),
        "level_correction needs a criterion made of sums. Got criterion='absolute_error'. "
        "Use 'squared_error', or leave it False.",
    ),
    Conflict(lambda f: f.constrained and f.has("missing", "fractional"),
        "monotonic_cst does not go with missing='fractional', where a row is in several leaves. "
        "Use missing='learned'."),
    Conflict(lambda f: f.params["max_features"] is not None and f.has("missing", "fractional"),
        "max_features does not go with missing='fractional'. Got max_features={f.params[max_features]!r}. "
        "Use missing='learned'."),
    Conflict(
        lambda f: (
            f.kind == CLASSIFICATION
            and f.params["priors"] is not None
            and f.params["class_weight"] is not None
        ),
        "priors and class_weight both say how much the classes weigh. Got both. Give one of them.",
    ),
    Conflict(lambda f: f.params["pruning"] is not None and not f.has("ccp_alpha", 0),
        "ccp_alpha and pruning both prune. Got ccp_alpha={f.params[ccp_alpha]!r} and "
        "pruning={f.params[pruning]!r}. Give one of them."),
    Conflict(
        lambda f: f.params["cv_repeats"] > 1 and not is_whole(f.params["cv"]),
        "cv_repeats shuffles the rows anew, which needs a number as cv. Got cv_repeats="
        "{f.params[cv_repeats]} and cv={f.params[cv]!r}. Use a splitter that repeats, such as RepeatedKFold.",
    ),
    Conflict(lambda f: f.params["pruning"] is None and bool(f.params["pruning_options"]),
        "pruning_options are those of a method. Got {f.params[pruning_options]!r} without one. "
        "Name it with pruning."),
    Conflict(lambda f: f.kind == CLASSIFICATION and f.params["min_confidence"] < 1 and f.n_outputs > 1,
        "min_confidence can be given for one output only. Got {f.n_outputs} outputs. "
        "Fit one tree per output."),
    Conflict(lambda f: f.kind != CLASSIFICATION and f.params["smoothing"] in FOR_CLASSES,
        "smoothing={f.params[smoothing]!r} needs classes. Got a regressor. Use 'm_estimate', "
        "'hierarchical' or 'branch'."),
    Conflict(lambda f: f.constrained and f.params["smoothing"] not in {None, "hierarchical"},
        "smoothing={f.params[smoothing]!r} moves small leaves further than large ones, which breaks "
        "monotonic_cst. Use 'hierarchical', which does not."),
    Conflict(lambda f: f.params["smoothing"] is None and f.params["smoothing_strength"] is not None,
        "smoothing_strength is that of a method. Got {f.params[smoothing_strength]!r} without one. "
        "Name it with smoothing."),
    Conflict(lambda f: f.n_costs not in {0, f.n_features},
        "column_costs of rules must have a number for each of the {f.n_features} columns. Got {f.n_costs}."),
    *_needs("leaf_model={f.params[leaf_model]!r}", lambda f: f.linear, FOR_CONSTANT_LEAVES),
    Conflict(lambda f: f.linear and not isinstance(f.params["ccp_alpha"], str) and f.params["ccp_alpha"] > 0,
        "leaf_model={f.params[leaf_model]!r} needs ccp_alpha=0.0, 'cv' or a number of standard errors such "
        "as '1se'. Got {f.params[ccp_alpha]!r}. To prune by a number, call treewright.prune after fitting."),
    Conflict(lambda f: bool((f.params["leaf_options"] or {}).get("m5")) and bool(f.params["ccp_alpha"]),
        "M5P prunes by its own rule and needs ccp_alpha=0.0. Got {f.params[ccp_alpha]!r}. Leave it out."),
    Conflict(lambda f: f.linear and f.kind != CLASSIFICATION and f.params["criterion"] not in SQUARES,
        "leaf_model='linear' needs criterion='squared_error', which its leaves minimise. "
        "Got {f.params[criterion]!r}. Use constant leaves."),
    Conflict(lambda f: f.linear and f.kind == CLASSIFICATION and f.n_outputs > 1,
        "leaf_model='logistic' needs one output. Got {f.n_outputs}. Fit one tree per output."),
    Conflict(lambda f: not f.linear and bool(f.params["leaf_options"]),
        "leaf_options are those of a leaf model. Got {f.params[leaf_options]!r} and constant leaves. "
        "Use leaf_model='linear', or 'logistic' for classes."),
    Conflict(lambda f: bool(f.counts_classes) and (f.kind != CLASSIFICATION or f.n_outputs > 1),
        "{f.counts_classes} needs one target of classes. Got {f.target}. Leave it out."),
    *_needs("choice='c4.5'", lambda f: f.rule("choice", "exact") == "c4.5", FOR_C45),
    *_needs("nominal_splits='merged'", lambda f: f.has("nominal_splits", "merged"), FOR_MERGED),
    *_needs("threshold_cost", lambda f: f.rule("threshold_cost", "none") != "none", FOR_THRESHOLD_COST),
    *_needs("choice='permutation_test'", lambda f: f.by_permutation, FOR_PERMUTATION_TESTS),
    Conflict(lambda f: f.by_permutation and f.n_outputs > 1,
        "choice='permutation_test' needs one output. Got {f.n_outputs}. Fit one tree per output."),
    *_needs("oblique", lambda f: f.oblique, FOR_OBLIQUE),
    Conflict(lambda f: f.oblique and f.n_numbers < 2,
        "oblique needs at least two columns of numbers to combine. Got {f.n_numbers}. Leave it None."),
    Conflict(lambda f: f.oblique and f.params["oblique"] > f.n_rows,
        "oblique must be at most the number of rows, {f.n_rows}. Got {f.params[oblique]}."),
    Conflict(lambda f: f.oblique and f.sparse,
        "oblique needs a dense table. Got a sparse X. Use X.toarray(), or leave oblique None."),
    _one_output_only("priors"),
    _one_output_only("costs"),
)
# fmt: on


def check_together(facts: Facts) -> None:
    """Reject the first combination that does not go together."""
    for conflict in CONFLICTS:
        if conflict.holds(facts):
            raise ParameterError(conflict.sentence.format(f=facts))
