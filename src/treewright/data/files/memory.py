"""How much memory is free, and a sentence where a table will not fit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .errors import TableError

_GROUPS = (  # limit, use and statistics of a control group: version 2, then 1
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        "/sys/fs/cgroup/memory/memory.stat",
    ),
)


def free_memory() -> int | None:
    """The bytes that this process may still take: of the machine, its control group, its own limit."""
    found = [*_of_machine(), *_of_groups(), *_of_process()]
    return max(min(found), 0) if found else None


def reject_too_large(name: str, needed: float, check: bool) -> None:
    """Reject a table that needs more memory than there is, before it is read."""
    free = free_memory() if check else None
    if free is not None and needed > free:
        raise too_large(name, needed, free)


def too_large(name: str, needed: float, free: float) -> TableError:
    """The sentence for a table larger than memory."""
    return TableError(
        f"{name} needs about {shown_size(needed)} of memory as a table, and {shown_size(free)} are free. "
        "Keep fewer rows or columns, or free memory; check_memory=False reads it all the same."
    )


def _of_machine() -> Iterator[int]:
    known = _numbers("/proc/meminfo")
    if "MemAvailable:" in known:
        yield known["MemAvailable:"] * 1024
    else:
        try:
            yield os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        except (ValueError, OSError, AttributeError):  # not this system's way of saying it
            return


def _of_groups() -> Iterator[int]:
    for limit, use, statistics in _GROUPS:
        most, used = _number(limit), _number(use)
        if most is not None and used is not None:
            # pages of files that were read count as used, but are given back when needed
            yield most - used + _numbers(statistics).get("inactive_file", 0)


def _of_process() -> Iterator[int]:
    try:
        import resource
    except ImportError:
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    pages = _read("/proc/self/statm").split()
    if most != resource.RLIM_INFINITY and pages:
        yield most - int(pages[0]) * os.sysconf("SC_PAGE_SIZE")


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _number(path: str) -> int | None:
    text = _read(path).strip()
    return int(text) if text.isdigit() else None


def _numbers(path: str) -> dict[str, int]:
    lines = (line.split() for line in _read(path).splitlines())
    return {words[0]: int(words[1]) for words in lines if len(words) > 1 and words[1].isdigit()}


def shown_size(n: float) -> str:
    """A size in bytes as a message shows it."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if n < 1000:
            return f"{n:.3g} {unit}"
        n /= 1000
    return f"{n:,.3g} TB"
