"""Every parameter once: its name, its allowed values, its default and its description.

Validation, its messages, the constructors and the parameter lists of their docstrings are made from these
tables; what does not go together is in `conflicts`.
"""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Callable, Iterator
from inspect import Parameter as Keyword
from inspect import Signature
from typing import Any, TypeVar

import numpy as np

from .. import _core
from ..data.common.allowed import (
    NONE,
    Allowed,
    Parameter,
    is_dict_of_signs,
    is_list_of_columns,
    is_list_of_dicts,
    is_list_of_numbers,
    is_list_of_signs,
    is_matrix_of_numbers,
    is_random_state,
    is_splitter,
    is_whole,
    one_of,
    real,
    whole,
)
from ..data.common.hints import nearest
from .alpha_rule import ALPHA_RULE
from .costs import check_decision
from .growth_rules import check_rules
from .leaf_models.options import read_options
from .smoothing import METHODS

# -- the parameters


CLASSIFICATION, REGRESSION = "classification", "regression"
ALIASES = {"log_loss": "entropy", "hellinger": "sqrt_gini", "friedman_mse": "squared_error"}


def criteria_of(kind: str) -> list[str]:
    """The criteria that the core has for this kind of target, with their other names."""
    own = [name for name, its_kind in _core.criteria() if its_kind == kind]
    return own + [alias for alias, name in ALIASES.items() if name in own]


def _criterion(kind: str, default: str, description: str) -> Parameter:
    return Parameter("criterion", default, (one_of(criteria_of(kind)),), description)


CRITERION = {
    CLASSIFICATION: _criterion(
        CLASSIFICATION,
        "gini",
        "The impurity that a split reduces. 'log_loss' is another name of 'entropy'; 'hellinger' is "
        "'sqrt_gini' for two classes; 'error' is the proportion of all but the largest class; 'gain_ratio' "
        "chooses, among the columns that gain at least the average, by information gain over the entropy of "
        "the split itself.",
    ),
    REGRESSION: _criterion(
        REGRESSION,
        "squared_error",
        "The impurity that a split reduces: the mean squared error around the mean, the mean absolute error "
        "around the median, or half the Poisson deviance (y must not be negative). 'friedman_mse' is an old "
        "name of 'squared_error'.",
    ),
}

