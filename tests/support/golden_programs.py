"""Recorded trees as nested dictionaries: a small function per program says what it does in its own way.

Each is given a recorded node and its children, which are translated already, in the order of `case.branches`.
"""

import numpy as np

from treewright.tree.tree import tree_from_dict


def tree_of(case):
    """The recorded tree as ours, made from the leaves up."""
    made = {}
    for node in reversed(case.nodes):
        below = [made[branch["child"]["id"]] for branch in case.branches(node)]
        made[node["id"]] = outcome(case, node) | (PROGRAMS[case.program](case, node, below) if below else {})
    columns = [{"kind": case.kind(feature), "levels": case.levels(feature)} for feature in case.features]
    root = {"feature_names": case.features, "classes": case.classes, "columns": columns, "costs": costs(case)}
    return tree_from_dict(made[0] | root)


def recorded_places(case, tree):
    """The recorded node at every place of our tree; None at a leaf that only our tree has."""
    found = [case.root] + [None] * (tree.node_count - 1)
    for place, node in enumerate(found):
        for k, branch in enumerate(case.branches(node) if node else []):
            found[tree.first_child[place] + k] = branch["child"]
    return found


# -- what all programs share


def outcome(case, node):
    """The value and the weight of a node, as far as they are recorded."""
    found = {"weight": node["n"]} if "n" in node else {}
    if case.classes is None:
        return found | ({"value": node["value"]} if "value" in node else {})
    if node.get("empty"):  # no row came here: all for the class that the program put down
        return found | {"value": [float(name == node["value"]) for name in case.classes]}
    if "probs" in node:  # those of an empty leaf may be None: no class at all
        return found | {"value": node["probs"] or [0.0] * len(case.classes)}
    if "counts" in node:
        return found | {"value": [count / sum(node["counts"]) for count in node["counts"]]}
    return found


def test(case, node, below):
    """The test of a node, with its children."""
    feature, branches = node["split"]["feature"], case.branches(node)[: len(below)]
    found = {"feature": feature, "children": below}
    if branches[0]["op"] in ("<=", "<"):
        return found | {"threshold": branches[0]["value"], "strict": branches[0]["op"] == "<"}
    if case.kind(feature) == "ordered":
        return found | {"threshold": case.levels(feature)[case.ranks(feature, branches[0]["values"])[-1]]}
    return found | {"levels": [case.levels_of(node, branch) for branch in branches]}


def shared(case, node, below, weights):
    """A test whose missing values are shared out by these weights."""
    return test(case, node, below) | {"missing": "share", "shares": weights}


def filled(case, node, below):
    """The children, of which those that no row came to predict as their parent."""
    parent, found = outcome(case, node), []
    for branch, child in zip(case.branches(node), below, strict=True):
        empty = branch["child"].get("empty") or branch["child"].get("ref", {}).get("empty")
        found.append(parent if empty else child)
    return found


# -- each in its own way


def c45(case, node, below):
    """A row without the value, or with a level that has no branch, goes down every branch by its weight."""
    return shared(case, node, below, [child["weight"] for child in below])


def c50(case, node, below):
    """As C4.5, but an empty leaf predicts as its parent, and so does a level that has no branch.

    That level is not shared out like a missing value: here it has a leaf of its own, with no share.
    """
    weights = [child["weight"] for child in below]
    found = shared(case, node, filled(case, node, below), weights)
    listed = [level for group in found.get("levels", []) for level in group]
    others = [level for level in case.levels(node["split"]["feature"]) if level not in listed]
    if others:
        found["levels"].append(others)
        found["children"].append(outcome(case, node))
        found["shares"].append(0.0)
    return found


def j48(case, node, below):
    """Shared out by the weights of the branches; an empty leaf predicts as its parent."""
    return shared(case, node, filled(case, node, below), node["split"]["weight_per_branch"])


