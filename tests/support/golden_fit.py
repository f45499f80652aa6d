"""The classics, fitted on the recorded tables as the programs were, and compared with what these made.

A case agrees if the tree is the recorded one (tests, branches, weights, values) and every recorded row is
predicted as there. `differences` has a sentence for each thing that is not so.
"""

import re
import sys
import warnings

import numpy as np

from tests.support import golden_ctree, golden_rpart
from tests.support.golden import GOLDEN, MORE, cases_of, table
from tests.support.golden_counts import Case
from tests.support.golden_sklearn import check_tree
from tests.support.golden_ties import tied
from treewright.data.columns import as_columns
from treewright.learn import classics

# What our classics leave for later.
LEFT_OUT = {"c50": ("rules", "rules_nosubset")}
PROGRAMS = ("id3", "decisionstump", "c45r8", "j48", "c50", "rpart", "sklearn", "reptree", "ctree")


def cases(program, folders=(GOLDEN, MORE)):
    """The recorded cases that our classic takes."""
    left_out = LEFT_OUT.get(program, ())
    return [path for path in cases_of(program, folders) if path.stem.split("__")[2] not in left_out]


# -- the estimator that is set up as a recorded command


def estimator_of(case):
    """The classic with the options of the recorded command."""
    return MADE[case.program](case)


def c45(case):
    words = case.settings["flags"].split()[3:]  # without the program and its file
    return classics.c45(" ".join(words), pruned=case.settings["which"] == "pruned")


def c50(case):
    names = ("subset", "CF", "minCases", "noGlobalPruning", "winnow", "fuzzyThreshold")
    control = {name: case.settings["control"][name] for name in names}
    trials = case.settings["trials"]["Requested"]
    return classics.c50(costs=case.settings["costs"], trials=trials, **control)


def weka(make, both=False):
    def made(case):
        task = {"task": "classification" if case.classes else "regression"} if both else {}
        return make(case.settings["full"], **task)

    return made


MADE = {
    "id3": weka(lambda _: classics.id3()),
    "decisionstump": weka(classics.stump, both=True),
    "c45r8": c45,
    "j48": weka(classics.j48),
    "c50": c50,
    "reptree": weka(classics.rep_tree, both=True),
}


def fitted(case):
    """The classic, fitted on the recorded rows; those that it holds out it draws itself."""
    frame = table(case.table, "train")
    target = frame[case.data["target"]]
    weight = None if not case.data["weight"] else frame[case.data["weight"]].to_numpy(float)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Every value is missing")
        return estimator_of(case).fit(frame[case.features], target, sample_weight=weight)


# -- what differs


def differences(path):
    """Sentences on all that is not as recorded; none if the case agrees."""
    program = path.stem.split("__")[1]
    if program == "sklearn":
        return sklearn_differs(path)
    if program in ("rpart", "ctree"):
        return {"rpart": golden_rpart, "ctree": golden_ctree}[program].differences(path)
    case = Case(path)
    model = fitted(case)
    if hasattr(model, "estimators_"):
        return trials_differ(case, path, model)
    ties = []  # nodes of the recorded tree at which ours has another test that is as good
    found = [*rows_differ(case, model), *tree_differs(case, model.tree_, ties), *ends_differ(case, model)]
    return found or list(predictions_differ(case, model, ties))


def trials_differ(case, path, model):
    """Every tree of a boosted model, and its votes."""
    recorded = case.extra.get("boosted_trees") or [case.root]
    if len(model.estimators_) != len(recorded):
        return [f"{len(model.estimators_)} trials, not {len(recorded)}"]
    for number, member in enumerate(model.estimators_):
        trial = Case(path, number if len(recorded) > 1 else None)
        found = list(tree_differs(trial, member.tree_, []))
        if found:
            return [f"trial {number}: {found[0]}"]
    for part, wanted in case.predictions.items():
        X = case.rows(part)
        if model.predict(X).tolist() != wanted["predictions"]:
            return [f"{part}: other classes"]
        if not np.allclose(model.predict_proba(X), wanted["probabilities"], rtol=case.tolerance, atol=1e-9):
            return [f"{part}: other shares of the votes"]
    return []


def ends_differ(case, model):
    """The ends and the middle of every soft threshold."""
    pattern = 'low="(.*?)" mid="(.*?)" high="(.*?)"'
    theirs = sorted(
        tuple(map(float, found)) for found in re.findall(pattern, (case.extra or {}).get("tree_file") or "")
    )
    tree = model.tree_
    each = zip(tree.soft_low.tolist(), tree.soft_middle.tolist(), tree.soft_high.tolist(), strict=True)
    ours = sorted(ends for ends in each if not np.isnan(ends[0]))
    if ours != theirs:
        yield f"soft thresholds {ours} not {theirs}"


def sklearn_differs(path):
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Every value is missing")
            check_tree(path, lambda task, **params: classics.cart(task=task, **params))
    except AssertionError as error:
        return [str(error).splitlines()[0]]
    return []


def rows_differ(case, model):
    if "prune_rows" in (case.extra or {}):
        for name in ("grow_rows", "prune_rows"):
            if sorted(case.extra[name]) != model.pruning_[name].tolist():
                yield f"other {name}"


