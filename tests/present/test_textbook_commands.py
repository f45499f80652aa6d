"""A published command, pasted, gives the published output, character by character."""

import pandas as pd
import polars as pl
import pytest

import treewright
from tests.present.test_command import call
from tests.support.paths import RECORDED
from treewright.classics import like, output_text

TEXTBOOK = RECORDED / "textbook"
IRIS = {"sepal_length": "sepallength", "sepal_width": "sepalwidth", "petal_length": "petallength"}
IRIS |= {"petal_width": "petalwidth", "species": "class"}
LEVELS = {"outlook": ["sunny", "overcast", "rainy"], "windy": ["TRUE", "FALSE"], "play": ["yes", "no"]}
COMMANDS = {
    "weather_j48": ("weather", "play", "weka.classifiers.trees.J48 -C 0.25 -M 2"),
    "iris_j48": ("iris", "class", "java weka.classifiers.trees.J48 -C 0.25 -M 2 -t iris.arff"),
    "weather_c50": ("weather", "play", "C5.0(play ~ ., data = weather)"),
    "iris_c50": ("iris", "class", "C5.0(x = iris[, -5], y = iris$class, control = C5.0Control(seed = 1))"),
    "kyphosis_rpart": (
        "kyphosis",
        "Kyphosis",
        'fit <- rpart(Kyphosis ~ Age + Number + Start, data = kyphosis, method = "class")',
    ),
    "cpu_m5p": ("cpu", "class", "weka.classifiers.trees.M5P -M 4.0 -num-decimal-places 4"),
}
# The same by other names: what was typed at the programs' own prompts, and RWeka.
OTHERS = {
    "weather_j48": "J48(play ~ ., data = weather, control = Weka_control(C = 0.25, M = 2))",
    "weather_c50": "c5.0 -f golf -s",
    "kyphosis_rpart": "rpart cp=0.01 minsplit=20",
    "cpu_m5p": "M5P(class ~ ., data = cpu)",
}


def table(name):
    """A table with the names, and the order of levels and classes, that the programs were given."""
    if name == "iris":
        frame = treewright.load_example("iris").rename(columns=IRIS)
        return frame.assign(**{"class": "Iris-" + frame["class"].astype(str)})
    if name != "weather":
        return pd.read_csv(TEXTBOOK / f"{name}.csv")
    frame = pd.read_csv(TEXTBOOK / "weather_numeric.csv", dtype={"windy": str})
    return frame.assign(**{each: pd.Categorical(frame[each], levels) for each, levels in LEVELS.items()})


def published(name):
    return (TEXTBOOK / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("line", ["command", "other"])
@pytest.mark.parametrize("name", COMMANDS)
def test_from_python(name, line):
    data, target, command = COMMANDS[name]
    frame = table(data)
    X, y = frame.drop(columns=target), frame[target]
    given = command if line == "command" else OTHERS.get(name, command)
    model = like(given, "regression" if name == "cpu_m5p" else "classification").fit(X, y)
    assert output_text(model, X, y).rstrip("\n") == published(name).rstrip("\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_from_the_command_line(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data, target, command = COMMANDS[name]
    frame = pl.from_pandas(table(data))
    levels = LEVELS if data == "weather" else {}
    frame = frame.with_columns(pl.col(each).cast(pl.Enum(names)) for each, names in levels.items())
    frame.write_parquet("t.parquet")
    assert call("fit", "t.parquet", "-t", target, "--like", command, "--quiet").status == 0
    shown = call("show", "t.tree.json", "--original", "--data", "t.parquet")
    assert shown.out.rstrip("\n") == published(name).rstrip("\n")


def test_a_formula_names_the_columns_and_the_target(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table("iris").to_csv("iris.csv", index=False)
    line = "rpart(class ~ petalwidth + sepallength)"
    assert call("fit", "iris.csv", "-t", "class", "--like", line, "--quiet").status == 0
    assert treewright.load("iris.tree.json").feature_names_in_.tolist() == ["sepallength", "petalwidth"]
    wrong = call("fit", "iris.csv", "-t", "petalwidth", "--like", line)
    assert "--target must be that of the formula, 'class'" in wrong.err
    assert "Got 'size'" in call("fit", "iris.csv", "-t", "class", "--like", "rpart(class ~ size)").err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rpart(y ~ log(x), data=d)", "A formula must be of names"),
        ("rpart(y ~ ., 5)", "must have names"),
        ("rpart(y ~ ., control=5)", "control must be a call"),
        ("rpart(y ~ ., weights=w)", "given to fit, as sample_weight"),
        ("C5.0(x, y, weights=w)", "given to fit, as sample_weight"),
        ('rpart(y ~ ., method="class)', "must be closed"),
        ("lm(y ~ x)", "There is no classic 'lm'"),
        ("J48(y ~ ., control=Weka_control(Z=1))", "no option '-Z'"),
    ],
)
def test_what_a_command_cannot_say(line, said):
    with pytest.raises((ValueError, TypeError), match=said):
        like(line)


def test_values_of_r():
    made = like(
        'rpart(y ~ ., parms=list(prior=c(.65, 0.35), split="information"), '
        "control=rpart.control(cp=1e-3, minsplit=5L, usesurrogate=0))"
    )
    assert made.priors == [0.65, 0.35]
    assert (made.criterion, made.min_samples_split) == ("entropy", 5)
    assert made.pruning_options["alpha"] == 1e-3
    for costs in ("matrix(c(0, 4, 1, 0), nrow=2)", "matrix(c(0, 1, 4, 0), ncol=2, byrow=TRUE)",
                  "structure(c(0, 4, 1, 0), dim = c(2L, 2L))"):  # fmt: skip
        assert like(f"C5.0(x, y, costs={costs})").costs == [[0.0, 4.0], [1.0, 0.0]]
    assert like("C5.0(x, y, trials=5, rules=TRUE)").n_estimators == 5
    assert like("J48(y ~ ., control=Weka_control(U=FALSE, M=3))").pruning == "pessimistic"


def test_output_text_is_for_what_a_program_prints():
    iris = treewright.load_example("iris")
    model = treewright.fit(iris, "species")
    with pytest.raises(ValueError, match="needs a model of c50, j48, m5p or rpart"):
        output_text(model)
    with pytest.raises(ValueError, match="X and y must be given together"):
        output_text(model, iris)
    tooth = pd.DataFrame({"s": list("abc") * 20, "x": range(60)})
    with pytest.raises(ValueError, match="needs X and y, the training rows"):
        output_text(like("m5p", "regression").fit(tooth, tooth["x"] * 1.0 + (tooth["s"] == "a") * 50))


def test_times_and_truth_values_are_words():
    days = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=40), "wet": [True, False] * 20})
    y = ((days["day"] > "2020-01-20") & days["wet"]).map({True: "a\tb", False: "c"})
    for line in ("c5.0", "j48", "J48(y ~ ., control=Weka_control(B=TRUE))"):
        text = output_text(like(line).fit(days, y), days, y)
        assert "day <= 2020-01-2" in text
        assert "wet = false: c (20" in text
        assert "\\t" in text  # in the name of a class, which must not break a line or a column
