"""What must hold of the payload of every page, and models of many kinds to hold it against."""

import json
import math

import numpy as np
import polars as pl

import treewright as tw
from treewright.learn import classics
from treewright.present.page import document

STAND_IN = {
    "page.html": '<meta content="@@POLICY@@"><title>@@TITLE@@</title><style>@@STYLE@@</style>'
    '<script type="application/json" id="treewright-data">@@DATA@@</script><script>@@SCRIPT@@</script>\n',
    "page.css": "body { margin: 0 }",
    "page.js": "document.title",
}
NUMBER, TEXT = (int, float), str
MAYBE = (int, float, type(None))
TOP = {
    "format": TEXT, "version": int, "created_by": TEXT, "title": TEXT, "kind": TEXT,
    "target": (str, type(None)), "unit": (str, type(None)), "model": dict, "words": dict, "facts": list,
    "scores": (dict, type(None)), "columns": list, "next_best_splits": (dict, type(None)),
    "next_best_splits_note": (str, type(None)), "stability": (dict, type(None)),
    "nodes": dict, "pruning": (dict, type(None)),
    "roc": (dict, type(None)), "residuals": (dict, type(None)), "importance": (dict, type(None)),
    "rules": list, "check": (list, type(None)), "comparison": (dict, type(None)), "settings": list,
    "command": (str, type(None)), "python": TEXT, "notes": list, "predicts": TEXT, "tree_name": TEXT,
    "trained_on": (int, type(None)), "evaluation": (dict, type(None)), "card": dict,
}  # fmt: skip


def stand_in(monkeypatch):
    """Let pages be made of a trivial template, whatever the built one is."""
    monkeypatch.setattr(document, "assets", lambda: STAND_IN)


def has(part, **kinds):
    """Whether a dictionary has these keys, each of its type."""
    for name, kind in kinds.items():
        assert name in part, f"{name} lacks in {sorted(part)}"
        assert isinstance(part[name], kind), f"{name} is {part[name]!r}"


def check_payload(payload):
    """All that the page relies on."""
    assert json.loads(json.dumps(payload, allow_nan=False)) == payload
    has(payload, **TOP)
    assert (payload["format"], payload["version"]) == ("treewright page", 1)
    assert payload["kind"] in ("classification", "regression")
    has(payload["model"], schema=dict, tree=dict, params=dict, sha256=str)
    count = len(payload["model"]["tree"]["first_child"])
    inner = [n > 0 for n in payload["model"]["tree"]["n_children"]]
    check_words(payload["words"], inner)
    check_columns(payload)
    check_nodes(payload["nodes"], count)
    if payload["scores"] is not None:
        for row in payload["scores"]["rows"]:
            has(row, metric=str, value=NUMBER, low=MAYBE, high=MAYBE, baseline=MAYBE)
            assert row["better"] in ("higher", "lower")
    if payload["pruning"] is not None:
        check_pruning(payload["pruning"], payload["model"]["tree"])
    if payload["roc"] is not None:
        check_ranking(payload["roc"])
    if payload["residuals"] is not None:
        check_residuals(payload["residuals"], inner)
    check_lists(payload, inner)


def check_words(words, inner):
    for name in ("test", "missing"):
        assert [text is not None for text in words[name]] == inner
    assert [place for place, text in enumerate(words["edge"]) if text is None] == [0]
    assert all(text is None or text for name in ("test", "edge", "missing") for text in words[name])
    has(words, criterion=str, surrogates=dict)


def check_columns(payload):
    columns = payload["columns"]
    assert len(columns) == len(payload["model"]["schema"]["columns"])
    for column, known in zip(columns, payload["model"]["schema"]["columns"], strict=True):
        assert column["kind"] == known["kind"]
        if not column["used"]:  # a page has no values of a column that the tree does not use
            assert "levels" not in known
            assert column["typical"] is column["low"] is column["high"] is None
        assert "name" not in known or column["name"] == known["name"]
        has(column, name=str, missing=MAYBE, iqr=MAYBE, used=bool, whole=bool)
        assert "scale" not in column
        if "levels" in known and column["typical"] is not None:
            assert column["typical"] in known["levels"]
        if column["iqr"] is not None:
            assert column["low"] <= column["typical"] <= column["high"]


