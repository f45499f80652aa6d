// The Shapley weights of a product game: prod_k (k known ? r_k : c_k).
#pragma once
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace treewright {

struct LegendreRule {   // Gauss and Legendre's, on [0, 1]: exact for polynomials of degree 2 n - 1
  std::vector<double> at, weight;
};

inline LegendreRule legendre_rule(std::size_t n) {
  LegendreRule rule{std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(n) + 0.5)), slope = 1;
    for (int round = 0; round < 100; ++round) {   // Newton, from a start that is known to lead to this root
      double before = 1, p = x;
      for (std::size_t k = 2; k <= n; ++k) {
        const auto d = static_cast<double>(k);
        const double next = ((2 * d - 1) * x * p - (d - 1) * before) / d;
        before = p;
        p = next;
      }
      slope = static_cast<double>(n) * (x * p - before) / (x * x - 1);
      const double step = p / slope;
      x -= step;
      if (std::fabs(step) < 1e-16) break;
    }
    rule.at[i] = (1 + x) / 2;
    rule.weight[i] = 1 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

// The weight of a set of s of the other m - 1 columns is s! (m - 1 - s)! / m!, the integral of t^s (1 - t)^(m - 1 - s).
// So the sum over all sets is the integral of a product, and all its terms are positive: nothing cancels.
inline void product_weights(std::size_t m, const double* r, const double* c, const LegendreRule& rule, double* after,
                            double* out) {
  for (std::size_t j = 0; j < m; ++j) out[j] = 0;
  for (std::size_t i = 0; i < rule.at.size(); ++i) {
    const double t = rule.at[i];
    after[m] = rule.weight[i];
    for (std::size_t j = m; j-- > 0;) after[j] = after[j + 1] * (c[j] * (1 - t) + r[j] * t);
    double before = 1;
    for (std::size_t j = 0; j < m; ++j) {
      out[j] += before * after[j + 1];
      before *= c[j] * (1 - t) + r[j] * t;
    }
  }
  for (std::size_t j = 0; j < m; ++j) out[j] *= r[j] - c[j];
}

// (a - 1)! b! / (a + b)!: what each of a columns has that must all be known, while b others must not be.
inline double must_be_known(int a, int b) {
  double ways = 1;   // a + b over a
  for (int k = 1; k <= b; ++k) ways = ways * (a + k) / k;
  return 1 / (a * ways);
}

}   // namespace treewright
