"""What is not a valid model file is refused with a sentence, also when its hash is right."""

import json

import numpy as np
import pytest

from tools.fuzz_damage import rehashed
from tools.fuzz_models import models
from treewright.learn.model_file import FileError, read, reader
from treewright.learn.model_file.limits import VERSION
from treewright.learn.model_file.text import written
from treewright.learn.model_file.writer import document


@pytest.fixture(scope="module")
def texts():
    """The files of models of all kinds."""
    return {name: "".join(written(document(model))) for name, model, _ in models()}


def of(texts, name):
    return json.loads(texts[name])


# Way to a part of a document, what it becomes, and the sentence. The hash is right again.
TREE = [
    ("first_child.0", 0, "children must come after their parent"),
    ("first_child.0", 2, "numbered breadth-first"),
    ("n_children.0", 3, "breadth-first|every node but the root"),
    ("feature.0", 99, "feature must be in"),
    ("threshold.0", "nan", "threshold must be a number"),
    ("threshold.0", "1", 'other than "nan"'),
    ("missing_child.0", 2, "missing_child must be the number of a child"),
    ("missing_child.0", 2.0, "other than a whole number"),
    ("missing_child.0", True, "other than a whole number"),
    ("missing_child.0", 2**31, "outside of"),
    ("missing_seen.0", 2, "missing_seen must be 0 or 1"),
    ("n_node_samples.0", -1, "n_node_samples must be in 0"),
    ("n_node_samples.0", 2**60, "n_node_samples must be in 0"),
    ("n_node_samples.0", 61, "n_node_samples must be the sum of the children's, but not at node 0"),
    ("weighted_n_node_samples.0", 61.0, "weighted_n_node_samples must be the sum of the children's"),
    ("weighted_n_node_samples.0", "nan", "weighted_n_node_samples must be finite"),
    ("weighted_n_node_samples.0", 2**53 + 1, "whole number that float64 cannot hold"),
    ("weighted_n_node_samples.0", None, "something else among them"),
    ("impurity.0", "inf", "impurity must be finite"),
    ("impurity.0", -1.0, "impurity must not be negative"),
    ("gain.0", "-inf", "gain must be finite"),
    ("value.0", 2.0, "shares in value must be in 0..1"),
    ("value.0", "nan", "value must be finite"),
    ("value.0", 0.001, "shares in value must sum to 1"),
    ("value.0", [], "something else among them"),
    ("value", [], r"must have \d+ x 1 x 3 numbers. Got 0"),
    ("value", {}, "must be a list of at most"),
    ("gain", [0.0], r"At fault: \['gain'\]"),
    ("gain", [], r"At fault: \['gain'\]"),
    ("n_classes", [4], r"must have \d+ x 1 x 4 numbers"),
    ("n_classes", [0], "number of classes of each output"),
    ("n_classes", [], "number of classes of each output"),
    ("n_classes", [10**9], "number of classes of each output"),
    ("lower", [0.0], "one length"),
    ("unknown", [0.0], '"tree" must have no keys but'),
    ("found_by", [10] * 3, '"found_by" must be places'),
    ("found_by_names", ["magic"], '"found_by" must be places'),
    ("level_begin", [0, 9 * 10**18, -9 * 10**18, 2], '"level_begin" must lie in 0'),
    ("surrogates", {"node": [0]}, "arrays node, feature and threshold"),
    ("surrogates", {"magic": 1}, '"surrogates" must have no keys but'),
    ("surrogates", [], "must be objects"),
    ("costs", [0.0], "must have 3 x 3 numbers"),
    ("estimate", [0.0], r"must have \d+ x 1 x 3 numbers"),
    ("integer_exact.0", 2, "integer_exact must be 0 or 1"),
]
OTHERS = [
    ("format", "onnx", "\"format\" must be 'treewright'. Got 'onnx'"),
    ("version", 0, '"version" and "min_reader" must be whole numbers'),
    ("version", 1.0, '"version" and "min_reader" must be whole numbers'),
    ("min_reader", True, '"version" and "min_reader" must be whole numbers'),
    ("created_by", 3, '"created_by" must be text'),
    ("kind", "regression", '"kind" and "estimator" must belong together'),
    ("estimator", "os.system", '"kind" and "estimator" must belong together'),
    ("estimator", ["x"], '"kind" and "estimator" must belong together'),
    ("target", 3, '"target" must be the name of a column'),
    ("extra", 3, "A model file must have no keys but"),
    ("schema", [], '"schema" must be an object with'),
    ("schema.extra", 3, '"schema" must have no keys but'),
    ("schema.columns", [], '"columns" must be a list of 1 to'),
    ("schema.columns.0", 3, 'Each of "columns" must have a "kind"'),
    ("schema.columns.0.kind", "magic", 'Each of "columns" must have a "kind"'),
    ("schema.columns.0.extra", 1, 'Each of "columns" must have a "kind"'),
    ("schema.columns.0.name", 3, 'must have a "name" that is text, or none of them'),
    ("schema.columns.0.name", "whole", "Feature names must be unique"),
    ("schema.columns.0.levels", ["a"], "Only nominal and ordered columns have levels"),
    ("schema.columns.0.levels", "a", '"levels" must be a list'),
    ("schema.columns.0.utc", True, 'only a datetime "utc"'),
    ("schema.columns.1.levels.0", None, "Levels must be text, numbers, true or false"),
    ("schema.columns.1.levels.0", "=1+1", "must differ from each other"),
    ("schema.columns.1.levels.0", {"$float": "x"}, r'must use "\$float" and "\$pairs" as they are meant'),
    ("schema.classes", None, "A classifier must have classes"),
    ("schema.classes", [], '"classes" must be null or a list'),
    ("schema.classes.0", [], 'must have the "type" of its labels'),
    ("schema.classes.0.type", "V8", 'must have the "type" of its labels'),
    ("schema.classes.0.type", "<U2", 'must be of their "type", <U2'),
    ("schema.classes.0.type", "<i8", 'must be of their "type", <i8'),
    ("schema.classes.0.type", "<U9999999", "room for at most"),
    ("schema.classes.0.labels", ["a", "b"], "Classes must be as many as n_classes"),
    ("schema.classes.0.labels", ["no", "yes", "no"], "Classes must be unique"),
    ("schema.classes.0.labels.0", "a" * 9, 'must be of their "type"'),
    ("params", [], '"params" must be an object'),
    ("params.magic", 1, '"params" must be among'),
    ("params.max_depth", "deep", "max_depth must be an int"),
    ("params.n_jobs", 10**9, '"n_jobs" must be at most'),
    ("params.min_impurity_decrease", 10**350, "must be valid"),
    ("params.class_weight", {"$pairs": [[[], 1]]}, r'must have "\$pairs" of different simple keys'),
    ("params.class_weight", {"$pairs": [[1, 1], [True, 2]]}, r'must have "\$pairs" of different simple keys'),
    ("params.class_weight", {"$pairs": 3}, r'must have "\$pairs" of different simple keys'),
    ("fitted", [], '"fitted" must be an object'),
    ("fitted.magic", 1, '"fitted" must be an object with some of'),
    ("fitted.ccp_alpha_", -1, '"ccp_alpha_" of "fitted" must be a number of at least 0'),
    ("fitted.max_features_", 1.5, '"max_features_" of "fitted" must be a whole number'),
    ("fitted.changed_", 1, '"changed_" of "fitted" must be text'),
    ("unsaved", [], '"unsaved" must be an object'),
    ("training", 3, '"training" must be an object'),
    ("decision", {}, '"decision" must be null, or an object with'),
]


