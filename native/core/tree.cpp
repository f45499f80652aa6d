#include "tree.hpp"

#include <algorithm>

namespace treewright {

namespace {

thread_local NodeList spare;

}   // namespace

NodeList list_to_make(std::size_t n_values) {
  NodeList list = std::move(spare);
  list.clear(n_values);
  return list;
}

void keep_list(NodeList&& made) {
  constexpr std::size_t most_kept = 40'000;   // nodes
  if (made.capacity() <= most_kept) spare = std::move(made);
}

NodeLevels by_level(NodeList&& made, NodeMemory* memory) {
  NodeLevels sorted{NodeList(made.n_values(), memory), {0}};
  sorted.nodes.reserve(made.size());
  sorted.nodes.take(made, 0);
  for (NodeIndex begin = 0, end = 1; begin < end; begin = end, end = static_cast<NodeIndex>(sorted.nodes.size())) {
    sorted.begin.push_back(end);
    for (NodeIndex i = begin; i < end; ++i) {
      const NodeIndex first = sorted.nodes[i].first_child;
      if (first < 0) continue;
      sorted.nodes[i].first_child = static_cast<NodeIndex>(sorted.nodes.size());
      for (NodeIndex k = 0, n = sorted.nodes[i].n_children; k < n; ++k) sorted.nodes.take(made, first + k);
    }
  }
  keep_list(std::move(made));
  return sorted;
}

GrownTree::GrownTree(TreeInParts&& parts) : memory_(std::move(parts.memory)) {
  if (parts.branches.empty()) {
    pieces_.push_back(by_level(std::move(parts.tree), memory_.get()));
    const NodeLevels& all = pieces_[0];
    n_nodes_ = all.nodes.size();
    for (std::size_t level = 0; level + 1 < all.begin.size(); ++level)
      level_runs_.push_back(level),
          runs_.push_back({0, all.begin[level], all.begin[level + 1] - all.begin[level], all.begin[level], 0, level});
    level_runs_.push_back(runs_.size());
    return;
  }
  const NodeList& top = parts.tree;
  std::vector<std::size_t> branch_at(top.size(), 0);   // piece 0 is the top
  for (std::size_t i = 0; i < parts.at.size(); ++i) {
    branch_at[static_cast<std::size_t>(parts.at[i])] = i + 1;
    if (const double share = top.rare(parts.at[i]).share; share != 1)   // its parent's matter
      parts.branches[i].nodes.make_rare(0).share = share;
  }
  pieces_.push_back({std::move(parts.tree), {}});
  for (NodeLevels& branch : parts.branches) pieces_.push_back(std::move(branch));
  NodeIndex n = 0;
  const auto add = [&](std::size_t piece, std::size_t level,
                       NodeIndex node) {   // a node of the top, or a level of a branch
    const std::vector<NodeIndex>& begin = pieces_[piece].begin;
    Run run{piece, piece > 0 ? begin[level] : node, piece > 0 ? begin[level + 1] - begin[level] : 1, n, 0, level};
    n += run.n;
    runs_.push_back(run);
  };
  add(branch_at[0], 0, 0);
  for (std::size_t begin = 0, end = 1; begin < end; begin = end, end = runs_.size()) {
    level_runs_.push_back(begin);
    for (std::size_t i = begin; i < end; ++i) {
      const Run run = runs_[i];
      if (run.piece > 0) {
        const std::vector<NodeIndex>& levels = pieces_[run.piece].begin;
        if (run.level + 2 >= levels.size()) continue;
        runs_[i].shift = n - levels[run.level + 1];
        add(run.piece, run.level + 1, 0);
      } else if (const TreeNode& node = pieces_[0].nodes[run.first]; node.first_child >= 0) {
        runs_[i].shift = n - node.first_child;
        for (NodeIndex k = node.first_child; k < node.first_child + node.n_children; ++k)
          add(branch_at[static_cast<std::size_t>(k)], 0, k);
      }
    }
  }
  level_runs_.push_back(runs_.size());
  n_nodes_ = static_cast<std::size_t>(n);
}

GrownTree::Uses GrownTree::uses() const {
  Uses any;
  for (const NodeLevels& piece : pieces_) {
    const NodeList& list = piece.nodes;
    for (NodeIndex i = 0; i < static_cast<NodeIndex>(list.size()); ++i) {
      any.found_otherwise |= list[i].found_by != FoundBy::every_cut || list[i].heuristic;
      if (list[i].rare < 0) continue;
      any.exact |= list.rare(i).exact.has_value();
      any.levels |= list.rare(i).levels != nullptr;
      any.combinations |= list.rare(i).combination != nullptr;
      any.surrogates |= list.rare(i).surrogates != nullptr;
      any.tests |= list.rare(i).tests != nullptr;
    }
  }
  return any;
}

NodeLevels GrownTree::in_one_list() && {
  if (pieces_.size() == 1) return std::move(pieces_[0]);
  NodeLevels all{NodeList(pieces_[0].nodes.n_values(), memory_.get()), {}};
  all.nodes.reserve(n_nodes_);
  for (const std::size_t level : level_runs_)
    all.begin.push_back(level < runs_.size() ? runs_[level].begin : static_cast<NodeIndex>(n_nodes_));
  for (const Run& run : runs_) {
    for (NodeIndex i = run.first; i < run.first + run.n; ++i) {
      TreeNode& node = pieces_[run.piece].nodes[i];
      if (node.first_child >= 0) node.first_child += run.shift;
      all.nodes.take(pieces_[run.piece].nodes, i);
    }
  }
  return all;
}

}   // namespace treewright