# fmt: off
COMMON = (
    Parameter("splitter", "best", (one_of(["best", "random", "gaussian"]),),
        "'best' takes the best of all thresholds; 'random' the best of one random threshold (or set of "
        "levels) per column; 'gaussian' the best of the points where normal densities fitted to the classes "
        "cross (classification only)."),
    Parameter("max_depth", None, (whole(1), NONE), "The most tests on the path to a leaf; None is no limit."),
    Parameter("min_samples_split", 2, (whole(2), real(0, 1, "(]", fraction=True)),
        "The fewest rows of a node that may be split; a float is a fraction of all rows."),
    Parameter("min_samples_leaf", 1, (whole(1), real(0, 1, "()", fraction=True)),
        "The fewest rows of a leaf; a float is a fraction of all rows."),
    Parameter("min_weight_fraction_leaf", 0.0, (real(0, 0.5),),
        "The least weight of a leaf, as a fraction of the weight of all rows."),
    Parameter("max_features", None,
        (whole(1), real(0, 1, "(]", fraction=True), one_of(["sqrt", "log2"]), NONE),
        "How many columns, drawn at random for every node, are searched: a number, a fraction, the square "
        "root or the binary logarithm of their number, or all."),
    Parameter("random_state", None,
        (Allowed("an int in [0, 2**32) or a numpy RandomState", is_random_state, "int | RandomState"), NONE),
        "Seeds what is random: the columns of `max_features` and the thresholds of `splitter='random'`. "
        "Nothing else is random; equal splits are decided by a fixed order."),
    Parameter("max_leaf_nodes", None, (whole(2), NONE),
        "The most leaves. Unless `growth` says otherwise the leaf with the greatest gain is split first."),
    Parameter("min_impurity_decrease", 0.0, (real(0),),
        "Split a node only if this lowers the impurity of the whole tree by at least so much."),
    Parameter("ccp_alpha", 0.0, (real(0), ALPHA_RULE),
        "Cost-complexity pruning: cut every branch that gains less than this per leaf. 'cv' takes the value "
        "with the least cross-validated loss, '1se' the largest within one standard error of it, '0.5se' "
        "within half of one."),
    Parameter("cv", 5,
        (whole(2), Allowed("a scikit-learn splitter or a list of (train, test) rows", is_splitter, "Any")),
        "How rows are split where cross-validation chooses a parameter. A number is that many folds, "
        "shuffled with a fixed seed and, for classification, stratified."),
    Parameter("cv_repeats", 1, (whole(1),),
        "How often cross-validation is repeated with other folds, where `cv` is a number. With few rows a "
        "single split into folds is a matter of chance."),
    Parameter("pruning", None,
        (Allowed("the name of a pruning method", lambda v: isinstance(v, str), "str"), NONE),
        "A further pruning method for the grown tree, by name; see `treewright.prune`."),
    Parameter("pruning_options", None,
        (Allowed("a dict of the method's options", lambda v: isinstance(v, dict), "dict[str, Any]"), NONE),
        "The options of `pruning`."),
    Parameter("smoothing", None, (one_of(METHODS), NONE),
        "How the probabilities of a leaf (or its mean) are smoothed: 'laplace' counts every class some "
        "times more; 'even' adds rows of all classes alike; 'm_estimate' adds rows with the proportions of "
        "the root ('events': so many that they bring this number of events); 'hierarchical' and 'branch' "
        "shrink towards the ancestors, by their rows or by those of their branches. With 'laplace_shares' "
        "(laplace) and 'pooled' (m_estimate, once for a row in several leaves) only probabilities change, "
        "not classes."),
    Parameter("smoothing_strength", None, (real(0), one_of(["cv"]), NONE),
        "How strong the smoothing is, in rows. 'cv' takes the value with the best probabilities for held-out "
        "rows, on the folds of `cv` and together with `ccp_alpha`. None is 2 for 'm_estimate', 'cv' for "
        "'hierarchical' and 'branch', and 1 for the others ('laplace': rows per class)."),
    Parameter(
        "monotonic_cst",
        None,
        (
            Allowed("a dict of -1, 0 or 1 by name of column", is_dict_of_signs, "dict[str, int]"),
            Allowed("an array-like of -1, 0 or 1, one per column of X", is_list_of_signs, "ArrayLike"),
            NONE,
        ),
        "Per column, by name or by place: 1 if the prediction may only rise with it, -1 if it may only fall, "
        "0 (or not named) if it is free. For two classes the prediction is the probability of `classes_[1]`.",
    ),
    Parameter(
        "categorical_features",
        "from_dtype",
        (
            one_of(["from_dtype", "unordered"]),
            Allowed("a list of names, numbers or marks of columns", is_list_of_columns, "Sequence[Any]"),
            NONE,
        ),
        "Which columns are nominal: 'from_dtype', those of a type such as category, text or enum (ordered "
        "categories keep their order); 'unordered', ordered categories too; the columns in a list; or none.",
    ),
    Parameter("nominal_splits", "subset", (one_of(["subset", "multiway", "one_vs_rest", "merged"]),),
        "The test on a nominal column: 'subset', whether its level is in a set; 'multiway', a branch for "
        "each level; 'one_vs_rest', whether it is one level; 'merged', a branch for each group of levels, "
        "merged while that raises the gain ratio."),
    Parameter("oblique", None, (whole(2), NONE),
        "How many columns of numbers a test may combine, as in 2 income - debt <= 310. A test of several "
        "columns is taken only where it gains enough to pay for its coefficients. None: every test is of "
        "one column."),
    Parameter("level_correction", False,
        (Allowed("True or False", lambda v: isinstance(v, bool | np.bool_), "bool"),),
        "Correct the gain of nominal columns for their number of levels, so that columns of many levels do "
        "not win by chance alone."),
    Parameter("missing", "learned", (one_of(["learned", "branch", "surrogate", "fractional"]),),
        "Where rows with a missing value go: 'learned', to the child with the greater gain; 'branch', to a "
        "branch of their own; 'surrogate', where the most similar test on another column sends them; "
        "'fractional', down every branch in proportion to its rows."),
    Parameter("thresholds", "midpoint", (one_of(["midpoint", "observed", "rounded", "recorded"]),),
        "Which number between two neighbouring values is the threshold: 'midpoint'; 'observed', the lower "
        "value; 'rounded', the shortest decimal in the middle half; 'recorded', the greatest value of the "
        "column that is at most the midpoint."),
    Parameter("growth_rules", None,
        (Allowed("a dict of finer rules", lambda v: isinstance(v, dict), "dict[str, Any]"), NONE),
        "Finer rules of growth by name, in which the classic programs differ; the module "
        "`treewright.learn.growth_rules` lists them."),
    Parameter("growth", None, (one_of(["depth", "breadth", "best"]), NONE),
        "Which node is split next: the newest ('depth'), the oldest ('breadth'), or the one of greatest "
        "gain. None is 'best' with `max_leaf_nodes`, else 'depth'. Only a limit on the leaves makes a "
        "difference."),
    Parameter("n_jobs", None,
        (whole(1), Allowed("an int of at most -1", lambda v: is_whole(v) and v <= -1, "int"), NONE),
        "The number of threads. None is all permitted cores (in scikit-learn: one), or one inside a joblib "
        "worker; -1 is all, -2 all but one. Their number never changes the result."),
)
# fmt: on


