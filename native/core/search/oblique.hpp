// Tests that combine columns: after the best ordinary split of a node, directions are proposed from some of its rows
// (directions.hpp), their coefficients are rounded, and every candidate is scored by the one scan over the column of its
// sums. So what is printed is exactly what divides the rows.
//
// The best of them takes the place of the ordinary split if it gains more and
//   L(combined) - L(ordinary) > (k - 1) (log(n) / 2 + 2)
// where k is the number of columns, n that of the node's rows (log(n) / 2 is what a parameter costs by BIC; 2 is for the
// search among many directions), and L the log-likelihood that a split gains:
//   classes          sum over children and classes of n_jc log(n_jc / n_j), less that of the node
//   Poisson          half the deviance removed
//   other numbers    -(n - k - 2) / 2 log(what is left of the impurity), and twice that for absolute errors
// Weights are scaled to a mean of 1.
#pragma once
#include "../store.hpp"

namespace treewright {

// A hash of what a row and its target hold, for each row.
std::vector<std::uint64_t> row_hashes(const Columns& columns, const AnyCriterion& criterion);

struct CombinationInput {
  const AnyCriterion& criterion;
  const Columns& columns;
  const Growth& growth;
  std::span<const std::uint64_t> hashes;
  std::int64_t min_weight;
  const SplitRequest& request;
  std::span<const RowIndex> rows;   // of the node
  Pool& pool;
};

// Replaces `best`, the finished ordinary split of the node or none, by a combined test if that pays.
void search_combinations(const CombinationInput& input, Split& best);

}   // namespace treewright
