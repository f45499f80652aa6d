// The tree as it is grown: one record per node. It leaves the core as parallel arrays, numbered breadth-first with
// siblings adjacent, whatever the order of growth.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "large_pages.hpp"
#include "split.hpp"

namespace treewright {

inline constexpr std::int32_t stops_missing = -1;    // a missing value ends the walk here
inline constexpr std::int32_t shared_missing = -2;   // it goes down every branch by shares

// What the nodes of few trees have.
struct RareParts {
  std::shared_ptr<const LevelMap> levels;
  std::shared_ptr<const Combination> combination;
  std::shared_ptr<std::vector<Surrogate>> surrogates;
  std::shared_ptr<const NodeTests> tests;
  std::optional<std::int64_t> exact;   // see Threshold
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double share = 1;            // of the parent's rows whose tested value is missing, where those are shared
  std::int64_t priority = 0;   // of its split: see OpenLeaf
};

// A full tree has twice as many nodes as the table has rows: a node is small, and owns nothing.
struct TreeNode {
  NodeIndex first_child = -1;   // -1: a leaf
  std::int32_t n_children = 0;
  std::int32_t feature = -1;
  std::int32_t missing_child = 0;   // number of a child, or shared_missing
  std::int32_t rare = -1;           // number of its rare parts
  bool missing_seen = false;
  FoundBy found_by = FoundBy::every_cut;
  bool heuristic = false;
  bool strict = false;   // see Threshold
  double threshold = std::numeric_limits<double>::quiet_NaN();
  double gain = 0;   // phi removed, in the user's units
  std::int64_t n_rows = 0;
  double weight = 0, impurity = 0;   // in the user's units
};
static_assert(sizeof(TreeNode) == 64);

inline Threshold threshold_of(const TreeNode& node, const RareParts& rare) {
  return {node.threshold, rare.exact.value_or(0), rare.exact.has_value(), node.strict};
}

// Nodes with what they predict and their rare parts. At first in the order in which they were made.
class NodeList {
 public:
  explicit NodeList(std::size_t n_values = 0, NodeMemory* memory = nullptr)
      : n_values_(n_values), nodes_(NodeAllocator<TreeNode>(memory)), values_(NodeAllocator<double>(memory)) {}

  std::size_t size() const { return nodes_.size(); }
  std::size_t n_values() const { return n_values_; }   // per node
  TreeNode& operator[](NodeIndex node) { return nodes_[static_cast<std::size_t>(node)]; }
  const TreeNode& operator[](NodeIndex node) const { return nodes_[static_cast<std::size_t>(node)]; }
  std::span<double> value(NodeIndex node) { return {values_.data() + at(node), n_values_}; }
  std::span<const double> value(NodeIndex node) const { return {values_.data() + at(node), n_values_}; }

  const RareParts& rare(NodeIndex node) const {
    static const RareParts none;
    const std::int32_t number = (*this)[node].rare;
    return number < 0 ? none : rare_[static_cast<std::size_t>(number)];
  }
  RareParts& make_rare(NodeIndex node) {
    TreeNode& of = (*this)[node];
    if (of.rare < 0) of.rare = static_cast<std::int32_t>(rare_.size()), rare_.emplace_back();
    return rare_[static_cast<std::size_t>(of.rare)];
  }

  void clear(std::size_t n_values) { n_values_ = n_values, nodes_.clear(), values_.clear(), rare_.clear(); }
  std::size_t capacity() const { return nodes_.capacity(); }
  void reserve(std::size_t n) { nodes_.reserve(n), values_.reserve(n * n_values_); }
  NodeIndex add(std::size_t n) {   // leaves; the number of the first
    const auto first = static_cast<NodeIndex>(size());
    for (std::size_t k = 0; k < n; ++k) nodes_.emplace_back();
    for (std::size_t k = 0; k < n * n_values_; ++k) values_.push_back(0);
    return first;
  }
  void take(NodeList& from, NodeIndex node) {   // as the last; `from` may lose its rare parts
    nodes_.push_back(from[node]);
    for (const double value : from.value(node)) values_.push_back(value);
    if (from[node].rare < 0) return;
    nodes_.back().rare = static_cast<std::int32_t>(rare_.size());
    rare_.push_back(std::move(from.rare_[static_cast<std::size_t>(from[node].rare)]));
  }
  void make_leaf(NodeIndex node) {
    const TreeNode old = (*this)[node];
    TreeNode& leaf = (*this)[node] = {};
    leaf.n_rows = old.n_rows;
    leaf.weight = old.weight;
    leaf.impurity = old.impurity;
    leaf.rare = old.rare;
    if (leaf.rare < 0) return;
    RareParts& rare = make_rare(node);
    rare = {{}, {}, {}, std::move(rare.tests), {}, rare.lower, rare.upper, rare.share, 0};
  }

