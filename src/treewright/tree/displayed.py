"""Models that a notebook shows as a drawing. The drawing code is loaded on first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def drawing_of(model: Any) -> str:
    """The drawing of a model as HTML; all names in it are escaped."""
    from ..present.drawing.draw import draw

    return draw(model)._repr_html_()


class Displayed:
    """A tree, or what holds one: a notebook shows its drawing."""

    def _repr_html_(self) -> str:
        return drawing_of(self)


class DisplayedWhenFitted:
    """An estimator: after a fit its drawing stands above scikit-learn's own diagram.

    Where scikit-learn is set to display text, so does this.
    """

    @property
    def _repr_html_(self) -> Callable[[], str]:
        diagram = super()._repr_html_  # type: ignore[misc]
        return lambda: self._drawn(diagram())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] = self._drawn(bundle["text/html"])
        return bundle

    def _drawn(self, diagram: str) -> str:
        return drawing_of(self) + diagram if "tree_" in self.__dict__ else diagram
