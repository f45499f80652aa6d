"""ctree, fitted on the recorded tables, and compared with all that was recorded of its trees."""

import re

import numpy as np

from tests.support.golden import table
from tests.support.golden_counts import Case
from tests.support.golden_rpart import predictions_differ, said, walk
from treewright.learn.classics.ctree import ctree
from treewright.learn.classics.options import keywords

DRAWN = 2e-3  # how exact p-values are that the program and we estimate by random draws


def estimator(case):
    """The classic with the options of the recorded command."""
    (control,) = re.findall(r"ctree_control\((.*?)\)", case.recorded["reference"]["command"])
    options = re.sub(r"(\d)L\b", r"\1", control).replace('"', "").replace(",", " ")
    return ctree("classification" if case.classes else "regression", **keywords(options))


def differences(path):
    """Sentences on all that is not as recorded; none if the case agrees."""
    case = Case(path)
    frame = table(case.table, "train")
    model = estimator(case).fit(frame[case.features], frame[case.data["target"]])
    pairs, found = walk(case, model)
    if not found:
        for check in (tests_differ, surrogates_differ, leaves_differ, predictions_differ):
            found += check(case, model, pairs)
    return found


def tests_differ(case, model, pairs):
    """Statistics and p-values of every node that was tested."""
    tree, drawn = model.tree_, model.growth_rules["test_statistic"] == "maximum"
    for ours, theirs, _ in pairs:
        recorded = case.places[theirs]["ref"].get("tests") or {}
        if np.isnan(tree.p_value[ours]).all() and tree.is_leaf[ours]:
            continue  # no split would leave enough rows: it was not tested
        for place, feature in enumerate(case.features):
            found = tree.test_statistic[ours, place], tree.p_value[ours, place]
            wanted = recorded.get(feature, {"statistic": np.nan, "p.value": np.nan})
            near = {"rtol": 1e-6, "equal_nan": True}
            if not np.isclose(found[0], wanted["statistic"], atol=1e-9, **near):
                yield f"node {theirs}: the statistic of {feature} is {found[0]} not {wanted['statistic']}"
            elif not np.isclose(found[1], wanted["p.value"], atol=DRAWN if drawn else 0, **near):
                yield f"node {theirs}: the p-value of {feature} is {found[1]} not {wanted['p.value']}"


def surrogates_differ(case, model, pairs):
    def of(extra, node, swapped):
        found = []
        for place in [] if extra is None else extra.of(node):
            test = extra.test(place)
            if test.levels:
                found.append((test.feature, test.levels[::-1] if swapped else test.levels))
            else:
                found.append((said(case, test)[0], test.reversed != swapped))
        return found

    for ours, theirs, swapped in pairs:
        found, wanted = of(model.tree_.surrogates, ours, swapped), of(case.tree.surrogates, theirs, False)
        if found != wanted:
            yield f"node {theirs}: the surrogates {found} not {wanted}"


def leaves_differ(case, model, pairs):
    for ours, theirs, _ in pairs:
        place = case.places[theirs]
        if not place["leaf"]:
            continue
        weight, value = model.tree_.weighted_n_node_samples[ours], model.tree_.value[ours, 0]
        if case.classes:
            value = value[classes_with_rows(model)]
        wanted = np.array(place["counts"]) / place["n"] if case.classes else [place["value"]]
        if weight != place["n"] or not np.allclose(value, wanted, 1e-9, 1e-12):
            yield f"node {theirs}: {weight} rows and {value} not {place['n']} and {wanted}"


def classes_with_rows(model):
    """The program drops classes that no row has."""
    return model.tree_.value[0, 0] > 0
