"""scikit-learn's checks of an estimator, all of them in one test."""

import warnings

from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import check_estimator

MAY_SKIP = {
    "check_array_api_input",  # runs only where SCIPY_ARRAY_API is set
    "check_classifiers_multilabel_output_format_decision_function",  # trees have no decision function
}
BY_MEAN_WEIGHT = {
    f"check_sample_weight_equivalence_on_{kind}_data": "C5.0 divides weights by their mean, and 0 counts as 1"
    for kind in ("dense", "sparse")
}


def checked(estimator, expected_to_fail=None):
    """The results of all checks, after those that must pass have passed, and those that must fail failed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)
        results = check_estimator(estimator, on_fail=None, expected_failed_checks=expected_to_fail)
    by_status = {}
    for result in results:
        by_status.setdefault(result["status"], {})[result["check_name"]] = repr(result["exception"])
    assert by_status.get("failed", {}) == {}
    assert {*by_status.get("skipped", {})} <= MAY_SKIP
    assert {*by_status.get("xfail", {})} == {*(expected_to_fail or {})}
    return results
