"""The parameters of the estimators as options, made from the one table, and values as they are typed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ...data.common.allowed import Parameter
from ...data.common.hints import nearest
from ...learn.params import PARAMETERS

WORDS = {"none": None, "true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
# These have an option of their own.
ELSEWHERE = {"costs", "random_state"}
# Lists are nothing to type for these: they would be rows.
NO_LISTS = {"cv"}


def parameters() -> dict[str, tuple[Parameter, ...]]:
    """Every parameter by name; those that differ between classes and numbers come twice."""
    found: dict[str, tuple[Parameter, ...]] = {}
    for table in PARAMETERS.values():
        for parameter in table:
            if parameter not in found.get(parameter.name, ()):
                found[parameter.name] = (*found.get(parameter.name, ()), parameter)
    return {name: some for name, some in found.items() if name not in ELSEWHERE}


def option_name(name: str) -> str:
    """`max_depth` is --max-depth."""
    return "--" + name.lower().replace("_", "-")


def parameter_options() -> list[click.Parameter]:
    """An option for every parameter, in the order of the table."""
    return [option_of(name, some) for name, some in parameters().items()]


def option_of(name: str, some: Sequence[Parameter]) -> click.Option:
    """An option for a parameter."""
    return click.Option(
        [option_name(name), name],
        metavar="VALUE",
        type=Value(name, some),
        default=None,
        help=" ".join(_help(some)),
        show_default=False,
    )


def _help(some: Sequence[Parameter]) -> Iterator[str]:
    seen = set()
    for parameter in some:
        for text in (parameter.words.replace("`", ""), f"[{_must_be(parameter)}]"):
            if text not in seen:
                seen.add(text)
                yield text


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
        return self.fail(
            f"{self.parameter} must be {must_be}. Got {value!r}.{self._near(str(value))}", param, ctx
        )

    def _allows(self, reading: Any) -> bool:
        if self.parameter in NO_LISTS and isinstance(reading, list | dict):
            return False
        if self.parameter == "monotonic_cst" and isinstance(reading, dict):  # signs by the names of columns
            return all(sign in (-1, 0, 1) for sign in reading.values())
        return any(rule.holds(reading) for parameter in self.some for rule in parameter.rules)

    def _near(self, text: str) -> str:
        known = [word for word in self.words() if word != text]
        return nearest(text, known)

    def words(self) -> list[str]:
        """The words that the rules name."""
        found = [word for parameter in self.some for word in _quoted(parameter.must_be())]
        return list(dict.fromkeys(found))

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


def _quoted(text: str) -> list[str]:
    return text.split("'")[1::2]


def readings(text: str) -> Iterator[Any]:
    """What a text may mean, the plainest first: number, word, none and yes, JSON, pairs, a list."""
    number = _number(text)
    if number is not None:
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
        yield {
            _part(key.strip()): _part(value.strip()) for key, _, value in (p.partition("=") for p in parts)
        }
    yield [_part(part) for part in parts]


def _part(text: str) -> Any:
    number = _number(text)
    return text if number is None else number


def _number(text: str) -> int | float | None:
    """A number as people write it; nothing that Python alone takes for one, such as 1_000 or nan."""
    kinds: Iterable[Callable[[str], int | float]] = (int, float)
    if not set(text) <= set("0123456789+-.eE") or len(text) > 40:
        return None
    for kind in kinds:
        try:
            return kind(text)
        except ValueError:
            continue
    return None


def given(values: dict[str, Any]) -> dict[str, Any]:
    """The parameters that were typed, out of all values of a subcommand."""
    return {name: value.value for name, value in values.items() if isinstance(value, Given)}
