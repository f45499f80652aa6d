// FractionalStore: a row whose tested value is missing goes down every branch with a share of its weight (C4.5). An
// entry is a row and its weight here, so a row may have entries in many nodes. Every node is sorted for itself.
#pragma once
#include <numeric>

#include "choice.hpp"
#include "recorded.hpp"
#include "search/sorted_node.hpp"
#include "single.hpp"

namespace treewright {

class FractionalStore final : public Store {
 public:
  FractionalStore(const AnyCriterion& criterion, const Columns& columns, const Growth& growth,
                  std::vector<RowIndex> rows, std::int64_t min_weight, Pool& pool)
      : criterion_(criterion), columns_(columns), growth_(growth), min_weight_(min_weight), pool_(pool) {
    nodes_.resize(1);
    const std::span<const std::int64_t> weights = criterion.weights();
    for (const RowIndex row : rows) nodes_[0].weight.push_back(weights[row]);
    n_rows_ = rows.size();
    if (growth.thresholds == Thresholds::recorded)
      recorded_ = RecordedValues(columns, rows_to_record(columns, rows, growth), pool,
                                 [](std::size_t) { return SortedValues{}; });
    nodes_[0].rows = std::move(rows);
  }

  double user_mass(double mass) const override { return criterion_.user_mass(mass); }
  void check() const override { pool_.check(); }
  void close(NodeIndex node) override { at(node) = {}; }
  Summary root() override { return summary(nodes_[0]); }

  void best_splits(std::span<const SplitRequest> requests) override {
    for (const SplitRequest& request : requests) *request.split = best_split(request);
  }

