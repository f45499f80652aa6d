"""The parameters of the estimators as options, made from the one table, and values as they are typed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from ...data.common.allowed import Parameter
from ...data.common.hints import nearest
from ...learn.params import CLASSIFICATION, PARAMETERS
from .failures import USAGE, Failure, bad_data
from .subcommand import ParameterOption

WORDS = {"none": None, "true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
ELSEWHERE = {"costs", "random_state"}  # these have an option of their own
NOT_OF_LIKE = {"costs", "n_jobs"}  # costs are a file, and threads are no matter of a classic program
GROUPS: dict[str, list[str]] = {  # the parameters by heading in the help
    "Tree parameters for its size": [
        *("max_leaf_nodes", "min_samples_leaf", "min_samples_split", "min_weight_fraction_leaf"),
        *("min_impurity_decrease", "growth"),
    ],
    "Tree parameters for splits": [
        *("criterion", "splitter", "max_features", "thresholds", "categorical_features", "nominal_splits"),
        *("level_correction", "missing", "monotonic_cst"),
    ],
    "Tree parameters for pruning and smoothing": [
        *("ccp_alpha", "cv", "cv_repeats", "pruning", "pruning_options", "smoothing", "smoothing_strength"),
    ],
    "Tree parameters for classes": ["class_weight", "priors", "class_order", "decision", "min_confidence"],
}
FIRST = ("max_depth",)  # among the common options
NO_LISTS = {"cv"}  # lists are nothing to type for these: they would be rows


def parameters() -> dict[str, tuple[Parameter, ...]]:
    """Every parameter by name; those that differ between classes and numbers come twice."""
    return {name: some for name, some in by_name(PARAMETERS.values()).items() if name not in ELSEWHERE}


def by_name(tables: Iterable[Iterable[Parameter]]) -> dict[str, tuple[Parameter, ...]]:
    """The parameters of several tables by name, each different one once."""
    found: dict[str, tuple[Parameter, ...]] = {}
    for parameter in chain.from_iterable(tables):
        if parameter not in found.get(parameter.name, ()):
            found[parameter.name] = (*found.get(parameter.name, ()), parameter)
    return found


def option_name(name: str) -> str:
    """`max_depth` is --max-depth."""
    return "--" + name.lower().replace("_", "-")


def parameter_groups() -> dict[str, list[click.Parameter]]:
    """An option for every parameter by the heading of its group; what no group names comes last."""
    known = parameters()
    named = {name for names in GROUPS.values() for name in names} | set(FIRST)
    groups = GROUPS | {"Other tree parameters": [name for name in known if name not in named]}
    return {heading: [option_of(name, known[name]) for name in names] for heading, names in groups.items()}


def first_options() -> list[click.Parameter]:
    """The options for the parameters that people change most."""
    known = parameters()
    return [option_of(name, known[name]) for name in FIRST]


def option_of(name: str, some: Sequence[Parameter]) -> click.Option:
    """An option for a parameter."""
    return ParameterOption(
        [option_name(name), name],
        _short_help(some),
        metavar="VALUE",
        type=Value(name, some),
        default=None,
        help=_help(some),
        show_default=False,
    )


def _help(some: Sequence[Parameter]) -> str:
    texts = ((each.description.replace("`", ""), f"[{_must_be(each)}]") for each in some)
    return " ".join(dict.fromkeys(chain.from_iterable(texts)))


def _short_help(some: Sequence[Parameter]) -> str:
    """The first clause of the description, and the words or numbers that are allowed."""
    first = re.split(r"[.:;](?:\s|$)", some[0].description.replace("`", ""), maxsplit=1)[0]
    allowed = " or ".join(dict.fromkeys(map(_must_be, some)))
    return f"{first[:1].upper()}{first[1:]}. [{allowed}]"


if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:  # older releases of click have no brackets here
    _Type = click.ParamType


class Value(_Type):
    """What may be typed for a parameter: whatever one of its rules allows."""

    name = "value"

    def __init__(self, parameter: str, some: Sequence[Parameter]) -> None:
        self.parameter, self.some = parameter, some

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The first reading of the text that is allowed; as a Given, so that `none` is not nothing."""
        if isinstance(value, Given):
            return value
        for reading in readings(str(value)):
            if self._allows(reading):
                return Given(reading)
        must_be = " or ".join(dict.fromkeys(map(_must_be, self.some)))
        hint = nearest(str(value), [word for word in self.words() if word != str(value)])
        return self.fail(f"{self.parameter} must be {must_be}. Got {value!r}.{hint}", param, ctx)

    def _allows(self, reading: Any) -> bool:
        if self.parameter in NO_LISTS and isinstance(reading, list | dict):
            return False
        if self.parameter == "monotonic_cst" and isinstance(reading, dict):  # signs by the names of columns
            return all(sign in (-1, 0, 1) for sign in reading.values())
        return any(kind.holds(reading) for parameter in self.some for kind in parameter.allowed)

    def words(self) -> list[str]:
        """The words that the rules name."""
        return list(dict.fromkeys(word for each in self.some for word in each.must_be().split("'")[1::2]))

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        """The words that begin so."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in self.words() if word.startswith(incomplete)]


class Given:
    """A value that was typed."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _must_be(parameter: Parameter) -> str:
    """The rules in words, as they are typed."""
    return parameter.must_be().replace("None", "none")