 private:
  std::size_t at(NodeIndex node) const { return static_cast<std::size_t>(node) * n_values_; }

  std::size_t n_values_;
  std::vector<TreeNode, NodeAllocator<TreeNode>> nodes_;
  std::vector<double, NodeAllocator<double>> values_;
  std::vector<RareParts> rare_;
};

struct Seed {   // where a growth starts: the root of the table, or a node handed out by another growth
  Summary summary;
  std::int64_t depth = 0;
  std::uint64_t random_key = 0;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double root_mass = 0, root_weight = 0;   // of the whole tree
};

// Nodes level by level, siblings adjacent.
struct NodeLevels {
  NodeList nodes;
  std::vector<NodeIndex> begin;   // of every level, and the end
};

// Nodes are made in a list that a thread uses again for its next branch: by_level() keeps it.
NodeList list_to_make(std::size_t n_values);
void keep_list(NodeList&& made);
NodeLevels by_level(NodeList&& made, NodeMemory* memory);

// A tree whose branches were grown elsewhere: `branches[i]` belongs below node `at[i]`, and its root is that node.
struct TreeInParts {
  std::shared_ptr<NodeMemory> memory{};   // of the nodes, if they have one of their own
  NodeList tree{};
  std::vector<NodeIndex> at{};
  std::vector<NodeLevels> branches{};
};

// A grown tree: its nodes level by level, siblings adjacent. They stay where they were made: of each level a branch has a run
// of nodes, since branches lie side by side.
class GrownTree {
 public:
  struct Run {
    std::size_t piece;       // the list that has its nodes,
    NodeIndex first, n;      // there,
    NodeIndex begin;         // and in the tree
    NodeIndex shift = 0;     // from the number of a child there to its number in the tree
    std::size_t level = 0;   // of the piece
  };

  GrownTree() = default;
  explicit GrownTree(TreeInParts&& parts);
  GrownTree(GrownTree&&) = default;
  GrownTree& operator=(GrownTree&&) = default;

  struct Uses {   // what any of its nodes has
    bool exact = false, found_otherwise = false, levels = false, combinations = false, surrogates = false,
         tests = false;
  };
  Uses uses() const;

  std::size_t size() const { return n_nodes_; }
  const std::vector<Run>& runs() const { return runs_; }

  // Calls use(number, node, values, rare parts) of every node of a run; node.first_child is a number of the tree.
  template <class Use>
  void for_each(const Run& run, Use&& use) const {
    const NodeList& list = pieces_[run.piece].nodes;
    for (NodeIndex i = 0; i < run.n; ++i) {
      TreeNode node = list[run.first + i];
      if (node.first_child >= 0) node.first_child += run.shift;
      use(static_cast<std::size_t>(run.begin + i), node, list.value(run.first + i), list.rare(run.first + i));
    }
  }
  template <class Use>
  void for_each(Use&& use) const {   // in order
    for (const Run& run : runs_) for_each(run, use);
  }
  template <class Use>
  void change(Use&& use) {   // use(node, rare parts), in order
    for (const Run& run : runs_)
      for (NodeIndex i = run.first; i < run.first + run.n; ++i)
        use(pieces_[run.piece].nodes[i], pieces_[run.piece].nodes.rare(i));
  }

  NodeLevels in_one_list() &&;

 private:
  std::shared_ptr<NodeMemory> memory_;   // outlives the pieces
  std::vector<NodeLevels> pieces_;
  std::vector<Run> runs_;
  std::vector<std::size_t> level_runs_;   // how many runs come before each level, and all
  std::size_t n_nodes_ = 0;
};

}   // namespace treewright
