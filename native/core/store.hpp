// Store: where the rows live. The grow loop requests splits of it, lets it route rows, and never sees a row itself.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "any_criterion.hpp"
#include "choice.hpp"

namespace treewright {

struct SplitRequest {   // a node whose best split is wanted
  NodeIndex node;
  ConstTally tally;           // of its rows
  double mass;                // its phi
  double lower, upper;        // monotone bounds of its value
  std::uint64_t random_key;   // names the node in random draws, whatever the order of growth
  Split* split = nullptr;     // where it goes: it may hold one that this store found before
};

// The input of the search of one column of a node.
SearchInput search_input(const AnyCriterion& criterion, const Growth& growth, std::int64_t min_weight,
                         const SplitRequest& request, std::int32_t feature);

// The split of a node from those of its columns. None, if its branches are too light where only the chosen ones count.
Split chosen_split(Choice& choice, const AnyCriterion& criterion, const Columns& columns, const Growth& growth,
                   ConstTally total, std::size_t n_rows, std::int64_t min_weight);

struct Move {   // a node whose rows go to its children, first_child and those after it
  NodeIndex node;
  const Test* test;
  NodeIndex first_child;
  bool to_leaves = false;   // the children will not be split: their depth is the greatest allowed
};

class Store;
using MakeStore = std::function<std::unique_ptr<Store>()>;

class Store {
 public:
  virtual ~Store() = default;
  virtual double user_mass(double mass) const = 0;   // phi in the user's units
  virtual Summary root() = 0;
  // Finds the best split of every node,
  virtual void best_splits(std::span<const SplitRequest> requests) = 0;
  // ... and the summary of every child, node after node. `children` may hold summaries that this store made before.
  virtual void route(std::span<const Move> moves, std::span<Summary> children) = 0;

  // The node stays a leaf: whatever was kept for it can go.
  virtual void close(NodeIndex) {}

  // The leaf and its split may wait for long: what was kept for it, and can be made anew, may go.
  virtual void set_aside(NodeIndex, Split&) {}

  // True where the split of a node may depend on the nodes before it, depth-first: each is searched when its time comes.
  virtual bool searches_late() const { return false; }

  // True where every request costs a pass over the data, so that many nodes should share one.
  virtual bool prefers_batches() const { return false; }
  // Hands the rows of nodes to stores of their own: of all of these nodes, or of as many of the first as may be at hand
  // together. Threads make these stores, each when its time has come.
  virtual std::vector<MakeStore> parts(std::span<const NodeIndex>) { return {}; }
  // Nodes of at most so many rows are handed out, if any order will do; 0: none.
  virtual std::int64_t part_size() const { return 0; }
  virtual void for_each(std::size_t n, const std::function<void(std::size_t)>& work) {
    for (std::size_t i = 0; i < n; ++i) work(i);
  }
  virtual void check() const {}   // throws Cancelled when the work shall end
  std::int64_t n_passes = 0;
};

}   // namespace treewright
