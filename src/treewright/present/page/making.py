"""`treewright.report`: a model, with or without rows, as one HTML file."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...data.common.allowed import YES_NO
from ...data.common.atomic import whole_or_nothing
from ...data.common.progress import Progress, reporter
from ...evaluate.data_check import DataCheck
from ...evaluate.default_fit.result import FitResult
from ...evaluate.model_comparison.result import Comparison
from ...interpret.growth.stability import Stability
from ...interpret.growth.stability import stability as measure_stability
from ...learn.boosting.fitted import FittedTrees, Trial, boosted
from ...learn.fitted_tree import BEST, SIMPLEST, FittedTree, as_fitted, as_model
from ...learn.model_file import file_form
from ...learn.rule_models.fitted import FittedRuleModel
from ...learn.rule_sets.fitted import FittedRules
from .document import document, well_formed
from .origin import OTHER_WEIGHTS, Origin
from .rows import rows_of
from .sections import payload_of
from .subject import Subject

FRAME = "width:100%;height:{height}px;border:1px solid #ccc;border-radius:6px"
HEIGHT = 720  # of the frame in a notebook
SANDBOX = "allow-scripts allow-modals allow-downloads"  # modals to print, downloads to save the drawing
FIRST, SECOND = "First tree", "Second tree"  # where the user gives both
OF_BEST = {"tree_name": SECOND, "check": False, "compare": None}
COMMON = ("title", "check", "check_note", "check_summary", "comparison", "card")
OTHER_ROWS = "The rows are not the training rows of the tree, so they are treated as held-out rows."


@dataclass(frozen=True, eq=False)
class Report:
    """A report page, to be saved or shown in a notebook. `payload` is all that it shows, as JSON values."""

    payload: dict[str, Any]

    @cached_property
    def html(self) -> str:
        """The whole page."""
        return document(self.payload)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file, at once or not at all; returns the path.

        OSError if the disk is full or not writable, and then a file that was there before is untouched.
        """
        place = Path(path)
        if place.exists() and not place.is_file():
            got = f"Got {str(place)!r}, which is something else."
            raise ValueError(f"A page must be written to a file. {got}")
        content = self.html.encode()
        with whole_or_nothing(place) as file:
            file.write(content)
        return place

    @property
    def notes(self) -> list[str]:
        """Notes on the report: what was sampled, and why parts are absent."""
        found = ((key.removesuffix("_note"), text) for key, text in self.payload.items() if "_note" in key)
        reasons = [text for part, text in found if text and (part == "pruning" or not self.payload.get(part))]
        return [*self.payload["notes"], *reasons]

    def _repr_html_(self) -> str:
        style = FRAME.format(height=HEIGHT)
        inside = html.escape(self.html, quote=True)
        title = html.escape(well_formed(self.payload["title"]), quote=True)
        return f'<iframe sandbox="{SANDBOX}" style="{style}" title="{title}" srcdoc="{inside}"></iframe>'

    def __repr__(self) -> str:
        nodes = len(self.payload["model"]["tree"]["first_child"])
        many = "node" if nodes == 1 else "nodes"
        return f"<Report: {self.payload['title']!r}, {nodes:,} {many}; .save(path) writes the page>"


