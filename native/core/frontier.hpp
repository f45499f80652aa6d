// The open leaves: depth-first is a stack, breadth-first a queue, best-first a heap; one comparator distinguishes them.
#pragma once
#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

#include "growth.hpp"
#include "split.hpp"

namespace treewright {

struct OpenLeaf {
  NodeIndex node;
  std::int64_t depth;
  std::uint64_t random_key;
  Split* split;                // the frontier keeps it until the leaf is closed
  std::int64_t priority = 0;   // gain in 2^-40 of the root's impurity mass
};

class Frontier {
 public:
  explicit Frontier(Order order) : order_(order) {}

  bool empty() const { return leaves_.empty(); }
  Split* new_split() {   // it may hold one of a leaf that is closed
    if (free_.empty()) return &splits_.emplace_back();
    Split* split = free_.back();
    free_.pop_back();
    return split;
  }
  void push(const OpenLeaf& leaf) {   // of siblings the last first
    leaves_.push_back(leaf);
    if (order_ == Order::depth) return;
    std::push_heap(leaves_.begin(), leaves_.end(), [this](const auto& a, const auto& b) { return later(a, b); });
  }
  OpenLeaf pop() {
    if (order_ != Order::depth)
      std::pop_heap(leaves_.begin(), leaves_.end(), [this](const auto& a, const auto& b) { return later(a, b); });
    const OpenLeaf leaf = leaves_.back();
    leaves_.pop_back();
    return leaf;
  }
  void close(Split* split) { free_.push_back(split); }   // it is no longer needed

 private:
  bool later(const OpenLeaf& a, const OpenLeaf& b) const {
    if (order_ == Order::best && a.priority != b.priority) return a.priority < b.priority;
    return a.node > b.node;
  }

  Order order_;
  std::vector<OpenLeaf> leaves_;
  std::deque<Split> splits_;   // large, so that they stay where they are; those that are free are used again
  std::vector<Split*> free_;
};

}   // namespace treewright
