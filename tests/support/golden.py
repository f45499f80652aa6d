"""Recorded trees of other programs, and the tables they belong to.

Those whose tables were made for this project ship with it, in tests/recorded, so that no test of them runs
empty. The folder that TREEWRIGHT_BESIDE names has more; tests that read it are marked `recorded`. It may have
a second folder, golden-more, of small tables for one rule each; its `corrections` replace cases of the first.
"""

import json
from functools import cache, cached_property

import numpy as np

from tests.support.paths import BESIDE, RECORDED

INSIDE = RECORDED / "golden"
GOLDEN = BESIDE / "golden"
MORE = BESIDE / "golden-more"
TABLES = {"train": "", "probe": ".probe", "probe_nomiss": ".probe_nomiss"}
KINDS = {"numeric": "number", "nominal": "nominal", "ordinal": "ordered"}
# Tables with numbers that are one, or neighbours, in single precision, in which C4.5 and C5.0 compare them: a
# tree that compares doubles sends some rows elsewhere.
ONE_IN_SINGLE = ("cut_large_a", "cut_single_a")
KNOW_ORDER = ("rpart", "ctree")  # to all other programs a column of ordered levels is nominal


def cases_of(program, folders=(GOLDEN, MORE)):
    """The files of a program, as it is called in their names, in all folders or some."""
    return [
        corrected(path)
        for folder in folders
        for path in sorted((folder / "cases").glob(f"*__{program}__*.json"))
    ]


def in_doubles(paths):
    """Those of the files whose rows go the same way if numbers are compared in double precision."""
    return [path for path in paths if path.stem.split("__")[0] not in ONE_IN_SINGLE]


def corrected(path):
    """The file that replaces a case that was recorded wrongly, or the case itself."""
    right = MORE / "corrections" / path.name
    return right if right.exists() else path


@cache
def data_file(name):
    """A file of a table, in the folder that has it."""
    found = [folder / "data" / name for folder in (GOLDEN, MORE) if (folder / "data" / name).exists()]
    return found[0]


@cache
def described(name):
    """The columns of a table by name, as its description has them."""
    columns = json.loads(data_file(f"{name}.meta.json").read_text())["columns"]
    return {column["name"]: column for column in columns}


@cache
def table(name, part):
    """A pandas frame: categories in the declared order, numbers as float64, empty fields missing."""
    import pandas as pd

    text = pd.read_csv(data_file(f"{name}{TABLES[part]}.csv"), dtype=str, keep_default_na=False)
    frame = {}
    for column, values in text.items():
        kind, levels = described(name)[column]["type"], described(name)[column].get("levels")
        if kind == "numeric":
            frame[column] = values.where(values != "", "nan").astype(np.float64)
        else:
            known = values.where(values != "", None)
            frame[column] = pd.Categorical(known, categories=levels, ordered=kind == "ordinal")
    return pd.DataFrame(frame)


class Recorded:
    """One recorded tree, with what its program predicted for every row."""

    def __init__(self, path, trial=None):
        recorded = json.loads(path.read_text())
        self.program, self.setting = path.stem.split("__")[1:]
        self.table, self.features = recorded["dataset"]["name"], recorded["dataset"]["feature_order"]
        self.classes, self.tolerance = recorded["classes"], recorded["tolerance"]
        self.root = recorded["tree"] if trial is None else recorded["extra"]["boosted_trees"][trial]
        self.settings, self.extra = recorded["settings"], recorded.get("extra")
        self.predictions = {part: recorded[part] for part in TABLES if recorded.get(part)}

    def rows(self, part):
        """The table that was predicted."""
        return table(self.table, part)[self.features]

    @cached_property
    def nodes(self):
        """All nodes, a parent before its children."""
        found, waiting = [], [self.root]
        while waiting:
            found.append(waiting.pop())
            waiting += [branch["child"] for branch in found[-1].get("branches", [])]
        return found

    # -- the columns, and the branches that lead from a node

    def kind(self, feature):
        """The kind of a column as the program sees it."""
        kind = KINDS[described(self.table)[feature]["type"]]
        return "nominal" if kind == "ordered" and self.program not in KNOW_ORDER else kind

    def levels(self, feature):
        """The levels of a column in order."""
        return described(self.table)[feature].get("levels", [])

    def ranks(self, feature, names):
        """The places of these levels among all of their column, in order."""
        return sorted(map(self.levels(feature).index, names))

    def branches(self, node):
        """The branches with the low values first; rpart has that side first which has the lower outcome."""
        branches = node.get("branches", [])
        if branches and branches[0]["op"] == ">=":
            return branches[::-1]
        if branches and branches[0]["op"] == "in" and self.kind(node["split"]["feature"]) == "ordered":
            return sorted(branches, key=lambda branch: self.ranks(node["split"]["feature"], branch["values"]))
        return branches

    def levels_of(self, node, branch):
        """The names of the levels that take a branch."""
        if branch["op"] == "in":
            return branch["values"]
        is_value = branch["op"] == "="
        return [
            name for name in self.levels(node["split"]["feature"]) if (name == branch["value"]) == is_value
        ]