def report(  # noqa: PLR0913
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    path: str | os.PathLike[str] | None = None,
    title: str | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    time: Any = None,
    held_out: bool | None = None,
    check: Any = True,
    compare: Any = None,
    command: str | None = None,
    best: Any = None,
    intended_use: str | None = None,
    progress: bool | Progress | None = None,
    stability: Any = False,
    trace: bool = False,
) -> Report:
    """Make the report page of a model: one HTML file to explore, prune and evaluate its tree.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree, Tree or path
        The fitted model.
    X : table, optional
        Rows to evaluate the model on: its training rows, which are then cross-validated in five folds, or
        held-out rows, which the model itself predicts. Without rows the report shows what the model stores.
    y : array, optional
        The target of the rows. Without it the report only knows the usual values of each column.
    sample_weight : array, optional
        The weights of the rows.
    groups, time : array, optional
        The groups of the rows, or when they were observed: folds keep groups together and train on the past.
        A model that was fitted with them is cross-validated with them only.
    path : path, optional
        Where to write the file.
    title : str, optional
        The title. By default the name of the target, and of the table if the model file names it.
    held_out : bool, optional
        Whether X and y are held-out rows. By default they are training rows if every leaf gets as many of
        them as it had in training.
    check : bool or DataCheck, default=True
        Whether to check the table, or the result of `treewright.check`.
    compare : Comparison, optional
        The result of `treewright.compare`, to be shown.
    command : str, optional
        The command that made the model, to be shown.
    best : estimator, FitResult, FittedTree, Tree or path, optional
        A second, larger tree for the same target. The page can then switch between the two trees. By default
        the one of a FitResult, if it has one.
    intended_use : str, optional
        What the model may be used for, and what not: a text for the model card.
    progress : bool or callable, optional
        Whether to print progress, or a function of steps done, all steps and a text.
    stability : bool or Stability, default=False
        Whether to measure how often each split is chosen again in 100 bootstrap samples of the training rows,
        or what `treewright.lab.stability` returned.
    trace : bool, default=False
        Whether to make another page instead: a lesson that shows step by step how the tree grew. It needs the
        training rows, and has values of them, and takes only `sample_weight`, `path` and `title` besides. See
        `treewright.lab.trace`.

    Returns
    -------
    Report
        With `html`, `save(path)` and `payload`; a notebook shows it. With `trace` a Lesson, which is one.

    Examples
    --------
    >>> import treewright
    >>> table = treewright.load_example("iris")
    >>> result = treewright.fit(table, "species", max_depth=2)
    >>> treewright.report(result).payload["title"]
    'Decision tree for species'
    """
    _check_options({"title": title, "command": command, "intended_use": intended_use}, check, compare)
    check_path(path)
    if not YES_NO.holds(trace):
        raise ValueError(f"trace must be True or False. Got {trace!r:.80}.")
    if trace:
        from ..lesson.page import lesson_of

        unused = {"groups": groups, "time": time, "held_out": held_out, "compare": compare, "best": best}
        unused |= {"command": command, "intended_use": intended_use, "stability": stability or None}
        unused |= {"check": None if check is True else check}
        left = [name for name, value in unused.items() if value is not None]
        if left:
            must = "trace=True makes a lesson, which takes X, y, sample_weight, path and title alone."
            raise ValueError(f"{must} Got {', '.join(left)}. Leave it out, or trace.")
        return lesson_of(model, X, y, sample_weight, {"path": path, "title": title})
    several = as_fitted(model)
    plain = _without_script(several, (X, y, sample_weight), title)
    if plain is not None:
        if path is not None:
            plain.save(path)
        return plain
    found = several.alone
    checked = model.check if isinstance(model, FitResult) else None
    own = best is None  # of the model: `treewright.fit` chose both trees
    best = _best_of(model, found) if own else best
    of_best = OF_BEST | ({"of_file": " --best", "chosen": BEST} if own else {})
    if best is not None:
        _must_match(found, as_model(best))
    options = {"title": title, "check": check, "compare": compare, "command": command}
    names = getattr(y, "columns", None)  # of several targets, where a table gives them
    options["stability"] = _stability(found, stability, (X, y, sample_weight))
    options["outputs"] = None if names is None else [str(name) for name in names]
    options |= {"intended_use": intended_use, "tree_name": "Tree" if best is None else FIRST}
    options["chosen"] = SIMPLEST if own and best is not None else None
    rows = (X, y, {"sample_weight": sample_weight, "groups": groups, "time": time}, held_out)
    subject = _subject(found, rows, _steady(reporter(progress)), checked, options)
    with np.errstate(over="ignore", invalid="ignore"):  # of targets as large as numbers can be
        payload = payload_of(subject)
        if best is not None:
            other = _subject(
                as_model(best),
                rows,
                subject.say,
                None,
                options | {"chosen": None, "stability": None} | of_best,
            )
            payload["alternatives"] = [difference(payload_of(other), payload)]
    made = Report(payload)
    if path is not None:
        made.save(path)
    return made


def _without_script(found: FittedTree, rows: tuple[Any, Any, Any], title: str | None) -> Report | None:
    """The page of what votes or has soft thresholds; None for a single tree, which has an interactive one."""
    X, y, weight = rows
    if isinstance(found, FittedRuleModel):
        from .rule_models import rule_model_report

        return rule_model_report(found, X, y, title, weight)
    if isinstance(found, FittedRules):
        from .rule_sets import rules_report

        return rules_report(found, X, y, title)
    if len(found.tree.soft_low) or not (type(found) is FittedTree or _is_one_tree(found)):
        from .boosted import boosted_report

        return boosted_report(_as_vote(found), X, y, title, weight)
    return None


