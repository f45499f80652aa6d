"""How many cases hypothesis draws: by default few, and the same ones in every run.

The profile `random`, which `make test-random` chooses by TREEWRIGHT_PROFILE, draws new ones, and
TREEWRIGHT_TIMES as many; a failure prints a line (`@reproduce_failure`) that brings its case back.
"""

import os

from hypothesis import settings

PROFILE = os.environ.get("TREEWRIGHT_PROFILE", "repeatable")
TIMES = float(os.environ.get("TREEWRIGHT_TIMES", "1"))
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile(
    "random", derandomize=False, deadline=None, print_blob=True, max_examples=round(100 * TIMES)
)
settings.load_profile(PROFILE)


def drawn(n, **more):
    """Settings of a test that usually draws n cases."""
    return settings(settings.get_profile(PROFILE), max_examples=max(1, round(n * TIMES)), **more)
