"""Every parameter once: its name, what it may be, its default and its words; and what does not go together.

Validation, its messages and the parameter lists of the docstrings are made from these tables.
"""

from __future__ import annotations

import math
import textwrap
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _core

# -- what a parameter may be


@dataclass(frozen=True)
class Rule:
    """One kind of value that a parameter takes, in words and as a test."""

    words: str
    holds: Callable[[Any], bool]


def whole(at_least: int) -> Rule:
    """An int from `at_least` on."""
    return Rule(f"an int of at least {at_least}", lambda v: _is_whole(v) and v >= at_least)


def real(low: float, high: float = math.inf, ends: str = "[]", fraction: bool = False) -> Rule:
    """A number between two ends, which `ends` includes or not; a fraction is a float and never an int."""
    shown = f"[{low:g}, inf)" if high == math.inf else f"{ends[0]}{low:g}, {high:g}{ends[1]}"

    def holds(v: Any) -> bool:
        if isinstance(v, bool) or not isinstance(v, Real) or (fraction and isinstance(v, Integral)):
            return False
        x = float(v)
        return (
            low <= x <= high
            and x < math.inf
            and (x != low or ends[0] == "[")
            and (x != high or ends[1] == "]")
        )

    return Rule(f"a float in {shown}", holds)


def one_of(options: Iterable[str]) -> Rule:
    """One of these texts."""
    known = tuple(options)
    shown = ", ".join(map(repr, known))
    return Rule(f"one of {shown}" if len(known) > 1 else shown, lambda v: isinstance(v, str) and v in known)


NONE = Rule("None", lambda v: v is None)


def _is_whole(v: Any) -> bool:
    return isinstance(v, Integral) and not isinstance(v, bool)


def _is_random_state(v: Any) -> bool:
    return isinstance(v, np.random.RandomState) or v is np.random or (_is_whole(v) and 0 <= v < 2**32)


def _is_list_of_dicts(v: Any) -> bool:
    return isinstance(v, list | tuple) and all(isinstance(part, dict) for part in v)


def _is_list_of_signs(v: Any) -> bool:
    return not isinstance(v, str | dict) and np.ndim(v) == 1 and set(np.asarray(v).tolist()) <= {-1, 0, 1}


# -- the parameters


@dataclass(frozen=True)
class Parameter:
    """A parameter of the estimators."""

    name: str
    default: Any
    rules: tuple[Rule, ...]
    words: str

    def check(self, value: Any) -> None:
        """Refuse a value that no rule allows."""
        if not any(rule.holds(value) for rule in self.rules):
            raise ValueError(f"{self.name} must be {self.must_be()}. Got {value!r}.")

    def must_be(self) -> str:
        """All rules in words."""
        return " or ".join(rule.words for rule in self.rules)


CLASSIFICATION, REGRESSION = "classification", "regression"
ALIASES = {"log_loss": "entropy", "hellinger": "sqrt_gini", "friedman_mse": "squared_error"}


def criteria_of(kind: str) -> list[str]:
    """The criteria that the core has for this kind of target, with their other names."""
    own = [name for name, its_kind in _core.criteria() if its_kind == kind]
    return own + [alias for alias, name in ALIASES.items() if name in own]


def _criterion(kind: str, default: str, words: str) -> Parameter:
    return Parameter("criterion", default, (one_of(criteria_of(kind)),), words)


CRITERION = {
    CLASSIFICATION: _criterion(
        CLASSIFICATION,
        "gini",
        "What a split makes smaller. 'log_loss' is another name of 'entropy'; 'hellinger' is 'sqrt_gini' for "
        "two classes; 'error' is the share of all but the largest class.",
    ),
    REGRESSION: _criterion(
        REGRESSION,
        "squared_error",
        "What a split makes smaller: the mean squared error around the mean, the mean absolute error around "
        "the median, or half the Poisson deviance (y must not be negative). 'friedman_mse' is an old name of "
        "'squared_error'.",
    ),
}

