// BranchGrower: grows many trees from parts of one table. Each call copies the cells of its rows and nothing else, so
// that a small branch costs little, however large the table is.
#pragma once
#include "fit.hpp"
#include "recorded.hpp"

namespace treewright {

struct BranchOptions {
  std::vector<double> class_weight{};   // what the weights of a class are multiplied with; or empty
  std::vector<std::int64_t> rows{};     // the rows of the table that are meant by 0, 1, ...; or empty: themselves
  bool recorded = false;                // thresholds become the greatest value of those rows that is not above them
};

class BranchGrower {
 public:
  // `target` has classes. The columns and the target must outlive this object.
  BranchGrower(const Columns& columns, const Target& target, Growth growth, BranchOptions options);
  BranchGrower(const BranchGrower&) = delete;

  // The tree of these ascending rows. It is kept as well: `grown` has all of them.
  const Grown& grow(std::span<const RowIndex> rows, std::span<const double> weights, std::atomic<bool>* cancel);
  const std::vector<Grown>& grown() const { return grown_; }
  const Growth& growth() const { return growth_; }

 private:
  struct Cells {   // what a copied column views
    std::vector<std::byte> values;
    std::vector<std::uint8_t> missing;
  };
  void copy(std::size_t feature);
  void record(GrownTree& tree);
  void record_values();

  const Columns& columns_;
  const Target& target_;
  Growth growth_;
  BranchOptions options_;
  bool has_missing_;
  std::vector<RowIndex> table_rows_;   // of the branch at hand
  Columns part_;
  std::vector<Cells> cells_;
  RecordedValues recorded_;   // once a threshold needs them
  std::vector<Grown> grown_;
};

}   // namespace treewright
