"""Where the project, its bundled tables and the tables beside it are."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "src" / "treewright" / "data" / "examples"
RECORDED = ROOT / "tests" / "recorded"
# Recorded cases (golden/) and real tables (data/): those that ship, or all that the variable's folder has.
BESIDE = Path(os.environ.get("TREEWRIGHT_BESIDE", RECORDED))
