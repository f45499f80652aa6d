// PermutationStore: the column of a node is the one with the least p-value of a permutation test (column_test.hpp), and
// the node is split only if that is small enough; the cut comes after (column_cut.hpp). So columns with many
// values have no advantage, and growth ends by itself (conditional inference trees, Hothorn, Hornik and Zeileis 2006).
#pragma once
#include "../parallel.hpp"
#include "../store.hpp"
#include "column_cut.hpp"

namespace treewright {

class PermutationStore final : public Store {
 public:
  PermutationStore(const AnyCriterion& criterion, const Columns& columns, const Growth& growth,
                   std::vector<RowIndex> rows, Pool& pool);

  double user_mass(double mass) const override { return criterion_.user_mass(mass); }
  void check() const override { pool_.check(); }
  void close(NodeIndex node) override { at(node) = {}; }
  Summary root() override { return criterion_.summary(nodes_[0].rows); }
  void best_splits(std::span<const SplitRequest> requests) override;
  void route(std::span<const Move> moves, std::span<Summary> children) override;

 private:
  struct Node {
    std::vector<RowIndex> rows;
    std::array<std::vector<RowIndex>, 2> child_rows;   // once its split is known
    std::array<Summary, 2> child;
  };

  Node& at(NodeIndex node) { return nodes_[static_cast<std::size_t>(node)]; }
  KnownRows known(std::size_t feature, std::span<const RowIndex> rows) const;
  Response response(std::span<const RowIndex> rows) const;
  std::vector<ColumnTest> test(std::span<const RowIndex> rows, const Response& of, std::int32_t without) const;
  std::vector<std::int32_t> ranked(const std::vector<ColumnTest>& tests) const;
  std::shared_ptr<const NodeTests> recorded(const std::vector<ColumnTest>& tests) const;
  bool significant(const std::vector<ColumnTest>& tests, std::int32_t feature) const;
  Split cut(std::int32_t feature, std::span<const RowIndex> rows, const Response& of, double least) const;
  void add_surrogates(Split& split, std::span<const RowIndex> rows, const Response& of) const;
  Split best_split(Node& node, double mass);

  const AnyCriterion& criterion_;
  const Columns& columns_;
  const Growth& growth_;
  Pool& pool_;
  std::size_t n_classes_;                 // 0: numbers
  std::vector<std::vector<Key>> ranks_;   // of columns with ordered levels: the levels that rows have
  std::vector<Node> nodes_;
};

}   // namespace treewright
