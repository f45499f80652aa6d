#include "node_model.hpp"

#include <algorithm>
#include <cmath>

namespace treewright {

namespace {

constexpr int most_steps = 25;
constexpr double least_curvature = 0.02;   // of a row: a step stays bounded where all rows are certain

// The probability of each class that has a score, from the scores, in place.
void to_probabilities(double* score, std::size_t m) {
  if (m == 1) {
    score[0] = 1 / (1 + std::exp(-std::clamp(score[0], -500.0, 500.0)));
    return;
  }
  const double most = *std::max_element(score, score + m);
  double sum = 0;
  for (std::size_t t = 0; t < m; ++t) sum += score[t] = std::exp(score[t] - most);
  for (std::size_t t = 0; t < m; ++t) score[t] /= sum;
}

void predict(const double* row, const Ridge& ridge, const double* b, double* to) {
  const std::size_t m = ridge.n_targets;
  if (m == 1) {   // a sum in a register
    double sum = 0;
    for (std::size_t j = 0; j < ridge.n_design; ++j) sum += row[j] * b[j];
    *to = sum;
    return;
  }
  std::fill_n(to, m, 0.0);
  for (std::size_t j = 0; j < ridge.n_design; ++j)
    for (std::size_t t = 0; t < m; ++t) to[t] += row[j] * b[j * m + t];
}

}   // namespace

std::vector<double> gram_of(const ModelRows& rows, std::size_t size) {
  std::vector<double> gram(gram_length(size), 0.0);
  GramRows to(size);
  for (std::size_t i = 0; i < rows.n_rows; ++i)
    std::copy_n(rows.values + i * rows.width, size, to.next(gram.data(), rows.weight[i]));
  to.finish();
  return gram;
}

void residuals(const double* row, const Ridge& ridge, const double* coefficients, bool logistic, double* to) {
  predict(row, ridge, coefficients, to);
  if (logistic) to_probabilities(to, ridge.n_targets);
  for (std::size_t t = 0; t < ridge.n_targets; ++t) to[t] = row[ridge.n_design + t] - to[t];
}

std::vector<double> logistic_solution(const ModelRows& rows, const Ridge& ridge, std::span<const double> prior,
                                      std::span<const double> start, double tolerance) {
  const std::size_t n = ridge.n_design, m = ridge.n_targets;
  std::vector<double> b(start.begin(), start.end()), rest(m), slope(n * m), gram, A(n * n);
  const bool many = m > 1;
  GramRows curvature(n);
  if (many) gram = gram_of(rows, n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t t = 0; t < m && std::isinf(ridge.penalty[j]); ++t) b[j * m + t] = prior[j * m + t];
  for (int step = 0; step < (many ? 4 * most_steps : most_steps); ++step) {
    std::fill(slope.begin(), slope.end(), 0.0);
    if (!many) gram.assign(gram_length(n), 0.0);
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
      const double *row = rows.values + i * rows.width, w = rows.weight[i];
      residuals(row, ridge, b.data(), true, rest.data());
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t t = 0; t < m; ++t) slope[j * m + t] += w * row[j] * rest[t];
      if (many) continue;
      const double p = row[n] - rest[0];
      std::copy_n(row, n, curvature.next(gram.data(), w * std::max(p * (1 - p), least_curvature)));
    }
    curvature.finish();
    for (std::size_t j = 0; j < n; ++j) {
      const bool fixed = std::isinf(ridge.penalty[j]);
      for (std::size_t k = 0; k <= j; ++k)
        A[j * n + k] = fixed || std::isinf(ridge.penalty[k]) ? 0.0 : gram[row_begin(j) + k] * (many ? 0.5 : 1.0);
      A[j * n + j] = fixed ? 1.0 : A[j * n + j] + ridge.penalty[j] + 1e-10;
      for (std::size_t t = 0; t < m; ++t) {
        double& own = slope[j * m + t];
        own = fixed ? 0.0 : own - ridge.penalty[j] * (b[j * m + t] - prior[j * m + t]);
      }
    }
    solve_positive(A, n, slope.data(), m);
    double moved = 0;
    for (std::size_t k = 0; k < b.size(); ++k) {
      b[k] += slope[k];
      moved = std::max(moved, std::fabs(slope[k]));
    }
    if (moved < tolerance) break;
  }
  return b;
}

}   // namespace treewright
