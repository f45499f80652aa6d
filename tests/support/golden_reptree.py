"""Recorded tables for the oracles of the classics, and trees as REPTree grows them before pruning."""

import numpy as np

from tests.oracle.classic_grow import grown_tree
from tests.oracle.classic_reptree import RepTree
from tests.oracle.classic_rows import Column, Data
from tests.support.golden import table


def data_of(case, some=None):
    """Rows of the recorded table, as the oracles read them."""
    frame, rows = table(case.table, "train"), case.rows_of(some)
    frame = frame if some is None else frame.iloc[some]
    columns = tuple(column_of(case, frame, name) for name in case.features)
    return Data(columns, rows.y[:, 0], rows.weight, tuple(case.classes or ()))


def column_of(case, frame, name):
    if not case.levels(name):
        return Column(name, frame[name].to_numpy(float))
    codes = frame[name].cat.codes.to_numpy(float)
    return Column(name, np.where(codes < 0, np.nan, codes), tuple(case.levels(name)))


def grown(case, some):
    """REPTree's tree of these rows; of splits that gain the same a recorded one is taken."""
    data = data_of(case, some)
    splits = [node["split"] for node in case.nodes if "split" in node]
    recorded = [(case.features.index(split["feature"]), split.get("threshold")) for split in splits]

    def prefer(test):
        return any(test.column == column and same(test.threshold, cut) for column, cut in recorded)

    flat = 0.0 if case.classes else float(case.option("-V")) * data.y.var()
    program = RepTree(float(case.option("-M")), int(case.option("-L")), flat, prefer)
    return grown_tree(program, data)


def same(one, two):
    return one is two if None in (one, two) else bool(np.isclose(one, two, rtol=1e-12))
