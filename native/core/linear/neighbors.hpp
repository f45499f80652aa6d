// The correction of predictions by the nearest training rows (Quinlan 1993): each of the k nearest suggests its target
// plus the difference of what the model predicts for both rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../parallel.hpp"

namespace treewright {

struct NeighborRows {                       // views; the caller keeps the arrays alive
  const double* values = nullptr;           // row-major; none is missing
  const double* off = nullptr;              // target less prediction
  const double* scale = nullptr;            // of every column: what a difference is multiplied by
  const std::uint8_t* is_level = nullptr;   // of every column: levels differ or not
  std::size_t n_rows = 0, n_columns = 0;
  double far = 0;   // rows further away have no part, but for the nearest
};

// The mean of what the nearest rows suggest, weighted by 1 / (distance + 1/2). Distances are sums over columns, rounded to
// sixteenths. Rows that are equally far share the places that are left. `predicted`: by the model alone.
std::vector<double> corrected(const NeighborRows& rows, std::size_t k, const double* values, const double* predicted,
                              std::size_t n, double low, double high, Pool& pool);

}   // namespace treewright
