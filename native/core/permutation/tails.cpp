#include "tails.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "../random.hpp"

namespace treewright {

namespace {

Tails of_upper(double upper) { return {upper, std::log1p(-upper)}; }

double log_gamma(double a) {   // Stirling's series, from 10 on; a > 0
  double shift = 0;
  for (; a < 10; ++a) shift += std::log(a);
  const double square = 1 / (a * a);
  const double series =
      (1.0 / 12 -
       square * (1.0 / 360 -
                 square * (1.0 / 1260 - square * (1.0 / 1680 - square * (1.0 / 1188 - square * 691.0 / 360360))))) /
      a;
  return (a - 0.5) * std::log(a) - a + 0.5 * std::log(2 * std::numbers::pi) + series - shift;
}

// The lower tail of the gamma distribution by its series, the upper one by its continued fraction (Lentz).
double lower_gamma(double a, double x, double front) {
  double term = 1 / a, sum = term;
  for (double k = a + 1; term > sum * 1e-17; ++k) sum += term *= x / k;
  return sum * front;
}
double upper_gamma(double a, double x, double front) {
  constexpr double tiny = std::numeric_limits<double>::min();
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, product = d;
  for (double i = 1; i < 1e6; ++i) {
    const double factor = i * (a - i);
    b += 2;
    d = 1 / std::max(b + factor * d, tiny);
    c = std::max(b + factor / c, tiny);
    product *= c * d;
    if (std::abs(c * d - 1) < 1e-16) break;
  }
  return product * front;
}

// Of two sides, P(|Z| > x).
double normal_upper(double x) { return std::erfc(x * std::numbers::sqrt2 / 2); }

// The x with P(|Z| > x) = p, by Newton's method on log P from a number near it.
double normal_quantile(double p, double x) {
  for (int step = 0; step < 60; ++step) {
    const double upper = normal_upper(x), density = 2 * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const double next = x + (std::log(upper) - std::log(p)) * upper / density;
    if (std::abs(next - x) < 1e-10 * (1 + x)) return next;
    x = std::max(next, 0.0);
  }
  return x;
}

// Standard normal numbers, a fixed sequence.
class Normals {
 public:
  double next() {
    if (has_second_) {
      has_second_ = false;
      return second_;
    }
    const double radius = std::sqrt(-2 * std::log(1 - unit_interval(mix(n_++))));
    const double angle = 2 * std::numbers::pi * unit_interval(mix(n_++));
    second_ = radius * std::sin(angle);
    has_second_ = true;
    return radius * std::cos(angle);
  }

 private:
  std::uint64_t n_ = 0;
  double second_ = 0;
  bool has_second_ = false;
};

// The rows or the columns of the matrix, if they sum up. Two that do are one, up to the sign.
class Lines {
 public:
  explicit Lines(std::span<const double> shares) {
    if (shares.size() < 3) return;
    for (const double share : shares) root_.push_back(std::sqrt(share)), rest_.push_back(std::sqrt(1 - share));
  }
  std::size_t size() const { return std::max<std::size_t>(root_.size(), 1); }
  // Makes them sum up to nothing, as counts with these shares do: e_k sqrt(s_k) - s_k sum(e sqrt(s)), each over its
  // standard deviation.
  void centre(double* first, std::size_t step) const {
    double sum = 0;
    for (std::size_t k = 0; k < root_.size(); ++k) sum += first[k * step] * root_[k];
    for (std::size_t k = 0; k < root_.size(); ++k) first[k * step] = (first[k * step] - root_[k] * sum) / rest_[k];
  }
  double correlation(std::size_t i, std::size_t k) const {
    return i == k ? 1 : -(root_[i] / rest_[i]) * (root_[k] / rest_[k]);
  }

 private:
  std::vector<double> root_, rest_;   // of every share s: of s, and of 1 - s
};

}   // namespace

Tails chi_square_tails(double x, double degrees) {
  const double a = degrees / 2, half = x / 2;
  if (!(half > 0)) return {1, -std::numeric_limits<double>::infinity()};
  const double front = std::exp(a * std::log(half) - half - log_gamma(a));
  if (half > a + 1) return of_upper(upper_gamma(a, half, front));
  const double lower = std::min(lower_gamma(a, half, front), 1.0);
  return {1 - lower, std::log(lower)};
}

// P(max |Z| > x) = sum over i of P(|Z_i| > x) E[1 / M | |Z_i| > x], where M is the number of entries beyond x (Owen,
// Maximov and Chertkov 2019): exact in the limit, and as exact for the smallest p-values.
Tails greatest_normal_tails(double x, std::span<const double> row_shares, std::span<const double> column_shares) {
  const Lines rows(row_shares), columns(column_shares);
  const std::size_t n_columns = columns.size(), n = rows.size() * n_columns;
  const double single = normal_upper(x);
  if (single >= 1) return {1, -std::numeric_limits<double>::infinity()};
  if (n == 1 || single <= 0) return of_upper(single);
  constexpr std::size_t n_draws = 5000;
  Normals normals;
  std::vector<double> z(n);
  double sum = 0, beyond = x;
  for (std::size_t draw = 0; draw < n_draws; ++draw) {
    for (double& each : z) each = normals.next();
    for (std::size_t row = 0; row < rows.size(); ++row) columns.centre(&z[row * n_columns], 1);
    for (std::size_t column = 0; column < n_columns; ++column) rows.centre(&z[column], n_columns);
    const std::size_t i = draw % n;   // this one lies beyond x
    if (draw % 10 == 0)               // from there to the end of the tail, ten draws at each step
      beyond = normal_quantile(single * (1 - (static_cast<double>(draw) + 5) / n_draws), beyond);
    const double more = (z[i] < 0 ? -beyond : beyond) - z[i];
    std::size_t n_beyond = 1;
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const double correlation =
          rows.correlation(i / n_columns, k / n_columns) * columns.correlation(i % n_columns, k % n_columns);
      n_beyond += std::abs(z[k] + correlation * more) > x;
    }
    sum += 1 / static_cast<double>(n_beyond);
  }
  return of_upper(std::min(single * static_cast<double>(n) * sum / n_draws, 1 - 0x1p-53));
}

}   // namespace treewright
