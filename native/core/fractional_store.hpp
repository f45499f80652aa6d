// FractionalStore: a row whose tested value is missing goes down every branch with a share of its weight (C4.5). An
// entry is a row and its weight here, so a row may have entries in many nodes. Every node is sorted for itself.
#pragma once
#include "search/sorted_node.hpp"

namespace treewright {

template <class C>
class FractionalStore final : public Store {
 public:
  FractionalStore(const C& criterion, const Columns& columns, const Growth& growth, std::vector<RowIndex> rows,
                  std::int64_t min_weight, Pool& pool)
      : criterion_(criterion), columns_(columns), growth_(growth), min_weight_(min_weight), pool_(pool) {
    nodes_.resize(1);
    const std::span<const std::int64_t> weights = criterion.weights();
    for (const RowIndex row : rows) nodes_[0].weight.push_back(weights[row]);
    nodes_[0].rows = std::move(rows);
  }

  double user_mass(double mass) const override { return criterion_.user_mass(mass); }
  void check() const override { pool_.check(); }
  void close(NodeIndex node) override { at(node) = {}; }
  Summary root() override { return summary(nodes_[0]); }

  std::vector<Split> best_splits(std::span<const Ask> asks) override {
    std::vector<Split> splits;
    for (const Ask& ask : asks) splits.push_back(best_split(ask));
    return splits;
  }

  std::vector<std::vector<Summary>> route(std::span<const Move> moves) override {
    std::vector<std::vector<Summary>> out;
    for (const Move& move : moves) {
      const auto n_children = static_cast<std::size_t>(move.split->n_children);
      nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(move.first_child) + n_children));
      divide(at(move.node), *move.split, move.first_child);
      close(move.node);
      std::vector<Summary>& summaries = out.emplace_back();
      for (std::size_t k = 0; k < n_children; ++k)
        summaries.push_back(summary(at(move.first_child + static_cast<NodeIndex>(k))));
    }
    return out;
  }

 private:
  struct Node {
    std::vector<RowIndex> rows;
    std::vector<std::int64_t> weight;
  };

  Node& at(NodeIndex node) { return nodes_[static_cast<std::size_t>(node)]; }
  Summary summary(const Node& node) const {
    std::vector<RowIndex> all(node.rows.size());
    std::iota(all.begin(), all.end(), RowIndex{0});
    return criterion_.gather(node.rows, node.weight).summary(all);
  }

  Split best_split(const Ask& ask) {
    const Node& node = at(ask.node);
    SortedNode<C> sorted(criterion_.gather(node.rows, node.weight), columns_, node.rows, growth_, pool_);
    Choice choice(columns_.size(), growth_.by_ratio);
    pool_.for_each(columns_.size(), [&](std::size_t f) {
      const auto feature = static_cast<std::int32_t>(f);
      Split found;
      sorted.search(question_of(criterion_, growth_, min_weight_, ask, feature), sorted.lists.root(), ask, growth_,
                    found);
      choice.offer(std::move(found));
    });
    Split best = choice.decide(growth_.by_ratio, 1 / static_cast<double>(criterion_.weight(ask.summary->tally)));
    if (!best || best.levels) return best;
    sorted.lists.find_neighbours(best);
    set_threshold(best, columns_[static_cast<std::size_t>(best.feature)], growth_.thresholds);
    best.place.key = best.low;   // from ranks to values
    return best;
  }

  // weight x (weight of the child's known rows / weight of all known rows), and what rounding leaves to the last child.
  void divide(const Node& node, const Split& split, NodeIndex first_child) {
    constexpr ChildNumber unknown = 0x7fffffff;
    Split with_unknown = split;
    with_unknown.missing_to = unknown;
    std::vector<ChildNumber> child(node.rows.size());
    children_by_key(columns_, node.rows, with_unknown, child.data());
    const auto n_children = static_cast<std::size_t>(split.n_children);
    std::vector<std::int64_t> known(n_children, 0);
    std::int64_t all = 0;
    for (std::size_t i = 0; i < child.size(); ++i) {
      if (child[i] == unknown) continue;
      known[child[i]] += node.weight[i];
      all += node.weight[i];
    }
    for (std::size_t i = 0; i < child.size(); ++i) {
      if (child[i] != unknown) {
        give(first_child + child[i], node.rows[i], node.weight[i]);
        continue;
      }
      std::int64_t left = node.weight[i];
      for (std::size_t k = 0; k < n_children; ++k) {
        const auto share = static_cast<std::int64_t>((Wide{node.weight[i]} * known[k] + all / 2) / all);
        const std::int64_t part = k + 1 == n_children ? left : std::min(share, left);
        if (part > 0) give(first_child + static_cast<NodeIndex>(k), node.rows[i], part);
        left -= part;
      }
    }
  }
  void give(NodeIndex to, RowIndex row, std::int64_t weight) {
    at(to).rows.push_back(row);
    at(to).weight.push_back(weight);
  }

  const C& criterion_;
  const Columns& columns_;
  const Growth& growth_;
  std::int64_t min_weight_;
  Pool& pool_;
  std::vector<Node> nodes_;
};

}   // namespace treewright
