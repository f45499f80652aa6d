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
    "src/treewright/learn/folds.py": "every way to divide rows: shuffled, by class, by group, by time",
    "src/treewright/learn/params.py": "the one table of parameters, with their descriptions",
    "native/core/memory_store.hpp": "the store of memory: preparing, searching and routing share its nodes",
    "tests/learn/test_oracle.py": "the oracle's own tests, criterion by criterion",
    "tests/learn/test_sklearn_behaviour.py": "what scikit-learn promises of its trees, one test each",
    "tests/learn/test_smoothing.py": "every way to smooth: its definition, its choice, what keeps it",
    "src/treewright/tree/tree.py": "the tree: its arrays, invariants and walks in one place",
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
    """Print the long ones; fail where a file should be two."""
    warnings, errors = [], []
    for path in sources():
        text = path.read_text()
        lines, name = text.count("\n"), path.relative_to(ROOT).as_posix()
        if lines > IS_TWO_FILES:
            errors.append(f"{name}: {lines} lines; over {IS_TWO_FILES} it is two files")
        elif lines > WANTS_A_REASON:
            warnings.append(f"{name}: {lines} lines ({REASONS.get(name, 'wants a reason in tools/size.py')})")
        if path.suffix == ".py":
            warnings += long_functions(path, text)
    print("\n".join([*warnings, *errors, f"size: {len(sources())} files, {len(errors)} too long"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
