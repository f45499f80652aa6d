// The tree as it is grown: one record per node. It leaves the core as parallel arrays, numbered breadth-first with
// siblings adjacent, whatever the order of growth.
#pragma once
#include <vector>

#include "split.hpp"

namespace treewright {

inline constexpr std::int32_t stops_missing = -1;    // a missing value ends the walk here
inline constexpr std::int32_t shared_missing = -2;   // it goes down every branch by shares

struct TreeNode {
  NodeIndex first_child = -1;   // -1: a leaf
  std::int32_t n_children = 0;
  std::int32_t feature = -1;
  std::int32_t missing_child = 0;   // number of a child, or shared_missing
  bool missing_seen = false;
  FoundBy found_by = FoundBy::every_cut;
  bool heuristic = false;
  Threshold threshold;
  double gain = 0;    // phi removed, in the user's units
  double share = 1;   // of the parent's rows whose tested value is missing, where those are shared
  std::shared_ptr<const LevelMap> levels;
  std::shared_ptr<const Combination> combination;
  std::shared_ptr<std::vector<Surrogate>> surrogates;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  std::int64_t priority = 0;   // of its split: see OpenLeaf
  NodeSummary summary;

  TreeNode as_leaf() && {
    TreeNode leaf;
    leaf.share = share;
    leaf.lower = lower;
    leaf.upper = upper;
    leaf.summary = std::move(summary);
    return leaf;
  }
};

using NodeList = std::vector<TreeNode>;   // in the order in which they were made

struct Seed {   // where a growth starts: the root of the table, or a node handed out by another growth
  Summary summary;
  std::int64_t depth = 0;
  std::uint64_t random_key = 0;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double root_mass = 0, root_weight = 0;   // of the whole tree
};

// Makes node `at` of the tree the root of `branch`.
inline void graft(NodeList& tree, NodeIndex at, NodeList&& branch) {
  const auto base = static_cast<NodeIndex>(tree.size()) - 1;   // branch node i > 0 becomes base + i
  for (TreeNode& node : branch) {
    if (node.first_child >= 0) node.first_child += base;
  }
  branch[0].share = tree[static_cast<std::size_t>(at)].share;   // its parent's matter
  tree[static_cast<std::size_t>(at)] = std::move(branch[0]);
  tree.insert(tree.end(), std::make_move_iterator(branch.begin() + 1), std::make_move_iterator(branch.end()));
}

// A tree whose branches were grown elsewhere: `branches[i]` belongs below node `at[i]`.
struct TreeInParts {
  NodeList tree{};
  std::vector<NodeIndex> at{};
  std::vector<NodeList> branches{};

  NodeList grafted() && {
    for (std::size_t i = 0; i < at.size(); ++i) graft(tree, at[i], std::move(branches[i]));
    return std::move(tree);
  }
};

// A grown tree: its nodes level by level, siblings adjacent. They stay where they were made.
class GrownTree {
 public:
  class Iterator {
   public:
    Iterator(TreeNode* const* at, TreeNode* const* end) : at_(at), end_(end) {}
    TreeNode& operator*() const { return **at_; }
    Iterator& operator++() {
      ++at_;
      if (end_ - at_ > ahead) {   // nodes are large and lie apart: memory is asked for them in time
        const char* next = reinterpret_cast<const char*>(at_[ahead]);
        for (std::size_t byte = 0; byte < sizeof(TreeNode); byte += 64) __builtin_prefetch(next + byte);
      }
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    static constexpr std::ptrdiff_t ahead = 8;
    TreeNode* const* at_;
    TreeNode* const* end_;
  };

  GrownTree() = default;
  GrownTree(TreeInParts&& parts) : parts_(std::move(parts)) {
    std::size_t n_nodes = parts_.tree.size();
    std::vector<NodeList*> branch_at(parts_.tree.size(), nullptr);
    for (std::size_t i = 0; i < parts_.at.size(); ++i) {
      branch_at[static_cast<std::size_t>(parts_.at[i])] = &parts_.branches[i];
      n_nodes += parts_.branches[i].size() - 1;
    }
    std::vector<NodeList*> from;   // the list that each node is of
    nodes_.reserve(n_nodes);
    from.reserve(n_nodes);
    const auto add = [&](NodeList& of, std::size_t index) {
      NodeList* branch = &of == &parts_.tree ? branch_at[index] : nullptr;
      if (branch != nullptr) (*branch)[0].share = of[index].share;   // its parent's matter
      TreeNode& node = branch != nullptr ? (*branch)[0] : of[index];
      has_exact_ |= node.threshold.is_exact_integer;
      has_levels_ |= node.levels != nullptr;
      has_combinations_ |= node.combination != nullptr;
      has_surrogates_ |= node.surrogates != nullptr;
      is_plain_ &= node.found_by == FoundBy::every_cut && !node.heuristic;
      nodes_.push_back(&node);
      from.push_back(branch != nullptr ? branch : &of);
    };
    add(parts_.tree, 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const NodeIndex old = nodes_[i]->first_child;
      if (old < 0) continue;
      nodes_[i]->first_child = static_cast<NodeIndex>(nodes_.size());
      for (NodeIndex k = 0, n = nodes_[i]->n_children; k < n; ++k) add(*from[i], static_cast<std::size_t>(old + k));
    }
  }
  GrownTree(GrownTree&&) = default;
  GrownTree& operator=(GrownTree&&) = default;

  // What any node has: a threshold that is no double, levels, combined columns, surrogates; whether all splits were found by trying all.
  bool has_exact() const { return has_exact_; }
  bool has_levels() const { return has_levels_; }
  bool has_combinations() const { return has_combinations_; }
  bool has_surrogates() const { return has_surrogates_; }
  bool is_plain() const { return is_plain_; }

  std::size_t size() const { return nodes_.size(); }
  Iterator begin() const { return {nodes_.data(), nodes_.data() + nodes_.size()}; }
  Iterator end() const { return {nodes_.data() + nodes_.size(), nodes_.data() + nodes_.size()}; }

 private:
  TreeInParts parts_;
  std::vector<TreeNode*> nodes_;
  bool has_exact_ = false, has_levels_ = false, has_combinations_ = false, has_surrogates_ = false, is_plain_ = true;
};

}   // namespace treewright
