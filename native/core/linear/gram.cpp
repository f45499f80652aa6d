#include "gram.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace treewright {

namespace {

// Compiled twice where the machine may have wider registers. Every number is computed by the same operations, so that the
// results are the same.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TREEWRIGHT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define TREEWRIGHT_WIDE
#endif

using Quad = double __attribute__((vector_size(32), aligned(8)));

constexpr std::size_t lanes = 8;   // matrices that are factorised side by side
struct Lanes {
  Quad low, high;
  double& operator[](std::size_t lane) { return reinterpret_cast<double*>(this)[lane]; }
};

std::size_t packed(std::size_t i) { return i * (i + 1) / 2; }

constexpr double dependent = 1e-11;   // of a pivot: nothing but rounding is left

// Cholesky's factors row by row; the rows of the targets then hold the solved coefficients, and what is left of their own
// diagonal is the loss: |y|^2 - |L^-1 X'y|^2. `a`: packed triangles, lane by lane.
TREEWRIGHT_WIDE
void losses_in_place(std::vector<Lanes>& a, std::vector<Lanes>& inverse, const Ridge& ridge, double* losses) {
  const std::size_t n = ridge.n_design, size = ridge.size();
  std::fill_n(losses, lanes, 0.0);
  inverse.resize(n);
  for (std::size_t i = 0; i < size; ++i) {
    Lanes* row = a.data() + packed(i);
    const bool target = i >= n;
    for (std::size_t j = 0; j < std::min(i, n); ++j) {
      const Lanes* above = a.data() + packed(j);
      Quad low = row[j].low, high = row[j].high;
      for (std::size_t k = 0; k < j; ++k) {
        low -= row[k].low * above[k].low;
        high -= row[k].high * above[k].high;
      }
      row[j].low = low * inverse[j].low;
      row[j].high = high * inverse[j].high;
    }
    Lanes rest = row[i];
    for (std::size_t l = 0; l < lanes; ++l) rest[l] += target ? 0.0 : ridge.penalty[i];
    Lanes whole = rest;
    for (std::size_t k = 0; k < std::min(i, n); ++k) {
      rest.low -= row[k].low * row[k].low;
      rest.high -= row[k].high * row[k].high;
    }
    for (std::size_t l = 0; l < lanes; ++l) {
      if (target) losses[l] += std::max(rest[l], 0.0);
      else inverse[i][l] = rest[l] > dependent * whole[l] ? 1 / std::sqrt(rest[l]) : 0.0;
    }
  }
}

#define TREEWRIGHT_INLINE inline __attribute__((always_inline))

// Of the rows i, ..., i + Rows - 1 of a triangle the quads j, ..., j + Quads - 1: sums stay in registers.
template <std::size_t Rows, std::size_t Quads>
TREEWRIGHT_INLINE void add_tile(double* gram, const double* values, const double* weighted, std::size_t n,
                                std::size_t width, std::size_t i, std::size_t j) {
  Quad sum[Rows][Quads];
  for (std::size_t a = 0; a < Rows; ++a)
    for (std::size_t b = 0; b < Quads; ++b) sum[a][b] = reinterpret_cast<const Quad*>(gram + row_begin(i + a))[j + b];
  for (std::size_t k = 0; k < n; ++k) {
    const auto* from = reinterpret_cast<const Quad*>(values + k * width) + j;
    const double* by = weighted + k * width + i;
    for (std::size_t a = 0; a < Rows; ++a) {
      const Quad all = {by[a], by[a], by[a], by[a]};
      for (std::size_t b = 0; b < Quads; ++b) sum[a][b] += all * from[b];
    }
  }
  for (std::size_t a = 0; a < Rows; ++a)
    for (std::size_t b = 0; b < Quads; ++b) reinterpret_cast<Quad*>(gram + row_begin(i + a))[j + b] = sum[a][b];
}

template <std::size_t Rows>
TREEWRIGHT_INLINE void add_tiles(double* gram, const double* values, const double* weighted, std::size_t n,
                                 std::size_t width, std::size_t i) {
  std::size_t j = 0;
  for (; j + 2 <= i / quad + 1; j += 2) add_tile<Rows, 2>(gram, values, weighted, n, width, i, j);
  if (j < i / quad + 1) add_tile<Rows, 1>(gram, values, weighted, n, width, i, j);
}

TREEWRIGHT_WIDE
void add_rows(double* gram, const double* values, const double* weighted, std::size_t n, std::size_t size) {
  const std::size_t width = whole_quads(size);
  std::size_t i = 0;
  for (; i + quad <= size; i += quad) add_tiles<quad>(gram, values, weighted, n, width, i);
  for (; i < size; ++i) add_tiles<1>(gram, values, weighted, n, width, i);
}

}   // namespace

void GramRows::finish() {
  double* weighted = values_.data() + most * width_;
  for (std::size_t k = 0; k < n_; ++k)
    for (std::size_t i = 0; i < width_; ++i) weighted[k * width_ + i] = weight_[k] * values_[k * width_ + i];
  if (n_ > 0) add_rows(gram_, values_.data(), weighted, n_, size_);
  n_ = 0;
}

