// Sums over pairs of rows, from a matrix of their dissimilarities. A sum is of exact integers: weight * weight *
// dissimilarity, rounded once to a grid on which no row of the matrix can overflow. So neither the order of rows nor the
// number of threads changes a sum.
#pragma once
#include <mutex>
#include <span>
#include <vector>

#include "columns.hpp"
#include "parallel.hpp"
#include "types.hpp"
#include "weights.hpp"

namespace treewright {

struct DissimilarityMatrix {   // symmetric, finite and at least 0, row after row
  const void* data = nullptr;
  std::size_t n_rows = 0;
  bool single = false;   // float32, else float64
};

// One column of a node, and its sums. Places are those of the node's rows, 0, 1, ...
struct PairColumn {
  std::vector<Item> sorted;                 // of numbers: values and places in order, without
  std::vector<std::uint32_t> missing;       // the places where the value is missing;
  std::vector<std::int32_t> rank;           // by place: where it stands in `sorted`, or missing_rank
  std::vector<std::int64_t> before;         // by place: its sum over the rows of lower rank
  std::vector<std::int64_t> to_missing;     // by place: its sum over the rows whose value is missing
  std::vector<std::int32_t> codes, level;   // of a nominal column: its levels, and by place which of them; missing
  std::size_t n_levels = 0;                 // values count as one more level, the last
  std::vector<Wide> pairs;                  // (n_levels, n_levels): the sum over the pairs of two levels

  static constexpr std::int32_t missing_rank = std::numeric_limits<std::int32_t>::max();
  PairColumn() = default;
  PairColumn(const Column& column, std::span<const RowIndex> rows);

 private:
  void number_levels(const Column& column, std::span<const RowIndex> rows);
};

class PairSums {
 public:
  PairSums(DissimilarityMatrix matrix, const Weights& weights, Pool& pool);

  double unit() const { return unit_; }   // the user's sum of one unit

  // Fills in the sums of the columns; returns of each row its sum over all rows of the node.
  std::vector<std::int64_t> add_up(std::span<const RowIndex> rows, std::span<PairColumn> columns, Pool& pool) const;

 private:
  template <class T>
  double greatest(Pool& pool) const;
  template <class T>
  void read(RowIndex row, std::span<const RowIndex> others, std::int64_t* to) const;

  DissimilarityMatrix matrix_;
  std::vector<double> weight_;
  double scale_ = 0, unit_ = 0;
};

}   // namespace treewright