def _leaf_model(other: str, description: str) -> Parameter:
    return Parameter("leaf_model", "constant", (one_of(["constant", other]),), description)


LEAF_MODEL = {
    CLASSIFICATION: _leaf_model(
        "logistic",
        "What a leaf predicts: the proportions of its classes, or 'logistic', probabilities by a logistic "
        "regression of the leaf. Splits are then chosen for such leaves.",
    ),
    REGRESSION: _leaf_model(
        "linear",
        "What a leaf predicts: its mean, or 'linear', a linear regression of the leaf. Splits are then "
        "chosen for such leaves, and the tree is pruned by cross-validation.",
    ),
}
LEAF_OPTIONS = Parameter(
    "leaf_options",
    None,
    (Allowed("a dict of options", lambda v: isinstance(v, dict), "dict[str, Any]"), NONE),
    "The options of `leaf_model`: 'penalty' ('ridge', 'lasso' or None), 'alpha' (its strength, or 'cv'), "
    "'columns' ('all', 'path' for those tested above the leaf, or a list), 'max_columns' of a leaf, 'clip' "
    "(predictions stay within the range of the leaf and this fraction of it more; True is 0.1), 'prune' and "
    "'look_ahead'.",
)
CLASS_WEIGHT = Parameter(
    "class_weight",
    None,
    (
        one_of(["balanced"]),
        Allowed("a dict of weights by label", lambda v: isinstance(v, dict), "dict[Any, float]"),
        Allowed("a list of such dicts, one per output", is_list_of_dicts, "list[dict[Any, float]]"),
        NONE,
    ),
    "The weight of each class, multiplied with `sample_weight`; 'balanced' makes all classes equally heavy.",
)
# fmt: off
CONFIDENCE = Parameter("min_confidence", 1.0, (real(0, 1, "(]"),),
    "Do not split a node whose largest class has at least this proportion.")
