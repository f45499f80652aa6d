// The user's target and weights.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace treewright {

struct Target {   // views; the caller keeps the arrays alive
  std::size_t n_rows = 0, n_outputs = 1;
  std::vector<std::uint32_t> n_classes;   // per output; empty for numbers
  const std::int32_t* labels = nullptr;   // [row][output]
  const double* numbers = nullptr;        // [row][output]
  const double* weights = nullptr;        // [row], or none
  const double* own_weights = nullptr;    // [row]: what rows weigh when tests are compared, if not these
};

}   // namespace treewright
