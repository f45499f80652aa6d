// The user's target and weights, and the exact row statistics that criteria count.
#pragma once
#include <vector>

#include "criteria/classes.hpp"
#include "criteria/numbers.hpp"

namespace treewright {

struct Target {   // views; the caller keeps the arrays alive
  std::size_t n_rows = 0, n_outputs = 1;
  std::vector<std::uint32_t> n_classes;   // per output; empty for numbers
  const std::int32_t* labels = nullptr;   // [row][output]
  const double* numbers = nullptr;        // [row][output]
  const double* weights = nullptr;        // [row], or none
  const double* own_weights = nullptr;    // [row]: what rows weigh when tests are compared, if not these
};

ClassRows class_rows(const Target& target, const Weights& weights);

// centred: y may be shifted, as squared and absolute errors allow. second(y, q, w) is the second sum of a row.
NumberRows number_rows(const Target& target, const Weights& weights, bool centred,
                       double (*second)(double y, double q, double w));

}   // namespace treewright
