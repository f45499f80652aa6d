"""C5.0 (GPL release 2.07) on tables that turn on a rule of size or of precision: what the program printed."""

import re

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


def with_gaps(seed, n_rows, n_classes):
    X, y = mixed(seed, n_rows, n_classes)
    return X.mask(np.random.RandomState(seed + 2000).rand(*X.shape) < 0.1), y


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


@pytest.mark.parametrize(
    ("table", "ends", "errors"),
    [
        ((312, 160, 2), ["<= -0.1 (-0.05)", ">= 0 (-0.05)", "<= 1.4 (1.6)", ">= 1.9 (1.6)"], "3   38(23.8%)"),
        (
            (337, 160, 3),
            [
                *(">= 0 (-0.05)", "<= 0.9 (1.25)", ">= 1.5 (1.25)"),
                *("<= -0.1 (-0.05)", "<= -2 (-1.7)", ">= -1.3 (-1.7)"),
            ],
            "5   60(37.5%)",
        ),
    ],
)
def test_soft_thresholds_below_the_node_that_divides_rows(table, ends, errors):
    text = printed(with_gaps(*table), "-s -p")
    assert re.findall(r"[<>]= \S+ \(\S+\)", text) == ends
    assert f"\t     {errors}   <<\n" in text


@pytest.mark.parametrize(
    ("table", "errors"),
    [
        ((312, 160, 2), "    10   26(16.2%)"),
        ((317, 160, 4), "    30   41(25.6%)"),
        ((320, 160, 4), "    10   60(37.5%)"),
        ((335, 160, 4), "    40   42(26.2%)"),
    ],
)
def test_of_equal_parts_of_a_row_that_of_the_first_leaf_wins(table, errors):
    assert f"\t{errors}   <<\n" in printed(mixed(*table), "-s -p")


def test_a_trial_predicts_the_first_of_equally_heavy_classes():
    text = printed(mixed(307, 160, 3), "-s -t 4")
    sizes = [("22", "33"), ("19", "44"), ("17", "52"), ("21", "40")]
    assert re.findall(r"\n   \d\t +(\d+) +(\d+)\(", text) == sizes
    assert "boost\t         19(11.9%)   <<\n" in text


def test_trials_that_are_given_up_are_printed():
    text = printed(mixed(442, 120, 4), "-s -t 4")
    given_up = """-----  Trial 1:  -----

Decision tree:

a > -0.2:
:...a <= 1.1: class3 (50/26)
:   a > 1.1: class2 (9.7/5.8)
a <= -0.2:
:...e = p: class1 (14.2/7)
    e in {q,r}: class0 (31.8/18.3)
    e = s:
    :...d <= 0.6: class1 (7.8/3.8)
        d > 0.6: class0 (6.5/0.8)

*** boosting reduced to 1 trial since last classifier is very inaccurate

*** boosting abandoned (too few classifiers)
"""
    assert given_up in text
    assert "\t    22   30(25.0%)   <<\n" in text


def test_rules_are_printed_by_their_votes():
    assert "\t->  class class0  [0.813]\n" in printed(mixed(335, 160, 4), "-s -r")  # 0.8125 in thousandths
    order = re.findall(r"Rule \d+: (.*)\n", printed(mixed(319, 160, 3), "-s -r"))
    assert order[:2] == ["(9, lift 2.7)", "(20/1, lift 2.7)"]
