"""Id3 of Weka: levels only, a branch for each, by information gain and nothing else."""

from dataclasses import dataclass

import numpy as np

from tests.oracle.classic_grow import Path
from tests.oracle.classic_j48 import gain_of
from tests.oracle.classic_rows import Data, Sample, Test, shared

NOTHING = 1e-6  # bits: a gain that is no more than this is none


@dataclass(frozen=True)
class Id3:
    """It has no options. A branch without rows predicts nothing at all."""

    empty: str = "nothing"

    def best(self, sample: Sample, path: Path) -> Test | None:
        """The column of greatest gain, the first of equals; None if that is nothing."""
        del path  # a column that was tested gains nothing
        gains = [self.gain(sample, column) for column in range(len(sample.data.columns))]
        column = int(np.argmax(gains))
        if gains[column] <= NOTHING:
            return None
        groups = tuple((level,) for level in range(len(sample.data.columns[column].levels)))
        return shared(sample, Test(column, groups=groups, gain=gains[column]))

    def tests_once(self, _data: Data, _test: Test, /) -> bool:
        """No column is closed."""
        return False

    def gain(self, sample: Sample, column: int) -> float:
        """H(rows) - Σ share · H(branch)."""
        levels = sample.data.columns[column].levels
        if not levels or len(sample.known(column)) < len(sample):
            raise ValueError("Id3 takes levels only, and no missing values. J48 takes both.")
        counts = sample.counts(sample.values(column).astype(np.int64), len(levels))
        return gain_of(counts, float(sample.total))
