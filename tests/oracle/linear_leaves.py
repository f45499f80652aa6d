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


def ridge_loss(Z, y, penalty):
    """The least of |y - Z b|^2 + Σ penalty b^2, by least squares over rows that stand for the penalties."""
    stacked = np.concatenate([Z, np.diag(np.sqrt(penalty))])
    target = np.concatenate([y, np.zeros(len(penalty))])
    b = np.linalg.lstsq(stacked, target, rcond=None)[0]
    return float(((target - stacked @ b) ** 2).sum()), b


def cut_gains(X, y, weight, fewest=8.0):
    """What each allowed cut of all rows gains for linear leaves, by (column, greatest value on the left).

    Columns and target are standardised. The model of the node has a penalty on slopes alone; both sides of a
    cut are fitted to what it leaves, with a penalty of at most one row on the intercept too. The second
    result is the mean squared error of that model.
    """
    mean = np.average(X, axis=0, weights=weight)
    scale = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weight))
    keep, root = scale > 0, np.sqrt(weight)
    Z = np.column_stack([np.ones(len(X)), (X[:, keep] - mean[keep]) / scale[keep]])
    middle = np.average(y, weights=weight)
    t = (y - middle) / np.sqrt(np.average((y - middle) ** 2, weights=weight))
    ridge = 10 * min(1, (Z.shape[1] - 1) / 8) ** 2
    Zw, penalty = Z * root[:, None], np.full(Z.shape[1], ridge)
    penalty[0] = 0.0
    rest = (t - Z @ ridge_loss(Zw, t * root, penalty)[1]) * root
    penalty[0] = min(1.0, ridge)
    whole, gains = ridge_loss(Zw, rest, penalty)[0], {}
    for j in range(X.shape[1]):
        for value in np.unique(X[:, j])[:-1]:
            left = X[:, j] <= value
            if min(weight[left].sum(), weight[~left].sum()) >= fewest:
                sides = sum(ridge_loss(Zw[side], rest[side], penalty)[0] for side in (left, ~left))
                gains[j, float(value)] = whole - sides
    return gains, float(rest @ rest) / weight.sum()
