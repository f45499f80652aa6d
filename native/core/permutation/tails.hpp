// The tails of the distributions that permutation tests are compared with.
#pragma once
#include <span>

namespace treewright {

struct Tails {
  double upper;       // P(X > x): the p-value
  double log_lower;   // log P(X <= x), exact for small p-values too
};

Tails chi_square_tails(double x, double degrees);

// Of the greatest of |Z|, where Z are normal: the entries of a matrix of `n_rows` x `n_columns` with the correlations
// of counts that sum up, by rows and by columns. `row_shares` are the shares of the rows, or nothing for one row
// without such a sum; so are `column_shares`. Of more than one dimension it is an average of fixed random draws.
Tails greatest_normal_tails(double x, std::span<const double> row_shares, std::span<const double> column_shares);

}   // namespace treewright
