// Raising: a node may become a leaf, or give its place to its largest child, whose branch then takes all of the node's
// rows. Decided from the leaves up, by the errors to expect of each (pessimistic pruning, C4.5). Where branches are
// regrown (C5.0), the raised test stays, and what is below it is grown anew on the rows that came; then it is decided
// again, and nothing in it is regrown any more.
#pragma once
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "raising_errors.hpp"
#include "walk.hpp"

namespace treewright {

// The tree of some ascending rows with these weights.
using GrowBranch = std::function<PredictorTree(const HeldRows& rows)>;

class Raising {
 public:
  static constexpr std::int64_t keep = -1, collapse = -2;   // from 0 on: the child of this number takes the place

  // leaves: where every row ends in the tree; or nothing, if some row ends elsewhere than at one leaf. pool: siblings of
  // less weight count as one leaf. With `grow`, branches are regrown; or chosen as if they were, but raised as they are
  // (not `regrows`).
  Raising(PredictorTree tree, const RaisingRows& rows, std::span<const std::uint32_t> leaves,
          std::span<const std::int64_t> decision, const ErrorLimit& limit, double pool, GrowBranch grow,
          bool regrows = true);
  Raising(const Raising&) = delete;   // the walker refers to the tree
  void decide(const std::atomic<bool>* cancel);

  struct FinalTree {                    // the nodes of the tree after all decisions, breadth-first
    std::vector<std::int64_t> node;     // numbers from the size of the old tree on: it was grown meanwhile
    std::vector<std::int64_t> source;   // which node of the old tree or of the grown ones, one after another, it copies
    std::vector<std::int64_t> place;    // ... and where its share is from
    std::vector<std::uint8_t> inner;
    std::int64_t n_raised = 0;
  };
  FinalTree final_tree() const;
  const std::vector<std::int64_t>& decision() const { return decision_; }
  std::size_t n_regrown() const { return n_regrown_; }
  std::size_t n_routed() const { return n_routed_; }

 private:
  using Node = std::uint32_t;

  static constexpr double equal = ExpectedErrors::equal;
  static constexpr double slack = 0.1 + equal;   // how many errors more a simpler tree may make
  static constexpr double least_share = 0.1;     // of its parent's weight: a lighter child is not regrown
  static constexpr double as_it_is = 0.95;       // of its parent's weight: a heavier child is raised with its branch
  static constexpr double useless = 0.999;       // of a leaf's errors: a branch that makes no fewer is cut (C5.0)

  struct Routed {   // a branch that rows were sent down: what its nodes would count and hold, siblings side by side
    std::vector<Node> node;
    std::vector<std::size_t> first;   // where the children of each are; 0: it is a leaf, or was not looked into
    std::vector<double> counts, as_leaf, expected;
    std::vector<HeldRows> ends;   // the rows that end here
    std::vector<std::uint8_t> changed;
    bool adds = false;     // the rows come in addition to those that are there
    bool shares = false;   // some row ends at several nodes
  };

  // ---- decisions
  std::vector<Node> decide_node(Node node);
  void cut(Node node);
  void cut_useless(Node top);
  std::vector<Node> raise(Node node, int child, Routed&& routed);
  std::vector<Node> regrow(Node node, int child, Node replacement);
  int candidate(Node node) const;
  int candidate_to_regrow(Node node) const;
  void clear_rows(Node node);
  std::vector<Node> take_over(Routed&& routed);

  // ---- the current tree
  Node replacement(Node node) const;
  bool is_inner(Node node) const { return tree_.nodes[node].n_children > 0 && decision_[node] != collapse; }
  Node child(Node node, int k) const { return replacement(static_cast<Node>(tree_.nodes[node].first_child + k)); }
  std::vector<Node> below(Node node) const;
  HeldRows rows_at(std::span<const Node> nodes) const;

  // ---- counts and errors
  const double* counts(Node node) const { return counts_.data() + node * width_; }
  double weight(Node node) const { return errors_.weight(counts(node)); }
  double as_branch(Node node) const;

  // ---- sending rows down
  std::vector<double> shares_of(Node node, const HeldRows& rows, std::span<const std::int32_t> to) const;
  std::vector<HeldRows> divide(Node node, const HeldRows& rows, HeldRows& stopped, bool& shares) const;
  Routed route(Node node, HeldRows&& rows, bool adds);
  Routed route_all(std::span<const std::uint32_t> leaves);
  void sum_up(Routed& routed) const;
  Routed with_all_rows(Node replacement, Node node, int child);
  void estimate_errors(Routed& routed) const;

  // ---- new nodes
  HeldRows rows_to_grow(const HeldRows& part) const;
  bool has_several_classes(const HeldRows& part) const;
  Node add_test(Node node);
  Node add_tree(PredictorTree&& tree);
  void extend();

  PredictorTree tree_;   // nodes that were grown meanwhile are behind the old ones
  const RaisingRows& rows_;
  ExpectedErrors errors_;
  GrowBranch grow_;
  std::size_t n_old_, width_, n_regrown_ = 0, n_routed_ = 0;
  std::vector<std::int32_t> slot_;
  Walker walker_;
  std::vector<std::int64_t> decision_, source_, place_source_;
  std::vector<std::uint8_t> is_fixed_;   // its branch was raised, and is not regrown any more
  std::int64_t n_sources_;
  bool regrows_;
  std::vector<Node> moved_;   // what was grown to take the place of a node; 0: nothing
  std::vector<double> counts_, expected_, as_leaf_;
  std::vector<HeldRows> held_;
  bool shared_ = false;   // some row was held in several places
};

}   // namespace treewright
