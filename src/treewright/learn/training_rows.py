"""A digest of the training rows in a model file: it can say how many of other rows were training rows.

Every row, with its target, becomes a hash of 64 bits that depends on its values alone: not on the order of
the rows, the table library, or whether a whole number is an int, a float or text. The hashes set bits of a
Bloom filter of at most 8 kB. Of more than 8,192 rows those of the smallest hashes are kept, so that a table
can be compared row by row within this share of all hashes. A value cannot be read from the bits; a row that
somebody knows already can be looked up, with 2 % of false matches.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from ..data.selection import there_of
from ..data.table import each_column, frame_of, is_frame, read_series
from ..data.values import Column, Read, values_of

if TYPE_CHECKING:
    from .fitted_tree import FittedTree

Hashes = NDArray[np.uint64]

KEY = "training_rows"  # of the summary in a model file
CAPACITY, BITS_PER_ROW, PROBES = 8192, 8, 4
FEWEST = 10  # rows that must be compared to say that none is a training row
CERTAIN = math.log(1000)  # of the odds against so many matches by chance
SOME, ALL = 0.05, 0.995  # shares of training rows from which a sentence says so
_MISSING = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """The digest of a table and its target."""

    share: float  # of all hashes that are kept
    repeated: float  # the share of rows that equal another row
    bits: NDArray[np.uint8]

    @classmethod
    def of(cls, X: Any, y: Any) -> Self | None:
        """The digest of these rows; None for a sparse matrix, or several targets."""
        hashes = row_hashes(X, y)
        if hashes is None or not len(hashes):
            return None
        distinct, counts = np.unique(hashes, return_counts=True)
        repeated = float(counts[counts > 1].sum() / len(hashes))
        share = min(1.0, CAPACITY / len(distinct))
        kept = distinct[_fraction(distinct) < share]
        bits = np.zeros(max(len(kept), 8) * BITS_PER_ROW, dtype=bool)
        bits[_places(kept, len(bits)).ravel()] = True
        return cls(share, repeated, np.packbits(bits))

    @classmethod
    def from_dict(cls, given: Any) -> Self | None:
        """The digest that a file holds; None for anything else."""
        if not isinstance(given, dict):
            return None
        share, repeated, text = (given.get(name) for name in ("share", "repeated", "bits"))
        if not isinstance(share, int | float) or not isinstance(repeated, int | float):
            return None
        try:
            data = base64.b64decode(text if isinstance(text, str) else "", validate=True)
        except (binascii.Error, ValueError):
            return None
        bits = np.frombuffer(data, np.uint8)
        known = len(bits) > 0 and 0 < share <= 1 and 0 <= repeated <= 1
        return cls(float(share), float(repeated), bits) if known else None

    def to_dict(self) -> dict[str, Any]:
        """As a file holds it."""
        text = base64.b64encode(self.bits.tobytes()).decode("ascii")
        return {"share": self.share, "repeated": self.repeated, "bits": text}

    def overlap(self, X: Any, y: Any) -> Overlap | None:
        """How many of these rows are training rows; None where they cannot be compared."""
        hashes = row_hashes(X, y)
        if hashes is None:
            return None
        bits = np.unpackbits(self.bits).astype(bool)
        compared = hashes[_fraction(hashes) < self.share]
        found = int(np.count_nonzero(bits[_places(compared, len(bits))].all(axis=1)))
        false = float(bits.mean()) ** PROBES
        return Overlap(len(compared), found, self.repeated + (1 - self.repeated) * false)


@dataclass(frozen=True)
class Overlap:
    """How many of some rows are training rows of a model."""

    compared: int  # rows that the digest can compare
    matches: int  # of these, rows that equal a training row
    chance: float  # the share of matches among new rows of the same kind

    @property
    def share(self) -> float:
        """The share of training rows, beyond what new rows would match by chance."""
        if not self.compared or self.chance >= 1:
            return 0.0
        return max(self.matches / self.compared - self.chance, 0.0) / (1 - self.chance)

    @property
    def is_certain(self) -> bool:
        """Whether so many matches are no chance: by the bound of Chernoff on the binomial distribution."""
        if not self.compared or self.matches <= self.chance * self.compared:
            return False
        p, q = self.matches / self.compared, self.chance
        odds = p * math.log(p / max(q, 1e-9)) + (0 if p == 1 else (1 - p) * math.log((1 - p) / (1 - q)))
        return self.compared * odds > CERTAIN

    @property
    def none(self) -> bool:
        """Whether the rows are surely not training rows, or only a few of them."""
        return self.compared >= FEWEST and self.chance < 0.5 and not self.text

    @property
    def text(self) -> str:
        """A sentence if some of the rows are training rows; else nothing."""
        if not self.is_certain or self.share < SOME:
            return ""
        many = "All" if self.share >= ALL else f"About {self.share:.0%}".replace("%", " %")
        return f"{many} of these rows are training rows of the model, so that its score on them is too good."


def overlap_of(model: FittedTree, X: Any, y: Any) -> Overlap | None:
    """How many of these rows a model was trained on; None where its file does not know its rows."""
    digest, tree = TrainingRows.from_dict(model.training.get(KEY)), model.tree
    X = model.table(X)
    if digest is None or len(there_of(X, tree.feature_names, tree.n_features)) < tree.n_features:
        return None  # a row is compared by all of its columns
    return digest.overlap(model.select(X), y)


# -- hashes


def row_hashes(X: Any, y: Any) -> Hashes | None:
    """A hash of each row by its values, in the order of the columns, and of its target."""
    if hasattr(X, "tocsc"):
        return None
    import narwhals.stable.v2 as nw

    series = nw.from_native(y, allow_series=True, pass_through=True)
    if isinstance(series, nw.Series):
        target = read_series(series)
    else:
        array = np.asarray(y)
        if array.ndim != 1:
            return None
        target = values_of(array, "y")
    columns: Iterator[Read] = each_column(frame_of(X).to_native() if is_frame(X) else np.asarray(X))
    found: Hashes | None = None
    for read in (*columns, target):
        values = _value_hashes(read)
        found = values if found is None else _mixed(found * np.uint64(31) + values)
    return found


def _value_hashes(read: Read) -> Hashes:
    if isinstance(read, Column):
        values = read.values.astype(np.float64)
        missing = np.isnan(values) if read.missing is None else read.missing | np.isnan(values)
        return np.where(missing, _MISSING, _mixed(_number_bits(values)))
    levels = np.array([_level_hash(level) for level in read.levels] + [int(_MISSING)], dtype=np.uint64)
    return np.asarray(levels[read.codes])  # the code of a missing value is -1


def _number_bits(values: NDArray[np.float64]) -> Hashes:
    """The bits of numbers; decimals in single precision, as some tables hold them."""
    with np.errstate(over="ignore"):
        short = values.astype(np.float32).astype(np.float64)
    plain = np.where(values == np.floor(values), values, short) + 0.0  # and -0 is 0
    return plain.view(np.uint64)


def _level_hash(level: Any) -> int:
    """Text by its letters, unless it is a number."""
    try:
        number = float(level)
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return int(_mixed(_number_bits(np.array([number])))[0])
    return int.from_bytes(hashlib.blake2b(str(level).encode(), digest_size=8).digest(), "little")


def _mixed(bits: Hashes) -> Hashes:
    """The finalizer of SplitMix64: every bit of the result depends on every bit."""
    z = bits + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _fraction(hashes: Hashes) -> NDArray[np.float64]:
    """Hashes as numbers in [0, 1)."""
    return (hashes >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _places(hashes: Hashes, n_bits: int) -> NDArray[np.int64]:
    """The bits of each hash: (rows, PROBES)."""
    both = _mixed(hashes ^ np.uint64(0x5851F42D4C957F2D))
    first, step = both & np.uint64(0xFFFFFFFF), both >> np.uint64(32) | np.uint64(1)
    probes = first[:, None] + step[:, None] * np.arange(PROBES, dtype=np.uint64)
    return (probes % np.uint64(n_bits)).astype(np.int64)
