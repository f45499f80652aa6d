"""Every Python block of the README and the book runs, and prints what the block after it says."""

import ast
import contextlib
import io
import re
from pathlib import Path

import pytest

import treewright
from treewright.params import PARAMETERS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def blocks(page):
    text = page.read_text(encoding="utf-8")
    return [
        (match.group(1), match.group(2), text[: match.start()].count("\n") + 2)
        for match in BLOCK.finditer(text)
    ]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_code_of_page_runs(page, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    names = {}
    for code, expected, line in blocks(page):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
        if expected is not None:
            assert printed.getvalue() == expected, f"{page.name}:{line} prints something else"


def test_every_public_name_is_in_the_api():
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    names = [*treewright.__all__, *(p.name for kind in PARAMETERS.values() for p in kind)]
    assert [name for name in names if not name.startswith("_") and name not in text] == []


def test_every_criterion_is_in_the_guide():
    text = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    assert [name for name, _ in treewright._core.criteria() if f"`{name}`" not in text] == []


def members(node, prefix=""):
    """The public names in a stub, with those of its classes."""
    for item in node.body:
        target = item.target if isinstance(item, ast.AnnAssign) else item
        name = getattr(target, "name", None) or getattr(target, "id", None)
        if name and not name.startswith("_"):
            yield prefix + name
        if isinstance(item, ast.ClassDef):
            yield from members(item, f"{name}.")


def test_the_stub_of_the_core_has_its_names():
    core = treewright._core
    stub = set(members(ast.parse((ROOT / "src" / "treewright" / "_core.pyi").read_text())))
    there = {name for name in dir(core) if not name.startswith("_")}
    for name in list(there):
        if isinstance(getattr(core, name), type):
            there |= {f"{name}.{part}" for part in dir(getattr(core, name)) if not part.startswith("_")}
    assert stub == there


def test_links_between_pages_lead_somewhere():
    for page in [*PAGES, ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
