#include "neighbors.hpp"

#include <algorithm>
#include <cmath>

namespace treewright {

namespace {

constexpr double steps = 16;   // of a distance of 1

double distance(const NeighborRows& rows, const double* a, const double* b) {
  double sum = 0;
  for (std::size_t j = 0; j < rows.n_columns; ++j)
    sum += rows.scale[j] * (rows.is_level[j] ? static_cast<double>(a[j] != b[j]) : std::fabs(a[j] - b[j]));
  return std::nearbyint(steps * sum);
}

}   // namespace

std::vector<double> corrected(const NeighborRows& rows, std::size_t k, const double* values, const double* predicted,
                              std::size_t n, double low, double high, Pool& pool) {
  std::vector<double> found(n);
  k = std::min(k, rows.n_rows);
  pool.for_each(n, [&](std::size_t i) {
    thread_local std::vector<double> step, near;
    step.resize(rows.n_rows);
    for (std::size_t r = 0; r < rows.n_rows; ++r)
      step[r] = distance(rows, values + i * rows.n_columns, rows.values + r * rows.n_columns);
    near.resize(k);
    std::partial_sort_copy(step.begin(), step.end(), near.begin(), near.end());
    const auto within = std::upper_bound(near.begin(), near.end(), steps * rows.far) - near.begin();
    const std::size_t places = std::max<std::size_t>(1, static_cast<std::size_t>(within));
    const double last = near[places - 1];
    double before = 0, at = 0;
    for (std::size_t r = 0; r < rows.n_rows; ++r) before += step[r] < last, at += step[r] == last;
    double sum = 0, total = 0;
    for (std::size_t r = 0; r < rows.n_rows; ++r) {
      if (step[r] > last) continue;
      const double share = step[r] < last ? 1 : (static_cast<double>(places) - before) / at;
      const double weight = share / (step[r] / steps + 0.5);
      sum += weight * std::clamp(predicted[i] + rows.off[r], low, high);
      total += weight;
    }
    found[i] = sum / total;
  });
  return found;
}

}   // namespace treewright
