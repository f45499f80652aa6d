// Row weights on a power-of-two grid: exact integers whose sum cannot overflow. Whole-number weights stay themselves;
// others are rounded once, and a positive weight never becomes 0.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "types.hpp"

namespace treewright {

struct Weights {
  std::vector<std::int64_t> units;   // empty: every row weighs 1
  double unit = 1;                   // the user's weight of one unit
  double off = 0;                    // the most that a sum of them differs from the user's: half a unit a row
  std::vector<std::int64_t> own;     // of the rows when tests are compared, on a grid of its own; empty: units

  // fine: as fine a grid as there is room for, so that a row can be shared out.
  static Weights from(const double* weights, std::size_t n, bool fine = false) {
    Weights out;
    if (weights == nullptr && fine) {
      const std::vector<double> ones(n, 1.0);
      return from(ones.data(), n, true);
    }
    if (weights == nullptr) return out;
    double most = 0;
    bool whole = !fine;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(weights[i] >= 0) || std::isinf(weights[i]))
        throw std::invalid_argument("weights must be finite and not negative.");
      most = std::max(most, weights[i]);
      whole &= weights[i] == std::floor(weights[i]);
    }
    if (!(most > 0)) throw std::invalid_argument("at least one weight must be positive.");
    const double sum = sum_of(weights, n, most);
    if (std::isinf(sum)) throw std::invalid_argument("the sum of the weights must be finite.");
    int exponent = 0;   // units = weight * 2^exponent, and their sum stays below 2^51
    if (!whole || sum >= 0x1p51) {
      std::frexp(sum, &exponent);
      exponent = 51 - exponent;
    }
    out.unit = std::ldexp(1.0, -exponent);
    out.units.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto units = static_cast<std::int64_t>(std::llround(std::ldexp(weights[i], exponent)));
      out.units[i] = weights[i] > 0 ? std::max<std::int64_t>(units, 1) : 0;
      if (std::ldexp(static_cast<double>(units), -exponent) != weights[i])
        out.off = 0.5 * out.unit * static_cast<double>(n);
    }
    return out;
  }
  // Integers are added up, since a sum of doubles depends on the order of the rows.
  static double sum_of(const double* weights, std::size_t n, double most) {
    int exponent;
    std::frexp(most, &exponent);
    Wide sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::llround(std::ldexp(weights[i], 62 - exponent));
    return std::ldexp(to_double(sum), exponent - 62);
  }
  bool equal() const { return units.empty(); }
  std::int64_t operator[](std::size_t row) const { return units.empty() ? 1 : units[row]; }
};

}   // namespace treewright
