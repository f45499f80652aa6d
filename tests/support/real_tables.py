"""Real tables, the target last: the bundled ones and a made one of numbers, and all that BESIDE has.

A clone alone has the first of these; the variable TREEWRIGHT_BESIDE adds the others.
"""

from functools import cache

import numpy as np
import polars as pl

from tests.support.paths import BESIDE, EXAMPLES

MADE = "made numbers"
BUNDLED = {f"bundled {path.stem}": path for path in sorted(EXAMPLES.glob("*.csv"))}
MORE = {path.stem: path for path in sorted((BESIDE / "data").glob("*.parquet"))}


@cache
def regression_tables():
    """The names of those tables of BESIDE that predict a number."""
    index = BESIDE / "data" / "index.csv"
    if not index.exists():
        return set()
    return set(pl.read_csv(index).filter(pl.col("task") == "regression")["name"])


def kind_of(name):
    """What a table predicts."""
    return "regression" if name == MADE or name in regression_tables() else "classification"


@cache
def table(name):
    """A table as a polars frame."""
    if name == MADE:
        return made_numbers()
    return pl.read_csv(BUNDLED[name]) if name in BUNDLED else pl.read_parquet(MORE[name])


def made_numbers(n_rows=300):
    """A number to predict from numbers, whole numbers, levels and a flag, some of them missing."""
    rng = np.random.default_rng(7)
    size, level = rng.normal(size=n_rows).round(3), rng.choice(["north", "south, far", 'the "west"'], n_rows)
    rooms, new = rng.integers(1, 9, n_rows), rng.random(n_rows) < 0.3
    price = (3 * size + rooms + 2 * (level == "north") + new + rng.normal(scale=0.3, size=n_rows)).round(3)

    def gaps(values):
        return [None if gap else value for gap, value in zip(rng.random(n_rows) < 0.1, values, strict=True)]

    return pl.DataFrame(
        {
            "size": gaps(size.tolist()),
            "rooms": gaps(rooms.tolist()),
            "level": pl.Series(gaps(level.tolist()), dtype=pl.Categorical),
            "new": gaps(new.tolist()),
            "price": price,
        }
    )


def smaller_than(n_rows):
    """The names of those tables of BESIDE that have fewer rows."""
    counts = {name: pl.scan_parquet(path).select(pl.len()).collect().item() for name, path in MORE.items()}
    return [name for name, count in counts.items() if count < n_rows]