def check_nodes(nodes, count):
    for name in ("held_out_error", "interval"):
        assert nodes[name] is None or len(nodes[name]) == count
    for each in nodes["held_out_error"] or []:
        assert each is None or each["n"] >= 1
        assert each is None or each["error"] >= 0
    for pair in nodes["interval"] or []:
        assert pair is None or pair[0] <= pair[1]
    if nodes["histogram"] is not None:
        edges, counts = nodes["histogram"]["edges"], nodes["histogram"]["counts"]
        assert len(counts) == count
        assert {len(row) for row in counts} == {len(edges) - 1}


def leaves_at(tree, collapse_at, step):
    """How many leaves the tree has if nodes are collapsed as the page does it: from the root down."""
    count, queue = 0, [0]
    for node in queue:
        first, n = tree["first_child"][node], tree["n_children"][node]
        if n == 0 or 0 <= collapse_at[node] <= step:
            count += 1
        else:
            queue += range(first, first + n)
    return count


def check_pruning(part, tree):
    steps, collapse = part["steps"], part["collapse_at"]
    assert [at == -1 for at in collapse] == [n == 0 for n in tree["n_children"]]
    assert part["original"] == 0 < len(steps) <= 400
    assert max(collapse) == collapse[0] == len(steps) - 1
    assert min(at for at in collapse if at >= 0) >= 1  # the first step is the model itself
    alphas = [step["alpha"] for step in steps]
    assert alphas == sorted(alphas)
    for number in {0, 1, len(steps) // 2, len(steps) - 1}:
        assert steps[number]["leaves"] == leaves_at(tree, collapse, number)
    for step in steps:
        has(step, alpha=NUMBER, leaves=int, training_loss=MAYBE, held_out_loss=MAYBE, held_out_loss_se=MAYBE)
    for name in ("best", "one_se"):
        assert part[name] is None or 0 <= part[name] < len(steps)
    assert (part["best"] is None) == (steps[0]["held_out_loss"] is None)


def check_ranking(part):
    segments, hull = part["segments"], part["hull"]
    scores = [segment["score"] for segment in segments]
    assert scores == sorted(scores, reverse=True)
    assert hull[0] == 0
    assert hull[-1] == len(segments) <= 1000
    assert part["source"] in ("out-of-fold", "held-out", "training")
    assert part["auc_low"] <= part["auc"] <= part["auc_high"]
    assert part["positive"] in (0, 1)
    assert 0 <= part["prevalence"] <= 1
    assert part["costs"][0][0] == part["costs"][1][1] == 0


def check_residuals(part, inner):
    assert 1 <= len(part["pairs"]) <= 2000
    for leaf in part["leaves"]:
        assert not inner[leaf["node"]]
        five = [leaf[name] for name in ("low", "q1", "median", "q3", "high")]
        assert five == sorted(five)


def check_lists(payload, inner):
    for rule in payload["rules"]:
        has(rule, node=int, text=str, prediction=str, support=(int, type(None)), confidence=MAYBE, lift=MAYBE)
        assert rule["node"] < len(inner)
    for each in payload["settings"]:
        has(each, name=str, value=str, default=str, changed=bool)
        assert each["changed"] == (each["value"] != each["default"])
    for each in payload["check"] or []:
        has(each, kind=str, sentence=str, column=(str, type(None)))
        assert each["severity"] in ("high", "medium", "low")
    for node, rivals in (payload["next_best_splits"] or {}).items():
        assert inner[int(node)]
        for rival in rivals:
            has(rival, test=str, gain=NUMBER)
    names = {column["name"] for column in payload["columns"]}
    for row in (payload["importance"] or {"rows": []})["rows"]:
        assert row["column"] in names or not row["column"].isprintable() or "\\" in row["column"]
        assert math.isfinite(row["impurity"])


# -- models


def mixed_table(n=240, seed=0):
    """A table of all kinds of columns, with gaps, and a target that they tell something of."""
    rng = np.random.default_rng(seed)
    day = np.datetime64("2024-01-01") + rng.integers(0, 90, n).astype("timedelta64[D]")
    number = rng.normal(size=n)
    colour = rng.choice(["red", "green", "blue", "grey"], n)
    size = rng.choice(["small", "middle", "large"], n)
    frame = pl.DataFrame(
        {
            "number": np.where(rng.random(n) < 0.1, np.nan, number),
            "colour": pl.Series(colour).set(pl.Series(rng.random(n) < 0.1), None),
            "size": pl.Series(size, dtype=pl.Enum(["small", "middle", "large"])),
            "flag": rng.random(n) < 0.4,
            "day": day,
            "count": rng.integers(0, 5, n) + 2**60,
        }
    ).with_columns(pl.col("number").fill_nan(None), took=pl.col("day") - pl.lit(np.datetime64("2024-01-01")))
    score = number + (colour == "red") - (size == "large") + (day > np.datetime64("2024-02-10"))
    return frame, score + rng.normal(size=n) * 0.7


def zoo():
    """Names of models, each with a function that makes it: the model, X and y."""

    def of(make, classes=True, **params):
        def build():
            X, score = mixed_table()
            y = np.where(score > 0.3, "yes", "no") if classes else score
            kind = tw.DecisionTreeClassifier if classes else tw.DecisionTreeRegressor
            model = kind(**params) if make is None else make(**params)
            return model.fit(X, y), X, y

        return build

    def plain(X, y, **params):
        kind = tw.DecisionTreeRegressor if np.asarray(y).dtype.kind == "f" else tw.DecisionTreeClassifier
        return lambda: (kind(**params).fit(X, y), X, y)

    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 4))
    many = np.clip(np.round(X[:, 0] * 20 + 50), 0, 99).astype(int)
    return {
        "all kinds of columns": of(None, min_samples_leaf=5),
        "numbers": of(None, classes=False, min_samples_leaf=5),
        "absolute": of(None, classes=False, criterion="absolute_error", max_depth=4),
        "chosen": of(None, ccp_alpha="cv", smoothing="hierarchical"),
        "surrogates": of(None, missing="surrogate", max_depth=4),
        "shared": of(None, missing="fractional", max_depth=4),
        "stops": of(classics.rpart, usesurrogate=0, cp=0.001),
        "branches": of(None, nominal_splits="multiway", max_depth=4),
        "costs": of(None, costs=[[0, 1], [5, 0]], max_depth=4),
        "weights": of(None, class_weight="balanced", max_depth=4),
        "held out": of(None, pruning="reduced_error"),
        "j48": of(classics.j48),
        "c4.5": of(classics.c45),
        "c5.0": of(classics.c50),
        "rpart": of(classics.rpart),
        "one leaf": plain(np.zeros((30, 2)), np.arange(30) % 2),
        "constant leaves": plain(np.arange(60.0)[:, None], np.repeat([1.0, 2.0, 3.0], 20)),
        "hundred classes": plain(X, many, min_samples_leaf=3),
        "two outputs": plain(X, np.stack([many > 50, many // 25], axis=1), max_depth=4),
        "two numbers": plain(X, X[:, :2] @ rng.normal(size=(2, 2)), max_depth=4),
        "a class of one row": plain(X, np.array(["a"] * 200 + ["b"] * 99 + ["c"]), max_depth=3),
        "oblique": plain(X, X[:, 0] + X[:, 1] - 0.5 * X[:, 2] + 0.2 * X[:, 3] ** 2 > 0, oblique=3),
        "oblique numbers": plain(X, np.round(X[:, 0] + X[:, 1]) + 0.5 * X[:, 2], oblique=2, max_depth=4),
        "few rows": plain(X[:6], np.array([0, 1, 0, 1, 1, 1])),
        "deep": plain(np.arange(481.0)[:, None], 2.0 ** np.arange(481)),
    }
