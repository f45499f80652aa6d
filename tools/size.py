"""List what has grown too long: files over 300 lines want a reason, over 400 they are two files.

A Python function over 60 lines is reported too; a function should fit a screen.
"""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ["native", "src", "tests", "benchmarks", "tools", "web/src"]
SUFFIXES = {".py", ".hpp", ".cpp", ".ts", ".tsx", ".css", ".sh"}
WANTS_A_REASON, IS_TWO_FILES, LONG_FUNCTION = 300, 400, 60

# path -> why it may be longer than 300 lines
REASONS: dict[str, str] = {
    "native/bind/grow.cpp": "the settings of growth, name by name, and what growth returns",
    "native/core/criteria/classes.hpp": "all criteria of class counts stand on one tally",
    "native/core/criteria/numbers.hpp": "all criteria of numbers stand on one tally",
    "native/core/grow.cpp": "the one grow loop",
    "native/core/memory_store.hpp": "the store of memory: preparing, searching and routing share its nodes",
    "native/core/predict.cpp": "the one walk, for each layout of a table",
    "native/core/search/branch_store.hpp": "the store of small nodes: searching and routing share its lists",
    "native/core/search/sorted.hpp": "the one search over sorted rows, with its shortcuts for two classes",
    "native/core/search/sorted_lists.cpp": "sorted lists: made, divided, and shared among trees",
    "native/core/single/single_store.cpp": "the store of single precision, in the order of C4.5 and C5.0",
    "src/treewright/evaluate/default_fit/dataset.py": "every form of a table and a target that fit takes",
    "src/treewright/evaluate/default_fit/result.py": "what fit returns: each property and its text",
    "src/treewright/interpret/explanation_output.py": "an explanation as text and as dictionaries",
    "src/treewright/learn/conflicts.py": "the one table of what does not go together",
    "src/treewright/learn/fitted_tree.py": "what every fitted model can do, with its documentation",
    "src/treewright/learn/folds.py": "every way to divide rows: shuffled, by class, by group, by time",
    "src/treewright/learn/params.py": "the one table of parameters, with their descriptions",
    "src/treewright/present/command/files.py": "every kind of file that the command reads and writes",
    "src/treewright/present/command/predict.py": "one subcommand, from its options to its file",
    "src/treewright/present/page/making.py": "report: its parameters, and the page put together",
    "src/treewright/present/text/terminal.py": "the tree in a terminal: folding, cutting and joining lines",
    "src/treewright/tree/tree.py": "the tree: its arrays, invariants and walks in one place",
    "src/treewright/tree/tree_text.py": "the one place that words names, numbers, tests and predictions",
    "tests/interpret/test_trace.py": "one check of a trace, for every criterion, program and limit",
    "tests/interpret/test_rules_words.py": "the words of rules: one test each",
    "tests/learn/test_boosting.py": "the definition of boosting, and what keeps its models",
    "tests/learn/test_classics.py": "what users give the classics: one test each",
    "tests/learn/test_dask.py": "one cluster is started for all",
    "tests/learn/test_fit_from_files.py": "the same small tables, in every form of file",
    "tests/learn/test_grow.py": "the core against the oracle: one test per setting",
    "tests/learn/test_oracle.py": "the oracle's own tests, criterion by criterion",
    "tests/learn/test_pruning_curve.py": "the curve against its definition, for every loss",
    "tests/learn/test_rule_models.py": "rules with linear models: recorded ones, the definition, refusals",
    "tests/learn/test_sklearn_behaviour.py": "what scikit-learn promises of its trees, one test each",
    "tests/learn/test_smoothing.py": "every way to smooth: its definition, its choice, what keeps it",
    "tests/present/test_command_predict.py": "two subcommands, option by option",
    "tests/present/test_page.py": "one browser is started for all",
    "tests/present/test_page_drawing.py": "one browser is started for all",
    "tests/support/strategies.py": "what all drawn tables are made of",
    "web/src/payload.ts": "the one description of what the page is given",
}


def sources() -> list[Path]:
    """Every source file of the house."""
    found = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")))
    made = {"__pycache__", "assets"}
    return [path for path in found if path.suffix in SUFFIXES and not made & set(path.parts)]


def long_functions(path: Path, text: str) -> list[str]:
    """The Python functions of a file that do not fit a screen, docstring not counted."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            lines = node.end_lineno - body[0].lineno + 1
            if lines > LONG_FUNCTION:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.name} has {lines} lines")
    return found


def main() -> int:
    """Print the long ones; fail where a file should be two, or where a reason is missing or not needed."""
    warnings, errors, unused = [], [], set(REASONS)
    for path in sources():
        text = path.read_text()
        lines, name = text.count("\n"), path.relative_to(ROOT).as_posix()
        if lines > IS_TWO_FILES:
            errors.append(f"{name}: {lines} lines; over {IS_TWO_FILES} it is two files")
        elif lines > WANTS_A_REASON and name not in REASONS:
            errors.append(f"{name}: {lines} lines; over {WANTS_A_REASON} wants a reason in tools/size.py")
        elif lines > WANTS_A_REASON:
            unused.remove(name)
        if path.suffix == ".py":
            warnings += long_functions(path, text)
    errors += [f"{name}: needs no reason in tools/size.py" for name in sorted(unused)]
    print("\n".join([*warnings, *errors, f"size: {len(sources())} files, {len(errors)} to change"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
