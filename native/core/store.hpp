// Store: where the rows live. The grow loop asks it for splits, tells it to route rows, and never sees a row itself.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "growth.hpp"
#include "scan.hpp"

namespace treewright {

struct Ask {   // a node whose best split is wanted
  NodeIndex node;
  const Summary* summary;
  double lower, upper;        // monotone bounds of its value
  std::uint64_t random_key;   // names the node in random draws, whatever the order of growth
};

// What a store asks of its criterion about one column of a node.
template <class C>
Question<C> question_of(const C& criterion, const Growth& growth, std::int64_t min_weight, const Ask& ask,
                        std::int32_t feature) {
  Rules rules{growth.min_samples_leaf, min_weight, 0, ask.lower, ask.upper};
  if (growth.branches == Branches::chosen) rules.min_rows = 1, rules.min_weight = 0;
  if (!growth.monotonic.empty()) rules.monotonic = growth.monotonic[static_cast<std::size_t>(feature)];
  Question<C> question{
      {ask.summary->tally, Scale(ask.summary->mass), rules, feature, growth.missing, growth.compares_columns()},
      criterion};
  question.missing_alone = growth.missing_alone;
  question.rounding_decides = growth.rounding_decides;
  question.rules.any_loss = growth.zero_rates;
  if (!growth.column_costs.empty()) {
    const std::vector<double>& costs = growth.column_costs;   // scores stay below those of the cheapest column
    const double least = *std::min_element(costs.begin(), costs.end());
    question.scale.per_mass *= least / costs[static_cast<std::size_t>(feature)];
    question.plain_unit = costs[static_cast<std::size_t>(feature)];
  }
  if constexpr (requires { criterion.plain_rules(); }) {   // squares are compared as shares of the node's
    if (growth.plain_sums && criterion.plain_rules().factor.empty())
      question.plain_unit *= criterion.user_mass(ask.summary->mass);
  }
  if (growth.better_by > 0)
    question.better_by = growth.better_by * static_cast<double>(criterion.weight(ask.summary->tally));
  return question;
}

// Whether two branches of a split reach the least weight, where that is asked of the chosen one alone.
template <class C>
bool branches_reach(const C& criterion, const Split& split, ConstTally total, std::int64_t min_weight) {
  const std::int64_t right = criterion.weight(total) - split.left_weight;
  return (split.second_weight >= 0 ? split.second_weight : std::min(split.left_weight, right)) >= min_weight;
}

struct Move {   // a node whose rows go to its children, first_child and those after it
  NodeIndex node;
  const Split* split;
  NodeIndex first_child;
};

class Store {
 public:
  virtual ~Store() = default;
  virtual double user_mass(double mass) const = 0;   // phi in the user's units
  virtual Summary root() = 0;
  virtual std::vector<Split> best_splits(std::span<const Ask> asks) = 0;
  virtual std::vector<std::vector<Summary>> route(std::span<const Move> moves) = 0;   // of every child

  // The node stays a leaf: whatever was kept for it can go.
  virtual void close(NodeIndex) {}

  // The leaf and its split may wait for long: what was kept for it, and can be made anew, may go.
  virtual void set_aside(NodeIndex, Split&) {}

  // True where every request costs a pass over the data, so that many nodes should share one.
  virtual bool prefers_batches() const { return false; }
  // Hands the rows of one node to a store of one thread; null where the rows cannot be handed out.
  virtual std::unique_ptr<Store> part(NodeIndex) { return nullptr; }
  // Nodes of at most so many rows are handed out, if any order will do; 0: none.
  virtual std::int64_t part_size() const { return 0; }
  virtual void for_each(std::size_t n, const std::function<void(std::size_t)>& work) {
    for (std::size_t i = 0; i < n; ++i) work(i);
  }
  virtual void check() const {}   // throws Cancelled when somebody asked for an end
  std::int64_t n_passes = 0;
};

}   // namespace treewright
