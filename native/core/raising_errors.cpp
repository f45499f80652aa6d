#include "raising_errors.hpp"

#include <algorithm>
#include <numeric>

namespace treewright {

double ExpectedErrors::weight(const double* counts) const {
  return std::accumulate(counts, counts + rows_.n_classes, 0.0);
}

// The weight of the rows that are not of the class that is decided, as a mean over outputs.
double ExpectedErrors::wrong(const double* counts) const {
  double sum = 0;
  const std::size_t n = rows_.n_classes;
  for (std::size_t o = 0; o < rows_.n_outputs; ++o, counts += n) {
    const double total = this->weight(counts);
    std::size_t label = static_cast<std::size_t>(std::max_element(counts, counts + n) - counts);
    if (!rows_.costs.empty()) {
      std::vector<double> expected(n, 0.0);
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i)
          expected[j] += counts[i] / (total > 0 ? total : 1.0) * rows_.costs[i * n + j];
      const double least = *std::min_element(expected.begin(), expected.end()) * (1 + 0x1p-40);
      label = 0;
      while (expected[label] > least) ++label;
    }
    sum += total - counts[label];
  }
  return sum / static_cast<double>(rows_.n_outputs);
}

std::vector<double> ExpectedErrors::of_leaves(std::span<const double> counts) const {
  std::vector<double> weights, mistakes;
  for (std::size_t i = 0; i < counts.size(); i += width_) {
    weights.push_back(weight(counts.data() + i));
    mistakes.push_back(wrong(counts.data() + i));
  }
  return limit_(weights, mistakes);
}

// The errors of siblings; those of too little weight count as one leaf.
double ExpectedErrors::of_siblings(std::span<const double> expected, std::span<const double> counts) const {
  double sum = 0;
  bool any = false;
  std::vector<double> light(width_, 0.0);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double* here = counts.data() + k * width_;
    if (pool_ > 0 && weight(here) < pool_ - equal) {
      any = true;
      for (std::size_t j = 0; j < width_; ++j) light[j] += here[j];
    } else {
      sum += expected[k];
    }
  }
  return any ? sum + of_leaves(light)[0] : sum;
}

void ExpectedErrors::count(const HeldRows& rows, double* counts) const {
  for (std::size_t i = 0; i < rows.row.size(); ++i) {
    const std::int32_t* labels = rows_.labels + rows.row[i] * rows_.n_outputs;
    for (std::size_t o = 0; o < rows_.n_outputs; ++o)
      counts[o * rows_.n_classes + static_cast<std::size_t>(labels[o])] += rows.weight[i];
  }
}

}   // namespace treewright
