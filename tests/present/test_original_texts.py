"""What C5.0, J48, M5P and rpart printed of the recorded tables, character by character."""

import json

import pandas as pd
import pytest

import treewright
from tests.support import golden_rpart
from tests.support.golden import Recorded, cases_of, table
from tests.support.golden_counts import Case
from tests.support.golden_fit import disagreements, estimator_of, fitted
from treewright.classics import c50, j48, m5p, output_text

# The tree agrees, the text does not: what the program prints of trials that it gave up, one row on the edge
# of a soft threshold, the importance of one column, a last digit, and the side that rpart calls left where
# rows with missing values are many.
OTHER_TEXT = {
    *("mis_small_a__c50__boost5", "diabetes__c50__fuzzy", "churn800__c50__winnow"),
    *("toy_reg__m5p__N_U", "toy_reg__m5p__R_U_N", "boston__rpart__cp0"),
    *("toy_missing__rpart__cp0_minsplit2", "toy_missing__rpart__usesur2"),
    *("boston__m5p__N", "boston__m5p__default"),  # another tree: see test_classics_m5p
}


def made(path):
    """The model of a recorded case, and what the program printed."""
    recorded, program = json.loads(path.read_text()), path.stem.split("__")[1]
    text = recorded["text"]
    if program == "c50":
        text = text[text.index("\n\n", text.index("Read ")) + 2 :]
    frame, case = table(recorded["dataset"]["name"], "train"), Recorded(path)
    X, y = frame[case.features], frame[recorded["dataset"]["target"]]
    if program == "rpart":
        return golden_rpart.fitted(Case(path)), X, y, text
    if program == "m5p":
        return m5p(recorded["settings"]["flags"]).fit(X, y), X, y, text
    if "rules" in path.stem:
        return treewright.RuleSetClassifier(estimator_of(case)).fit(X, y), X, y, text
    return fitted(Case(path)), X, y, text


def printed(path):
    model, X, y, text = made(path)
    return output_text(model, X, y).rstrip("\n"), text.rstrip("\n")


@pytest.mark.recorded
@pytest.mark.parametrize("program", ["c50", "j48", "m5p", "rpart"])
def test_as_recorded(program, record_property):
    paths = cases_of(program)
    other = {path.stem for path in paths if len(set(printed(path))) > 1}
    record_property("agreement", f"text of {program:12} {len(paths) - len(other):4} of {len(paths):4} cases")
    rules = {path.stem for path in paths if "rules" in path.stem}  # counted in test_rule_sets
    known = {"m5p": lambda _: {}}.get(program, disagreements)
    models = known([path for path in paths if path.stem in other - OTHER_TEXT - rules])
    assert other - OTHER_TEXT - rules - {*models} == set()
    assert len((other & rules) - OTHER_TEXT) <= 0.35 * len(rules)


def test_truth_values_are_levels_as_the_programs_read_them():
    X = pd.DataFrame({"windy": [True, False] * 10, "humidity": [*range(20)]})
    y = ["stay" if windy or humidity > 14 else "play" for windy, humidity in X.itertuples(index=False)]
    lines = output_text(j48("-M 1").fit(X, y)).splitlines()
    assert lines[3:7] == [
        "windy = false",
        "|   humidity <= 14: play (7.0)",
        "|   humidity > 14: stay (3.0)",
        "windy = true: stay (10.0)",
    ]
    assert "windy = true: stay (10)" in output_text(c50().fit(X, y))
    assert "\twindy = true\n" in output_text(c50(rules=True).fit(X, y))
