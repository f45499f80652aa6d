"""C5.0 (GPL release 2.07) on tables that turn on a rule of size or of precision: what the program printed."""

import numpy as np
import pytest

from treewright import classics

pd = pytest.importorskip("pandas")


def numbers(seed, n_rows, n_classes):
    random = np.random.RandomState(seed)  # its stream never changes
    X = random.randn(n_rows, 4).round(2) + 0.0
    score = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.8 * random.randn(n_rows)
    return pd.DataFrame(X, columns=list("abcd")), _classes(score, n_classes)


def mixed(seed, n_rows, n_classes):
    X, _ = numbers(seed, n_rows, n_classes)
    random = np.random.RandomState(seed + 1000)
    codes = random.randint(0, 4, (n_rows, 2))
    e, f = np.array(list("pqrs"))[codes.T]
    X = (X.round(1) + 0.0).assign(e=e, f=f)
    score = np.sin(2 * X["a"]) + X["b"] * (codes[:, 0] > 1) + 0.6 * random.randn(n_rows)
    return X, _classes(score, n_classes)


def _classes(score, n_classes):
    bounds = np.quantile(score, np.arange(1, n_classes) / n_classes)
    return np.array([f"class{k}" for k in np.searchsorted(bounds, score)])


def printed(table, options):
    X, y = table
    return classics.output_text(classics.c50(options).fit(X, y), X, y)


@pytest.mark.parametrize(
    ("table", "errors"),
    [
        ((0, 1500, 2), "     9  364(24.3%)"),
        ((1, 1500, 3), "   113  367(24.5%)"),
        ((2, 3000, 2), "    27  633(21.1%)"),
        ((3, 3000, 3), "    86  931(31.0%)"),
        ((4, 6000, 2), "    43 1157(19.3%)"),
        ((5, 6000, 3), "   229 1798(30.0%)"),
    ],
)
def test_the_least_gain_depends_on_the_rows_of_the_table(table, errors):
    assert f"\t{errors}   <<\n" in printed(numbers(*table), "-m 2")


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ((118, 400, 3), "        :           :...d <= -0.8: class1 (2)\n"),
        ((129, 300, 4), "                                :...b <= 0.1: class1 (2)\n"),
    ],
)
def test_cuts_of_branches_grown_anew_are_single_middles(table, line):
    assert line in printed(mixed(*table), "-s -c 60")


def test_trials_are_judged_by_the_rows_that_can_still_be_won():
    text = printed(mixed(218, 120, 4), "-s -t 4")  # the third trial has more than 49 % of the weight wrong
    assert "   2\t     3   66(55.0%)\n" in text
    assert "boost\t         39(32.5%)   <<\n" in text


def test_thresholds_of_later_trials_are_values_of_all_rows():
    text = printed(numbers(435, 500, 3), "-t 4")  # some rows of the table are dropped before the last trial
    assert ":...a <= -1.56: class1 (21.5/11.2)\n" in text
    assert "   3\t    23  168(33.6%)\n" in text


@pytest.mark.parametrize(
    ("table", "importance", "errors"),
    [
        ((10, 140, 2), ["41%  a", "5%  e", "<1%  b", "<1%  d", "<1%  f"], "     6   27(19.3%)"),
        ((3, 140, 3), ["38%  a", "3%  e", "<1%  b", "<1%  d", "<1%  f"], "    13   35(25.0%)"),
    ],
)
def test_winnowing_predicts_with_values_of_the_table(table, importance, errors):
    text = printed(mixed(*table), "-s -w")
    assert text.startswith("1 attribute winnowed\nEstimated importance of remaining attributes:\n\n")
    assert [line.strip() for line in text.splitlines()[3:8]] == importance
    assert f"\t{errors}   <<\n" in text


def test_a_printed_branch_breaks_off_by_its_names_not_by_its_counts():
    text = printed(numbers(5, 6000, 3), "-m 2")
    assert "                :               :   :...a > 0.22: class0 (3)\n" in text