def damaged(doc, way, becomes):
    *steps, last = way.split(".")
    for step in steps:
        doc = doc[int(step) if isinstance(doc, list) else step]
    doc[int(last) if isinstance(doc, list) else last] = becomes


@pytest.mark.parametrize(("way", "becomes", "sentence"), OTHERS + [(f"tree.{w}", b, s) for w, b, s in TREE])
def test_every_check_holds_without_the_hash(way, becomes, sentence, texts):
    doc = of(texts, "classes")
    if way == "tree.integer_exact.0":  # they are there where float64 is not exact
        n = len(doc["tree"]["feature"])
        doc["tree"] |= {"integer_exact": [0] * n, "integer_threshold": [0] * n}
    damaged(doc, way, becomes)
    with pytest.raises(FileError, match=f"^This is not a valid model file. .*(?:{sentence})"):
        read(rehashed(doc))


@pytest.mark.parametrize(
    ("name", "way", "becomes", "sentence"),
    [
        ("decision", "decision.threshold", "x", '"threshold" of the decision must be a number'),
        ("decision", "decision.positive", 1, '"positive" of the decision must be one of the classes'),
        ("decision", "decision.leaves", [1], '"leaves" of the decision must be two whole numbers'),
        ("decision", "tree.lower.0", "nan", "lower must not be above upper"),
        ("decision", "tree.lower", [], "lower and upper must be given together"),
        ("outputs", "tree.value.5", 0.5, "sum to 1|classes that an output does not have"),
        ("shares", "tree.estimate.0", -0.1, "shares in estimate must be in 0..1"),
        ("shares", "tree.share.1", 2.0, "share must be in 0..1"),
        (
            "shares",
            "tree.n_node_samples.0",
            10**6,
            "n_node_samples must be at most the sum of the children's",
        ),
        ("shares", "tree.n_node_samples.1", 10**6, "n_node_samples must be at most"),
        ("surrogates", "tree.surrogates.agreement.0", 7.0, "agreement of a surrogate must be in 0..1"),
        ("surrogates", "tree.surrogates.adjusted.0", "inf", "adjusted of a surrogate must not be above 1"),
        ("surrogates", "tree.surrogates.integer_exact.0", 2, "integer_exact of a surrogate must be 0 or 1"),
        ("surrogates", "tree.surrogates.node.0", 99, "node of a surrogate must be a node"),
        ("by hand", "tree.n_node_samples", [1, 1, 1], "must be at least the sum of the children's"),
        ("by hand", "tree.weighted_n_node_samples", [0, 1, 1], "must be at least the sum of the children's"),
        ("by hand", "tree.weighted_n_node_samples", [-1, 0, 0], "must not be negative"),
        ("by hand", "tree.value", [1, 2, "inf"], "value must be finite"),
    ],
)
def test_checks_that_only_some_models_need(name, way, becomes, sentence, texts):
    doc = of(texts, name)
    damaged(doc, way, becomes)
    for part in ("weighted_n_node_samples", "value"):  # so that the hash is that of floats
        doc["tree"][part] = [float(x) if isinstance(x, int) else x for x in doc["tree"][part]]
    with pytest.raises(FileError, match=sentence):
        read(rehashed(doc))


