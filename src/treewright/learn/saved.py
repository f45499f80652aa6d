"""What estimators of several trees or rules share: they are saved, and take gaps and sparse tables."""

from __future__ import annotations

from typing import Any


class SavedEstimator:
    """A mixin, to stand before scikit-learn's base classes."""

    def save(self, path: Any) -> Any:
        """Write the model to one JSON file, which `treewright.load` reads, and return the path."""
        from .model_file import save

        return save(self, path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags
