"""What the classics of Weka share: the options of all its classifiers that do not change a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .options import CommandLine, Reader

NO_EFFECT = ("-D", "-output-debug-info", "-do-not-check-capabilities")
NO_EFFECT_VALUES = ("-num-decimal-places", "-batch-size", "-t", "-T", "-x")

# To all programs but rpart and ctree a column of ordered levels is one of levels.
SHARED: dict[str, Any] = {"categorical_features": "unordered"}
FOR_CLASSES: dict[str, Any] = SHARED | {"class_order": "declared"}


def command_line(
    name: str,
    flags: tuple[str, ...] = (),
    values: Mapping[str, Reader] | None = None,
    idle: tuple[str, ...] = (),
) -> CommandLine:
    """The command line of one of Weka's trees."""
    return CommandLine(
        name,
        flags,
        values or {},
        no_effect=(*NO_EFFECT, *idle),
        no_effect_values=NO_EFFECT_VALUES,
        names=(name, f"weka.classifiers.trees.{name}"),
    )
