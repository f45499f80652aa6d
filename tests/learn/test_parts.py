"""Trees of tables in parts are those of memory."""

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.support.table_parts import cut, random_params, random_table
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.parts import Reading, describe, merge
from treewright.learn.parts.coded import PartTotals, code_part
from treewright.learn.parts.grow import Held, grow, grow_by_engine
from treewright.learn.parts.scratch import ScratchFile
from treewright.learn.parts.share import ROUTE, Moves, Share


def in_memory(table, classes, params):
    y = np.array(table["y"].to_list(), dtype=object if classes else float)
    weights = table["w"].to_numpy() if "w" in table.columns else None
    made = (DecisionTreeClassifier if classes else DecisionTreeRegressor)(**params)
    X = table.drop([name for name in ("y", "w") if name in table.columns])
    return made.fit(X, y, sample_weight=weights)


class InOrder:
    """An engine that has the parts here, one after another."""

    def __init__(self, parts, totals):
        self.parts = [(part.block(totals), part.start()) for part in parts]

    def compute(self, operation, words):
        replies = [block.compute(operation, words, rows) for block, rows in self.parts]
        sums, maxima, items = zip(*replies, strict=True)
        return np.sum(sums, axis=0), np.max(maxima, axis=0), np.concatenate(items)


def check_identity(seed):
    rng = np.random.default_rng(seed)
    table, classes = random_table(rng)
    params = random_params(rng, classes)
    model = in_memory(table, classes, params)
    reading = Reading("y", classes, "w" if "w" in table.columns else None)
    frames = cut(rng, table, int(rng.choice([1, 3, 7])))
    found = [describe([part], reading, str(k)) for k, part in enumerate(frames)]
    whole = merge(pickle.loads(pickle.dumps(found)), reading)
    params = model.get_params() | {"n_jobs": int(rng.integers(1, 3))}
    coded = [code_part([part[:9], part[9:]], whole, params) for part in frames if len(part)]
    coded = pickle.loads(pickle.dumps(coded))
    gather = int(rng.choice([0, 20, 2000]))
    assert grow(coded, whole, params, gather).digest == model.tree_.digest
    totals = PartTotals()
    for part in coded:
        totals.add(part.totals())
    assert (
        grow_by_engine(InOrder(coded, totals), totals, whole, params, Held(gather)).digest
        == model.tree_.digest
    )


@pytest.mark.filterwarnings("ignore:Every value is missing")
@pytest.mark.parametrize("seed", range(20))
def test_the_tree_of_parts_is_that_of_memory(seed):
    check_identity(seed)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Every value is missing")
@pytest.mark.parametrize("seed", range(100, 300))
def test_the_tree_of_parts_is_that_of_memory_in_many_cases(seed):
    check_identity(seed)


class CutOff:
    """A share of all parts: every other move ends in an error after some of them, and is then repeated."""

    def __init__(self, parts, totals):
        self.share, self.moves, self.n_routes = Share(parts, [0] * len(parts), totals), Moves(), 0

    def compute(self, operation, words):
        if operation == ROUTE:
            self.n_routes += 1
            if self.n_routes % 2:
                self.share.release = self.fail
                with pytest.raises(MemoryError):
                    self.share.reply(self.moves, operation, words)
        self.share.release = lambda _: None
        found = self.share.reply(self.moves, operation, words)
        if operation == ROUTE:
            self.moves = self.moves.then(words)
        return found

    @staticmethod
    def fail(place):
        if place:
            raise MemoryError


def test_a_move_that_was_cut_off_is_made_anew():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(600, 3)), columns=list("abc"))
    frame["y"] = (frame["a"] + frame["b"] * frame["c"] > 0).astype(int)
    model = DecisionTreeClassifier(max_depth=6).fit(frame[["a", "b", "c"]], frame["y"])
    reading, params = Reading("y", True), model.get_params()
    whole = merge([describe([frame], reading, "0")], reading)
    coded = [code_part([frame[k : k + 200]], whole, params) for k in (0, 200, 400)]
    totals = PartTotals()
    for part in coded:
        totals.add(part.totals())
    engine = CutOff(coded, totals)
    assert grow_by_engine(engine, totals, whole, params, Held(0)).digest == model.tree_.digest
    assert engine.n_routes >= 5


def test_the_digest_is_of_what_predicts():
    X, y = np.arange(20.0)[:, None], np.arange(20) % 3
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    assert model.tree_.digest == DecisionTreeClassifier(max_depth=2).fit(X, y).tree_.digest
    assert len(model.tree_.digest) == 16
    assert model.tree_.digest != DecisionTreeClassifier(max_depth=3).fit(X, y).tree_.digest
    assert model.tree_.digest != DecisionTreeClassifier(max_depth=2).fit(X, y + 1).tree_.digest


def test_a_full_disk_is_not_an_error_once_more_when_the_file_is_closed(tmp_path):
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no device that is always full")
    with ScratchFile(tmp_path) as scratch:
        scratch._file.close()
        scratch._file = full.open("wb")
        scratch._file.write(b"of which the last bytes do not fit")
    assert not list(tmp_path.iterdir())
