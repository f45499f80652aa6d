"""rpart, fitted on the recorded tables, and compared with all that was recorded of its trees."""

import re
import warnings

import numpy as np

from tests.support.golden import table
from tests.support.golden_counts import Case
from treewright import next_best_splits, prune
from treewright.learn.classics.rpart import rpart
from treewright.learn.classics.rpart_cp_table import cp_table
from treewright.learn.classics.rpart_importance import importance
from treewright.learn.pruning import node_risk

NEAR = 1e-9
UNITS = {"entropy": np.log(2), "poisson": 2.0}  # of gains: nats, and the whole deviance


def estimator(case):
    """The classic with the options of the recorded command."""
    control, command = case.settings["control"], case.recorded["reference"]["command"]
    parms = dict(case.settings["parms"] or {})
    if "split" in parms:
        parms["split"] = parms["split"][0]
    if "prior" in parms and "prior =" not in command:  # those of the rows
        del parms["prior"]
    cost = re.search(r"cost ?= ?c\(([^)]*)\)", command)
    cost = None if cost is None else [float(word) for word in cost.group(1).split(",")]
    return rpart(case.settings["method"], parms=parms, cost=cost, **control)


def fitted(case):
    """The classic on the recorded rows; some were pruned afterwards."""
    frame, given = table(case.table, "train"), {}
    if case.data["weight"]:
        given["sample_weight"] = frame[case.data["weight"]].to_numpy(float)
    if case.data["exposure"]:
        given["exposure"] = frame[case.data["exposure"]].to_numpy(float)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Every value is missing")
        model = estimator(case).fit(frame[case.features], frame[case.data["target"]], **given)
    later = re.search(r"prune\(cp=([0-9.]+)\)", case.recorded["reference"]["command"])
    if later is None:
        return model
    return prune(model, **model.pruning_options | {"alpha": float(later.group(1))})


def differences(path):
    """Sentences on all that is not as recorded; none if the case agrees."""
    case = Case(path)
    model = fitted(case)
    pairs, found = walk(case, model)
    if not found:
        for check in (nodes_differ, surrogates_differ, tables_differ, predictions_differ):
            found += check(case, model, pairs)
    return found


# -- the two trees side by side


def walk(case, model):
    """Pairs of nodes of both trees, and if our children are theirs changed over; and where the trees part."""
    tree, wanted = model.tree_, case.tree
    pairs, found, waiting = [], [], [(0, 0)]
    while waiting:
        ours, theirs = waiting.pop()
        said = test_of(case, tree, ours), test_of(case, wanted, theirs)
        if said[0][0] != said[1][0]:
            found.append(f"node {theirs}: tests {said[0][0]} not {said[1][0]}")
            continue
        swapped = said[0][1] != said[1][1]
        pairs.append((ours, theirs, swapped))
        first = tree.first_child[ours], wanted.first_child[theirs]
        waiting += [
            (first[0] + k, first[1] + (1 - k if swapped else k)) for k in range(tree.n_children[ours])
        ]
    return pairs, found


def test_of(case, tree, node):
    """The test of a node whichever side is first, and what its first side is."""
    if tree.is_leaf[node]:
        return "leaf", None
    test = tree.test(node)
    return said(case, test)


def said(case, test):
    name = case.features[test.feature]
    if test.levels:
        return (name, frozenset(map(frozenset, test.levels))), test.levels[0]
    if case.kind(name) == "ordered":  # between two levels any number will do
        above = np.ceil(test.threshold) if test.strict else np.floor(test.threshold) + 1
        return (name, int(above)), "low"
    return (name, test.threshold, test.strict), "low"


# -- what is in the nodes


def nodes_differ(case, model, pairs):
    tree = model.tree_
    risk = node_risk(tree, model.pruning_options["risk"])
    unit = 2.0 if model.criterion == "poisson" else 1.0
    gains = UNITS.get(model.criterion, 1.0)
    for ours, theirs, swapped in pairs:
        place = case.places[theirs]
        wanted = {"rows": place["ref"]["n_obs"], "value": place.get("probs", place["value"])}
        wanted["deviance"] = place["ref"]["deviance"]
        found = {"rows": int(tree.n_node_samples[ours]), "value": tree.prediction[ours, 0]}
        found["deviance"] = risk[ours] * unit
        if not place["leaf"]:
            share = place["ref"]["deviance"] if case.settings["method"] == "anova" else 1.0
            wanted["improve"] = place["split"]["improve"] * share
            found["improve"] = tree.gain[ours] * gains / cost_of(model, tree.feature[ours])
            missing = int(case.tree.missing_child[theirs])
            found["missing"] = int(tree.missing_child[ours])
            wanted["missing"] = 1 - missing if swapped and missing >= 0 else missing
        if case.classes is not None:
            found["class"], wanted["class"] = str(model.classes_[tree.label[ours, 0]]), place["value"]
        scale = case.root["ref"]["deviance"]
        for name, value in wanted.items():
            near = NEAR * scale if name in ("deviance", "improve") else 1e-12
            same = found[name] == value if name == "class" else np.allclose(found[name], value, NEAR, near)
            if not same:
                yield f"node {theirs}: {name} {found[name]} not {value}"


