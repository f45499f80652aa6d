#include "directions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace treewright {

namespace {

constexpr double ridge = 1e-3;          // on standardised columns
constexpr std::size_t most_pairs = 4;   // of each response

// Solves A x = b by Cholesky, A symmetric and positive definite, n x n by rows.
std::vector<double> solve(std::vector<double> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
  return b;
}

class Gram {
 public:
  explicit Gram(const DirectionRows& rows) : m_(rows.width()), gram_(m_ * m_, 0.0), sum_(m_, 0.0) {
    for (std::size_t i = 0; i < rows.n; ++i) {
      total_ += rows.weight[i];
      for (std::size_t a = 0; a < m_; ++a) {
        const double w = rows.weight[i] * rows.at(i, a);
        sum_[a] += w;
        for (std::size_t b = 0; b <= a; ++b) gram_[a * m_ + b] += w * rows.at(i, b);
      }
    }
    for (std::size_t a = 0; a < m_; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        gram_[b * m_ + a] = gram_[a * m_ + b] = (gram_[a * m_ + b] - sum_[a] * sum_[b] / total_) / total_;
  }
  // The covariance of every candidate with a response.
  std::vector<double> with(const DirectionRows& rows, const std::vector<double>& response) const {
    std::vector<double> found(m_, 0.0);
    double mean = 0;
    for (std::size_t i = 0; i < rows.n; ++i) {
      const double w = rows.weight[i] * response[i];
      mean += w;
      for (std::size_t a = 0; a < m_; ++a) found[a] += w * rows.at(i, a);
    }
    for (std::size_t a = 0; a < m_; ++a) found[a] = (found[a] - mean * sum_[a] / total_) / total_;
    return found;
  }
  // The direction of these candidates, and the variance of the response that it explains.
  std::pair<Direction, double> fit(std::vector<std::size_t> at, const std::vector<double>& with) const {
    std::sort(at.begin(), at.end());
    const std::size_t n = at.size();
    std::vector<double> a(n * n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
      b[i] = with[at[i]];
      for (std::size_t j = 0; j < n; ++j) a[i * n + j] = gram_[at[i] * m_ + at[j]] + (i == j ? ridge : 0);
    }
    std::vector<double> found = solve(std::move(a), b);
    double explained = 0;
    for (std::size_t i = 0; i < n; ++i) explained += found[i] * b[i];
    return {Direction{std::move(at), std::move(found)}, explained};
  }
  std::size_t size() const { return m_; }

 private:
  std::size_t m_;
  std::vector<double> gram_, sum_;
  double total_ = 0;
};

// One more candidate at a time, each time the one that explains most; every step is a direction.
void select_forward(const Gram& gram, const std::vector<double>& with, std::size_t first, std::size_t most,
                    std::vector<Direction>& out) {
  std::vector<std::size_t> at{first};
  while (at.size() < std::min(most, gram.size())) {
    std::pair<Direction, double> best{{}, -1};
    for (std::size_t a = 0; a < gram.size(); ++a) {
      if (std::find(at.begin(), at.end(), a) != at.end()) continue;
      std::vector<std::size_t> more = at;
      more.push_back(a);
      auto found = gram.fit(std::move(more), with);
      if (found.second > best.second) best = std::move(found);
    }
    at = best.first.at;
    out.push_back(std::move(best.first));
  }
}

void best_pairs(const Gram& gram, const std::vector<double>& with, std::vector<Direction>& out) {
  std::vector<std::pair<Direction, double>> pairs;
  for (std::size_t a = 0; a < gram.size(); ++a)
    for (std::size_t b = a + 1; b < gram.size(); ++b) pairs.push_back(gram.fit({a, b}, with));
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& x, const auto& y) { return x.second > y.second; });
  pairs.resize(std::min(pairs.size(), most_pairs));
  for (auto& pair : pairs) out.push_back(std::move(pair.first));
}

}   // namespace

std::vector<Direction> least_squares_directions(const DirectionRows& rows, std::size_t most_columns, std::size_t own) {
  const Gram gram(rows);
  std::vector<Direction> out;
  for (const std::vector<double>& response : rows.responses) {
    const std::vector<double> with = gram.with(rows, response);
    std::size_t best = 0;
    for (std::size_t a = 1; a < gram.size(); ++a)
      if (std::abs(with[a]) > std::abs(with[best])) best = a;
    select_forward(gram, with, best, most_columns, out);
    if (own < gram.size() && own != best) select_forward(gram, with, own, most_columns, out);
    best_pairs(gram, with, out);
  }
  return out;
}

Direction logistic_direction(const DirectionRows& rows, const std::vector<std::size_t>& at,
                             const std::vector<double>& label, const std::vector<double>& weight) {
  constexpr int steps = 4;
  const std::size_t n = at.size() + 1;   // the intercept is the last
  double total = 0;
  for (const double w : weight) total += w;
  std::vector<double> found(n, 0.0);
  for (int step = 0; step < steps; ++step) {
    std::vector<double> a(n * n, 0.0), b(n, 0.0), x(n, 1.0);
    for (std::size_t i = 0; i < rows.n; ++i) {
      if (!(weight[i] > 0)) continue;
      double score = found[n - 1];
      for (std::size_t t = 0; t + 1 < n; ++t) {
        x[t] = rows.at(i, at[t]);
        score += found[t] * x[t];
      }
      const double p = 1 / (1 + std::exp(-std::clamp(score, -30.0, 30.0)));
      const double slope = std::max(p * (1 - p), 1e-4);
      const double w = weight[i] / total;
      for (std::size_t t = 0; t < n; ++t) {
        b[t] += w * (slope * score + label[i] - p) * x[t];
        for (std::size_t u = 0; u <= t; ++u) a[t * n + u] += w * slope * x[t] * x[u];
      }
    }
    for (std::size_t t = 0; t < n; ++t) {
      if (t + 1 < n) a[t * n + t] += ridge / 10;
      for (std::size_t u = 0; u < t; ++u) a[u * n + t] = a[t * n + u];
    }
    found = solve(std::move(a), std::move(b));
  }
  found.pop_back();
  return {at, std::move(found)};
}

}   // namespace treewright
