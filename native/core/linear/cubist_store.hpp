// CubistStore: rows for the model trees behind the rules of Cubist. A split is of what a linear model in the columns tested
// above leaves of the target. It makes n1 * s1 + n2 * s2 least, where s is the standard deviation of a side, or of what a
// straight line in the tested column leaves of it where that line is significant. Of columns that gain nearly the same, the
// one wins that is more often on the same side of its mean as the target, over all rows.
#pragma once
#include "../fit.hpp"
#include "../store.hpp"
#include "rule_fit.hpp"

namespace treewright {

struct RuleNode {
  std::size_t begin = 0, end = 0;   // of the rows, node after node
  NodeIndex first_child = -1;
  std::vector<std::uint32_t> tested;   // the columns above, ascending
  RuleFit fit;                         // in the columns tested above, here or below
  double test_size = 0;                // parameters that its test counts as

  std::size_t size() const { return end - begin; }
};

class CubistStore final : public Store {
 public:
  CubistStore(const RuleTable& table, Pool& pool);

  double user_mass(double mass) const override { return mass; }
  Summary root() override { return summary(nodes_[0]); }
  void check() const override { pool_.check(); }
  void best_splits(std::span<const SplitRequest> requests) override;
  void route(std::span<const Move> moves, std::span<Summary> children) override;

  void fit_models();   // once the tree is grown
  const std::vector<RuleNode>& nodes() const { return nodes_; }
  const std::vector<RowIndex>& rows() const { return order_.back(); }
  std::size_t least_rows() const { return least_rows_; }   // of a leaf

 private:
  std::span<RowIndex> rows(std::size_t column, const RuleNode& node) {
    return std::span(order_[column]).subspan(node.begin, node.size());
  }
  std::span<RowIndex> rows(const RuleNode& node) { return rows(table_.n_columns, node); }
  std::size_t least_rows(const RuleNode& node) const;   // of a branch
  Summary summary(const RuleNode& node);
  Split best_split(const RuleNode& node);
  Split best_threshold(std::size_t column, const RuleNode& node);
  Split best_levels(std::size_t column, const RuleNode& node);
  double threshold(std::size_t column, double low, double high) const;
  double same_sign(std::size_t column) const;

  const RuleTable& table_;
  Pool& pool_;
  std::vector<std::vector<RowIndex>>
      order_;   // per column of numbers: rows node after node, by value; the last: as they come
  std::vector<std::vector<double>> known_;   // the values of each column of numbers
  std::vector<double> rest_;                 // per row, while its node is searched
  std::vector<double> same_sign_;            // of each column
  std::size_t least_rows_;                   // of a leaf that stays
  double least_loss_ = 0;                    // of a node that is split, per unit of weight
  std::vector<RuleNode> nodes_;
};

struct RuleTree {
  Grown grown;
  std::vector<RuleNode> nodes;   // in the order of the tree
  std::vector<RowIndex> rows;
  std::size_t least_rows = 0;   // of a leaf that stays
};

RuleTree grow_rules(const RuleTable& table, int n_threads, std::atomic<bool>* cancel);

}   // namespace treewright
