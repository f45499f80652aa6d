// The user's target and weights.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weights.hpp"

namespace treewright {

struct Target {   // views; the caller keeps the arrays alive
  std::size_t n_rows = 0, n_outputs = 1;
  std::vector<std::uint32_t> n_classes;   // per output; empty for numbers
  const std::int32_t* labels = nullptr;   // [row][output]
  const double* numbers = nullptr;        // [row][output]
  const double* weights = nullptr;        // [row], or none
  const double* own_weights = nullptr;    // [row]: what rows weigh when tests are compared, if not these
};

// What the grids of numbers depend on, beside the weights. Ranges of parts are added, in any order.
struct TargetRange {
  std::int64_t n_rows = 0;
  std::vector<double> low, high;   // per output, of rows that weigh something
  WeightRange weights;             // where rows are weighted
  bool weighted = false;

  void add(const Target& target);
  void add(const TargetRange& other);
  // Not less than the weight of all rows together, in units of this grid.
  double total_units(const Weights& grid) const;
};

}   // namespace treewright
