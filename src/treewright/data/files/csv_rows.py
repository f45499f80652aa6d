"""The rows of a CSV in given types: in one read if all cells fit, else again with odd columns as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .body import Body, parse
from .encoding import first_not_utf8, is_utf8
from .errors import TableError, shown
from .lines import blank_at_the_end, has_all_fields, lines_to_leave_out, without_lines, written_anew

if TYPE_CHECKING:
    import polars as pl


class OtherEncodingError(Exception):
    """The text is not UTF-8 after all."""

    def __init__(self, at: int) -> None:
        self.at = at


def read_rows(body: Body, types: list[Any]) -> tuple[pl.DataFrame, list[str]]:
    """The rows, and notes on lines that are left out."""
    from polars.exceptions import PolarsError

    try:
        found = _if_whole(parse(body, types), body)
    except PolarsError:
        found = None
    return (found, []) if found is not None else _read_again(body, types)


def _if_whole(frame: pl.DataFrame, body: Body) -> pl.DataFrame | None:
    """The frame without blank lines at its end; None if a row lacks fields, which polars fills up."""
    frame = frame.head(max(frame.height - blank_at_the_end(body), 0))
    if len(body.names) == 1 or not frame.to_series(-1).null_count() or has_all_fields(body, frame.height):
        return frame
    return None


def _read_again(body: Body, types: list[Any]) -> tuple[pl.DataFrame, list[str]]:
    """Read columns with odd cells as text; else say which line is broken, or leave blank lines out."""
    import polars as pl
    from polars.exceptions import PolarsError

    if is_utf8(body.dialect.encoding) and (at := first_not_utf8(body.data)) is not None:
        raise OtherEncodingError(at)
    if (found := _fitting(body, types)) is not None:
        return found, []
    blanks, footers = lines_to_leave_out(body)
    clean = without_lines(body, [*blanks, *footers]) if blanks or footers else body
    notes = ["Blank lines are left out."] if blanks else []
    notes += [f"Line {line:,}, {shown(text)}, is left out as a footer." for line, text in footers.items()]
    if (found := _fitting(clean, types)) is not None:
        return found, notes
    try:  # quotes inside cells, which polars takes for the start of one
        return parse(written_anew(clean), [pl.String] * len(types)), notes
    except PolarsError as problem:
        said = str(problem).splitlines()[0]
        raise TableError(f"{body.name} cannot be read as {body.dialect}: {said}. Repair it.") from None


def _fitting(body: Body, types: list[Any]) -> pl.DataFrame | None:
    """The rows, with those columns as text that have cells of other types; None if the lines are broken."""
    import polars as pl
    from polars.exceptions import PolarsError

    try:
        if any(dtype != pl.String for dtype in types):
            loose = parse(body, types, lenient=True)
            holes = [column.null_count() > 0 for column in loose.iter_columns()]
            types = [pl.String if hole else dtype for dtype, hole in zip(types, holes, strict=True)]
            del loose
        return _if_whole(parse(body, types), body)
    except PolarsError:
        return None
