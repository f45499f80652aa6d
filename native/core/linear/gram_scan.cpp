#include "gram_scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t triangle(std::size_t size) { return size * (size + 1) / 2; }

// Two numbers at a time. The rows of a padded lower triangle have whole pairs.
using Pair = double __attribute__((vector_size(16)));

std::size_t padded_triangle(std::size_t size) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < size; ++i) pairs += i / 2 + 1;
  return pairs;
}

// Adds weight * z z' to a padded lower triangle.
inline void add_row(Pair* gram, const Pair* z, const double* numbers, std::size_t size, double weight) {
  for (std::size_t i = 0; i < size; ++i) {
    const double a = weight * numbers[i];
    const Pair both = {a, a};
    const std::size_t n_pairs = i / 2 + 1;
    for (std::size_t j = 0; j < n_pairs; ++j) gram[j] += both * z[j];
    gram += n_pairs;
  }
}

}   // namespace

std::vector<double> bin_grams(const GramRows& rows, const std::uint8_t* code, std::size_t n_bins,
                              std::span<const std::int32_t> columns) {
  const std::size_t size = columns.size(), entries = triangle(size), padded = padded_triangle(size);
  std::vector<Pair> sums((n_bins + 1) * padded, Pair{0, 0}), z(size / 2 + 1, Pair{0, 0});
  std::vector<double> picked(2 * z.size(), 0.0);
  for (std::size_t row = 0; row < rows.n_rows; ++row) {
    const double* from = rows.values + row * rows.width;
    for (std::size_t k = 0; k < size; ++k) picked[k] = from[static_cast<std::size_t>(columns[k])];
    std::memcpy(z.data(), picked.data(), z.size() * sizeof(Pair));
    const std::size_t bin = code[row] == missing_bin ? n_bins : code[row];
    add_row(sums.data() + bin * padded, z.data(), picked.data(), size, rows.weight[row]);
  }
  std::vector<double> grams((n_bins + 1) * entries);
  double* to = grams.data();
  for (std::size_t bin = 0; bin <= n_bins; ++bin) {
    const Pair* from = sums.data() + bin * padded;
    for (std::size_t i = 0; i < size; from += i / 2 + 1, ++i)
      for (std::size_t j = 0; j <= i; ++j) *to++ = from[j / 2][j % 2];
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
