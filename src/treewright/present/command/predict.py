"""`treewright predict`: the predictions of a model, appended to the rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray

from ...data.classes import codes_of
from ...data.common.hints import nearest
from ...data.common.plural import counted
from ...data.common.text_width import printable
from ...data.common.threads import threads
from ...data.common.to_json import to_json
from ...learn.fitted_tree import FittedTree
from ...learn.rule_models.fitted import FittedRuleModel
from .console import Console
from .failures import USAGE, Failure, bad_data, listed
from .files import (
    STDIN,
    absent_columns,
    load_model,
    load_table,
    must_be_free,
    named_dialect,
    store_table,
)
from .parts import parquet_sources, predict_batches
from .subcommand import argument, force_option, option, reading_groups, subcommand

if TYPE_CHECKING:
    from ...data.parts import Source

Array = NDArray[Any]

MORE = """The columns of the table may be in any order, and every cell is kept as it is written. Columns that
the tree does not use may be absent. Added are prediction, leaf (the number of the node where the row ends)
and, for classes, probability: that of the predicted class. With --positive, here or at fit, the probability
of that class is added too. If the model file is unverified, model_verified is added, which is false. The
rows are written in the format of the input, to standard output unless --output names a file; a name that
ends in .parquet, .arrow or .csv says its own format, and one that ends in .gz, .bz2, .xz, .zst or .zip is
compressed.