  void route(std::span<const Move> moves, std::span<Summary> children) override {
    Summary* next = children.data();
    for (const Move& move : moves) {
      const auto n_children = static_cast<std::size_t>(move.test->n_children);
      nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(move.first_child) + n_children));
      divide(at(move.node), *move.test, move.first_child);
      close(move.node);
      for (std::size_t k = 0; k < n_children; ++k) *next++ = summary(at(move.first_child + static_cast<NodeIndex>(k)));
    }
  }

 private:
  struct Node {
    std::vector<RowIndex> rows;
    std::vector<std::int64_t> weight;
  };

  static constexpr ChildNumber unknown = 0x7fffffff;
  struct Children {   // of every row of a node, and the weight of the known rows of each
    std::vector<ChildNumber> child;
    std::vector<std::int64_t> known;
    std::int64_t all = 0;
  };
  Children children_of(const Node& node, Test test) const {
    test.missing_to = unknown;
    Children out{std::vector<ChildNumber>(node.rows.size()),
                 std::vector<std::int64_t>(static_cast<std::size_t>(test.n_children), 0)};
    children_by_key(columns_, node.rows, test, out.child.data());
    for (std::size_t i = 0; i < out.child.size(); ++i) {
      if (out.child[i] == unknown) continue;
      out.known[out.child[i]] += node.weight[i];
      out.all += node.weight[i];
    }
    return out;
  }
  // A split that a search has just found has ranks instead of values.
  Children children_of(const Node& node, const SortedNode& sorted, const Split& found) const {
    Split split = found;
    if (!split.levels) {
      sorted.lists.find_neighbours(split);
      split.place.key = split.low;
    }
    return children_of(node, split);
  }

  Node& at(NodeIndex node) { return nodes_[static_cast<std::size_t>(node)]; }
  Summary summary(const Node& node) const {
    if (node.rows.empty()) return {};
    std::vector<RowIndex> all(node.rows.size());
    std::iota(all.begin(), all.end(), RowIndex{0});
    return criterion_.gather(node.rows, node.weight)->summary(all);
  }

  Split best_split(const SplitRequest& request) {
    const Node& node = at(request.node);
    SortedNode sorted(criterion_.gather(node.rows, node.weight), columns_, node.rows, growth_, pool_);
    Choice choice(columns_.size(), growth_);
    pool_.for_each(columns_.size(), [&](std::size_t f) {
      const auto feature = static_cast<std::int32_t>(f);
      Split found;
      sorted.search(search_input(criterion_, growth_, min_weight_, request, feature), sorted.lists.root(), request,
                    growth_, found);
      if (growth_.classic.spread_missing && criterion_.additive() && found && found.missing_seen)
        spread(node, sorted, request, found);
      choice.offer(std::move(found));
    });
    Split best = chosen_split(choice, criterion_, columns_, growth_, request.tally, n_rows_, min_weight_);
    if (!best) return best;
    if (best.levels) {
      add_empty_branches(best, columns_, growth_);
      return best;
    }
    sorted.lists.find_neighbours(best);
    set_threshold(best, columns_[static_cast<std::size_t>(best.feature)], growth_, recorded_);
    best.place.key = best.low;   // from ranks to values
    return best;
  }

  // The gain with the rows whose value is missing spread over the branches, as they will be routed.
  void spread(const Node& node, SortedNode& sorted, const SplitRequest& request, Split& found) const {
    const AnyCriterion& criterion = *sorted.criterion;
    const auto n_children = static_cast<std::size_t>(found.n_children);
    std::vector<std::vector<std::int64_t>> parts(n_children + 1, std::vector<std::int64_t>(criterion.width(), 0));
    const Children children = children_of(node, sorted, found);
    for (std::size_t i = 0; i < node.rows.size(); ++i)
      criterion.add(parts[std::min<std::size_t>(children.child[i], n_children)], i);
    OwnedTally rest(request.tally.data(), request.tally.size());
    std::vector<std::int64_t> weights;
    double gain = 0;
    for (std::size_t k = 0; k < n_children; ++k) {
      for (std::size_t j = 0; j < rest.size(); ++j) {
        parts[k][j] += static_cast<std::int64_t>(Wide{parts[n_children][j]} * children.known[k] / children.all);
        if (k + 1 == n_children) parts[k][j] = rest[j];
      }
      weights.push_back(criterion.weight(parts[k]));
      if (weights.back() > 0) gain += criterion.gain(rest, parts[k]);
      for (std::size_t j = 0; j < rest.size(); ++j) rest[j] -= parts[k][j];
    }
    std::sort(weights.begin(), weights.end());
    found.second_weight = weights[n_children - 2];
    found.gain = gain;
    found.score = Scale(request.mass).score(gain);
  }

  // weight x (weight of the child's known rows / weight of all known rows); what rounding leaves goes to the last child
  // that has known rows.
  void divide(const Node& node, const Test& test, NodeIndex first_child) {
    const auto n_children = static_cast<std::size_t>(test.n_children);
    const Children children = children_of(node, test);
    std::size_t last = n_children - 1;
    while (children.known[last] == 0) --last;
    if (growth_.classic.single) return divide_in_single(node, children, first_child);
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
      if (children.child[i] != unknown) {
        give(first_child + static_cast<NodeIndex>(children.child[i]), node.rows[i], node.weight[i]);
        continue;
      }
      std::int64_t left = node.weight[i];
      for (std::size_t k = 0; k <= last; ++k) {
        const auto share =
            static_cast<std::int64_t>((Wide{node.weight[i]} * children.known[k] + children.all / 2) / children.all);
        const std::int64_t part = k == last ? left : std::min(share, left);
        if (part > 0) give(first_child + static_cast<NodeIndex>(k), node.rows[i], part);
        left -= part;
      }
    }
  }
  void divide_in_single(const Node& node, const Children& children, NodeIndex first_child) {
    const double unit = criterion_.user_mass(1);
    const bool c50 = growth_.classic.comparison == Comparison::c50;
    const std::vector<double>& factor = growth_.classic.row_factors;   // by which shares are not measured
    const auto weight = [&](std::size_t i) { return static_cast<float>(static_cast<double>(node.weight[i]) * unit); };
    SingleSums sums;
    std::vector<float> share(children.known.size(), 0);
    std::vector<double> measured(share.size(), 0), branch(share.size(), 0);   // C5.0 sums in double
    double unknown_weight = 0;
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
      const float own =
          factor.empty() ? weight(i) : weight(i) / static_cast<float>(factor[criterion_.class_of(node.rows[i])]);
      sums.add(own, children.child[i] != unknown);
      if (children.child[i] == unknown) {
        unknown_weight += double{weight(i)};
        continue;
      }
      share[children.child[i]] += own;
      measured[children.child[i]] += double{own};
      branch[children.child[i]] += double{weight(i)};
    }
    const auto known = static_cast<float>(std::accumulate(measured.begin(), measured.end(), 0.0));
    for (std::size_t k = 0; k < share.size(); ++k) {
      share[k] = c50 ? static_cast<float>(measured[k]) / known : share[k] / sums.known_weight();
      branch[k] += double{share[k]} * unknown_weight;
    }
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
      for (std::size_t k = 0; k < share.size(); ++k) {
        const bool here = children.child[i] == k;
        if (!here && (children.child[i] != unknown || share[k] == 0)) continue;
        if (c50 && branch[k] < 0.05) continue;   // it stays empty
        const float part = here ? weight(i) : weight(i) * share[k];
        const auto units = static_cast<std::int64_t>(std::llround(double{part} / unit));
        if (units > 0) give(first_child + static_cast<NodeIndex>(k), node.rows[i], units);
      }
    }
  }
  void give(NodeIndex to, RowIndex row, std::int64_t weight) {
    at(to).rows.push_back(row);
    at(to).weight.push_back(weight);
  }

  const AnyCriterion& criterion_;
  const Columns& columns_;
  const Growth& growth_;
  std::int64_t min_weight_;
  Pool& pool_;
  std::vector<Node> nodes_;
  std::size_t n_rows_ = 0;
  RecordedValues recorded_;
};

}   // namespace treewright
