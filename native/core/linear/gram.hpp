// Gram matrices: sums of w z z' over rows z = (design columns, targets), and ridge regressions solved from them alone.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

// A lower triangle whose rows have whole quads of numbers: row i has i / 4 + 1 of them, of which the first i + 1 numbers count.
constexpr std::size_t quad = 4;
inline std::size_t whole_quads(std::size_t n) { return (n + quad - 1) / quad * quad; }
inline std::size_t row_begin(std::size_t i) {
  const std::size_t q = i / quad;
  return quad * (quad * (q * (q + 1) / 2) + (i % quad) * (q + 1));
}
inline std::size_t gram_length(std::size_t size) { return row_begin(size); }

// Adds weight * z z'. `z` has whole quads: what follows the last number does not matter.
void add_row(double* gram, const double* z, std::size_t size, double weight);

// Adds many rows, the same to the last bit, several numbers of several rows at a time. Rows of one matrix that follow
// each other are faster.
class GramRows {
 public:
  explicit GramRows(std::size_t size) : size_(size), width_(whole_quads(size)), values_(2 * most * width_, 0.0) {}

  // Where the numbers of the next row of a matrix are to be written.
  double* next(double* gram, double weight) {
    if (gram != gram_ || n_ == most) finish();
    gram_ = gram;
    weight_[n_] = weight;
    return values_.data() + n_++ * width_;
  }
  void finish();   // before a matrix is read

 private:
  static constexpr std::size_t most = 32;   // rows that wait: they stay in the cache
  std::size_t size_, width_, n_ = 0;
  double* gram_ = nullptr;
  double weight_[most] = {};
  std::vector<double> values_;   // the rows, then the rows times their weights
};

struct Ridge {
  std::size_t n_design = 1, n_targets = 1;
  std::vector<double> penalty;   // of each design column

  std::size_t size() const { return n_design + n_targets; }
};

// For each of these left sides the least loss of both sides together, summed over the targets: the loss of a side is the
// least of |target - design * b|^2 + sum of penalty * b^2. A column that depends on those before it is left out.
void two_sided_losses(const double* total, std::span<const double* const> left, const Ridge& ridge, double* losses);

double ridge_loss(const double* gram, const Ridge& ridge);

// b of least |y - X b|^2 + sum of penalty * (b - start)^2 (n_design x n_targets). Columns whose penalty is infinite keep
// their start.
std::vector<double> ridge_solution(const double* gram, const Ridge& ridge, std::span<const double> start);

// The same of many whole symmetric matrices, one after the other. allowed: for each of them and each design column, or none
// where all are; what is not allowed is 0. start, to: (n_design x n_targets) of each.
struct RidgeProblems {
  std::size_t n_problems;
  const double* grams;
  const double* start;
  const std::uint8_t* allowed;
};
void ridge_solutions(const RidgeProblems& problems, const Ridge& ridge, double* to);

// Solves A b = right in place, A symmetric and positive (row-major n x n, its lower triangle is used up); what depends on
// the columns before it becomes 0.
void solve_positive(std::vector<double>& A, std::size_t n, double* right, std::size_t n_right);

}   // namespace treewright
