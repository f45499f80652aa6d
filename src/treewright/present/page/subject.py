"""What a report is about: a model as its file stores it, and the rows given."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.progress import Progress
from ...interpret.described_model import DescribedModel, describe
from ...learn.fitted_tree import FittedTree
from ...learn.params import CLASSIFICATION
from ...tree.tree import Tree
from ...tree.tree_text import TreeText

if TYPE_CHECKING:
    from ...evaluate.data_check import DataCheck
    from .held_out import HeldOutPredictions
    from .rows import Given


@dataclass(frozen=True, eq=False)
class Subject:
    """A model, and maybe rows. `notes` are sentences for the foot of the page, added as they come up."""

    saved: FittedTree
    given: Given | None  # rows, if there are any
    say: Progress
    estimator: Any = None  # as it was given, with what no file holds
    checked: DataCheck | None = None  # by `treewright.fit`
    options: dict[str, Any] = field(default_factory=dict)  # title, check, compare, command, outputs
    notes: list[str] = field(default_factory=list)

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.saved.tree

    @property
    def is_classification(self) -> bool:
        """Whether classes are predicted."""
        return self.saved.task == CLASSIFICATION

    @cached_property
    def explained(self) -> DescribedModel:
        """The model as explanations see it."""
        return describe(self.saved)

    @property
    def words(self) -> TreeText:
        """The tree in words."""
        return self.explained.words

    @cached_property
    def model(self) -> Any:
        """The fitted estimator."""
        return self.saved.to_plain_estimator() if self.estimator is None else self.estimator

    @cached_property
    def ordered(self) -> Any:
        """The fitted estimator with the order of its classes: rows may come without a declared one."""
        model, classes = self.model, self.tree.classes
        if getattr(model, "class_order", "sorted") == "sorted" or classes is None or self.tree.n_outputs > 1:
            return model
        found = copy(model)
        found.class_order = np.asarray(classes).tolist()
        return found

    @property
    def training(self) -> dict[str, Any]:
        """What the file has of how the model was made; it may have been written by anyone."""
        return self.saved.training

    @property
    def ranked(self) -> int | None:
        """The place of the class that is ranked first, of two: the second, unless the model has another."""
        labels = self.explained.labels
        if labels is None or len(labels) != 1 or len(labels[0]) != 2:
            return None
        return int(self.saved.classes[0].tolist().index(self.saved.positive))

    @cached_property
    def held_out(self) -> HeldOutPredictions | None:
        """Predictions for held-out rows; None where there are none."""
        from .held_out import held_out_predictions

        return None if self.given is None or self.given.y is None else held_out_predictions(self)

    @property
    def clusters(self) -> dict[str, Any] | None:
        """The parameters of the ClusteringTree, if the classes are its clusters."""
        found = self.training.get("clusters")
        return found if isinstance(found, dict) else None

    def why_none(self, what: str) -> str:
        """Why a part that needs held-out rows is absent."""
        if self.clusters is not None:
            return f"{what} needs a target, and clusters have none."
        if self.given is None:
            return f"{what} needs rows: give the training rows, or held-out rows."
        if self.given.y is None:
            return f"{what} needs rows with the target, which the table does not have."
        return f"{what} needs predictions for held-out rows. {self.given.without_folds}".strip()