def readings(text: str) -> Iterator[Any]:
    """What a text may mean, the plainest first: number, word, none and yes, JSON, pairs, a list."""
    if (number := _number(text)) is not None:
        yield number
    if text.lower() in WORDS:  # before the text itself, since some parameters take any text
        yield WORDS[text.lower()]
    yield text
    if text[:1] in {"[", "{"}:
        try:
            yield json.loads(text)
        except (ValueError, RecursionError):
            return
    parts = [part.strip() for part in text.split(",")]
    if all("=" in part for part in parts):
        pairs = (part.partition("=") for part in parts)
        yield {_part(key.strip()): _part(value.strip()) for key, _, value in pairs}
    yield [_part(part) for part in parts]


def _part(text: str) -> Any:
    number = _number(text)
    return text if number is None else number


def _number(text: str) -> int | float | None:
    """A number as people write it; nothing that Python alone takes for one, such as 1_000 or nan."""
    if not set(text) <= set("0123456789+-.eE") or len(text) > 40:
        return None
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return None


def given(values: dict[str, Any]) -> dict[str, Any]:
    """The parameters that were typed, out of all values of a subcommand."""
    return {name: value.value for name, value in values.items() if isinstance(value, Given)}


# -- parameters of a classic program, from its name and its own options


def like_option() -> click.Option:
    """The option that names a classic."""
    return click.Option(
        ["--like"],
        metavar="PROGRAM",
        help='Grow and prune as a classic program does, with its own options: "c4.5 -s", "j48 -B -M 5", '
        '"reptree -L 3", "rpart cp=0 minsplit=2", "c5.0 subset=FALSE", "cart max_depth=3", '
        '"cubist committees=5", "id3", "stump".',
    )


def like_params(line: str | None, frame: Any, target: str, task: str | None) -> dict[str, Any]:
    """The parameters of the estimator that the program's name and options stand for."""
    if line is None:
        return {}
    from ...data.classes import class_order
    from ...evaluate.default_fit.target import task_of_column
    from ...learn.classics import like

    series = frame.get_column(target)
    with bad_data():
        kind = task_of_column(series, task)
    try:
        made, votes = like(line, kind), dict[str, Any]()
        while hasattr(made, "estimator"):  # boosted, or rules made of a tree
            boosted = hasattr(made, "n_estimators")
            names = ("n_estimators", "early_stopping")
            votes |= {name: getattr(made, name) for name in names} if boosted else {"rule_set": True}
            made = made.estimator
        found: dict[str, Any] = made.get_params(deep=False) | votes
        if "committees" in found:  # rules with linear models
            found = {"rule_model": found}
    except (TypeError, ValueError) as error:
        raise Failure(USAGE, f"--like: {error}") from error
    if found.get("costs") is not None:
        raise Failure(USAGE, "--like takes no costs. Use --costs, or treewright.classics from Python.")
    declared = class_order(series, "declared") if kind == CLASSIFICATION else None
    if declared is not None:  # the levels as text, of those that are there
        there = set(series.unique().to_list())
        found["class_order"] = [str(label) for label in declared if label in there]
    return {name: value for name, value in found.items() if name not in NOT_OF_LIKE}