# fmt: on
PRIORS = Parameter(
    "priors",
    None,
    (
        Allowed("a dict of proportions by label", lambda v: isinstance(v, dict), "dict[Any, float]"),
        Allowed("a list of proportions, one per class", is_list_of_numbers, "ArrayLike"),
        NONE,
    ),
    "The proportion of each class where the tree will be used; they sum to 1. Rows are weighted as if the "
    "classes had these proportions: by prior over observed proportion.",
)
COSTS = Parameter(
    "costs",
    None,
    (
        Allowed(
            "a square matrix of numbers, true class by predicted class", is_matrix_of_numbers, "ArrayLike"
        ),
        NONE,
    ),
    "What each mistake costs, in the order of `classes_`. The tree grows with the weight of class i "
    "multiplied by the sum of its costs, and a node predicts the class of least expected cost; "
    "`predict_proba` stays a probability.",
)
CLASS_ORDER = Parameter(
    "class_order",
    "sorted",
    (
        one_of(["sorted", "declared"]),
        Allowed("a list of labels", lambda v: isinstance(v, list | tuple), "Sequence[Any]"),
    ),
    "The order of `classes_`, which decides between equal classes: sorted; as a categorical y declares them, "
    "with those that no row has; or these.",
)
# fmt: off
DECISION = Parameter("decision", None,
    (Allowed("a dict such as {'threshold': 0.3}", lambda v: isinstance(v, dict), "dict[str, Any]"), NONE),
    "How `predict` decides on the class once the tree is grown: 'threshold' (predict the class 'positive' "
    "where its probability is above it), 'costs' and/or 'prevalence' (the class of least expected cost), or "
    "'recall', 'precision' or 'capacity' (with 'population'), which find the threshold on the out-of-fold "
    "rows of the fit, or on its training rows if there are none. 'positive' is a label, by default the "
    "second class; 'merge': True merges sibling leaves that now predict the same class. Unlike `costs` it "
    "does not change how the tree grows. None is the most probable class, or the cheapest by `costs`.")
# fmt: on
PARAMETERS = {
    CLASSIFICATION: (
        CRITERION[CLASSIFICATION],
        *COMMON,
        LEAF_MODEL[CLASSIFICATION],
        LEAF_OPTIONS,
        CLASS_WEIGHT,
        CONFIDENCE,
        PRIORS,
        COSTS,
        CLASS_ORDER,
        DECISION,
    ),
    REGRESSION: (CRITERION[REGRESSION], *COMMON, LEAF_MODEL[REGRESSION], LEAF_OPTIONS),
}


def check_params(kind: str, params: dict[str, Any]) -> None:
    """Reject the first parameter that is out of range."""
    for parameter in PARAMETERS[kind]:
        parameter.check(params[parameter.name])
    check_rules(params["growth_rules"])
    check_decision(params.get("decision"))
    read_options(params["leaf_options"])
    if params["criterion"] == "friedman_mse":
        warnings.warn(
            "criterion='friedman_mse' is deprecated and means 'squared_error'. Write 'squared_error'.",
            FutureWarning,
            stacklevel=3,
        )


# -- constructors

C = TypeVar("C", bound=type)


def from_table(kind: str, **other_defaults: Any) -> Callable[[C], C]:
    """Give a class its constructor and docstring: all parameters of this task, by keyword only."""

    def add(cls: C) -> C:
        defaults = {each.name: other_defaults.get(each.name, each.default) for each in PARAMETERS[kind]}

        def __init__(self: Any, **given: Any) -> None:  # noqa: N807
            for name in given:
                if name not in defaults:
                    hint = nearest(name, defaults)
                    raise TypeError(f"{type(self).__name__} has no parameter {name!r}.{hint}")
            vars(self).update(defaults | given)

        keywords = [Keyword(name, Keyword.KEYWORD_ONLY, default=value) for name, value in defaults.items()]
        signature = Signature([Keyword("self", Keyword.POSITIONAL_OR_KEYWORD), *keywords])
        __init__.__signature__ = signature  # type: ignore[attr-defined]
        __init__.__qualname__ = f"{cls.__qualname__}.__init__"
        __init__.__module__ = cls.__module__
        cls.__init__ = __init__  # type: ignore[misc]
        lines = [cls.__doc__ or "", "\n\nParameters\n----------", *_words(kind, defaults), "\n"]
        cls.__doc__ = "".join(lines)
        return cls

    return add


def _words(kind: str, defaults: dict[str, Any]) -> Iterator[str]:
    for parameter in PARAMETERS[kind]:
        yield f"\n{parameter.name} : {parameter.must_be()}, default={defaults[parameter.name]!r}\n"
        yield textwrap.indent(textwrap.fill(parameter.description, 100), "    ")