def _as_vote(found: FittedTree) -> FittedTrees:
    """A model of several trees, or of one as if it voted alone."""
    if isinstance(found, FittedTrees):
        return found
    tree = found.tree
    rows = int(tree.n_node_samples[0])
    wrong = float(tree.weighted_n_node_samples[tree.is_leaf] @ (1 - tree.value[tree.is_leaf, 0].max(axis=1)))
    return boosted(found, (found,), 1, [Trial(found.size, round(wrong), wrong, rows)], "")


def _is_one_tree(found: FittedTree) -> bool:
    """Whether this is a vote of one tree."""
    return isinstance(found, FittedTrees) and len(found.members) == 1 and type(found.members[0]) is FittedTree


def _stability(found: FittedTree, given: Any, rows: tuple[Any, Any, Any]) -> Stability | None:
    """How stable the splits are: as it was given, or measured now."""
    if isinstance(given, Stability):
        given.splits_of(found.tree)  # an error if it is of another tree
        return given
    if not isinstance(given, bool):
        got = type(given).__name__
        raise ValueError(
            f"stability must be True, False or what treewright.lab.stability returned. Got {got}."
        )
    if not given:
        return None
    X, y, weight = rows
    if X is None or y is None:
        raise ValueError("stability=True needs the training rows: give X and y.")
    return measure_stability(found, X, y, sample_weight=weight)


def _best_of(model: Any, found: FittedTree) -> Any:
    """The tree of the lowest loss beside a simpler one, with its scores; None where there is one tree."""
    if isinstance(model, FitResult):
        return None if model.best is model else model.best
    if found.best is None:
        return None
    training, params = found.best.training, found.training.get("params")
    if isinstance(params, dict):
        training = training | {"params": params | {"ccp_alpha": found.best.params.get("ccp_alpha")}}
    return replace(found.best, target=found.target, training=training)


def _subject(
    found: FittedTree,
    rows: tuple[Any, Any, dict[str, Any], bool | None],
    say: Progress,
    checked: Any,
    options: Any,
) -> Subject:
    """A model with the rows of the report."""
    X, y, beside, held_out = rows
    saved = file_form(found)
    given = rows_of(saved, X, y, beside, held_out, found.source)
    subject = Subject(saved, given, say, found.source, checked, options)
    if given is not None and given.y is not None:
        subject.notes.extend(_notes(given.origin, held_out))
    return subject


def _must_match(one: FittedTree, other: FittedTree) -> None:
    """Two trees of a page are about the same columns and the same target."""
    for what, mine, theirs in (
        ("task", one.task, other.task),
        ("columns", one.words().features, other.words().features),
        ("classes", one.words().classes, other.words().classes),
    ):
        if mine != theirs:
            got = f"{str(theirs)[:100]} instead of {str(mine)[:100]}"
            raise ValueError(f"best must be a tree with the {what} of the model. Got {got}.")


def difference(payload: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """What a payload has otherwise than another one."""
    found = {key: value for key, value in payload.items() if key not in base or base[key] != value}
    return {key: found[key] for key in found if key not in COMMON}


def _notes(origin: Origin, held_out: bool | None) -> list[str]:
    """Notes on the rows."""
    notes = [origin.unclear] if origin.unclear else []
    notes += [OTHER_WEIGHTS] if origin.other_weights else []
    return notes + ([OTHER_ROWS] if held_out is None and not origin.grown_on else [])


def _check_options(texts: dict[str, Any], check: Any, compare: Any) -> None:
    for name, value in texts.items():
        if value is not None and not isinstance(value, str):
            raise ValueError(f"{name} must be text or None. Got {type(value).__name__}.")
    if not isinstance(check, bool | DataCheck):
        got = type(check).__name__
        raise ValueError(f"check must be True, False or what treewright.check returned. Got {got}.")
    if compare is not None and not isinstance(compare, Comparison):
        got = type(compare).__name__
        raise ValueError(f"compare must be what treewright.compare returned, or None. Got {got}.")


def _steady(say: Progress) -> Progress:
    """Steps inside a step are reported under its number, so that the count never goes back."""
    now = [0, 1]

    def steady(done: int, total: int, what: str) -> None:
        if total > now[1] or done >= total:
            now[:] = [max(done, now[0]), max(total, now[1])]
        say(now[0], now[1], what)

    return steady


def check_path(path: object) -> None:
    """Where a page is written to; None: nowhere."""
    if path is not None and not isinstance(path, str | os.PathLike):
        raise ValueError(f"path must be a path or None. Got {type(path).__name__}.")
