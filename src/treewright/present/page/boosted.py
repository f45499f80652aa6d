"""The report page of a boosted model, or of a tree with soft thresholds: trials, trees, and votes row by row.

It has no script: what is long is folded away by the browser itself.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...data.classes import codes_of
from ...data.common.array_types import Floats
from ...data.common.plural import counted
from ...learn.boosting.fitted import FittedTrees
from ...learn.fitted_tree import FittedTree
from ..drawing.draw import draw
from .document import TITLE_LENGTH, data_text, digest, well_formed
from .making import Report

MOST_ROWS = 20  # whose votes are listed
MOST_COLUMNS = 12  # in the list of columns
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
STYLE = """
:root{color-scheme:light dark;--line:#8a97a8;--faint:#4d5a6b}
@media (prefers-color-scheme:dark){:root{--line:#66758a;--faint:#b3bfce}}
body{font:16px/1.5 system-ui,'Segoe UI',Roboto,'Liberation Sans',sans-serif}
body{max-width:70rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}
table{border-collapse:collapse}
th,td{padding:.25rem .75rem;border-bottom:1px solid var(--line);text-align:right}
th:first-child,td:first-child,.text{text-align:left}
caption{text-align:left;color:var(--faint);padding:.25rem 0;white-space:nowrap}
.wide{overflow-x:auto}summary{cursor:pointer;padding:.4rem 0;font-weight:600}
tr.holds{outline:2px solid var(--line)}
.wrong{color:#b3261e}@media (prefers-color-scheme:dark){.wrong{color:#ff8a80}}
"""


@dataclass(frozen=True, eq=False)
class StaticReport(Report):
    """The page of a model that is no single tree; `payload` is all that it shows."""

    page: Callable[[dict[str, Any]], str]
    size: str  # "4 trees"

    @cached_property
    def html(self) -> str:
        """The whole page."""
        return self.page(self.payload)

    @property
    def notes(self) -> list[str]:
        """Notes on the report."""
        return list(self.payload.get("notes", ()))

    def __repr__(self) -> str:
        return f"<Report: {self.payload['title']!r}, {self.size}; .save(path) writes the page>"


def boosted_report(found: FittedTrees, X: Any, y: Any, title: str | None, weight: Any) -> StaticReport:
    """The page of a boosted model, with the rows if there are any."""
    payload: dict[str, Any] = {
        "title": title or _title(found),
        "soft": any(len(member.tree.soft_low) for member in found.members),
        "notes": [],
        "stopped": found.stopped,
        "n_estimators": found.n_estimators,
        "trials": [asdict(trial) for trial in found.trials],
        "drawings": [_drawing(member, k) for k, member in enumerate(found.members)],
        "what": found.what,
        "columns": _columns(found),
    }
    if X is not None:
        payload |= _of_rows(found, found.select(X), y, weight)
    return StaticReport(payload, _page, counted(len(payload["trials"]), "tree"))


def _title(found: FittedTrees) -> str:
    rules = found.what != "trees"
    words = ("Set of rules", "Boosted sets of rules") if rules else ("Decision tree", "Boosted trees")
    what = words[len(found.members) > 1]
    return what if found.target is None else f"{what} for {found.target}"


def _drawing(member: FittedTree, number: int) -> str:
    """A tree as a picture, and rules as text."""
    if type(member) is not FittedTree:
        return f"<pre>{text_of(member)}</pre>"
    return draw(member, title=f"Trial {number}", direction="right").svg


def _columns(found: FittedTrees) -> list[tuple[str, float]]:
    """The columns with the largest share of the gain, as a mean over the trees."""
    share = np.mean([member.tree.compute_feature_importances() for member in found.members], axis=0)
    names = found.feature_names or [f"column {j}" for j in range(len(share))]
    order = np.argsort(-share, kind="stable")[:MOST_COLUMNS]
    return [(str(names[j]), float(share[j])) for j in order if share[j] > 0]


def _of_rows(found: FittedTrees, X: Any, y: Any, weight: Any) -> dict[str, Any]:
    """How often the vote of the first trees is right, and the votes for the first rows."""
    each = list(found.each_vote(X))
    staged = np.cumsum(each, axis=0)
    labels = [str(label) for label in found.classes[0].tolist()]
    n_rows = staged.shape[1]
    codes = None if y is None else codes_of(np.asarray(y), found.classes[0])
    first = min(MOST_ROWS, n_rows)
    rows = [
        {
            "votes": [_vote(votes[row], labels) for votes in each],
            "sum": [float(total) for total in staged[-1, row]],
            "predicted": labels[int(staged[-1, row].argmax())],
            "true": None if codes is None else labels[int(codes[row])],
        }
        for row in range(first)
    ]
    made: dict[str, Any] = {"n_rows": n_rows, "labels": labels, "rows": rows}
    if codes is not None:
        right = staged.argmax(axis=2) == codes
        alone = np.array([votes.argmax(axis=1) for votes in each]) == codes
        made["right"] = [float(np.average(part, weights=weight)) for part in right]
        made["alone"] = [float(np.average(part, weights=weight)) for part in alone]
    return made


def _vote(votes: Floats, labels: list[str]) -> str:
    return f"{labels[int(votes.argmax())]} {votes.max():.2f}"


# -- the page


def _page(payload: dict[str, Any]) -> str:
    parts = [_introduction(payload), _trials(payload), _usage(payload), _trees(payload)]
    if payload.get("rows"):
        parts.append(_rows(payload))
    return page_of(payload["title"], parts)


def page_of(given: str, parts: list[str], script: str = "", data: Mapping[str, Any] | None = None) -> str:
    """A page of parts that are HTML already; `data` are blocks that a script reads by their names."""
    title = text_of(" ".join(given.split())[:TITLE_LENGTH])
    allowed = f"{POLICY}; script-src '{digest(script)}'" if script else POLICY
    blocks = [
        f'<script type="application/json" id="{k}">{data_text(v)}</script>' for k, v in (data or {}).items()
    ]
    after = [*blocks, f"<script>{script}</script>"] if script else []
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
    )
    return well_formed(
        head + "\n".join([f"<h1>{title}</h1>", *parts, *after]) + "\n</main>\n</body>\n</html>\n"
    )


def text_of(value: Any) -> str:
    """Text as HTML."""
    return html.escape(str(value))


def _introduction(payload: dict[str, Any]) -> str:
    n = len(payload["trials"])
    said = (
        f"{n} {payload['what']} vote. Each was grown on rows weighted by the errors of those before it, and "
        "votes for the class that it predicts, with the probability of that class. The class with the most "
        "votes is predicted."
    )
    said = said if n > 1 else ""
    if payload["soft"]:
        said += (
            " Thresholds are soft: a row whose value lies between the two ends of a test goes down both "
            "branches, half and half at the threshold itself."
        )
    if payload["stopped"]:
        said += f" Boosting ended before {payload['n_estimators']} trees, since {payload['stopped']}."
    if "right" in payload:
        rows = counted(payload["n_rows"], "row")
        alone = f", and the first tree alone for {payload['alone'][0]:.1%}" if n > 1 else ""
        said += (
            f" On the {rows} of this report the prediction is right for {payload['right'][-1]:.1%}{alone}. "
            "If these rows trained the model, expect less on others."
        )
    return f"<p>{text_of(said)}</p>"


def table_of(caption: str, head: list[str], rows: list[list[str]]) -> str:
    """A table of cells that are HTML already."""
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f'<div class="wide" tabindex="0"><table><caption>{text_of(caption)}</caption>\n'
        f"<thead><tr>{top}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _trials(payload: dict[str, Any]) -> str:
    head = [
        "Trial",
        "Leaves" if payload["what"] == "trees" else "Rules",
        "Training rows",
        "Wrong",
        "Wrong weight",
    ]
    right, alone = payload.get("right"), payload.get("alone")
    head += ["Right alone", "Right by vote so far"] if right else []
    rows = []
    for k, trial in enumerate(payload["trials"]):
        share = trial["n_wrong"] / max(trial["n_rows"], 1)
        cells = [
            str(k),
            f"{trial['n_leaves']:,}",
            f"{trial['n_rows']:,}",
            f"{trial['n_wrong']:,} ({share:.1%})",
        ]
        cells.append(f"{trial['wrong_weight'] / max(trial['n_rows'], 1):.1%}")
        rows.append(cells + ([f"{alone[k]:.1%}", f"{right[k]:.1%}"] if right and alone else []))
    caption = "A row is left out of later trials when its class can no longer win the vote."
    return "<h2>Trials</h2>\n" + table_of(caption, head, rows)


def _usage(payload: dict[str, Any]) -> str:
    rows = [[text_of(name), f"{share:.1%}"] for name, share in payload["columns"]]
    caption = "The share of each column in what the splits gain, as a mean over the trees."
    return "<h2>Columns</h2>\n" + table_of(caption, ["Column", "Share"], rows) if rows else ""


def _trees(payload: dict[str, Any]) -> str:
    parts = [f"<h2>{payload['what'].capitalize()}</h2>"]
    for k, (svg, trial) in enumerate(zip(payload["drawings"], payload["trials"], strict=True)):
        state = " open" if k == 0 else ""
        size = counted(trial["n_leaves"], "leaf" if payload["what"] == "trees" else "rule")
        name = f"Trial {k}: {size}"
        parts.append(
            f'<details{state}><summary>{name}</summary><div class="wide" tabindex="0">{svg}</div></details>'
        )
    return "\n".join(parts)


def _rows(payload: dict[str, Any]) -> str:
    known = payload["rows"][0]["true"] is not None
    head = ["Row", *(["True class"] if known else []), "Predicted"]
    head += [f"Votes for {text_of(label)}" for label in payload["labels"]]
    head += [f"Trial {k}" for k in range(len(payload["trials"]))]
    rows = []
    for number, row in enumerate(payload["rows"]):
        wrong = known and row["true"] != row["predicted"]
        said = text_of(row["predicted"])
        cells = [str(number), *([text_of(row["true"])] if known else [])]
        cells.append(f'<span class="wrong">{said} (wrong)</span>' if wrong else said)
        rows.append(
            cells + [f"{total:.2f}" for total in row["sum"]] + [text_of(vote) for vote in row["votes"]]
        )
    of = counted(payload["n_rows"], "row")
    shown = f"The first {len(rows)} of {of}: the sums of the votes, and every vote."
    return "<h2>Votes of rows</h2>\n" + table_of(shown, head, rows)
