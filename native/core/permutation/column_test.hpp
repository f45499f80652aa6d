// Permutation tests (Strasser and Weber 1999; Hothorn, Hornik and Zeileis 2006): does a column say anything of the
// target? T = sum of w g(x) h(y)' over the rows, where g and h are the number itself or an indicator of each level or class.
// If the target were shuffled, T had the expectation and the covariance
//   E = (sum of w g) m'      C = V x A,  A = N/(N-1) sum of w g g' - 1/(N-1) (sum of w g)(sum of w g)'
// with m and V the mean and the covariance of h, and N the sum of w. The statistic is (T - E) C^+ (T - E), or the greatest
// |T - E| over its standard deviation. Levels and classes make sums in which C^+ has a closed form.
#pragma once
#include <cstdint>
#include <vector>

#include "../columns.hpp"
#include "../growth.hpp"
#include "tails.hpp"

namespace treewright {

// What the rows of a node say of a target, row by row.
struct Response {
  std::size_t n_classes = 0;          // 0: numbers
  std::vector<std::uint32_t> label;   // of classes
  std::vector<double> number;         // of numbers
  std::vector<double> weight;

  std::size_t size() const { return weight.size(); }
  std::size_t width() const { return n_classes == 0 ? 1 : n_classes; }
};

// The values of a column in these rows. Rows without a value are left out.
struct KnownRows {
  std::vector<std::uint32_t> at;              // places among the rows, rising
  std::vector<Key> key;                       // of numbers
  const std::vector<Key>* ranked = nullptr;   // of ordered levels: all that the table has; a value counts by its rank
  std::vector<std::int32_t> code;             // of levels
};
KnownRows known_rows(const Column& column, std::span<const RowIndex> rows);

// The mean and the variance of a response in some rows.
struct Centre {
  double weight = 0;                    // N
  std::vector<double> mean, variance;   // of each column of h: of classes p and p (1 - p)
  std::size_t rank = 0;                 // of V

  Centre(const Response& response, const std::vector<std::uint32_t>& at);
  // What a row adds to T - E where g is 1.
  void add(const Response& response, std::size_t row, double factor, double* sums) const;
  // v V^+ v of such a sum, whose entries sum up to 0 for classes.
  double square(const double* sums) const;
  double greatest(const double* sums) const;   // of |v| over the standard deviation
};

struct ColumnTest {
  double statistic = std::numeric_limits<double>::quiet_NaN();   // not a number: nothing varies
  Tails tails{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};

  explicit operator bool() const { return statistic == statistic; }
};

ColumnTest test_column(const Column& column, const KnownRows& known, const Response& response, TestStatistic kind);

}   // namespace treewright