def cost_of(model, feature):
    costs = model.growth_rules.get("column_costs")
    return 1.0 if costs is None else costs[feature]


def surrogates_differ(case, model, pairs):
    # Where surrogates are not used the recorded tree has none, but the program printed them.
    used = case.settings["control"]["usesurrogate"] > 0
    extra = model.tree_.surrogates if used else getattr(model, "unused_surrogates_", None)
    for ours, theirs, swapped in pairs:
        found = [] if extra is None else [surrogate(case, extra, k, swapped) for k in extra.of(ours)]
        surrogates, wanted = case.tree.surrogates, []
        if used and surrogates is not None:
            wanted = [surrogate(case, surrogates, k, False) for k in surrogates.of(theirs)]
        elif not used:
            names = [] if extra is None else [case.features[extra.feature[k]] for k in extra.of(ours)]
            found = [(name, *shown[-2:]) for name, shown in zip(names, found, strict=True)]
            wanted = [
                (each["feature"], round(each["agreement"], 9), round(each["adj"], 9))
                for each in case.places[theirs].get("surrogates", [])
            ]
        if found != wanted:
            yield f"node {theirs}: the surrogates {found} not {wanted}"


def surrogate(case, extra, place, swapped):
    test = extra.test(place)
    if test.levels:
        test = test.feature, test.levels[::-1] if swapped else test.levels
    else:
        test = said(case, test)[0], test.reversed != swapped
    return *test, round(float(extra.agreement[place]), 9), round(float(extra.adjusted[place]), 9)


# -- tables and predictions


def tables_differ(case, model, _):
    wanted, before = [], np.inf
    for cp, n_splits, error in case.extra["cptable"]["rows"]:
        if not cp > before * (1 - 1e-9) > 0:  # equal but for rounding: to us one
            wanted.append((cp, n_splits, error))
        before = cp
    found = [tuple(row) for row in cp_table(model)]
    if len(found) != len(wanted) or not np.allclose(found, wanted, 1e-7, 1e-9):
        yield f"cp table {found} not {wanted}"
    theirs, ours = case.extra["variable_importance"] or {}, importance(model)
    if theirs.keys() != ours.keys() or not np.allclose([ours[k] for k in theirs], [*theirs.values()], 1e-8):
        yield f"importance {ours} not {theirs}"


def predictions_differ(case, model, _):
    for part, predictions in case.predictions.items():
        X, wanted = case.rows(part), predictions["predictions"]
        found = model.predict(X)
        if case.classes is None:
            if not np.allclose(found, wanted, case.tolerance):
                yield f"{part}: other numbers"
            continue
        if [str(name) for name in found] != wanted:
            yield f"{part}: other classes"
        shares = model.predict_proba(X)
        if case.program == "ctree":  # which drops classes that no row has
            shares = shares[:, model.tree_.value[0, 0] > 0]
        if not np.allclose(shares, predictions["probabilities"], case.tolerance, 1e-12):
            yield f"{part}: other shares"


def competitors_differ(case, model):
    """The recorded next-best splits among ours, with their gains."""
    frame = table(case.table, "train")
    weight = None if not case.data["weight"] else frame[case.data["weight"]].to_numpy(float)
    found = next_best_splits(model, frame[case.features], frame[case.data["target"]], None, weight)
    if found.skipped:
        yield found.skipped
    gains = {each.node: {other.feature: other.gain for other in each.next_best} for each in found}
    for ours, theirs, _ in walk(case, model)[0]:
        place = case.places[theirs]
        share = place["ref"]["deviance"] if case.settings["method"] == "anova" else 1.0
        for competitor in place.get("competitors", []):
            gain = gains[ours].get(competitor["feature"], 0.0) * UNITS.get(model.criterion, 1.0)
            gain /= cost_of(model, case.features.index(competitor["feature"]))
            if not np.isclose(gain, competitor["improve"] * share, 1e-7, 1e-9 * case.root["ref"]["deviance"]):
                wanted = competitor["improve"] * share
                yield f"node {theirs}: {competitor['feature']} gains {gain} not {wanted}"
