// Error: phi = n - max_k c_k, the rows outside the majority. Concave but flat over wide stretches, and not smooth.
#pragma once
#include <algorithm>
#include <string_view>

#include "../types.hpp"

namespace treewright {

struct Error {
  static constexpr std::string_view name = "error";

  static double mass(const std::int64_t* count, std::uint32_t k, std::int64_t n) {
    return static_cast<double>(n - *std::max_element(count, count + k));
  }

  template <int K>
  static double gain(const std::int64_t* total, const std::int64_t* left, std::uint32_t k, std::int64_t, std::int64_t) {
    std::int64_t most = 0, most_left = 0, most_right = 0;
    for (std::uint32_t i = 0; i < k; ++i) {
      most = std::max(most, total[i]);
      most_left = std::max(most_left, left[i]);
      most_right = std::max(most_right, total[i] - left[i]);
    }
    return static_cast<double>(most_left + most_right - most);
  }
};

}   // namespace treewright
