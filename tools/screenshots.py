"""Take the picture of the report page for the README: `python tools/screenshots.py`.

It fits the table of tumours that comes with scikit-learn, makes its report, and writes docs/img/report.png in
headless Chromium. The same version of treewright, of the browser and of its fonts gives the same file.
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
TARGET = ROOT / "docs" / "img" / "report.png"
TITLE = "Is the tumour malignant?"


def report_page(folder: Path) -> Path:
    """The report of a small tree for the table of tumours that the README begins with."""
    data = load_breast_cancer(as_frame=True)
    X, y = data.data, pd.Series(data.target_names[data.target], name="tumour")
    result = treewright.fit(X, y, positive="malignant", max_leaf_nodes=6, max_depth=3)
    return treewright.report(result, X, y, title=TITLE).save(folder / "report.html")


def browser() -> str:
    """The path of Chromium, which is installed if that is possible."""
    found = subprocess.run([ROOT / "tools" / "browser.sh"], capture_output=True, text=True, check=False)
    if found.returncode:
        sys.exit(found.stderr.strip())
    return found.stdout.strip()


def main() -> None:
    """Write the picture."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page_file = report_page(Path(folder))
        chromium = driver.chromium.launch(executable_path=browser(), args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(
            viewport={"width": 1280, "height": 960}, color_scheme="light", reduced_motion="reduce"
        )
        page.goto(page_file.as_uri())
        page.get_by_role("treeitem").first.wait_for()
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(500)  # the canvas is drawn in the next frames
        page.screenshot(path=TARGET, animations="disabled")
        chromium.close()
    print(f"{TARGET.relative_to(ROOT)} written.")


if __name__ == "__main__":
    main()
