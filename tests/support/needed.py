"""What a test needs and the machine has not: a failure where the check must be whole, else a skip."""

import os

import pytest


def must_be_here():
    """Whether `make test` or a continuous integration runs the tests."""
    ci = os.environ.get("CI", "").lower() not in ("", "0", "false")
    return ci or os.environ.get("TREEWRIGHT_BROWSER") == "required"


def not_here(why):
    """End a test that cannot run, with a sentence."""
    if must_be_here():
        pytest.fail(why, pytrace=False)
    pytest.skip(why)
