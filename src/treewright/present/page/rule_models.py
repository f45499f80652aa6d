"""The report page of rules with linear models: the rules, a form to try values, and errors on rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.array_types import Floats
from ...data.common.plural import counted
from ...learn.rule_models.fitted import FittedRuleModel
from ...learn.rule_models.text import condition_words, model_lines
from ...tree.tree_text import TreeText
from ...tree.value_sets import LevelSet, NumberRange, ValueSet
from .boosted import MOST_ROWS, StaticReport, page_of, table_of, text_of
from .rule_sets import LEFT

MEANING = (
    "A row is predicted the mean of all rules whose conditions it meets. Each keeps to the range of its "
    "training rows, widened by {share} of it but not across 0. A missing value counts as the mean of its "
    "column, or as the most frequent level."
)
COMMITTEE = " The predictions of all {n} members of the committee are averaged."
NEIGHBORS = (
    " Then it is corrected by the {k} nearest training rows: each suggests its target plus the difference "
    "of the two predictions."
)
SCRIPT = """
const model = JSON.parse(document.getElementById("model").textContent);
const form = document.getElementById("try"), out = document.getElementById("predicted");
const meets = (test, x) => test.levels ? test.levels.includes(x)
  : (test.above === null || x > test.above) && (test.upto === null || x <= test.upto);
