"""Linear leaves from their definition: least squares by QR, and the equation of a leaf for a row."""

import numpy as np


def least_squares(X, y):
    """The fitted values of least squares with an intercept, by QR with pivoting of scaled columns."""
    from scipy.linalg import qr

    Z = np.column_stack([np.ones(len(X)), X - X.mean(axis=0)])
    Z = Z / np.maximum(np.sqrt((Z**2).sum(axis=0)), 1e-300)
    Q, R, _ = qr(Z, mode="economic", pivoting=True)
    rank = int((np.abs(np.diag(R)) > 1e-11 * np.abs(R[0, 0])).sum())
    return Q[:, :rank] @ (Q[:, :rank].T @ y)


def predictions(tree, leaf, columns):
    """What the leaves predict for rows: one number each, of a tree for one number."""
    return scores(tree, leaf, columns)[:, 0]


def scores(tree, leaf, columns):
    """The scores of the leaves for rows, term by term."""
    models, found = tree.leaf_models, []
    numbers = [columns.numbers(column) for column in range(columns.n_columns)]
    for row, node in enumerate(leaf):
        total = models.constant[node].copy()
        for term in models.terms(node):
            x = numbers[term.feature][row]
            missing = bool(np.isnan(x))
            if term.level == -2:
                total += 0 if missing else term.coefficient * (x - term.centre)
            elif term.level == -1:
                total += term.coefficient * (missing - term.centre)
            else:
                total += term.coefficient * (float(x == term.level) - term.centre)
        found.append(np.clip(total, models.lower[node], models.upper[node]))
    return np.array(found)
