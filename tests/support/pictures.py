"""Rows to draw, and what a picture must hold."""

import numpy as np


def rows(n=150, classes=2):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 2)).round(2)
    return X, np.array(["no", "yes", "so"])[np.digitize(X[:, 0] + X[:, 1] ** 2, [0.5, 2][: classes - 1])]


def drawn(ax):
    ax.figure.canvas.draw()  # nothing may fail or warn while it is painted
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    return [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else []