def reptree(case, node, below):
    """Shared out by the proportions that it keeps for that; an empty leaf predicts as its parent."""
    return shared(case, node, filled(case, node, below), node["split"]["branch_proportions_for_missing"])


def id3(case, node, below):
    """It refuses rows with missing values, so any place will do for them."""
    return test(case, node, below) | {"missing": "stop"}


def stump(case, node, below):
    """The third branch is for missing values alone."""
    return test(case, node, below[:2]) | {"missing": below[2]}


def rpart(case, node, below):
    """Surrogates, then the child with more rows. With equal ones, or if the option says so, the row stops."""
    use = case.settings["control"]["usesurrogate"]
    rows = [branch["child"]["ref"]["n_obs"] for branch in case.branches(node)]
    to = "stop" if use < 2 or rows[0] == rows[1] else int(rows[1] > rows[0])
    swapped = case.branches(node) != node["branches"]  # what it calls left is our second child
    extra = [rpart_surrogate(case, each, swapped) for each in node["surrogates"] if use]
    return test(case, node, below) | {"missing": to, "surrogates": extra}


def rpart_surrogate(case, split, swapped):
    """Its left side goes where the left side of the node goes."""
    found = {"feature": split["feature"], "agreement": split["agreement"], "adjusted": split["adj"]}
    if split["type"] == "threshold":
        low_is_left = split["left"] == "x < threshold"
        return found | {"threshold": split["threshold"], "strict": True, "reversed": low_is_left == swapped}
    left, right = (case.ranks(split["feature"], split[side]) for side in ("left", "right"))
    if case.kind(split["feature"]) == "ordered":
        last = min(left, right)[-1]
        found["threshold"] = case.levels(split["feature"])[last]
        return found | {"reversed": (left < right) == swapped}
    return found | {"levels": [split["right"], split["left"]] if swapped else [split["left"], split["right"]]}


def ctree(case, node, below):
    """Surrogates, then a child by chance: here the row stops."""
    extra = [ctree_surrogate(case, each) for each in node["ref"].get("surrogates", [])]
    return test(case, node, below) | {"missing": "stop", "surrogates": extra}


def ctree_surrogate(case, split):
    """`index` has the child, 1 or 2, of each side of the break or of each level."""
    feature, index = split["feature"], split["index"]
    if split["breaks"] is not None:
        return {"feature": feature, "threshold": split["breaks"], "reversed": index == [2, 1]}
    child_of = list(zip(case.levels(feature), index, strict=True))
    return {"feature": feature, "levels": [[level for level, to in child_of if to == k] for k in (1, 2)]}


PROGRAMS = {
    "c45r8": c45,
    "c50": c50,
    "j48": j48,
    "reptree": reptree,
    "id3": id3,
    "decisionstump": stump,
    "rpart": rpart,
    "ctree": ctree,
}


# -- decisions and probabilities


def costs(case):
    """What each prediction costs, a row per true class. rpart calls it loss."""
    if case.program == "rpart" and case.classes:
        return case.settings["parms"]["loss"]
    if case.settings.get("costs") is None:
        return None
    given = np.array(case.settings["costs"], dtype=float).T  # C5.0 has a row per predicted class
    return (np.maximum(given, 1) * (1 - np.eye(len(given)))).tolist()  # and takes no cost below 1


def probabilities(case, tree, columns):
    """The shares of the classes of every row, as the program tells them."""
    mean, weight = tree.predict(columns), tree.weighted_n_node_samples
    if case.program == "c50":  # the mean over the leaves, and the root as one more row
        rows = (tree.shares(columns) @ weight)[:, None]
        return (rows * mean + tree.value[0]) / (rows + 1)
    if case.program == "j48" and case.setting == "A":  # Laplace: every leaf has one more row of each class
        more = weight[:, None] * tree.value[:, 0] + 1
        return tree.shares(columns) @ (more / more.sum(axis=1, keepdims=True))
    return mean