def test_whole_thresholds_and_tests_of_levels(texts):
    found = 0
    for text in texts.values():
        doc = json.loads(text)
        tree = doc["tree"]
        for node, exact in enumerate(tree.get("integer_exact", [])):
            if exact and tree["n_children"][node]:
                found += 1
                changed = json.loads(text)
                changed["tree"]["integer_threshold"][node] = 7
                with pytest.raises(
                    FileError, match=f"near integer_threshold where that is exact, .* node {node}"
                ):
                    read(rehashed(changed))
        plain = "surrogates" not in tree and -2 not in tree["missing_child"]
        if "level_child" in tree and plain and max(tree["n_children"]) == 2:
            found += 1
            tree["level_child"] = [0] * len(tree["level_child"])
            tree["missing_child"] = [0] * len(tree["missing_child"])
            with pytest.raises(FileError, match="Every child of a test of levels must take a level"):
                read(rehashed(doc))
    assert found >= 2


@pytest.mark.parametrize("key", reader.KEYS)
def test_every_key_must_be_there(key, texts):
    doc = of(texts, "classes")
    if key == "sha256":
        del doc[key]
        with pytest.raises(FileError, match=r'"sha256" must be the hash of all else\. Got none'):
            read(json.dumps(doc).encode())
        return
    del doc[key]
    with pytest.raises(FileError, match=f"Got none of \\['{key}'\\]|\"{key}\"|must be whole numbers"):
        read(rehashed(doc))


@pytest.mark.parametrize("name", ["first_child", "value", "n_classes"])
def test_every_array_must_be_there(name, texts):
    doc = of(texts, "classes")
    del doc["tree"][name]
    with pytest.raises(FileError, match=f'"tree" must have the arrays .*{name}.* Got none of'):
        read(rehashed(doc))


def test_later_versions(texts):
    doc = of(texts, "classes")
    newer = doc | {"version": VERSION + 1, "news": [1, {"a": None}]}
    newer["tree"] = doc["tree"] | {"colour": ["red"]}
    assert read(rehashed(newer)).tree == read(texts["classes"].encode()).tree
    with pytest.raises(FileError, match=rf'"min_reader" must be at most {VERSION}. Got {VERSION + 1}'):
        read(rehashed(newer | {"min_reader": VERSION + 1}))
    with pytest.raises(FileError, match="the first not below the second"):
        read(rehashed(doc | {"min_reader": 2}))


def test_a_wrong_hash_is_refused_unless_allowed(texts):
    doc = of(texts, "classes")
    doc["training"] = {"rows": 3}
    data = json.dumps(doc).encode()
    with pytest.raises(FileError, match="changed or damaged after it was written"):
        read(data)
    assert read(data, allow_unverified=True).training == {"rows": 3, "unverified": True}
    damaged(doc, "tree.value.0", 7.0)
    with pytest.raises(FileError, match="shares in value"):
        read(json.dumps(doc).encode(), allow_unverified=True)
    for lacking in (doc | {"sha256": 3}, doc | {"sha256": "0" * 64}):
        with pytest.raises(FileError, match='"sha256" must be the hash'):
            read(json.dumps(lacking).encode())


def test_nothing_in_a_file_is_imported_or_opened(texts, monkeypatch):
    doc = of(texts, "classes")
    doc["estimator"] = "../../etc/passwd"
    for opener in ("builtins.open", "io.open", "importlib.import_module"):
        monkeypatch.setattr(opener, lambda *_a, **_k: pytest.fail("something was opened or imported"))
    with pytest.raises(FileError, match="must belong together"):
        read(rehashed(doc))
    assert isinstance(read(texts["classes"].encode()).tree.value, np.ndarray)
