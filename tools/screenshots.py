"""Take the pictures of the report page and of the lesson page: `python tools/screenshots.py`.

It fits the table of tumours that comes with scikit-learn, makes its report, and writes docs/img/report.png in
headless Chromium; and docs/img/lesson.png of a tree for the iris table. The same version of treewright, of
the browser and of its fonts gives the same files.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd
from sklearn.datasets import load_breast_cancer

import treewright

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "img"
TITLE = "Is the tumour malignant?"


def report_page(folder: Path) -> Path:
    """The report of a small tree for the table of tumours that the README begins with."""
    data = load_breast_cancer(as_frame=True)
    X, y = data.data, pd.Series(data.target_names[data.target], name="tumour")
    result = treewright.fit(X, y, positive="malignant", max_leaf_nodes=6, max_depth=3)
    return treewright.report(result, X, y, title=TITLE).save(folder / "report.html")


def lesson_page(folder: Path) -> Path:
    """How a small tree for the iris table grows."""
    flowers = treewright.load_example("iris")
    species = flowers.pop("species")
    model = treewright.DecisionTreeClassifier(max_leaf_nodes=5).fit(flowers, species)
    made = treewright.report(model, flowers, species, trace=True, title="How the tree for species grows")
    return made.save(folder / "lesson.html")


def browser() -> str:
    """The path of Chromium, which is installed if that is possible."""
    found = subprocess.run([ROOT / "tools" / "browser.sh"], capture_output=True, text=True, check=False)
    if found.returncode:
        sys.exit(found.stderr.strip())
    return found.stdout.strip()


def main() -> None:
    """Write the pictures."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser(), args=["--no-sandbox", "--disable-gpu"])
        for name, made, address, height, ready in (
            ("report", report_page, "", 960, '[role="treeitem"]'),
            ("lesson", lesson_page, "#step=3", 860, ".lesson"),
        ):
            page = chromium.new_page(
                viewport={"width": 1280, "height": height}, color_scheme="light", reduced_motion="reduce"
            )
            page.goto(made(Path(folder)).as_uri() + address)
            page.wait_for_selector(ready)
            page.evaluate("document.fonts.ready")
            page.wait_for_timeout(500)  # a canvas is drawn in the next frames
            page.screenshot(path=IMAGES / f"{name}.png", animations="disabled")
            print(f"docs/img/{name}.png written.")
        chromium.close()


if __name__ == "__main__":
    main()
