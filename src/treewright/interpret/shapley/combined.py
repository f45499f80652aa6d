"""Exact Shapley values of trees whose tests combine columns, from the definition: over all sets of columns.

A test is known where all of its columns are. Without background rows a row goes down every branch of a test
that is not known, by the share of the training weight, so what a row contributes at one end of the tree
depends on the columns of its path alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import factorial

import numpy as np

from ...data.columns import from_columns
from ...data.common.array_types import Floats, Ints
from ...data.values import Column
from ...tree.sums import ColumnsWithSums, numbers_of
from ...tree.tree import SHARED, STOPS, Tree
from ...tree.walks import columns_of, tested_columns

MOST_ON_PATH, MOST_TESTED = 14, 10  # columns: with and without the training weights as background
CELLS = 2_000_000  # of a table of sets and rows at a time


def must_fit(tree: Tree, background: bool) -> None:
    """Reject trees whose sets of columns are too many, or whose rows take several paths."""
    if tree.surrogates is not None or (tree.missing_child == SHARED).any():
        raise ValueError(
            "shapley_values of a tree that combines columns needs tests without surrogates and shares of "
            "rows. Got some. Fit it with missing='learned'."
        )
    many = len(tested_columns(tree)) if background else max(len(_players(tree, end)) for end in _ends(tree))
    most, where = (MOST_TESTED, "in all tests") if background else (MOST_ON_PATH, "on a path")
    if many > most:
        raise ValueError(
            f"shapley_values of a tree that combines columns needs at most {most} columns {where}. Got "
            f"{many}. Prune the tree."
        )


def by_weight(
    tree: Tree, columns: Sequence[Column], values: Floats, cover: Floats, stopped: Floats
) -> tuple[Floats, Floats]:
    """The values (rows, columns, outcomes) and the base, with the training weights as background."""
    tested = ColumnsWithSums(tree, columns)
    n_rows = len(columns[0].values)
    found = np.zeros((n_rows, tree.n_features, values.shape[1]))
    base = np.zeros(values.shape[1])
    routes: dict[int, Ints] = {}
    for end in _ends(tree):
        players, path = _players(tree, end), _path(tree, end)
        bits = {column: 1 << place for place, column in enumerate(players)}
        steps = []
        for node, child in path:
            if node not in routes:
                routes[node] = children_of(tree, node, numbers_of(tested[int(tree.feature[node])]))
            here = routes[node] == child
            share = stopped[node] if child == node else cover[child]
            steps.append((sum(bits[column] for column in columns_of(tree, node)), here, float(share)))
        base += values[end] * np.prod([share for _, _, share in steps])
        chunk = max(1, CELLS >> len(players))
        for begin in range(0, n_rows, chunk):
            rows = slice(begin, begin + chunk)
            game = _game(len(players), [(mask, here[rows], share) for mask, here, share in steps])
            for place, column in enumerate(players):
                found[rows, column] += shapley(game, place)[:, None] * values[end]
    return found, base


def _game(n_players: int, steps: list[tuple[int, Floats, float]]) -> Floats:
    """The share of every row that comes to an end, for every set of known columns: (sets, rows)."""
    sets = np.arange(1 << n_players)
    game = np.ones((len(sets), len(steps[0][1]) if steps else 1))
    for mask, here, share in steps:
        known = (sets & mask) == mask
        game[known] *= here
        game[~known] *= share
    return game


def shapley(game: Floats, player: int) -> Floats:
    """The Shapley value of one player of a game that has a number for every set, in the order of bits."""
    many = int(game.shape[0]).bit_length() - 1
    sets = np.arange(len(game))
    without = sets[sets & (1 << player) == 0]
    sizes = [each.bit_count() for each in without.tolist()]
    weight = np.array([factorial(k) * factorial(many - 1 - k) / factorial(many) for k in range(many)])
    gains = game[without | (1 << player)] - game[without]
    return np.asarray(np.tensordot(weight[sizes], gains, axes=1))


def _ends(tree: Tree) -> Iterator[int]:
    """Where rows end: leaves, and inner nodes where missing values stop."""
    return iter(np.flatnonzero(tree.is_leaf | (tree.missing_child == STOPS)).tolist())


def _path(tree: Tree, end: int) -> list[tuple[int, int]]:
    """The nodes on the path to an end, and the child that is taken at each; the end itself where it stops."""
    found = [] if tree.is_leaf[end] else [(end, end)]
    while end:
        found.append((int(tree.parent[end]), end))
        end = int(tree.parent[end])
    return found


def _players(tree: Tree, end: int) -> list[int]:
    return sorted({column for node, _ in _path(tree, end) for column in columns_of(tree, node)})


def children_of(tree: Tree, node: int, x: Floats) -> Ints:
    """The node that each row goes to from a node, by the tested numbers, whether it comes there or not."""
    test, first = tree.test(node), int(tree.first_child[node])
    to = int(tree.missing_child[node])
    if test.is_nominal:
        found = np.full(len(x), -1)
        for child, codes in enumerate(test.levels):
            found[np.isin(x, codes)] = first + child
        gone = found < 0
    else:
        below = x < float(test.threshold) if test.strict else x <= float(test.threshold)
        found, gone = np.where(below, first, first + 1), np.isnan(x)
    return np.asarray(np.where(gone, node if to == STOPS else first + to, found))


def by_rows(
    tree: Tree, columns: Sequence[Column], values: Floats, background: Sequence[Column]
) -> tuple[Floats, Floats]:
    """The same with background rows, whose values unknown columns have, one row after another."""
    players = tested_columns(tree)
    n_rows, n_usual = len(columns[0].values), len(background[0].values)
    table = values.reshape(tree.node_count, -1)
    game = np.empty((1 << len(players), n_rows, table.shape[1]))
    for known in range(1 << len(players)):
        mixed = [
            _mixed(own, usual, n_rows, n_usual, column not in players or known >> players.index(column) & 1)
            for column, (own, usual) in enumerate(zip(columns, background, strict=True))
        ]
        ends = tree.apply(from_columns(mixed, n_rows * n_usual))
        game[known] = table[ends].reshape(n_rows, n_usual, -1).mean(axis=1)
    found = np.zeros((n_rows, tree.n_features, table.shape[1]))
    flat = game.reshape(len(game), -1)
    for place, column in enumerate(players):
        found[:, column] = shapley(flat, place).reshape(n_rows, -1)
    return found, game[0].mean(axis=0)


def _mixed(own: Column, usual: Column, n_rows: int, n_usual: int, is_known: int | bool) -> Column:
    """Every row beside every background row: the values of the one or of the other."""
    if is_known:
        return own.take(np.repeat(np.arange(n_rows), n_usual))
    return usual.take(np.tile(np.arange(n_usual), n_rows))