def tree_differs(case, tree, ties):
    """Walk both trees together; where they part, one sentence, or a tie, and no further."""
    wanted = case.tree
    near = 1e-4 if case.program in ("c45r8", "c50") else 1e-9
    waiting = [(0, 0)]
    while waiting:
        ours, theirs = waiting.pop()
        where = f"node {theirs}"
        counted = "n" in case.root  # Id3 and the stump keep shares alone
        weights = tree.weighted_n_node_samples[ours], wanted.weighted_n_node_samples[theirs]
        values = tree.value[ours], recorded_value(case, theirs, tree.value[ours])
        if counted and not close(*weights, near):
            yield f"{where}: weight {weights[0]} not {weights[1]}"
        elif not close(*values, near):
            yield f"{where}: value {values[0].ravel()} not {values[1].ravel()}"
        said = tested(case, tree, ours), tested(case, wanted, theirs)
        if said[0] != said[1]:
            if tied(case, tree, ours, theirs):
                ties.append(theirs)
            else:
                yield f"{where}: tests {said[0]} not {said[1]}"
            continue
        waiting += children(tree, ours, wanted, theirs)


def recorded_value(case, node, unknown):
    """What the program counted in a node, before smoothing; Id3 and the stump tell it of leaves alone."""
    place = case.places[node]
    if place is None or not ("n" in place or place["leaf"]):
        return unknown
    counts = np.array(place.get("counts", [0.0]), dtype=float)
    return counts[None] / counts.sum() if counts.any() and not place.get("empty") else case.tree.value[node]


def close(found, wanted, near):
    return np.allclose(found, wanted, rtol=near, atol=near)


def tested(case, tree, node):
    """The test of a node as something to compare: column and threshold, or column and groups of levels."""
    if not tree.n_children[node]:
        return "leaf"
    test = tree.test(node)
    name = case.features[test.feature]
    if test.levels:
        return name, frozenset(frozenset(group) for group in test.levels if group)
    real = np.float32 if case.program in ("c45r8", "c50") else float
    return name, real(test.threshold), test.strict


def children(tree, ours, wanted, theirs):
    """Pairs of children: of the same levels, or in order."""
    first = int(tree.first_child[ours]), int(wanted.first_child[theirs])
    if not tree.n_children[ours]:
        return []
    levels = tree.test(ours).levels
    if not levels:
        return [(first[0] + k, first[1] + k) for k in range(2)]
    place = {frozenset(group): k for k, group in enumerate(wanted.test(theirs).levels)}
    return [(first[0] + k, first[1] + place[frozenset(group)]) for k, group in enumerate(levels) if group]


def predictions_differ(case, model, ties):
    """Rows that pass a tied node are not looked at."""
    for part, predictions in case.predictions.items():
        X, columns = case.rows(part), as_columns(case.rows(part), case.tree.column_types)
        passed = np.asarray(case.tree.decision_path(columns)[:, ties].sum(axis=1)).ravel()
        rows = np.flatnonzero(passed == 0)
        if case.classes is None:
            wanted = np.array(predictions["predictions"], dtype=float)[rows]
            if not np.allclose(model.predict(X)[rows], wanted, rtol=case.tolerance):
                yield f"{part}: other numbers"
            continue
        yield from classes_differ(case, model, part, X, predictions, rows)


def classes_differ(case, model, part, X, predictions, rows):
    wanted = predictions["predictions"]
    known = [row for row in rows.tolist() if not isinstance(wanted[row], dict)]  # Id3 refuses some
    found, shares = model.predict(X), model.predict_proba(X)
    tree, columns = model.tree_, as_columns(X, model.tree_.column_types)
    ends, counted = np.diff(tree.shares(columns).indptr), tree.with_estimate([]).predict(columns)
    loss = -counted if tree.costs is None else counted @ tree.costs
    for row in known:
        if found[row] == wanted[row]:
            continue
        tied = wanted[row] is not None and ends[row] > 1
        if tied and loss[row, case.classes.index(wanted[row])] - loss[row].min() <= case.tolerance:
            continue
        yield f"{part}: row {row} is {found[row]!r} not {wanted[row]!r}"
        break
    for row in known:
        theirs = predictions.get("probabilities", [None] * len(wanted))[row]
        if theirs is not None and not np.allclose(shares[row], theirs, rtol=case.tolerance, atol=1e-9):
            yield f"{part}: row {row} has the shares {shares[row]} not {theirs}"
            break


def disagreements(paths):
    """The cases that do not agree, each with what differs first."""
    found = {}
    for path in paths:
        try:
            said = differences(path)
        except ValueError as error:  # a refusal
            said = [str(error)]
        if said:
            found[path.stem] = said[0]
    return found


if __name__ == "__main__":  # python -m tests.support.golden_fit [PROGRAM [PART OF A NAME]]
    for program in sys.argv[1:2] or PROGRAMS:
        asked_for = [path for path in cases(program) if sys.argv[2:3] == [] or sys.argv[2] in path.stem]
        failed = disagreements(asked_for)
        for name, why in failed.items():
            print(f"{name} | {why[:250]}")  # noqa: T201
        print(f"{program}: {len(asked_for) - len(failed)} of {len(asked_for)}")  # noqa: T201