TREEWRIGHT_WIDE
void add_row(double* gram, const double* z, std::size_t size, double weight) {
  const auto* from = reinterpret_cast<const Quad*>(z);
  auto* to = reinterpret_cast<Quad*>(gram);
  for (std::size_t i = 0; i < size; ++i) {
    const double a = weight * z[i];
    const Quad all = {a, a, a, a};
    const std::size_t n_quads = i / quad + 1;
    for (std::size_t j = 0; j < n_quads; ++j) to[j] += all * from[j];
    to += n_quads;
  }
}

void two_sided_losses(const double* total, std::span<const double* const> left, const Ridge& ridge, double* losses) {
  constexpr std::size_t cuts = lanes / 2;
  const std::size_t size = ridge.size();
  thread_local std::vector<Lanes> work, inverse;
  work.resize(packed(size));
  for (std::size_t first = 0; first < left.size(); first += cuts) {
    const std::size_t n = std::min(cuts, left.size() - first);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const std::size_t at = row_begin(i) + j;
        Lanes& to = work[packed(i) + j];
        for (std::size_t c = 0; c < cuts; ++c) {
          const double own = left[first + std::min(c, n - 1)][at];
          to[2 * c] = own;
          to[2 * c + 1] = total[at] - own;
        }
      }
    }
    double found[lanes];
    losses_in_place(work, inverse, ridge, found);
    for (std::size_t c = 0; c < n; ++c) losses[first + c] = found[2 * c] + found[2 * c + 1];
  }
}

double ridge_loss(const double* gram, const Ridge& ridge) {
  const std::vector<double> nothing(gram_length(ridge.size()), 0.0);
  const double* left = nothing.data();
  double loss = 0;
  two_sided_losses(gram, {&left, 1}, ridge, &loss);
  return loss;
}

void solve_positive(std::vector<double>& A, std::size_t n, double* right, std::size_t n_right) {
  std::vector<double> inverse(n), column(n), whole(n);
  for (std::size_t i = 0; i < n; ++i) whole[i] = A[i * n + i];
  for (std::size_t j = 0; j < n; ++j) {   // the rows below are reduced at once: their loops have no sums that wait
    const double rest = A[j * n + j];
    inverse[j] = rest > dependent * whole[j] ? 1 / std::sqrt(rest) : 0.0;
    for (std::size_t i = j; i < n; ++i) column[i] = A[i * n + j] *= inverse[j];
    for (std::size_t i = j + 1; i < n; ++i) {
      double* row = A.data() + i * n;
      const double own = column[i];
      for (std::size_t k = j + 1; k <= i; ++k) row[k] -= own * column[k];
    }
    for (std::size_t t = 0; t < n_right; ++t) right[j * n_right + t] *= inverse[j];
    for (std::size_t i = j + 1; i < n; ++i)
      for (std::size_t t = 0; t < n_right; ++t) right[i * n_right + t] -= column[i] * right[j * n_right + t];
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t t = 0; t < n_right; ++t) {
      double sum = right[j * n_right + t];
      for (std::size_t i = j + 1; i < n; ++i) sum -= A[i * n + j] * right[i * n_right + t];
      right[j * n_right + t] = sum * inverse[j];
    }
  }
}

std::vector<double> ridge_solution(const double* gram, const Ridge& ridge, std::span<const double> start) {
  const std::size_t n = ridge.n_design, m = ridge.n_targets;
  std::vector<double> A(n * n), right(n * m), found(start.begin(), start.end());
  const auto entry = [&](std::size_t i, std::size_t j) { return gram[row_begin(std::max(i, j)) + std::min(i, j)]; };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t t = 0; t < m; ++t) {
      double sum = entry(n + t, i);
      for (std::size_t j = 0; j < n; ++j) sum -= entry(i, j) * start[j * m + t];
      right[i * m + t] = sum;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const bool fixed = std::isinf(ridge.penalty[i]);
    for (std::size_t j = 0; j <= i; ++j)
      A[i * n + j] = fixed || std::isinf(ridge.penalty[j]) ? (i == j ? 1.0 : 0.0) : entry(i, j);
    A[i * n + i] += fixed ? 0.0 : ridge.penalty[i];
    for (std::size_t t = 0; fixed && t < m; ++t) right[i * m + t] = 0;
  }
  solve_positive(A, n, right.data(), m);
  for (std::size_t k = 0; k < found.size(); ++k) found[k] += right[k];
  return found;
}

void ridge_solutions(const RidgeProblems& problems, const Ridge& ridge, double* to) {
  const std::size_t n = ridge.n_design, m = ridge.n_targets, size = ridge.size();
  std::vector<double> gram(gram_length(size)), start(n * m);
  Ridge own = ridge;
  for (std::size_t p = 0; p < problems.n_problems; ++p) {
    const double* from = problems.grams + p * size * size;
    for (std::size_t i = 0; i < size; ++i) std::copy_n(from + i * size, i + 1, gram.data() + row_begin(i));
    std::copy_n(problems.start + p * n * m, n * m, start.data());
    for (std::size_t i = 0; problems.allowed != nullptr && i < n; ++i) {
      const bool allowed = problems.allowed[p * n + i] != 0;
      own.penalty[i] = allowed ? ridge.penalty[i] : INFINITY;
      if (!allowed) std::fill_n(start.data() + i * m, m, 0.0);
    }
    const std::vector<double> found = ridge_solution(gram.data(), own, start);
    std::copy(found.begin(), found.end(), to + p * n * m);
  }
}

}   // namespace treewright
