"""`treewright export`: a model in another language or format, compared with the model where it can be run."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...data.common.errors import ParameterError
from ...data.common.text_width import printable
from ..export.outputs import OUTPUTS
from ..export.targets import TARGETS, target_of
from .console import Console
from .failures import BAD_DATA, INPUT_OUTPUT, USAGE, Failure, bad_data
from .files import load_model, load_table, must_be_free
from .report import must_be_apart
from .subcommand import argument, force_option, option, reading_groups, subcommand

if TYPE_CHECKING:
    from ...learn.fitted_tree import FittedTree
    from ..export.check import ExportCheck

DIALECTS = ("sqlite", "duckdb", "postgres", "mysql", "mariadb", "sqlserver", "snowflake", "bigquery", "spark")
MORE = """The export predicts what the model predicts, for every row: at thresholds, for missing values and
for levels that were not seen at fit. A format that cannot express something in the tree is refused. An export
cannot be read back: keep the model file too.

--check runs what was written, on rows at the boundaries of the tests and on the rows of DATA, and fails
unless all agree. Python and SQLite are always there; others need node, gcc, duckdb, onnxruntime or pypmml."""


@subcommand(
    "export",
    examples=[
        "loans.tree.json --output loans.py --check",
        "loans.tree.json new.csv --to sql --dialect duckdb --table loans --output loans.sql --check",
        "loans.tree.json --to c > loans.c",
    ],
    more=MORE,
    arguments=[argument("model"), argument("data", metavar="[DATA]", required=False)],
    groups={
        "Options": [
            option(
                "--to", metavar="FORMAT", help=f"{', '.join(TARGETS)}. Default: by the suffix of --output."
            ),
            option("--output", "-o", metavar="FILE", help="The file to write. Default: standard output."),
            option(
                "--only", type=click.Choice(OUTPUTS), default="all", help="What to compute. Default: all."
            ),
            option("--check", is_flag=True, help="Run the export, and compare it with the model."),
            force_option(),
        ],
        "SQL": [
            option("--dialect", type=click.Choice(DIALECTS), help="The database. Default: sqlite."),
            option(
                "--table", metavar="NAME", help="The table; dots separate schema and name. Default: data."
            ),
            option("--keep", metavar="A,B", help="The columns of the table to keep. Default: all."),
            option(
                "--check-query",
                is_flag=True,
                help="Write a query that counts rows which differ from the model.",
            ),
        ],
        "C": [
            option("--name", metavar="NAME", help="What begins every public name. Default: model."),
            option("--declarations", is_flag=True, help="Write a header file, without the functions."),
        ],
        **reading_groups(),
    },
)
def command(console: Console, model: str, data: str | None, output: str | None, **values: Any) -> None:
    """Write the export, and compare it."""
    if output is not None:
        must_be_free(output, values["force"])
        must_be_apart("output", output, model=model, data=data)
    if data is not None and not values["check"]:
        raise click.UsageError("DATA has the rows that --check compares. Add --check.")
    saved = load_model(console, model, values)
    to, found = _exported(saved, output, values)
    facts: dict[str, Any] = {"to": to, "output": output, "bytes": len(found)}
    if output is not None:
        from ...data.common.atomic import whole_or_nothing

        with whole_or_nothing(output) as file:
            file.write(found)
        console.report(f"Written to {printable(output)} ({max(len(found) / 1000, 0.1):,.1f} kB).")
    elif not values["check"] and not console.json:
        _print(found)
    if values["check"]:
        rows = None if data is None else load_table(console, data, values, saved).frame
        checked = _checked(saved, to, found, rows)
        console.report(str(checked))
        facts |= {"agrees": checked.agrees, "rows": checked.rows, "differing": checked.differing}
        if not checked.agrees:
            raise Failure(BAD_DATA, "The export must agree with the model on every row. It does not.")
    console.result(**facts)


def _exported(saved: FittedTree, output: str | None, values: dict[str, Any]) -> tuple[str, bytes]:
    """The format, and the bytes of the file."""
    from ..export.targets import module_of
    from ..export.write import content, export

    options = {name: values[name] for name in ("dialect", "table", "name") if values[name] is not None}
    options |= {"keep": values["keep"].split(",")} if values["keep"] is not None else {}
    options |= {"header": True} if values["declarations"] else {}
    options |= {"check": True} if values["check_query"] else {}
    try:
        to = target_of(values["to"], output)
        with bad_data():
            found = export(saved, to=to, output=values["only"], **options)
    except ParameterError as error:
        raise Failure(USAGE, str(error), error.parameter) from error
    module = module_of(to)
    return to, content(module, found)


def _checked(saved: FittedTree, to: str, found: bytes, rows: Any) -> ExportCheck:
    from ..export.check import export_check

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "exported"
        path.write_bytes(found)
        try:
            with bad_data():
                return export_check(saved, path, rows, to=to)
        except (ModuleNotFoundError, FileNotFoundError) as error:
            raise Failure(USAGE, f"--check runs the export. {error}") from error


def _print(found: bytes) -> None:
    if sys.stdout is None:
        raise Failure(INPUT_OUTPUT, "Standard output is closed. Name a file with --output.")
    sys.stdout.flush()
    sys.stdout.buffer.write(found)
    sys.stdout.flush()
