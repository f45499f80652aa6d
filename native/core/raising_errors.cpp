#include "raising_errors.hpp"

#include <algorithm>
#include <numeric>

namespace treewright {

constexpr double no_rows = 0.05;   // a branch of less weight stays empty when it is grown

ExpectedErrors::ExpectedErrors(const RaisingRows& rows, const ErrorLimit& limit, double pool)
    : rows_(rows), limit_(limit), pool_(pool), width_(rows.n_outputs * rows.n_classes) {
  if (rows.divisor.empty() || rows.n_outputs != 1) return;
  factor_.assign(rows.n_classes, 1.0);
  for (std::size_t row = 0; row < rows.divisor.size(); ++row)
    factor_[static_cast<std::size_t>(rows.labels[row])] = rows.divisor[row];
}

double ExpectedErrors::weight(const double* counts) const {
  return std::accumulate(counts, counts + rows_.n_classes, 0.0);
}

// The class that is decided: that of most weight, or where there are costs, of the least expected cost.
std::size_t ExpectedErrors::label(const double* counts) const {
  const std::size_t n = rows_.n_classes;
  if (rows_.costs.empty()) return static_cast<std::size_t>(std::max_element(counts, counts + n) - counts);
  const double total = this->weight(counts);
  std::vector<double> expected(n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) expected[j] += counts[i] / (total > 0 ? total : 1.0) * rows_.costs[i * n + j];
  const double least = *std::min_element(expected.begin(), expected.end()) * (1 + 0x1p-40);
  std::size_t found = 0;
  while (expected[found] > least) ++found;
  return found;
}

// The weight of the rows that are not of the class that is decided, as a mean over outputs.
double ExpectedErrors::wrong(const double* counts) const {
  double sum = 0;
  for (std::size_t o = 0; o < rows_.n_outputs; ++o, counts += rows_.n_classes)
    sum += weight(counts) - counts[label(counts)];
  return sum / static_cast<double>(rows_.n_outputs);
}

std::vector<double> ExpectedErrors::of_leaves(std::span<const double> counts) const {
  if (!factor_.empty()) return of_weighed_leaves(counts);
  std::vector<double> weights, mistakes;
  for (std::size_t i = 0; i < counts.size(); i += width_) {
    weights.push_back(weight(counts.data() + i));
    mistakes.push_back(wrong(counts.data() + i));
  }
  return limit_(weights, mistakes);
}

// What is added to the errors is that of the rows as they are; then it weighs as the rows that are wrong.
std::vector<double> ExpectedErrors::of_weighed_leaves(std::span<const double> counts) const {
  std::vector<double> weights, mistakes, per_row;
  for (std::size_t i = 0; i < counts.size(); i += width_) {
    const std::size_t right = label(counts.data() + i);
    double all = 0, wrong = 0, heavy = 0;
    for (std::size_t k = 0; k < rows_.n_classes; ++k) {
      all += counts[i + k] / factor_[k];
      if (k != right) wrong += counts[i + k] / factor_[k], heavy += counts[i + k];
    }
    weights.push_back(all);
    mistakes.push_back(wrong);
    per_row.push_back(rows_.n_classes == 2 ? factor_[1 - right] : wrong > 0 ? heavy / wrong : 1.0);
  }
  std::vector<double> found = limit_(weights, mistakes);
  for (std::size_t i = 0; i < found.size(); ++i) found[i] *= per_row[i];
  return found;
}

// The errors of siblings; those of too little weight count as one leaf, but for those that rows never come to.
double ExpectedErrors::of_siblings(std::span<const double> expected, std::span<const double> counts) const {
  double sum = 0;
  bool any = false;
  std::vector<double> light(width_, 0.0);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double* here = counts.data() + k * width_;
    if (pool_ > 0 && weight(here) < pool_ - equal) {
      if (weight(here) < no_rows) continue;
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
