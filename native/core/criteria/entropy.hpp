// Entropy in bits: phi = sum_k c_k log2(n / c_k), the log loss of the class shares. Smooth, strictly concave.
#pragma once
#include <algorithm>
#include <string_view>

#include "../logarithm.hpp"

namespace treewright {

struct Entropy {
  static constexpr std::string_view name = "entropy";

  static double mass(const std::int64_t* count, std::uint32_t k, std::int64_t n) {
    constexpr double bits = 0x1.71547652b82fep0;   // 1 / ln 2
    double sum = 0;
    for (std::uint32_t i = 0; i < k; ++i) {
      if (count[i] > 0 && count[i] < n) {
        const auto c = static_cast<double>(count[i]);
        sum += c * ln_ratio(static_cast<double>(n), c);
      }
    }
    return sum * bits;
  }

  template <int K>
  static double gain(const std::int64_t* total, const std::int64_t* left, std::uint32_t k, std::int64_t n,
                     std::int64_t n_left) {
    constexpr double bits = 0x1.71547652b82fep0;
    const auto term = [](std::int64_t c, std::int64_t of) {
      return c > 0 && c < of ? static_cast<double>(c) * ln_ratio(static_cast<double>(of), static_cast<double>(c)) : 0.0;
    };
    const std::int64_t n_right = n - n_left;
    double sum = 0;
    for (std::uint32_t i = 0; i < k; ++i) {
      sum += term(total[i], n) - (term(left[i], n_left) + term(total[i] - left[i], n_right));
    }
    return std::max(sum * bits, 0.0);
  }
};

}   // namespace treewright
