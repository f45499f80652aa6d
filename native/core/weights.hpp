// Row weights on a power-of-two grid: exact integers whose sum cannot overflow. Whole-number weights stay themselves;
// others are rounded once, and a positive weight never becomes 0.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "exact_sum.hpp"

namespace treewright {

// What the grid of weights depends on. Ranges of parts are added, in any order.
struct WeightRange {
  std::int64_t n_rows = 0;
  ExactSum sum;
  bool whole = true;
  std::int64_t lowest = 2000;   // the exponent of the lowest bit of any weight

  void add(const double* weights, std::size_t n) {
    n_rows += static_cast<std::int64_t>(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (!(weights[i] >= 0) || std::isinf(weights[i]))
        throw std::invalid_argument("weights must be finite and not negative.");
      if (weights[i] == 0) continue;
      sum.add(weights[i]);
      whole &= weights[i] == std::floor(weights[i]);
      int exponent;
      const auto bits = static_cast<std::uint64_t>(std::ldexp(std::frexp(weights[i], &exponent), 53));
      lowest = std::min<std::int64_t>(lowest, exponent - 53 + std::countr_zero(bits));
    }
  }
  void add(const WeightRange& other) {
    n_rows += other.n_rows;
    sum.add(other.sum);
    whole &= other.whole;
    lowest = std::min(lowest, other.lowest);
  }
  // The most that a sum of units differs from the user's weights: half a unit a row, where any is rounded.
  double off(int exponent) const {
    return lowest + exponent >= 0 ? 0 : std::ldexp(0.5, -exponent) * static_cast<double>(n_rows);
  }
  // Units are weight * 2^exponent, and their sum stays below 2^51. fine: as fine a grid as there is room for.
  int exponent(bool fine) const {
    const double total = sum.value();
    if (!(total > 0)) throw std::invalid_argument("at least one weight must be positive.");
    if (std::isinf(total)) throw std::invalid_argument("the sum of the weights must be finite.");
    if (whole && !fine && total < 0x1p51) return 0;
    int exponent;
    std::frexp(total, &exponent);
    return 51 - exponent;
  }
};

struct Weights {
  std::vector<std::int64_t> units;   // empty: every row weighs 1
  double unit = 1;                   // the user's weight of one unit
  double off = 0;                    // the most that a sum of them differs from the user's: half a unit a row
  std::vector<std::int64_t> own;     // of the rows when tests are compared, on a grid of its own; empty: units

  // fine: so that a row can be shared out.
  static Weights from(const double* weights, std::size_t n, bool fine = false) {
    if (weights == nullptr && fine) {
      const std::vector<double> ones(n, 1.0);
      return from(ones.data(), n, true);
    }
    if (weights == nullptr) return {};
    WeightRange range;
    range.add(weights, n);
    return on_grid(weights, n, range, fine);
  }
  // Of some rows, on the grid of all.
  static Weights on_grid(const double* weights, std::size_t n, const WeightRange& range, bool fine = false) {
    const int exponent = range.exponent(fine);
    Weights out;
    out.unit = std::ldexp(1.0, -exponent);
    out.units.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto units = static_cast<std::int64_t>(std::llround(std::ldexp(weights[i], exponent)));
      out.units[i] = weights[i] > 0 ? std::max<std::int64_t>(units, 1) : 0;
    }
    out.off = range.off(exponent);
    return out;
  }
  bool equal() const { return units.empty(); }
  std::int64_t operator[](std::size_t row) const { return units.empty() ? 1 : units[row]; }
};

}   // namespace treewright
