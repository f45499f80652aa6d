"""Options as the classic programs take them: a line of flags and values, or the keywords of an R function."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...data.common.hints import nearest

Reader = Callable[[str], Any]
WORDS = {"TRUE": True, "T": True, "FALSE": False, "F": False, "NULL": None, "True": True, "False": False}


@dataclass(frozen=True)
class CommandLine:
    """What a program understands on its command line."""

    program: str  # as sentences call it
    flags: tuple[str, ...]
    values: Mapping[str, Reader]  # options with a value, and how it is read
    no_effect: tuple[str, ...] = ()  # flags that do not change the tree
    no_effect_values: tuple[str, ...] = ()  # options with a value that do not
    later: Mapping[str, str] = field(default_factory=dict)  # not supported, and what they do
    names: tuple[str, ...] = ()  # words that may stand before the options
    attached: bool = False  # values may be attached (-m5), and flags joined (-gs)

    def parse(self, text: str) -> dict[str, Any]:
        """The options of a line: True for a flag, else the value."""
        if not isinstance(text, str):
            raise TypeError(
                f"The options of {self.program} must be one text, such as {self._example()!r}. "
                f"Got {text!r:.100}."
            )
        words, found = self._words(text), {}
        while words:
            name = words.pop(0)
            if name in found:
                raise ValueError(f"{self.program} takes the option {name} once. Got it twice.")
            if name in self.flags:
                found[name] = True
            elif name in self.values:
                found[name] = self._value(name, words)
            elif name in self.no_effect_values:
                self._text(name, words)
            elif name not in self.no_effect:
                raise ValueError(self._unknown_option(name))
        return found

    def _words(self, text: str) -> list[str]:
        """The words of the line, each option by itself, without the name of the program."""
        words = _split(text)
        while words and words[0] in {*self.names, "java"}:
            words.pop(0)
        if not self.attached:
            return words
        apart: list[str] = []
        takes = {*self.values, *self.no_effect_values}
        while words:
            word = words.pop(0)
            apart.append(word[:2] if word.startswith("-") else word)
            if len(word) > 2 and word.startswith("-"):
                rest = word[2:]
                words.insert(0, rest if word[:2] in takes else f"-{rest}")
            if apart[-1] in takes and words:
                apart.append(words.pop(0))
        return apart

    def _text(self, name: str, words: list[str]) -> str:
        if not words:
            raise ValueError(f"The option {name} of {self.program} must have a value. Got none.")
        return words.pop(0)

    def _value(self, name: str, words: list[str]) -> Any:
        text = self._text(name, words)
        try:
            return self.values[name](text)
        except ValueError as error:
            raise ValueError(f"{name} of {self.program} must be {error}. Got {text!r}.") from None

    def _unknown_option(self, name: str) -> str:
        if name in self.later:
            return f"{self.program} {name} is not supported: {self.later[name]}. Leave it out."
        known = [*self.flags, *self.values, *self.no_effect, *self.no_effect_values]
        return f"{self.program} has no option {name!r}.{nearest(name, known)} It takes {' '.join(known)}."

    def _example(self) -> str:
        return " ".join([*self.flags[:1], *(f"{name} 2" for name in [*self.values][:1])])


# -- values; the error of a reader says what must hold


def whole(at_least: int) -> Reader:
    """A whole number from `at_least` on."""

    def read(text: str) -> int:
        value = _number(text)
        if value != int(value) or value < at_least:
            raise ValueError(f"a whole number of at least {at_least}")
        return int(value)

    return _with_error(read, f"a whole number of at least {at_least}")


def real(low: float, high: float = math.inf) -> Reader:
    """A number above or at `low`, and at most `high`."""
    words = f"a number of at least {low:g}" if high == math.inf else f"a number from {low:g} to {high:g}"

    def read(text: str) -> float:
        value = _number(text)
        if not low <= value <= high or math.isinf(value):
            raise ValueError(words)
        return value

    return _with_error(read, words)


def _number(text: str) -> float:
    value = float(text)
    if math.isnan(value):
        raise ValueError(text)
    return value


def _with_error(read: Reader, words: str) -> Reader:
    def checked(text: str) -> Any:
        try:
            return read(text)
        except (ValueError, OverflowError):
            raise ValueError(words) from None

    return checked


# -- keywords


def keywords(text: str) -> dict[str, Any]:
    """`cp=0 minsplit=2` as keywords; values are numbers, TRUE and FALSE, words, or lists in JSON."""
    found = {}
    for word in _split(text):
        name, equals, value = word.partition("=")
        if not equals or not name.isidentifier():
            raise ValueError(f"Options must be written name=value, with a blank between them. Got {word!r}.")
        found[name] = _plain(value)
    return found


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        raise ValueError(f"Every quote in options must be closed. Got {text!r}.") from None


def _plain(text: str) -> Any:
    if text in WORDS:
        return WORDS[text]
    for read in (json.loads, float):  # JSON has no .5
        try:
            return read(text)
        except ValueError:
            continue
    return text


def reject(program: str, given: Mapping[str, Any], later: Mapping[str, str], known: tuple[str, ...]) -> None:
    """Reject keywords that the original has and we have not, and those that nobody has."""
    for name in given:
        if name in later:
            raise ValueError(f"{program}: {name} is not supported: {later[name]}. Leave it out.")
        takes = ", ".join(known)
        raise TypeError(f"{program} has no option {name!r}.{nearest(name, known)} It takes {takes}.")