A spreadsheet would run a text that begins with =, +, -, @ or a tab as a formula. In a CSV file such a
predicted class or rule gets an apostrophe in front; numbers stay. --safe-csv yes does so in all columns,
--safe-csv no in none."""


@subcommand(
    "predict",
    examples=[
        "loans.tree.json new.csv --output predictions.csv",
        "loans.tree.json new.parquet --proba --rule --output predictions.parquet",
        "loans.tree.json - < new.csv > predictions.csv",
        "loans.tree.json 'new/*.parquet' --output predictions.parquet",
    ],
    more=MORE,
    arguments=[argument("model"), argument("data")],
    groups={
        "Options": [
            option("--output", "-o", metavar="FILE", help="The file to write. Default: standard output."),
            option("--proba", is_flag=True, help="Add the probability of every class."),
            option(
                "--positive",
                metavar="LABEL",
                help="Add the probability of this class. Default: that of fit --positive, if it was given.",
            ),
            option("--rule", is_flag=True, help="Add the rule of the leaf, as text."),
            option(
                "--safe-csv",
                type=click.BOOL,
                metavar="yes|no",
                help="Put an apostrophe before texts that look like formulas.",
            ),
            force_option(),
        ],
        **reading_groups(),
    },
)
def command(console: Console, model: str, data: str, output: str | None, **how: Any) -> None:
    """Predict, and write the rows with the predictions."""
    saved = load_model(console, model, how)
    positive = saved.given_positive if how["positive"] is None else positive_class(saved, how["positive"])
    path = STDIN if output is None else output
    must_be_free(path, how["force"])
    if (sources := parquet_sources(data, path)) is not None:
        _in_batches(console, saved, sources, path, how | {"positive": positive})
        return
    table = load_table(console, data, how, saved, as_written=True)
    with console.progress("predicting"):
        found = predict_rows(saved, table.frame)
        added = _columns(found, how["proba"], how["rule"], positive)
        if saved.verified is False:  # a table has no other place to say so
            added["model_verified"] = np.zeros(len(found.label), dtype=bool)
    renamed = _free_names(added, table.frame.columns)
    for old, new in renamed.items():
        if old != new:
            console.note(f"The table has a column {old!r} already, so the new one is called {new!r}.")
    made = {renamed[name]: values for name, values in added.items()}
    if console.json and path == STDIN:
        console.result(rows=_records(made))
        return
    import polars as pl

    dialect = named_dialect(path, table.dialect)
    rows = table.written if dialect.kind == "csv" and table.written is not None else table.frame
    frame = rows.with_columns([pl.Series(name, values) for name, values in made.items()])
    if dialect.kind == "csv" and how["safe_csv"] is not False:
        frame = _safe(console, frame, None if how["safe_csv"] else list(made))
    store_table(console, frame, path, dialect)
    if path != STDIN:
        console.aside(f"{counted(len(frame), 'row')} written to {printable(path)}.")
        console.result(output=path, n_rows=len(frame), columns=list(made))


def _in_batches(
    console: Console, saved: FittedTree, sources: list[Source], path: str, how: dict[str, Any]
) -> None:
    """Predict and write batch by batch."""
    import polars as pl

    with bad_data():
        columns = sources[0].names()
    for note in absent_columns(saved, columns):
        console.note(note)
    names: dict[str, str] = {}

    def predicted(frame: Any) -> Any:
        added = _columns(predict_rows(saved, frame), how["proba"], how["rule"], how["positive"])
        names.update(_free_names(added, columns))
        return frame.with_columns([pl.Series(names[name], values) for name, values in added.items()])

    with console.progress("predicting"):
        n_rows = predict_batches(sources, path, predicted)
    for old, new in names.items():
        if old != new:
            console.note(f"The table has a column {old!r} already, so the new one is called {new!r}.")
    console.aside(f"{counted(n_rows, 'row')} written to {printable(path)}.")
    console.result(output=path, n_rows=n_rows, columns=list(names.values()))


def _safe(console: Console, frame: Any, columns: list[str] | None) -> Any:
    """The frame without texts that a spreadsheet would run."""
    from ...data.files import safe_names, without_formulas

    frame, n_cells = without_formulas(frame, columns)
    renamed = safe_names(frame.columns) if columns is None else {}
    if renamed:
        console.note(
            f"In the output {listed(renamed)} would be a formula in a spreadsheet: "
            "written with an apostrophe, which is left out when the file is read."
        )
        frame = frame.rename(renamed)
    if n_cells:
        cells = counted(n_cells, "text")
        console.note(f"{cells} would be a formula in a spreadsheet: written with an apostrophe (--safe-csv).")
    return frame


def positive_class(saved: FittedTree, given: str | None) -> Any:
    """The label that --positive names, or the positive class of the model."""
    if given is None:
        return saved.positive
    labels = saved.classes[0].tolist() if len(saved.classes) == 1 else []
    if not labels:
        raise Failure(USAGE, "--positive is for models of one target with classes. Leave it out.")
    for label in labels:
        if given in {str(label), label_text(label)}:
            return label
    hint = nearest(given, map(str, labels)) or f" The classes are {listed(map(str, labels))}."
    raise Failure(USAGE, f"--positive must be a class of the model. Got {given!r}.{hint}")


def label_text(label: Any) -> str:
    """A label as text, the same for 1 and 1.0, and for true and True."""
    if isinstance(label, bool | np.bool_):
        return str(bool(label)).lower()
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    return str(label)


def _columns(found: RowPredictions, proba: bool, rule: bool, positive: Any) -> dict[str, Any]:
    """The new columns by name."""
    many = found.n_outputs > 1
    added: dict[str, Any] = {}
    for k in range(found.n_outputs):
        added[f"prediction_{k + 1}" if many else "prediction"] = found.prediction(k)
    if found.leaf is not None:
        added["leaf"] = found.leaf.astype(np.int64)
    if found.classes is None:
        if proba:
            raise Failure(USAGE, "--proba is for models of classes. This one predicts numbers.")
    else:
        for k, labels in enumerate(found.classes):
            added[f"probability_{k + 1}" if many else "probability"] = found.probability(k)
            start = f"probability_{k + 1}_of_" if many else "probability_of_"
            wanted = labels if proba else [label for label in labels if label == positive]
            added |= {f"{start}{label}": found.shares[:, k, labels.index(label)] for label in wanted}
    if rule:
        added["rule"] = found.rules()
    return added


def _free_names(added: dict[str, Any], taken: list[str]) -> dict[str, str]:
    """A name for every new column that no other column has."""
    used, found = set(taken), {}
    for name in added:
        tries = chain([name], (f"{name}_{number}" for number in count(2)))
        found[name] = next(new for new in tries if new not in used)
        used.add(found[name])
    return found


def _records(made: dict[str, Any]) -> list[dict[str, Any]]:
    plain = (values.to_list() if hasattr(values, "to_list") else values for values in made.values())
    lists = dict(zip(made, map(to_json, plain), strict=True))
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


# -- the predictions of a model file for the rows of a table, without scikit-learn


@dataclass(frozen=True, eq=False)
class RowPredictions:
    """For every row its leaf, its class and its probabilities or number."""

    model: FittedTree
    leaf: Array | None  # None: several trees vote, and each has a leaf of its own
    label: Array  # (rows, outputs): places of classes
    shares: Array  # (rows, outputs, classes): probabilities, or one number

    @cached_property
    def classes(self) -> list[list[Any]] | None:
        """The labels of every output; None for numbers."""
        return [labels.tolist() for labels in self.model.classes] or None

    @property
    def n_outputs(self) -> int:
        """How many targets are predicted."""
        return int(self.model.tree.n_outputs)

    def prediction(self, output: int = 0) -> Any:
        """The label or the number of every row."""
        if self.classes is None:
            return np.ascontiguousarray(self.shares[:, output, 0])
        return gathered(self.classes[output], self.label[:, output])

    def probability(self, output: int = 0) -> Array:
        """That of the predicted class."""
        return np.asarray(self.shares[np.arange(len(self.label)), output, self.label[:, output]])

    def rules(self) -> Any:
        """The rule of the leaf of each row, as text."""
        from ...interpret.rules import rules
        from ...tree.condition_text import printed_rule

        if self.leaf is None:
            raise Failure(USAGE, "--rule is for models of one tree. Several trees or rules vote in this one.")
        found = rules(self.model)
        written = [printed_rule(rule.path.conditions, found.words) for rule in found]
        text = {node: text for rule, text in zip(found, written, strict=True) for node in rule.leaves}
        nodes, place = np.unique(self.leaf, return_inverse=True)
        return gathered([text.get(int(node), "") for node in nodes], place)


def gathered(values: list[Any], places: Array) -> Any:
    """Some of a few values, as a column; labels of several types become text."""
    import polars as pl

    try:
        few = pl.Series(values)
    except (TypeError, pl.exceptions.PolarsError):
        few = pl.Series([str(value) for value in values])
    if not (places < 0).any():
        return few.gather(pl.Series(places.astype(np.uint32)))
    return few.gather(pl.Series([None if place < 0 else place for place in places.tolist()]))  # no prediction


def predict_rows(saved: FittedTree, frame: Any) -> RowPredictions:
    """Read the columns of the model, and predict."""
    if isinstance(saved, FittedRuleModel):
        with bad_data():
            numbers = saved.predict(frame)[:, None, None]
        return RowPredictions(saved, None, np.zeros((len(numbers), 1), dtype=np.int64), numbers)
    with bad_data():
        columns, n_threads = saved.columns(frame), threads(None)
    if type(saved) is not FittedTree:  # several trees that vote, or rules
        shares = saved.predict_proba(frame, n_threads)[:, None]
        return RowPredictions(saved, None, codes_of(saved.predict(frame), saved.classes[0])[:, None], shares)
    tree = saved.tree
    leaf = tree.apply(columns, n_threads)
    if tree.shares_rows or tree.predicts_nothing.any() or tree.leaf_models is not None:
        label = tree.labels(columns, n_threads)
        shares = tree.predict(columns, n_threads).reshape(len(leaf), tree.n_outputs, tree.max_n_classes)
    else:
        label, shares = tree.label[leaf], tree.prediction[leaf]
    return RowPredictions(saved, leaf, label, shares)
