"""Shattering: whether a classifier can realise every labeling of some points."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ...data.common.allowed import YES_NO
from ...data.common.array_types import Array
from ...data.common.errors import ParameterError
from ...data.common.progress import Progress, reporter
from ...data.common.result import Result
from ..procedure import Data, check_classifier, run
from .mechanism_checks import table_of

MOST_POINTS = 12  # 4,096 labelings


@dataclass(frozen=True, eq=False, repr=False)
class Shattering(Result):
    """Which labelings of some points a classifier realises. It is true if they are all of them."""

    points: Array
    labelings: Array  # (labelings, points): each class of each point
    realised: Array  # whether a fit predicted every label

    def __bool__(self) -> bool:
        return bool(self.realised.all())

    @property
    def failed(self) -> Array | None:
        """The first labeling that was not realised; None if there is none."""
        wrong = self.labelings[~self.realised]
        return wrong[0] if len(wrong) else None

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per labeling."""
        pairs = zip(self.labelings.tolist(), self.realised.tolist(), strict=True)
        return [{"labeling": "".join(map(str, labels)), "realised": found} for labels, found in pairs]

    def _rows(self) -> list[dict[str, Any]]:
        return []

    def _columns(self) -> list[tuple[str, str]]:
        return []

    def __str__(self) -> str:
        count, of = int(self.realised.sum()), len(self.realised)
        if self:
            return f"{len(self.points)} points are shattered: all {of} labelings are realised."
        first = "".join(map(str, self.labelings[~self.realised][0].tolist()))
        some = f"{count} of {of} labelings are realised, {first} is not."
        return f"{len(self.points)} points are not shattered: {some}"


def shatters(
    estimator: Any, points: Any, *, symmetric: bool = False, progress: bool | Progress | None = None
) -> Shattering:
    """Try every labeling of some points with two classes: can a classifier predict all labels of each?

    The VC dimension of a model is the largest number of points that it shatters, for the best choice of
    points. A line in the plane shatters three points that are not on a line, and never four. A fit that does
    not find a labeling is no proof that there is none: give an estimator that finds it if it is there.

    Parameters
    ----------
    estimator : a classifier of scikit-learn's kind
        It is fitted on every labeling. The two labelings of one class alone are realised by every classifier
        and are not tried.
    points : array of shape (points,) or (points, columns)
        At most 12 points. Each point doubles the number of labelings, and a support vector machine takes long
        over those that it cannot realise: of 7 points about a minute.
    symmetric : bool, default=False
        Whether the estimator treats both classes alike, as lines do: where it realises a labeling, it
        realises the one with the classes swapped. Then only one of the two is fitted. This does not hold with
        weights of classes, with constraints, or where ties go to the first class.
    progress : bool or callable, optional
        Whether to print progress, or a function of steps done, all steps and a text.

    Returns
    -------
    Shattering
        True in a condition if all labelings are realised; `failed` is the first that is not.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from treewright.lab import shatters
    >>> line = SVC(kernel="linear", C=1e6)
    >>> bool(shatters(line, [[0, 0], [1, 0], [0, 1]], symmetric=True))
    True
    >>> print(shatters(line, [[0, 0], [1, 0], [0, 1], [1, 1]]))
    4 points are not shattered: 14 of 16 labelings are realised, 0110 is not.
    """
    check_classifier(estimator)
    X, say = _points(points), reporter(progress)
    if not YES_NO.holds(symmetric):
        raise ParameterError(f"symmetric must be True or False. Got {symmetric!r:.80}.", "symmetric")
    labelings = np.array(list(product((0, 1), repeat=len(X))))
    realised = np.ones(len(labelings), dtype=bool)
    tried = range(1, len(labelings) // 2 if symmetric else len(labelings) - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a fit did not converge, where it cannot
        for k in tried:
            y = labelings[k]
            say(k - 1, len(tried), f"labeling {''.join(map(str, y.tolist()))}")
            realised[k] = np.array_equal(np.asarray(run(estimator, Data(X, y)).predict(X)), y)
    say(1, 1, "done")
    if symmetric:
        realised &= realised[::-1]  # the last labeling is the first one with the classes swapped
    return Shattering(X, labelings, realised)


def _points(points: Any) -> Array:
    X = table_of(points, "points")
    if not 2 <= len(X) <= MOST_POINTS:
        raise ParameterError(f"points must be from 2 to {MOST_POINTS}. Got {len(X)}.", "points")
    return X
