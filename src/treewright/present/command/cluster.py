"""`treewright cluster`: the rows of a table in clusters, which a tree describes."""

from __future__ import annotations

from typing import Any

import click

from ...data.common.plural import counted
from ...data.common.text_width import printable, wrapped
from ...data.common.today import today
from .console import Console
from .failures import USAGE, Failure, bad_data
from .files import (
    load_table,
    must_be_free,
    must_have,
    named_dialect,
    names_in,
    stem,
    store_model,
    store_table,
)
from .fit_arguments import exclude_option
from .subcommand import READING, argument, force_option, option, reading_options, subcommand

MORE = """Rows that are alike come into one cluster, and every cluster is a leaf of a tree: its path says in
words what the rows have in common. Numbers are standardised; two different levels of a nominal column count
as much as the average difference of a number. A missing value counts as the mean of its column; with
--dissimilarity gower two rows are compared by the columns that are known in both (up to 20,000 rows).

Written are the rows with a column "cluster" (a number from 0), and the tree as a model file, with which
treewright predict finds the clusters of other rows."""

DISSIMILARITY = (
    "How unlike two rows are: standardized (the default), sqeuclidean (numbers as they are) or gower."
)
NUMBER = "The number of clusters, or how to choose it: silhouette (the default) or gap."


@subcommand(
    "cluster",
    examples=[
        "flowers.csv",
        "flowers.csv --n-clusters 3 --output clusters.csv",
        "flowers.csv --n-clusters gap --exclude id",
        "flowers.csv --target species",
    ],
    more=MORE,
    arguments=[argument("data")],
    groups={
        "Options": [
            option("--n-clusters", "-k", metavar="N", default="silhouette", help=NUMBER),
            option(
                "--max-leaf-nodes",
                type=click.IntRange(2),
                metavar="N",
                default=10,
                help="The most clusters, where their number is chosen. Default: 10.",
            ),
            option(
                "--min-samples-leaf",
                type=click.IntRange(1),
                metavar="N",
                default=1,
                help="The fewest rows of a cluster. Default: 1.",
            ),
            option(
                "--dissimilarity",
                type=click.Choice(["standardized", "sqeuclidean", "gower"]),
                default="standardized",
                help=DISSIMILARITY,
            ),
            exclude_option(),
            option(
                "--target",
                "-t",
                metavar="COLUMN",
                help="A column of known groups: not used to cluster, but compared with the clusters.",
            ),
            option(
                "--output",
                "-o",
                metavar="FILE",
                help="The file of the rows with their cluster. Default: the table's name with .clusters.csv.",
            ),
            option(
                "--model",
                "-m",
                metavar="FILE",
                help="The model file. Default: the table's name with .clusters.tree.json.",
            ),
            force_option(),
        ],
        READING: reading_options(),
    },
)
def command(console: Console, data: str, n_clusters: str, exclude: str | None, **how: Any) -> None:
    """Cluster, print the tree and the clusters in words, and write both files."""
    wanted = _number(n_clusters)
    output = how["output"] or f"{stem(data)}.clusters.csv"
    model_path = how["model"] or f"{stem(data)}.clusters.tree.json"
    for path, own in ((output, False), (model_path, True)):
        must_be_free(path, how["force"], own)
    table = load_table(console, data, how, as_written=True)
    frame = table.frame
    columns = list(frame.columns)
    left_out = names_in(exclude, columns, "--exclude")
    if how["target"] is not None:
        how["target"] = must_have("--target", how["target"], columns)
        left_out.append(how["target"])
    used = [name for name in columns if name not in left_out]
    if not used:
        raise Failure(USAGE, "At least one column must be left to cluster by. Got none. Exclude fewer.")
    from ...learn.clustering.estimator import ClusteringTree

    limits = {name: how[name] for name in ("max_leaf_nodes", "min_samples_leaf", "dissimilarity")}
    with console.progress("clustering"), bad_data():
        model = ClusteringTree(wanted, **limits).fit(frame.select(used))
    index = None if how["target"] is None else _rand_index(frame.get_column(how["target"]), model.labels_)
    _print(console, model, how["target"], index)
    _write_rows(console, table, model.labels_, output)
    fitted = model.fitted_tree
    about = {**fitted.training, "table": table.name, "date": today(), "reading": table.dialect.to_dict()}
    store_model(fitted, model_path, training=about)
    console.aside(
        f"{counted(len(frame), 'row')} written to {printable(output)}, the tree to {printable(model_path)}."
    )
    console.result(
        output=output,
        model=model_path,
        n_clusters=model.n_clusters_,
        clusters=model.describe().to_dicts(),
        scores={str(k): score for k, score in getattr(model, "scores_", {}).items()},
        adjusted_rand_index=index,
    )


def _number(text: str) -> int | str:
    if text in {"silhouette", "gap"}:
        return text
    if not text.isdigit() or int(text) < 1:
        raise Failure(USAGE, f"--n-clusters must be a number of at least 1, silhouette or gap. Got {text!r}.")
    return int(text)


def _rand_index(known: Any, labels: Any) -> float:
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(known.cast(str).fill_null("").to_list(), labels))


def _print(console: Console, model: Any, target: str | None, index: float | None) -> None:
    from ..text.terminal import terminal_text

    scores = getattr(model, "scores_", None)
    chosen = (
        "" if scores is None else f", chosen by {'silhouette' if 1 not in scores else 'the gap statistic'}"
    )
    if scores is not None and 1 not in scores:
        chosen += f" ({scores[model.n_clusters_]:.2f})"
    console.out(f"{console.heading('Tree')}: {counted(model.n_clusters_, 'cluster')}{chosen}")
    console.out(terminal_text(model.fitted_tree, **console.terminal).rstrip())
    console.out(f"\n{console.heading('Clusters')}")
    for line in printable(str(model.describe()), lines=True).splitlines():
        margin = " " * (len(line) - len(line.lstrip()))
        parts = wrapped(line.strip(), console.width - len(margin) - 2, "  ")
        console.out("\n".join(margin + part for part in parts))
    if index is not None:
        console.out(
            f"\nAdjusted Rand index with {target}: {index:.2f} "
            "(1: the same groups; 0: no more alike than by chance)."
        )


def _write_rows(console: Console, table: Any, labels: Any, path: str) -> None:
    import polars as pl

    dialect = named_dialect(path, table.dialect)
    rows = table.written if dialect.kind == "csv" and table.written is not None else table.frame
    name = "cluster"
    while name in rows.columns:
        name += "_"
    if name != "cluster":
        console.note(f"The table has a column 'cluster' already, so the new one is called {name!r}.")
    store_table(console, rows.with_columns(pl.Series(name, labels)), path, dialect)
