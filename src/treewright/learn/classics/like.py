"""From the name of a classic and its options, as they are typed, to an estimator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

from ...data.common.hints import nearest
from ..params import CLASSIFICATION
from .c45 import c45
from .c50 import c50
from .cart import cart
from .ctree import ctree
from .cubist import cubist
from .id3 import id3
from .j48 import j48
from .m5p import m5p
from .options import keywords, reject
from .r_call import read_call
from .rep_tree import rep_tree
from .rpart import rpart
from .stump import stump


@dataclass(frozen=True)
class Classic:
    """A classic as it is called: its function, and how it gets its options and its task."""

    make: Callable[..., Any]
    by_keyword: bool = False  # `cp=0 minsplit=2`, as in R and Python; else a line of flags
    numbers: bool = False  # it takes a target of numbers too
    classes: bool = True  # it takes classes


CLASSICS = {
    "id3": Classic(id3),
    "c4.5": Classic(c45),
    "c5.0": Classic(c50, by_keyword=True),
    "cubist": Classic(cubist, by_keyword=True, numbers=True, classes=False),
    "cart": Classic(cart, by_keyword=True, numbers=True),
    "ctree": Classic(ctree, by_keyword=True, numbers=True),
    "rpart": Classic(rpart, by_keyword=True, numbers=True),
    "j48": Classic(j48),
    "m5p": Classic(m5p, numbers=True, classes=False),
    "reptree": Classic(rep_tree, numbers=True),
    "stump": Classic(stump, numbers=True),
}
OTHER_NAMES = {"c45": "c4.5", "c50": "c5.0", "rep_tree": "reptree", "decisionstump": "stump"}
WEKA = "weka.classifiers.trees."


def like(line: str, task: str = CLASSIFICATION) -> Any:
    """An estimator set up by a published command, for classes or numbers.

    `line` is the name of a program with its options, as in `c4.5 -s`, `weka.classifiers.trees.J48 -C 0.25` or
    `rpart cp=0 minsplit=2`, or a call of R: `rpart(y ~ ., data=d, control=rpart.control(cp=0))`. What a
    command says of data is not used: give `fit` the columns that a formula names.
    """
    call = read_call(line)
    if call is not None:
        known, given = _known(call.name), call.keywords
        options = "" if CLASSICS[known].by_keyword else _flags(given)
        typed = CLASSICS[known].by_keyword
    else:
        name, _, options = line.strip().removeprefix("java ").partition(" ")
        known = _known(name.removeprefix(WEKA))
        flags = known == "c5.0" and options.lstrip().startswith("-")  # as its own command line has them
        typed = (CLASSICS[known].by_keyword and not flags) or "=" in options
        given = _keywords(known, options) if typed else {}
    classic = CLASSICS[known]
    if task != CLASSIFICATION and not classic.numbers:
        able = ", ".join(each for each, other in CLASSICS.items() if other.numbers)
        raise ValueError(f"{known} takes classes only. Got a target of numbers. These take numbers: {able}.")
    if task == CLASSIFICATION and not classic.classes:
        raise ValueError(f"{known} takes a target of numbers only. Got classes. Use j48.")
    if not typed:
        given = {}
    if classic.numbers and classic.classes and known != "rpart":
        given["task"] = task
    elif known == "rpart" and "method" not in given:
        given["method"] = "class" if task == CLASSIFICATION else "anova"
    takes = signature(classic.make).parameters
    if not any(each.kind is each.VAR_KEYWORD for each in takes.values()):
        names = ("a line of flags" if name == "options" else name for name in takes)
        reject(known, {name: value for name, value in given.items() if name not in takes}, {}, tuple(names))
    return classic.make(**given) if typed else classic.make(options, **given)


def _known(name: str) -> str:
    """The name of a classic as the table has it."""
    known = OTHER_NAMES.get(name.lower(), name.lower())
    if known not in CLASSICS:
        hint = nearest(name.lower(), [*CLASSICS, *OTHER_NAMES])
        raise ValueError(
            f"There is no classic {name!r}.{hint} The classics are {', '.join(CLASSICS)}, "
            "each with its options behind it."
        )
    return known


def _flags(given: dict[str, Any]) -> str:
    """The options of `Weka_control` as a line of flags."""
    words = [f"-{name}" if value is True else f"-{name} {value}" for name, value in given.items()]
    return " ".join(word for word, value in zip(words, given.values(), strict=True) if value is not False)


def _keywords(name: str, options: str) -> dict[str, Any]:
    try:
        return keywords(options)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
