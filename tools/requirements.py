"""Print what pip must install for parts of the project: `build`, `run`, or the name of an extra.

    python tools/requirements.py build run

One per line and without blanks, as read from pyproject.toml, so that a shell can pass them on.
"""

import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
# Installed here, so that a machine needs no CMake of its own and a rebuild no fresh environment.
BUILD_TOOLS = ["cmake>=3.25", "ninja>=1.11"]


def requirements(part: str) -> list[str]:
    """The requirement strings of one part; an extra that names another extra of ours is unfolded."""
    project = tomllib.loads(PROJECT.read_text())
    if part == "build":
        return [*project["build-system"]["requires"], *BUILD_TOOLS]
    if part == "run":
        return list(project["project"]["dependencies"])
    extras = project["project"]["optional-dependencies"]
    found: list[str] = []
    for item in extras[part]:
        inner = item.removeprefix("treewright[").removesuffix("]")
        found += requirements(inner) if inner != item else [item]
    return found


def main() -> None:
    """Print the requirements of the parts named on the command line."""
    for part in sys.argv[1:]:
        print("\n".join(item.replace(" ", "") for item in requirements(part)))


if __name__ == "__main__":
    main()
