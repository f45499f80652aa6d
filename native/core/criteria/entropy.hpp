// Entropy in bits: phi = sum_k c_k log2(n / c_k), the log loss of the class shares. Smooth, strictly concave.
#pragma once
#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "../forecast.hpp"
#include "../logarithm.hpp"
#include "../search/two_classes.hpp"

namespace treewright {

struct Entropy {
  static constexpr std::string_view name = "entropy";
  using OfTwo = EntropyOfTwo;

  static constexpr std::int64_t most_in_table = 1 << 16;
  static const std::vector<double>& table() {   // x ln x
    static const std::vector<double> all = [] {
      std::vector<double> values(most_in_table + 1, 0.0);
      for (std::size_t x = 2; x < values.size(); ++x) values[x] = static_cast<double>(x) * ln(static_cast<double>(x));
      return values;
    }();
    return all;
  }

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
    if (n > most_in_table) return false;
    const std::vector<double>& f = table();
    const auto at = [&](std::int64_t x) { return f[static_cast<std::size_t>(x)]; };
    const std::int64_t other = n - total, other_left = n_left - left;
    const double nats = at(n) - at(n_left) - at(n - n_left) - (at(total) - at(left) - at(total - left)) -
                        (at(other) - at(other_left) - at(other - other_left));
    constexpr double bits = 0x1.71547652b82fep0;
    return (nats + at(n) * 0x1p-44) * bits < least;
  }

  // The gain along a walk: f(n) - f(n_left) - f(n_right) - sum_k (f(t_k) - f(l_k) - f(r_k)), of which one row changes two
  // terms. Every change may round a sum that is never above 2 f(n).
  class Walk {
   public:
    static constexpr std::int64_t most = std::int64_t{1} << 52;
    Walk(const std::int64_t* total, const std::int64_t* left, std::uint32_t k, std::int64_t n)
        : n_(n), of_n_(f(n)), n_changes_(4.0 * k) {
      for (std::uint32_t i = 0; i < k; ++i) sum_ += f(total[i]) - f(left[i]) - f(total[i] - left[i]);
    }
    void add(std::int64_t total, std::int64_t left, std::int64_t w) {
      const std::int64_t right = total - left;
      sum_ -= f(left + w) - f(left) + (f(right - w) - f(right));
      ++n_changes_;
    }
    About gain(std::int64_t n_left) const {
      constexpr double bits = 0x1.71547652b82fep0;
      const double nats = of_n_ - f(n_left) - f(n_ - n_left) - sum_;
      return {nats * bits, of_n_ * (0x1p-44 + n_changes_ * 0x1p-49)};
    }

   private:
    static double f(std::int64_t x) {
      if (x <= most_in_table) return table()[static_cast<std::size_t>(x)];
      return static_cast<double>(x) * ln(static_cast<double>(x));
    }
    std::int64_t n_;
    double of_n_, n_changes_, sum_ = 0;
  };

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
