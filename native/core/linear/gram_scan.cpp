#include "gram_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t triangle(std::size_t size) { return size * (size + 1) / 2; }

// Adds weight * z z' to a packed lower triangle.
inline void add_row(double* gram, const double* z, std::size_t size, double weight) {
  for (std::size_t i = 0; i < size; ++i) {
    const double a = weight * z[i];
    for (std::size_t j = 0; j <= i; ++j) gram[j] += a * z[j];
    gram += i + 1;
  }
}

}   // namespace

std::vector<double> bin_grams(const GramRows& rows, const std::uint8_t* code, std::size_t n_bins,
                              std::span<const std::int32_t> columns) {
  const std::size_t size = columns.size(), entries = triangle(size);
  std::vector<double> grams((n_bins + 1) * entries, 0.0), picked(size);
  bool in_place = size == rows.width;
  for (std::size_t k = 0; k < size && in_place; ++k) in_place = columns[k] == static_cast<std::int32_t>(k);
  for (std::size_t row = 0; row < rows.n_rows; ++row) {
    const double* z = rows.values + row * rows.width;
    if (!in_place) {
      for (std::size_t k = 0; k < size; ++k) picked[k] = z[static_cast<std::size_t>(columns[k])];
      z = picked.data();
    }
    const std::size_t bin = code[row] == missing_bin ? n_bins : code[row];
    add_row(grams.data() + bin * entries, z, size, rows.weight[row]);
  }
  return grams;
}

double ridge_loss(const double* gram, std::size_t size, std::size_t n_targets, std::span<const double> ridge,
                  std::vector<double>& work) {
  // Cholesky's factor row by row; the rows of the targets then hold the solved coefficients, and what is left of their
  // own diagonal is the loss: |y|^2 - |L^-1 X'y|^2.
  const std::size_t n_design = size - n_targets;
  work.assign(gram, gram + triangle(size));
  double loss = 0;
  for (std::size_t i = 0; i < size; ++i) {
    double* row = work.data() + triangle(i);
    const bool target = i >= n_design;
    for (std::size_t j = 0; j < (target ? n_design : i); ++j) {
      const double* above = work.data() + triangle(j);
      if (above[j] == 0) {
        row[j] = 0;
        continue;
      }
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * above[k];
      row[j] = sum / above[j];
    }
    double rest = row[i] + (target ? 0.0 : ridge[i]);
    const double whole = rest;
    for (std::size_t k = 0; k < (target ? n_design : i); ++k) rest -= row[k] * row[k];
    if (target) loss += std::max(rest, 0.0);
    else row[i] = rest > 1e-11 * whole ? std::sqrt(rest) : 0.0;
  }
  return loss;
}

void scan_grams(const GramRows& rows, const std::uint8_t* code, std::size_t n_bins,
                std::span<const std::int32_t> columns, const GramScan& scan, double* losses) {
  const std::size_t size = columns.size(), entries = triangle(size);
  const std::vector<double> grams = bin_grams(rows, code, n_bins, columns);
  std::vector<std::int64_t> count(n_bins + 1, 0);
  std::vector<double> weight(n_bins + 1, 0.0), ridge(size, 0.0), work;
  for (std::size_t row = 0; row < rows.n_rows; ++row) {
    const std::size_t bin = code[row] == missing_bin ? n_bins : code[row];
    ++count[bin];
    weight[bin] += rows.weight[row];
  }
  for (std::size_t k = 0; k + scan.n_targets < size; ++k) ridge[k] = scan.ridge[static_cast<std::size_t>(columns[k])];
  std::vector<double> total(entries, 0.0);
  for (std::size_t bin = 0; bin <= n_bins; ++bin)
    for (std::size_t k = 0; k < entries; ++k) total[k] += grams[bin * entries + k];
  const std::int64_t all = std::accumulate(count.begin(), count.end(), std::int64_t{0});
  const double all_weight = std::accumulate(weight.begin(), weight.end(), 0.0);
  std::fill_n(losses, 2 * n_bins, infinity);
  std::vector<double> left(entries), right(entries);
  for (const bool missing_left : {false, true}) {
    if (missing_left && count[n_bins] == 0) continue;
    std::int64_t n = missing_left ? count[n_bins] : 0;
    double mass = missing_left ? weight[n_bins] : 0;
    for (std::size_t k = 0; k < entries; ++k) left[k] = missing_left ? grams[n_bins * entries + k] : 0.0;
    for (std::size_t bin = 0; bin < n_bins; ++bin) {
      n += count[bin];
      mass += weight[bin];
      for (std::size_t k = 0; k < entries; ++k) left[k] += grams[bin * entries + k];
      if (count[bin] == 0) continue;   // the cut before it is the same
      if (bin + 1 == n_bins && missing_left) continue;
      if (n < scan.min_rows || all - n < scan.min_rows) continue;
      if (!(mass > 0 && all_weight - mass > 0) || mass < scan.min_weight || all_weight - mass < scan.min_weight)
        continue;
      for (std::size_t k = 0; k < entries; ++k) right[k] = total[k] - left[k];
      losses[(missing_left ? n_bins : 0) + bin] = ridge_loss(left.data(), size, scan.n_targets, ridge, work) +
                                                  ridge_loss(right.data(), size, scan.n_targets, ridge, work);
    }
  }
}

}   // namespace treewright
