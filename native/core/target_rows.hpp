// The exact row statistics that criteria count, of the user's target and weights.
#pragma once
#include "criteria/classes.hpp"
#include "criteria/numbers.hpp"
#include "target.hpp"

namespace treewright {

ClassRows class_rows(const Target& target, const Weights& weights);

// centred: y may be shifted, as squared and absolute errors allow. second(y, q, w) is the second sum of a row.
// range: of the whole target, if these are the rows of a part of it.
NumberRows number_rows(const Target& target, const Weights& weights, bool centred,
                       double (*second)(double y, double q, double w), const TargetRange* range = nullptr);

}   // namespace treewright