function predict() {
  const x = {};
  for (const column of model.columns) {
    const given = form.elements["column" + column.place].value;
    x[column.place] = given === "" || Number.isNaN(Number(given)) ? column.usual : Number(given);
  }
  let total = 0;
  model.members.forEach((rules, member) => {
    let sum = 0, count = 0;
    rules.forEach((rule, number) => {
      const holds = rule.tests.every((test) => meets(test, x[test.column]));
      document.getElementById(`rule-${member}-${number}`).closest("tr").classList.toggle("holds", holds);
      if (!holds) return;
      const own = rule.terms.reduce((found, [column, size]) => found + size * x[column], rule.intercept);
      sum += Math.min(Math.max(own, rule.low), rule.high);
      count += 1;
    });
    total += count > 0 ? sum / count : model.default;
  });
  out.textContent = (total / model.members.length).toFixed(model.decimals + 1);
}
form.addEventListener("input", predict);
form.addEventListener("submit", (event) => event.preventDefault());
predict();
"""


def rule_model_report(found: FittedRuleModel, X: Any, y: Any, title: str | None, weight: Any) -> StaticReport:
    """The page of rules with linear models, with the rows if there are any."""
    words, of = found.words(), found.rule_model
    target = found.target or "outcome"
    members = [
        [
            {
                "conditions": condition_words(rule.path, words),
                "equation": " ".join(line.strip() for line in model_lines(rule, target, words)),
                "cover": rule.cover,
                "mean": rule.mean,
                "error": rule.error if np.isfinite(rule.error) else None,
                "range": [rule.low, rule.high],
                "tests": [_test(values) for values in rule.path.values.values()],
                "terms": [[j, size] for j, size in rule.terms.items()],
                "intercept": rule.intercept,
                "low": rule.bounds(of.extrapolation)[0],
                "high": rule.bounds(of.extrapolation)[1],
            }
            for rule in rules
        ]
        for rules in of.committee
    ]
    model = {
        "members": members,
        "columns": _columns(found, words),
        "default": of.default,
        "decimals": of.decimals,
    }
    payload: dict[str, Any] = {
        "title": title or f"Rules with linear models{'' if found.target is None else f' for {found.target}'}",
        "target": target,
        "meaning": _meaning(found),
        "neighbors": of.options["neighbors"],
        "model": model,
    }
    if X is not None:
        payload["rows"] = _rows(found.predict(X), y, weight)
    return StaticReport(payload, _page, counted(sum(map(len, members)), "rule"))


def _meaning(found: FittedRuleModel) -> str:
    of = found.rule_model
    said = MEANING.format(share=f"{of.extrapolation:.0%}")
    said += COMMITTEE.format(n=len(of.committee)) if len(of.committee) > 1 else ""
    return said + (NEIGHBORS.format(k=of.options["neighbors"]) if of.neighbors is not None else "")


def _test(values: ValueSet) -> dict[str, Any]:
    """A condition as the script of the page reads it."""
    if isinstance(values, LevelSet):
        return {"column": values.feature, "levels": sorted(values.codes)}
    assert isinstance(values, NumberRange)
    ends = (values.low[0], values.high[0])
    above, upto = (float(end) if np.isfinite(end) else None for end in ends)
    return {"column": values.feature, "levels": None, "above": above, "upto": upto}


def _columns(found: FittedRuleModel, words: TreeText) -> list[dict[str, Any]]:
    """The columns of the rules: what a missing value counts as, and for how many rows each is used."""
    types, of = found.tree.column_types, found.rule_model
    rules = [rule for rules in of.committee for rule in rules]
    total = max(sum(rule.cover for rule in rules), 1)
    places = sorted({j for rule in rules for j in (*rule.path.values, *rule.terms)})
    return [
        {
            "place": j,
            "name": words.name(j),
            "usual": of.usual[j],
            "levels": [str(level) for level in types[j].levels]
            if types and types[j].kind == "nominal"
            else None,
            "conditions": sum(rule.cover for rule in rules if j in rule.path.values) / total,
            "models": sum(rule.cover for rule in rules if j in rule.terms) / total,
        }
        for j in places
    ]


def _rows(predicted: Floats, y: Any, weight: Any) -> dict[str, Any]:
    """The errors on the rows, and the first of them."""
    found: dict[str, Any] = {"n": len(predicted), "predicted": predicted[:MOST_ROWS].tolist(), "true": None}
    if y is None:
        return found
    true = np.asarray(y, dtype=np.float64)
    off = true - predicted
    spread = float(np.average((true - np.average(true, weights=weight)) ** 2, weights=weight))
    found |= {"true": true[:MOST_ROWS].tolist(), "error": float(np.average(np.abs(off), weights=weight))}
    return found | {"r2": 1 - float(np.average(off**2, weights=weight)) / spread if spread > 0 else None}


# -- the page


def _page(payload: dict[str, Any]) -> str:
    model = payload["model"]
    parts = [f"<p>{text_of(payload['meaning'])}</p>", _form(payload), "<h2>Rules</h2>"]
    many = len(model["members"]) > 1
    for member, rules in enumerate(model["members"]):
        table = _rules(rules, member, model["decimals"])
        name = f"Member {member + 1}: {counted(len(rules), 'rule')}"
        state = " open" if member == 0 else ""
        parts.append(f"<details{state}><summary>{name}</summary>{table}</details>" if many else table)
    usage = [
        [text_of(column["name"]), f"{column['conditions']:.0%}", f"{column['models']:.0%}"]
        for column in model["columns"]
    ]
    caption = (
        "The share of the covered training rows whose rules have the column in a condition, or in the model."
    )
    parts += ["<h2>Columns</h2>", table_of(caption, ["Column", "Conditions", "Models"], usage)]
    if "rows" in payload:
        parts.append(_errors(payload["rows"], model["decimals"] + 1))
    return page_of(payload["title"], parts, SCRIPT, {"model": model})


def _rules(rules: list[dict[str, Any]], member: int, decimals: int) -> str:
    near = f",.{decimals + 1}f"
    rows = [
        [
            f'<span id="rule-{member}-{number}">{number + 1}</span>',
            LEFT.format("<br>".join(map(text_of, rule["conditions"])) or "always"),
            LEFT.format(text_of(rule["equation"])),
            f"{rule['cover']:,}",
            f"{rule['mean']:{near}}",
            f"{rule['range'][0]:,.10g} to {rule['range'][1]:,.10g}",
            "–" if rule["error"] is None else f"{rule['error']:{near}}",
        ]
        for number, rule in enumerate(rules)
    ]
    head = ["Rule", LEFT.format("If"), LEFT.format("Then"), "Covered", "Mean", "Range", "Estimated error"]
    return table_of("Covered, mean and range are of the training rows.", head, rows)


def _form(payload: dict[str, Any]) -> str:
    fields = []
    for column in payload["model"]["columns"]:
        usual, name = column["usual"], f"column{column['place']}"
        named = f'id="{name}" name="{name}"'
        field = f'<input {named} type="number" step="any" value="{usual}">'
        if column["levels"] is not None:
            options = [
                f'<option value="{code}"{" selected" * (code == usual)}>{text_of(level)}</option>'
                for code, level in enumerate(column["levels"])
            ]
            field = f"<select {named}>{''.join(options)}</select>"
        fields.append(f'<label for="{name}">{text_of(column["name"])}</label> {field}')
    without = " The correction by near training rows has no part here." if payload["neighbors"] else ""
    said = f"Change a value: the rules that hold are framed below.{without}"
    inside = "\n".join(f"<p>{field}</p>" for field in fields)
    result = f'<p>{text_of(payload["target"])} = <output id="predicted" aria-live="polite"></output></p>'
    return f'<h2>Try values</h2>\n<p>{said}</p>\n<form id="try">{inside}</form>\n{result}'


def _errors(rows: dict[str, Any], decimals: int) -> str:
    known = rows["true"] is not None
    said = ""
    if known:
        r2 = "" if rows["r2"] is None else f", R² {rows['r2']:.3f}"
        said = (
            f"<p>On the {counted(rows['n'], 'row')} of this report the mean absolute error is "
            f"{rows['error']:,.{decimals}f}{r2}. If these rows trained the model, expect more on others.</p>"
        )
    head = ["Row", *(["True"] if known else []), "Predicted", *(["Off by"] if known else [])]
    cells = []
    for number, predicted in enumerate(rows["predicted"]):
        true = rows["true"][number] if known else 0.0
        more = [f"{predicted - true:+,.{decimals}f}"] if known else []
        cells.append(
            [str(number), *([f"{true:,.10g}"] if known else []), f"{predicted:,.{decimals}f}", *more]
        )
    caption = f"The first {len(cells)} of {counted(rows['n'], 'row')}."
    return f"<h2>Rows</h2>\n{said}\n{table_of(caption, head, cells)}"
