// Splits for linear leaves. A Gram matrix of rows z = (design columns, targets) adds over rows, so the matrices of the
// bins of a column, summed from the left, give the loss of every cut: on each side the ridge regression of the targets
// on the design columns is solved from its Gram matrix alone.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../parallel.hpp"

namespace treewright {

constexpr std::uint8_t missing_bin = 255;

struct GramRows {
  const double* values = nullptr;   // row-major: n_rows x width
  const double* weight = nullptr;   // one per row
  std::size_t n_rows = 0, width = 0;
};

// The lower triangles of the Gram matrices of each bin, packed row after row. Bin `n_bins` is that of missing values.
std::vector<double> bin_grams(const GramRows& rows, const std::uint8_t* code, std::size_t n_bins,
                              std::span<const std::int32_t> columns);

// The least of |target - design * coefficients|^2 + sum of ridge * coefficient^2, summed over the targets, from a packed
// Gram matrix whose last `n_targets` columns are the targets. A column that depends on those before it is left out.
double ridge_loss(const double* gram, std::size_t size, std::size_t n_targets, std::span<const double> ridge,
                  std::vector<double>& work);

struct GramScan {
  std::size_t n_targets = 1;
  std::span<const double> ridge;   // one per column of `rows`
  std::int64_t min_rows = 1;       // of each side
  double min_weight = 0;
};

// The losses of the cuts of one column: cut b has the bins 0..b on the left, and the missing values on the right
// (losses[b]) or on the left (losses[n_bins + b]); infinite where a side is too small. The last cut has all bins on the
// left, and is one only where missing values are on the right.
void scan_grams(const GramRows& rows, const std::uint8_t* code, std::size_t n_bins,
                std::span<const std::int32_t> columns, const GramScan& scan, double* losses);

}   // namespace treewright
