"""Every code block and marked number of the README and the documentation is run and checked."""

import ast
import re

import pytest

import treewright
from tests.support.paths import ROOT
from tools.doc_pages import PAGES, DiffersError, has_code, is_shown, renewed, run, unmarked_numbers
from treewright.learn.model_file.reader import KEYS
from treewright.learn.params import PARAMETERS
from treewright.present.command.failures import KINDS
from treewright.present.command.program import SUBCOMMANDS, Subcommands


@pytest.mark.parametrize(
    "page", [page for page in PAGES if has_code(page)], ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_code_of_page_runs(page, tmp_path):
    pytest.importorskip("matplotlib").use("agg")
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    run(page, tmp_path)


def test_numbers_in_sentences_are_marked_or_shown():
    assert {
        page.name: unmarked_numbers(page) for page in PAGES if has_code(page) and unmarked_numbers(page)
    } == {}


def test_an_unmarked_number_is_found(tmp_path):
    output = "```text\nleaves 53\n```\n"
    page = page_of(tmp_path, f"{output}53 leaves, {'`99`'}, and 61<!-- = 61 --> rows (Breiman 1984).\n")
    assert unmarked_numbers(page) == set()
    assert unmarked_numbers(page_of(tmp_path, f"{output}60 leaves.\n")) == {"60"}


# -- the runner itself


def test_what_is_shown_is_compared():
    printed = "one\ntwo 2\nthree\n"
    assert is_shown(printed, printed)
    assert is_shown(printed, "one\n…\n")
    assert is_shown(printed, "…\ntwo …\nthree\n")
    assert not is_shown(printed, "one\nthree\n")
    assert not is_shown(printed, "…\ntwo\n…\n")
    assert not is_shown(printed, "")


def page_of(folder, text):
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    return page


def run_in(folder, text, **options):
    place = folder / f"run{len(list(folder.iterdir()))}"
    place.mkdir()
    return run(page_of(folder, text), place, **options)


def test_a_page_imports_what_its_blocks_use(tmp_path):
    block = "```python\ntreewright.load_example('iris')\n```\n"
    with pytest.raises(NameError):
        run_in(tmp_path, block)
    marked = "150<!-- = len(treewright.load_example('iris')) -->\n"  # which no reader sees
    assert run_in(tmp_path, marked) == marked


def test_a_difference_is_found_and_rewritten(tmp_path):
    python = "```python\nprint(1)\nprint(2)\nx = 7\n```\n```text\n{}\n```\n"
    console = "```console\n$ echo a; echo b >&2\n{}\n```\n```text\n{}\n```\n"
    right = python.format("1\n2") + console.format("a", "b") + "x is 7<!-- = x -->.\n"
    assert run_in(tmp_path, right) == right
    for wrong in (
        python.format("1\n3") + console.format("a", "b") + "x is 7<!-- = x -->.\n",
        python.format("1\n2") + console.format("b", "b") + "x is 7<!-- = x -->.\n",
        python.format("1\n2") + console.format("a", "c") + "x is 7<!-- = x -->.\n",
        python.format("1\n2") + console.format("a", "b") + "x is 8<!-- = x -->.\n",
    ):
        with pytest.raises(DiffersError):
            run_in(tmp_path, wrong)
        assert run_in(tmp_path, wrong, write=True) == right


@pytest.mark.parametrize("block", ["$ false\n", "a\n$ echo\n\n"])
def test_a_command_that_fails_is_found(tmp_path, block):
    with pytest.raises(DiffersError):
        run_in(tmp_path, f"```console\n{block}```\n", write=True)


def test_left_out_lines_stay_left_out():
    printed = "head 3\nrow 1\nrow 2\ntotal 5\nfoot\nseconds 0.31\n"
    assert renewed(printed, "head 2\n…\ntotal 4\n…\n") == "head 3\n…\ntotal 5\n…\n"
    assert renewed(printed, "…\nfoot\nseconds …\n") == "…\nfoot\nseconds …\n"


# -- the pages are complete


def test_the_page_of_the_command_is_complete():
    text = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
    parameters = {p.name for kind in PARAMETERS.values() for p in kind}
    group = Subcommands("treewright")
    for name in SUBCOMMANDS:
        assert f"`{name}`" in text or f"`treewright {name}" in text, name
        options = [each for each in group.get_command(None, name).params if each.name not in parameters]
        options = [opt for each in options for opt in each.opts if opt.startswith("--")]
        assert [option for option in options if f"`{option}" not in text] == [], name
    assert [key for key in KEYS if f"`{key}`" not in text] == []
    assert [status for status, words in KINDS.items() if f"| {status} | {words}" not in text] == []


def test_every_public_name_is_in_the_api_reference():
    pages = (ROOT / "docs" / "api").glob("*.md")
    listed = re.findall(
        r"^::: treewright\.(.+)$", "\n".join(page.read_text() for page in pages), re.MULTILINE
    )
    modules = ("classics", "lab", "linear", "textbook")
    inside = [f"{name}.{part}" for name in modules for part in getattr(treewright, name).__all__]
    public = {name for name in treewright.__all__ if name not in modules and not name.startswith("_")}
    assert sorted(listed) == sorted({*public, *inside} - {"classics.Triple", "linear.LeastSquares"})


def test_every_parameter_is_in_the_docstring_of_its_estimator():
    for cls in (treewright.DecisionTreeClassifier, treewright.DecisionTreeRegressor):
        assert [p.name for p in PARAMETERS[cls.task] if f"\n{p.name} : " not in cls.__doc__] == []


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/adding.md", "docs/design.md", "docs/glossary.md"])
def test_files_named_in_pages_for_contributors_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    paths = re.findall(r"`((?:src|native|tests|benchmarks|tools|docs|web)/[\w./]+)`", text)
    assert [path for path in paths if "NAME" not in path and not (ROOT / path).exists()] == []


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
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:]+)[)#]", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.slow
def test_the_pictures_can_be_drawn(tmp_path, monkeypatch):
    from runpy import run_path

    pytest.importorskip("matplotlib").use("agg")
    drawn = run_path(str(ROOT / "docs" / "pictures.py"))
    monkeypatch.setitem(drawn["main"].__globals__, "FOLDER", tmp_path)
    drawn["main"]()
    made = {path.name for path in tmp_path.iterdir()} | {"report.png", "lesson.png"}  # tools/screenshots.py
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert set(re.findall(r"img/([\w.-]+)", text)) == made
