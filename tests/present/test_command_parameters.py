"""Every parameter of the estimators can be typed as an option, and what is typed is read by its rules."""

import json

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.present.test_command import call
from tests.support.strategies import examples
from treewright.learn.params import PARAMETERS
from treewright.present.command.parameters import (
    Given,
    Value,
    first_options,
    option_name,
    parameter_groups,
    parameters,
    readings,
)
from treewright.present.command.parameters import given as typed

EVERY = parameters()


def parsed(name, text):
    return Value(name, EVERY[name]).convert(text, None, None).value


def test_every_parameter_is_an_option_but_those_with_an_option_of_their_own():
    named = {parameter.name for table in PARAMETERS.values() for parameter in table}
    groups = [first_options(), *parameter_groups().values()]
    options = {option.name: option.opts for group in groups for option in group}
    assert set(options) == named - {"costs", "random_state"}
    assert options["max_depth"] == ["--max-depth"]
    assert all(opts == [option_name(name)] for name, opts in options.items())
    for verb in ("fit", "compare"):
        said = call(verb, "--help").out
        assert all(option_name(name) in said for name in options)
        full = call(verb, "--help-all").out
        assert "'laplace' counts every class" in " ".join(full.split())
        assert len(full.splitlines()) > len(said.splitlines())


@pytest.mark.parametrize("name", EVERY)
def test_the_default_of_every_parameter_can_be_typed(name):
    for parameter in EVERY[name]:
        default = parameter.default
        found = parsed(name, str(default))
        assert found == default
        assert type(found) is type(default) or isinstance(default, float)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("max_depth", "3", 3),
        ("max_depth", "None", None),
        ("min_samples_leaf", "0.05", 0.05),
        ("max_features", "sqrt", "sqrt"),
        ("max_features", "1", 1),
        ("max_features", "1.0", 1.0),
        ("ccp_alpha", "1se", "1se"),
        ("ccp_alpha", "1e-3", 0.001),
        ("n_jobs", "-1", -1),
        ("criterion", "gini", "gini"),
        ("criterion", "poisson", "poisson"),
        ("level_correction", "no", False),
        ("level_correction", "True", True),
        ("pruning", "none", None),
        ("pruning_options", "m=3", {"m": 3}),
        ("pruning_options", '{"raising": false}', {"raising": False}),
        ("monotonic_cst", "1,0,-1", [1, 0, -1]),
        ("monotonic_cst", "age=1,income=-1", {"age": 1, "income": -1}),
        ("categorical_features", "a, b", ["a", "b"]),
        ("categorical_features", '["a,b"]', ["a,b"]),
        ("categorical_features", "from_dtype", "from_dtype"),
        ("class_weight", "balanced", "balanced"),
        ("class_weight", "yes=2,no=1", {"yes": 2, "no": 1}),
        ("priors", "0.3,0.7", [0.3, 0.7]),
        ("priors", "1=0.3,2=0.7", {1: 0.3, 2: 0.7}),
    ],
)
def test_what_is_typed_is_read_by_the_rules(name, text, value):
    found = parsed(name, text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("max_depth", "0", "max_depth must be an int of at least 1 or none. Got '0'."),
        ("max_depth", "deep", "Got 'deep'."),
        ("max_depth", "1_0", "Got '1_0'."),
        ("criterion", "ginni", "Did you mean 'gini'?"),
        ("missing", "lerned", "Did you mean 'learned'?"),
        ("cv", "3,4", "Got '3,4'."),
        ("cv", "[[1, 2]]", "cv must be an int"),
        ("monotonic_cst", "2,0", "array-like of -1, 0 or 1"),
        ("monotonic_cst", '{"a": [1]}', "array-like of -1, 0 or 1"),
        ("pruning_options", "{broken", "a dict of the method's options"),
        ("min_confidence", "nan", "Got 'nan'."),
        ("ccp_alpha", "-1", "Got '-1'."),
        ("ccp_alpha", "1e999", "Got '1e999'."),
        ("pruning_options", "[" * 100_000, "a dict of the method's options"),
    ],
)
def test_what_no_rule_allows_is_refused_with_all_that_is_allowed(name, text, words):
    with pytest.raises(click.BadParameter) as refused:
        parsed(name, text)
    assert words in str(refused.value)
    if len(text) < 100:
        done = call("fit", "nowhere.csv", "-t", "y", option_name(name), text)
        assert done.status == 2
        assert words.split("'")[0] in done.err


@given(st.one_of(st.text(max_size=20), st.integers().map(str), st.floats(allow_nan=False).map(str)))
@examples(10)
def test_any_text_is_a_value_that_a_rule_allows_or_is_refused(text):
    for name, some in EVERY.items():
        try:
            found = parsed(name, text)
        except click.BadParameter as refused:
            assert name in str(refused)  # noqa: PT017 - either may happen
        else:
            if not isinstance(found, dict) or name != "monotonic_cst":
                assert any(kind.holds(found) for parameter in some for kind in parameter.allowed)


@given(st.integers(-(10**12), 10**12) | st.floats(allow_nan=False, allow_infinity=False))
@examples(5)
def test_numbers_are_read_exactly(number):
    first = next(readings(repr(number)))
    assert first == number
    assert type(first) is type(number)


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none(), min_size=1))
@examples(5)
def test_json_is_read_as_json(value):
    assert value in list(readings(json.dumps(value)))


def test_only_what_was_typed_is_given():
    assert typed({"max_depth": Given(None), "cv": None, "data": "a.csv"}) == {"max_depth": None}
    assert Value("cv", EVERY["cv"]).convert(Given(7), None, None).value == 7