COMMON = (
    Parameter(
        "splitter",
        "best",
        (one_of(["best", "random"]),),
        "Take the best of all thresholds, or the best of one random threshold per column.",
    ),
    Parameter("max_depth", None, (whole(1), NONE), "The most tests on the way to a leaf; None is no limit."),
    Parameter(
        "min_samples_split",
        2,
        (whole(2), real(0, 1, "(]", fraction=True)),
        "The fewest rows of a node that may be split; a float is a share of all rows.",
    ),
    Parameter(
        "min_samples_leaf",
        1,
        (whole(1), real(0, 1, "()", fraction=True)),
        "The fewest rows of a leaf; a float is a share of all rows.",
    ),
    Parameter(
        "min_weight_fraction_leaf",
        0.0,
        (real(0, 0.5),),
        "The least weight of a leaf, as a share of the weight of all rows.",
    ),
    Parameter(
        "max_features",
        None,
        (whole(1), real(0, 1, "(]", fraction=True), one_of(["sqrt", "log2"]), NONE),
        "How many columns, drawn anew at every node, are searched: a number, a share, the square root or the "
        "binary logarithm of their number, or all.",
    ),
    Parameter(
        "random_state",
        None,
        (Rule("an int in [0, 2**32) or a numpy RandomState", _is_random_state), NONE),
        "Seeds what is random: the columns of `max_features` and the thresholds of `splitter='random'`. "
        "Nothing else is random; equal splits are decided by a fixed order.",
    ),
    Parameter(
        "max_leaf_nodes",
        None,
        (whole(2), NONE),
        "The most leaves. Unless `growth` says otherwise the leaf with the greatest gain is split first.",
    ),
    Parameter(
        "min_impurity_decrease",
        0.0,
        (real(0),),
        "Split a node only if this lowers the impurity of the whole tree by at least so much.",
    ),
    Parameter(
        "ccp_alpha",
        0.0,
        (real(0),),
        "Prune by cost and complexity: cut what gains less than this per leaf.",
    ),
    Parameter(
        "monotonic_cst",
        None,
        (NONE, Rule("an array-like of -1, 0 or 1, one per column of X", _is_list_of_signs)),
        "Per column: 1 if the prediction may only rise with it, -1 if it may only fall, 0 if it is free. For "
        "two classes the prediction is the probability of `classes_[1]`.",
    ),
    Parameter(
        "growth",
        None,
        (one_of(["depth", "breadth", "best"]), NONE),
        "Which open node is split next: the newest, the oldest, or the one with the greatest gain. None is "
        "'best' with `max_leaf_nodes`, else 'depth'. Only a limit on the leaves makes a difference.",
    ),
    Parameter(
        "n_jobs",
        None,
        (whole(1), Rule("an int of at most -1", lambda v: _is_whole(v) and v <= -1), NONE),
        "Threads. None is all permitted cores, or one inside a joblib worker; -1 is all, -2 all but one. "
        "Their number never changes the result.",
    ),
)
CLASS_WEIGHT = Parameter(
    "class_weight",
    None,
    (
        one_of(["balanced"]),
        Rule("a dict of weights by label", lambda v: isinstance(v, dict)),
        Rule("a list of such dicts, one per output", _is_list_of_dicts),
        NONE,
    ),
    "The weight of each class, multiplied with `sample_weight`; 'balanced' makes all classes equally heavy.",
)
PARAMETERS = {
    CLASSIFICATION: (CRITERION[CLASSIFICATION], *COMMON, CLASS_WEIGHT),
    REGRESSION: (CRITERION[REGRESSION], *COMMON),
}


def check_params(kind: str, params: dict[str, Any]) -> None:
    """Refuse the first parameter that is out of range."""
    for parameter in PARAMETERS[kind]:
        parameter.check(params[parameter.name])
    if params["criterion"] == "friedman_mse":
        warnings.warn(
            "criterion='friedman_mse' is deprecated and means 'squared_error'. Write 'squared_error'.",
            FutureWarning,
            stacklevel=3,
        )


# -- what does not go together


@dataclass(frozen=True)
class Facts:
    """What is known once X and y are read."""

    params: dict[str, Any]
    kind: str
    n_features: int
    n_outputs: int
    n_classes: tuple[int, ...]
    y: np.ndarray[Any, Any]

    def has(self, name: str, value: Any) -> bool:
        """Whether a parameter has this value."""
        return bool(self.params[name] == value)

    @property
    def constrained(self) -> bool:
        """Whether there are monotone constraints."""
        return self.params["monotonic_cst"] is not None

    @property
    def n_constraints(self) -> int:
        """How many columns the monotone constraints speak of."""
        return len(self.params["monotonic_cst"])


class Conflict(NamedTuple):
    """When parameters and data do not go together, and the sentence that says so."""

    holds: Callable[[Facts], bool]
    sentence: str


# The sentences start as scikit-learn's do where it has one.
CONFLICTS = (
    Conflict(
        lambda f: f.constrained and f.n_outputs > 1,
        "Monotonicity constraints are not supported with multiple outputs. Got {f.n_outputs} outputs. "
        "Fit one tree per output.",
    ),
    Conflict(
        lambda f: f.constrained and max(f.n_classes) > 2,
        "Monotonicity constraints are not supported with multiclass classification. "
        "Got {f.n_classes[0]} classes. Fit one class against the rest.",
    ),
    Conflict(
        lambda f: f.constrained and f.n_constraints != f.n_features,
        "monotonic_cst has shape {f.n_constraints} but the input data X has {f.n_features} features. "
        "Give one of -1, 0 or 1 per column.",
    ),
    Conflict(
        lambda f: f.has("criterion", "hellinger") and any(n != 2 for n in f.n_classes),
        "criterion='hellinger' needs two classes. Got {f.n_classes[0]}. "
        "Use 'sqrt_gini', which is the same for two classes and takes any number.",
    ),
    Conflict(
        lambda f: f.has("criterion", "poisson") and bool((f.y < 0).any()),
        "Some value(s) of y are negative which is not allowed for Poisson regression. "
        "Use criterion='squared_error', or leave these rows out.",
    ),
    Conflict(
        lambda f: f.has("criterion", "poisson") and bool(f.y.sum() <= 0),
        "Sum of y is not positive which is necessary for Poisson regression. Got only zeros. "
        "Use criterion='squared_error', or check y.",
    ),
)


def check_together(facts: Facts) -> None:
    """Refuse the first combination that does not go together."""
    for conflict in CONFLICTS:
        if conflict.holds(facts):
            raise ValueError(conflict.sentence.format(f=facts))


# -- words

C = TypeVar("C", bound=type)


def documented(kind: str, **other_defaults: Any) -> Callable[[C], C]:
    """Add the parameters of this kind to the docstring of a class."""

    def add(cls: C) -> C:
        parts = [cls.__doc__ or "", "\n\nParameters\n----------"]
        for parameter in PARAMETERS[kind]:
            default = other_defaults.get(parameter.name, parameter.default)
            parts.append(f"\n{parameter.name} : {parameter.must_be()}, default={default!r}\n")
            parts.append(textwrap.indent(textwrap.fill(parameter.words, 100), "    "))
        cls.__doc__ = "".join(parts) + "\n"
        return cls

    return add
