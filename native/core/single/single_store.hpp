// SingleStore: rows as C4.5 holds them. A row whose tested value is missing goes down every branch with a share of its
// weight; weights, sums and gains are in single precision (single.hpp), and rows are added in the order of the table.
// Columns of numbers are sorted once; a split divides each list stably.
#pragma once
#include "../recorded.hpp"
#include "../store.hpp"
#include "cuts.hpp"
#include "grouping.hpp"

namespace treewright {

class SingleStore final : public Store {
 public:
  // least: what two branches must weigh.
  SingleStore(const AnyCriterion& criterion, const Columns& columns, const Growth& growth, std::vector<RowIndex> rows,
              double least, Pool& pool);

  double user_mass(double mass) const override { return table_->criterion.user_mass(mass); }
  void check() const override { pool_.check(); }
  void close(NodeIndex node) override { at(node) = {}; }
  Summary root() override { return summary(nodes_[0]); }
  bool searches_late() const override { return !table_->only_numbers; }   // `least_` may change on the way
  void for_each(std::size_t n, const std::function<void(std::size_t)>& work) override { pool_.for_each(n, work); }
  std::int64_t part_size() const override {
    const std::size_t n = nodes_[0].rows.size();
    return table_->only_numbers && worth_sharing(n) ? static_cast<std::int64_t>(n) / (8 * pool_.n_threads()) : 0;
  }
  std::vector<MakeStore> parts(std::span<const NodeIndex> nodes) override;
  void best_splits(std::span<const SplitRequest> requests) override;
  void route(std::span<const Move> moves, std::span<Summary> children) override;

 private:
  static constexpr ChildNumber unknown = 0x7fffffff;

  using Entry = single::Entry;
  struct Sums {   // of a node
    std::vector<float> counts;
    float all = 0;
    bool whole = true;   // every row weighs 1, so that the order of sums does not matter
  };
  struct Node {
    std::vector<RowIndex> rows;   // ascending
    std::vector<float> weight;
    std::shared_ptr<Entry[]> sorted;         // by every column of numbers: the rows that have a value, lowest first
    std::vector<std::uint32_t> begin, end;   // of each column's, by place among the columns of numbers
    Sums sums;
  };
  struct Found : single::Worth {       // the best test of a column
    std::uint32_t after = 0;           // of numbers: the place of the last row of the first branch
    std::vector<std::int32_t> codes;   // of levels: those that rows of the node have,
    single::Groups groups;             // ... and where they are merged, into what
  };

  Node& at(NodeIndex node) { return nodes_[static_cast<std::size_t>(node)]; }
  Sums sums(const Node& node) const;
  Summary summary(const Node& node) const;
  std::span<const Entry> sorted(const Node& node, std::size_t feature) const;
  bool is_known(std::size_t feature, RowIndex row) const;
  bool merges(std::size_t feature) const;
  bool has_many_levels(std::size_t feature) const;

  Split best_split(NodeIndex at);
  Found search_numbers(const Node& node, std::size_t feature, const Sums& sums, double least) const;
  Found search_levels(const Node& node, std::size_t feature, const Sums& sums, double least) const;
  single::BranchCounts levels_of(const Node& node, std::size_t feature, const Sums& sums,
                                 std::vector<std::int32_t>& codes) const;
  const Found* choose(std::span<const Found> found) const;
  Split split_of(const Node& node, std::size_t feature, Found&& found, float all) const;
  void set_cut(const Node& node, std::size_t feature, std::uint32_t after, Split& split) const;
  float cut_of(const Test& test) const;
  void divide(const Node& node, const Test& test, std::span<Node> children);
  void divide_in_two(const Node& node, const Test& test, std::span<Node> children);
  std::vector<float> shares(const Node& node, std::size_t feature, std::size_t n_children) const;

  bool worth_sharing(std::size_t n_rows) const {
    return pool_.n_threads() > 1 &&
           static_cast<std::int64_t>(n_rows * table_->columns.size()) >= table_->growth.share_above;
  }
  template <class Work>
  void share(std::size_t n_rows, std::size_t n, Work&& work) {
    if (worth_sharing(n_rows)) return pool_.for_each(n, work);
    for (std::size_t i = 0; i < n; ++i) work(i);
  }

  struct Table {   // what a store and its parts share
    const AnyCriterion& criterion;
    const Columns& columns;
    const Growth& growth;
    double unit;
    std::size_t n_rows, n_classes;
    std::vector<std::vector<float>> number;   // of every column of numbers, by row; NaN is missing
    std::vector<std::uint8_t> has_missing;    // of every column
    std::vector<std::uint32_t> place;         // of a column among those of numbers
    std::vector<std::uint32_t> class_of;      // by row
    std::vector<float> weight;                // by row, of the node that is searched, where not all weigh 1
    std::vector<ChildNumber> child{};         // by row, of the node that is divided
    std::vector<std::uint8_t> side{};         // the same where every column has a number in every row
    RecordedValues recorded{};
    bool only_numbers = true;   // every column has a number in every row
  };
  SingleStore(std::shared_ptr<Table> table, double least, Node&& root, std::atomic<bool>* cancel);   // a part

  std::shared_ptr<Table> table_;
  double least_;
  std::unique_ptr<Pool> own_pool_;
  Pool& pool_;
  std::vector<Node> nodes_;
};

}   // namespace treewright
