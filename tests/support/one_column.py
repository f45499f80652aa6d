"""One column, read as at fit or as at predict, before the core sees it."""

import numpy as np
import pytest

from treewright.data.table import each_column
from treewright.data.typed import as_at_fit, as_known


def fitted(X, nominal=None):
    """The only column of a table, as at fit."""
    (read,) = each_column(X)
    return as_at_fit(read, nominal)


def known(X, type_):
    """The only column of a table, read as of a type."""
    (read,) = each_column(X)
    return as_known(read, type_)


def objects(*values):
    made = np.empty((len(values), 1), dtype=object)
    made[:, 0] = values
    return made


def texts(values):
    """The same text in every form in which a library keeps it, by name."""
    pd, pl, pa = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    dictionary = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    half = len(values) // 2
    return {
        "numpy objects": objects(*values),
        "pandas str": pd.DataFrame({"x": pd.Series(values, dtype="str")}),
        "pandas string": pd.DataFrame({"x": pd.Series(values, dtype="string")}),
        "pandas objects": pd.DataFrame({"x": pd.Series(values, dtype=object)}),
        "pandas arrow": pd.DataFrame({"x": pd.Series(values, dtype=pd.ArrowDtype(pa.string()))}),
        "pandas dictionary": pd.DataFrame({"x": pd.Series(values, dtype=dictionary)}),
        "polars": pl.DataFrame({"x": pl.Series(values, dtype=pl.String)}),
        "polars categorical": pl.DataFrame({"x": pl.Series(["zz", *values], dtype=pl.Categorical)[1:]}),
        "arrow": pa.table({"x": pa.chunked_array([values[:half], values[half:], []], type=pa.string())}),
        "arrow large": pa.table({"x": pa.array(values, pa.large_string())}),
        "arrow dictionary": pa.table(
            {"x": pa.chunked_array([pa.array(part, pa.string()).dictionary_encode() for part in
                                    (values[:half], values[half:])])}
        ),
    }  # fmt: skip
