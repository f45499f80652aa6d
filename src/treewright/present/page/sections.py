"""The list of sections: each makes some keys of the payload. To add one, add a file and a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...data.common.to_json import to_json
from .card import card
from .detail import evaluation
from .evaluation import residuals, roc_curves
from .facts import facts, model, scores
from .form import columns
from .importance import importance
from .listing import rules, settings
from .nodes import nodes
from .others import check, comparison, next_best_splits
from .pruning import pruning
from .stability import stability
from .subject import Subject
from .wording import wording

FORMAT, VERSION = "treewright page", 1
Section = Callable[[Subject], dict[str, Any]]

# In the order of the payload; the words are for those who wait.
SECTIONS: tuple[tuple[str, Section], ...] = (
    ("reading the model", model),
    ("stating facts", facts),
    ("putting tests into words", wording),
    ("looking at columns", columns),
    ("scoring", scores),
    ("finding next-best splits", next_best_splits),
    ("looking at nodes", nodes),
    ("comparing bootstrap samples", stability),
    ("pruning", pruning),
    ("computing ROC curves", roc_curves),
    ("looking at residuals", residuals),
    ("evaluating in detail", evaluation),
    ("weighing columns", importance),
    ("writing rules", rules),
    ("checking the table", check),
    ("comparing", comparison),
    ("listing settings", settings),
    ("writing the model card", card),
)


def payload_of(subject: Subject) -> dict[str, Any]:
    """All that a page shows, as plain values."""
    from ... import __version__

    found: dict[str, Any] = {"format": FORMAT, "version": VERSION, "created_by": f"treewright {__version__}"}
    for number, (words, section) in enumerate(SECTIONS):
        subject.say(number, len(SECTIONS), words)
        found |= section(subject)
    subject.say(len(SECTIONS), len(SECTIONS), "done")
    made: dict[str, Any] = to_json(found | {"notes": subject.notes}, not_finite=str)
    return made
