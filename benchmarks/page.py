"""The page of a tree of 5,001 nodes in a browser: `python -m benchmarks.page [--leaves N]`.

Prints the size of the file, the time to the first paint, and the time per frame while the drawing is dragged
and zoomed, as the browser's own frames tell it.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import numpy as np

import treewright as tw
from treewright.present.page import report

DRAG = """async () => {
    const frames = [];
    let last = performance.now();
    for (let k = 0; k < 120; k++) {
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frames.push(now - last);
        last = now;
        const view = treewrightView;
        const factor = k < 60 ? 1 : k % 2 ? 1.06 : 0.95;
        const zoomed = view.lens.zoomed(view.camera, factor, 400, 300);
        view.move(view.lens.moved(zoomed, k % 20 < 10 ? 12 : -12, 2));
    }
    return frames.slice(5).sort((a, b) => a - b);
}"""


def page_of(leaves: int, folder: Path) -> Path:
    """The page of a tree of so many leaves, without rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8 * leaves, 12))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=len(X)) > 0).astype(int)
    return report(tw.DecisionTreeClassifier(max_leaf_nodes=leaves).fit(X, y)).save(folder / "page.html")


def measure(file: Path, browser: str, times: int = 5) -> tuple[list[float], list[float]]:
    """Milliseconds to the first paint, one per opening, and of the frames of a drag."""
    from playwright.sync_api import sync_playwright

    paints: list[float] = []
    frames: list[float] = []
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for _ in range(times):
            page = opened.new_page(viewport={"width": 1400, "height": 900})
            page.goto(file.as_uri() + "#show=all")
            page.wait_for_selector('[role="treeitem"]')
            paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
            paints.append(page.evaluate(paint))
            frames += page.evaluate(DRAG)
            page.close()
        opened.close()
    return paints, frames


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("--leaves", type=int, default=2501)
    options = parser.parse_args(arguments)
    browser = shutil.which("chromium")
    if browser is None:
        parser.error(
            "a browser must be there to open the page. Got none; tools/browser.sh installs chromium."
        )
    with tempfile.TemporaryDirectory() as folder:
        file = page_of(options.leaves, Path(folder))
        paints, frames = measure(file, browser)
        print(f"file         {file.stat().st_size / 1e6:.2f} MB, {2 * options.leaves - 1:,} nodes")
        print(f"first paint  {np.median(paints):.0f} ms (median of {len(paints)})")
        middle, late = np.percentile(frames, [50, 95])
        print(f"dragging     {middle:.1f} ms per frame, 95th percentile {late:.1f} ms")


if __name__ == "__main__":
    main()
