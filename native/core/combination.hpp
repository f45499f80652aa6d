// Combination: a weighted sum of columns of numbers, which a test compares with a threshold as if it were one column.
#pragma once
#include <memory>

#include "columns.hpp"

namespace treewright {

struct Combination {
  std::vector<std::int32_t> column;   // ascending
  std::vector<double> coefficient;    // finite, not 0
  bool operator==(const Combination&) const = default;
};

// The one order of the sum: c0 x0 + c1 x1 + ... in double, never contracted, so that growth, prediction and the exports
// agree to the last bit. number(t): the value of term t, NaN where it is missing; then so is the sum.
template <class Number>
double combined(const std::vector<double>& coefficient, Number&& number) {
  double sum = coefficient[0] * number(std::size_t{0});
  for (std::size_t t = 1; t < coefficient.size(); ++t) sum += coefficient[t] * number(t);
  return sum;
}

// inf - inf is no number: it counts as missing.
inline Key combined_key(double sum) { return sum != sum ? missing_key : key_of(sum); }
inline double number_or_nan(KeyKind kind, Key key) {
  return key == missing_key ? std::numeric_limits<double>::quiet_NaN() : number_of(kind, key);
}

// The numbers of these rows, NaN where missing; and their weighted sums.
void read_row_numbers(const Column& column, std::span<const RowIndex> rows, double* to);
void combine(const Columns& columns, const Combination& combination, std::span<const RowIndex> rows, double* sums);
// What a test compares of these rows: the keys of its column, or of its sums.
std::vector<Key> compared_keys(const Columns& columns, std::int32_t feature, const Combination* combination,
                               std::span<const RowIndex> rows);

}   // namespace treewright
