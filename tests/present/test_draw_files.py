"""Drawings outside of Python: files of three kinds, and what a notebook shows of a model."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import treewright
from tests.present.test_draw_svg import grown, nodes_of
from treewright import DecisionTreeClassifier
from treewright.learn import model_file as filing
from treewright.present.drawing.draw import draw


def test_files_appear_whole_or_not_at_all(tmp_path):
    pytest.importorskip("matplotlib")
    model = grown(max_leaf_nodes=5)
    begins = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    for ending, begin in begins.items():
        path = tmp_path / f"tree.{ending.upper()}"
        draw(model, path, title="\U0001f600 漢字 $x^$")
        assert path.read_bytes().startswith(begin)
    with pytest.raises(ValueError, match=r"path must end in \.svg, \.png or \.pdf\. Got 'tree\.gif'"):
        draw(model, "tree.gif")
    with pytest.raises(OSError, match=r"nowhere"):
        draw(model, tmp_path / "nowhere" / "tree.png")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(ValueError, match="that of a file"):
        draw(model, tmp_path / "folder.svg")
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "folder.svg",
        "tree.PDF",
        "tree.PNG",
        "tree.SVG",
    ]


def test_models_show_themselves_in_a_notebook(tmp_path):
    model = grown(max_leaf_nodes=4)
    drawn = draw(model)._repr_html_()
    bundle = model._repr_mimebundle_()
    assert bundle["text/html"].startswith(drawn)
    assert len(bundle["text/html"]) > len(drawn)  # scikit-learn's own diagram follows
    assert model._repr_html_().startswith(drawn)
    assert "<svg xmlns" not in DecisionTreeClassifier()._repr_html_().split("sk-container")[0]
    assert draw(model)._repr_svg_() == draw(model).svg
    model.save(tmp_path / "model.json")
    for other in (filing.read(tmp_path / "model.json"), model.tree_):
        svg = other._repr_html_().split(">", 1)[1].removesuffix("</div>")
        assert nodes_of(ET.fromstring(svg)) == list(range(7))
    pl = pytest.importorskip("polars")
    table = pl.DataFrame({"x": np.arange(60.0), "y": np.repeat(["no", "yes"], 30)})
    result = treewright.fit(table, "y", score=False, check=False)
    assert ET.fromstring(draw(result).svg).get("aria-label") == "y"
    assert "<svg" in result._repr_html_()


def test_sklearn_that_displays_text_gets_text():
    from sklearn import config_context

    model = grown(max_leaf_nodes=4)
    with config_context(display="text"):
        assert "text/html" not in model._repr_mimebundle_()
        assert not hasattr(model, "_repr_html_")
