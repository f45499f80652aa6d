// Gain ratio (Quinlan 1993): a split's gain over the entropy of the sizes of its children.
#pragma once
#include <cmath>
#include <span>

#include "logarithm.hpp"

namespace treewright {

// The entropy of the children's weights, in bits.
inline double split_information(std::span<const std::int64_t> weights) {
  constexpr double bits = 0x1.71547652b82fep0;   // 1 / ln 2
  std::int64_t total = 0;
  for (const std::int64_t w : weights) total += w;
  double sum = 0;
  for (const std::int64_t w : weights) {
    if (w > 0 && w < total)
      sum += static_cast<double>(w) * ln_ratio(static_cast<double>(total), static_cast<double>(w));
  }
  return total > 0 ? sum * bits / static_cast<double>(total) : 0;
}

// Rounded, so that the last bits of equal values do not decide between them.
inline double steady(double value) { return std::floor(value * 0x1p40 + 0.5) * 0x1p-40; }

}   // namespace treewright
