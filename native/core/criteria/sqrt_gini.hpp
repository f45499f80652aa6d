// Root Gini: phi = sum_k sqrt(c_k (n - c_k)). For two classes its splits do not depend on the class ratio (the
// Hellinger distance of the children's class shares). Strictly concave; its slope is infinite at pure nodes.
#pragma once
#include <algorithm>
#include <cmath>
#include <string_view>

#include "../types.hpp"

namespace treewright {

struct SqrtGini {
  static constexpr std::string_view name = "sqrt_gini";

  static double term(std::int64_t c, std::int64_t n) {
    return std::sqrt(static_cast<double>(c) * static_cast<double>(n - c));   // IEEE: the same everywhere
  }
  static double mass(const std::int64_t* count, std::uint32_t k, std::int64_t n) {
    double sum = 0;
    for (std::uint32_t i = 0; i < k; ++i) sum += term(count[i], n);
    return sum;
  }

  template <int K>
  static double gain(const std::int64_t* total, const std::int64_t* left, std::uint32_t k, std::int64_t n,
                     std::int64_t n_left) {
    double sum = 0;
    for (std::uint32_t i = 0; i < k; ++i) {
      sum += term(total[i], n) - (term(left[i], n_left) + term(total[i] - left[i], n - n_left));
    }
    return std::max(sum, 0.0);
  }
};

}   // namespace treewright
