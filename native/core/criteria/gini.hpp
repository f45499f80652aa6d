// Gini: phi = sum_k c_k (n - c_k) / n, the Brier loss of the class shares. Smooth, strictly concave.
#pragma once
#include <string_view>

#include "../forecast.hpp"
#include "../search/two_classes.hpp"

namespace treewright {

struct Gini {
  static constexpr std::string_view name = "gini";
  using OfTwo = GiniOfTwo;
  static constexpr double variances = 2;   // of two classes: phi is twice the sum of squares of one of them, as 0 and 1

  static double plain(double p) { return p * (1 - p); }
  static double mass(const std::int64_t* count, std::uint32_t k, std::int64_t n) {
    double sum = 0;
    for (std::uint32_t i = 0; i < k; ++i) sum += static_cast<double>(count[i]) * static_cast<double>(n - count[i]);
    return n > 0 ? sum / static_cast<double>(n) : 0;
  }

  // Of two classes, without the division: 2 cross^2 < least n n_left n_right.
  static bool surely_below(std::int64_t total, std::int64_t left, std::int64_t n, std::int64_t n_left, double least) {
    const auto cross = static_cast<double>(n * left - n_left * total);
    const double sides = static_cast<double>(n_left) * static_cast<double>(n - n_left);
    return 2 * (cross * cross) < least * (static_cast<double>(n) * sides) * (1 - 0x1p-40);
  }

  // The gain along a walk, from sums that one row changes in one place:
  //   n n_left n_right gain = n^2 sum l^2 - 2 n n_left sum l t + n_left^2 sum t^2, exact where n < 2^30.
  class Walk {
   public:
    static constexpr std::int64_t most = std::int64_t{1} << 30;   // of n
    Walk(const std::int64_t* total, const std::int64_t* left, std::uint32_t k, std::int64_t n) : k_(k), n_(n) {
      for (std::uint32_t i = 0; i < k; ++i) {
        left_squares_ += left[i] * left[i];
        products_ += left[i] * total[i];
        squares_ += total[i] * total[i];
      }
    }
    void add(std::int64_t total, std::int64_t left, std::int64_t w) {   // to a class with so much on the left
      left_squares_ += w * (2 * left + w);
      products_ += w * total;
    }
    About gain(std::int64_t n_left) const {
      const Wide sum =
          Wide{n_ * n_} * left_squares_ - 2 * (Wide{n_ * n_left} * products_) + Wide{n_left * n_left} * squares_;
      const double sides = static_cast<double>(n_left) * static_cast<double>(n_ - n_left);
      const double gain = to_double(sum) / (static_cast<double>(n_) * sides);
      return {gain, gain * (0x1p-48 + k_ * 0x1p-52)};   // the gain itself is a sum of k squares
    }

   private:
    double k_;
    std::int64_t n_, left_squares_ = 0, products_ = 0, squares_ = 0;
  };

  // gain = sum_k (n l_k - n_left t_k)^2 / (n n_left n_right): squares only, nothing cancels.
  template <int K>
  static double gain(const std::int64_t* total, const std::int64_t* left, std::uint32_t k, std::int64_t n,
                     std::int64_t n_left) {
    const auto all = static_cast<double>(n), l = static_cast<double>(n_left), r = static_cast<double>(n - n_left);
    if constexpr (K == 2) {   // both classes differ by the same amount
      const auto cross = static_cast<double>(n * left[0] - n_left * total[0]);
      return 2 * (cross * cross) / (all * (l * r));
    }
    double sum = 0;
    if (n < (std::int64_t{1} << 31)) {
      for (std::uint32_t i = 0; i < k; ++i) {
        const auto cross = static_cast<double>(n * left[i] - n_left * total[i]);
        sum += cross * cross;
      }
    } else {
      for (std::uint32_t i = 0; i < k; ++i) {
        const double cross = to_double(Wide{n} * left[i] - Wide{n_left} * total[i]);
        sum += cross * cross;
      }
    }
    return sum / (all * (l * r));
  }
};

}   // namespace treewright
