// The terms of linear leaves as one matrix of standardised columns, and the sums of its rows by leaf and fold.
#pragma once
#include <span>
#include <vector>

#include "../columns.hpp"
#include "../parallel.hpp"

namespace treewright {

struct ColumnMoments {   // of the numbers of a column, over the weights of its rows
  double known = 0, missing = 0, mean = 0, scale = 0;
  bool infinite = false;
};

// `hashes`: one per row, of its values alone.
std::vector<ColumnMoments> column_moments(const Columns& columns, const double* weight,
                                          std::vector<std::uint64_t>& hashes, Pool& pool);

struct DesignTerm {   // (x - mean) / scale of a number, or of 1 and 0 for whether it is missing or has a level
  std::int32_t feature, level;   // level: see linear_predict.hpp
  double mean, scale;
};

// Writes 1 and the terms of every row; a missing number is at the mean. `to`: row-major, `width` numbers per row.
void write_design(const Columns& columns, std::span<const DesignTerm> terms, double* to, std::size_t width, Pool& pool);

struct LeafSums {
  std::vector<double> grams;         // leaves x folds x width x width
  std::vector<double> least, most;   // leaves x targets
};

// Of rows of `values` (row-major), the last `n_targets` columns being targets. Rows of weight 0 have no part.
struct LeafRows {
  const double* values;
  const double* weight;
  const std::int64_t* leaf;
  const std::uint8_t* fold;
  std::size_t n_rows, width, n_targets, n_leaves, n_folds;
};
LeafSums leaf_sums(const LeafRows& rows, Pool& pool);

}   // namespace treewright
