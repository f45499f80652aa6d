// Entropy in bits: phi = sum_k c_k log2(n / c_k), the log loss of the class shares. Smooth, strictly concave.
#pragma once
#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "../logarithm.hpp"

namespace treewright {

struct Entropy {
  static constexpr std::string_view name = "entropy";

  static double plain(double p) { return p > 0 ? -p * std::log(p) : 0; }   // in nats
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

  // Of two classes. First by chi squared, since KL(p, q) <= sum (p - q)^2 / q:
  //   gain ln 2 <= (l n - n_left t)^2 n / (n_left n_right t (n - t)).
  // Then from a table of x ln x: gain = f(n) - f(l) - f(r) - sum_k (f(t_k) - f(l_k) - f(r_k)), which may cancel, so what
  // is within its rounding is left to the gain itself.
  static bool surely_below(std::int64_t total, std::int64_t left, std::int64_t n, std::int64_t n_left, double least) {
    const auto off = static_cast<double>(left * n - n_left * total), all = static_cast<double>(n);
    const double sides = static_cast<double>(n_left) * static_cast<double>(n - n_left);
    const double classes = static_cast<double>(total) * static_cast<double>(n - total);
    constexpr double ln2 = 0x1.62e42fefa39efp-1;
    if (off * off * all < least * ln2 * sides * classes * (1 - 0x1p-40)) return true;
    constexpr std::int64_t most = 1 << 16;
    static const std::vector<double> f = [] {
      std::vector<double> table(most + 1, 0.0);
      for (std::size_t x = 2; x < table.size(); ++x) table[x] = static_cast<double>(x) * ln(static_cast<double>(x));
      return table;
    }();
    if (n > most) return false;
    const auto at = [](std::int64_t x) { return f[static_cast<std::size_t>(x)]; };
    const std::int64_t other = n - total, other_left = n_left - left;
    const double nats = at(n) - at(n_left) - at(n - n_left) - (at(total) - at(left) - at(total - left)) -
                        (at(other) - at(other_left) - at(other - other_left));
    constexpr double bits = 0x1.71547652b82fep0;
    return (nats + at(n) * 0x1p-44) * bits < least;
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
