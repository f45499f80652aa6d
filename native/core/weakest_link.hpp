// Minimal cost-complexity pruning (Breiman et al. 1984, ch. 3): the order in which inner nodes become leaves.
//   g(t) = (R(t) - R(T_t)) / (|T_t| - 1), the least g goes first, ties together; nodes in O(nodes log nodes) for
//   balanced trees, O(nodes depth log nodes) at worst.
#pragma once
#include <algorithm>
#include <limits>
#include <queue>
#include <vector>

#include "types.hpp"

namespace treewright {

// Per node the alpha from which it is a leaf; infinity for leaves, and for what only goes with a node above it.
inline std::vector<double> weakest_link(std::span<const NodeIndex> first_child, std::span<const NodeIndex> n_children,
                                        std::span<const double> risk) {
  const std::size_t n = first_child.size();
  const double never = std::numeric_limits<double>::infinity();
  std::vector<NodeIndex> parent(n, -1);
  std::vector<double> branch_risk(risk.begin(), risk.end());
  std::vector<std::int64_t> n_leaves(n, 1);
  std::vector<std::uint8_t> gone(n, 0);   // collapsed, or below a collapsed node
  for (std::size_t t = n; t-- > 0;) {     // children lie after their parent
    if (n_children[t] == 0) continue;
    branch_risk[t] = 0;
    n_leaves[t] = 0;
    for (NodeIndex c = first_child[t]; c < first_child[t] + n_children[t]; ++c) {
      parent[static_cast<std::size_t>(c)] = static_cast<NodeIndex>(t);
      branch_risk[t] += branch_risk[static_cast<std::size_t>(c)];
      n_leaves[t] += n_leaves[static_cast<std::size_t>(c)];
    }
  }
  struct Link {
    double g;
    NodeIndex node;
    bool operator>(const Link& other) const { return g != other.g ? g > other.g : node > other.node; }
  };
  const auto strength = [&](std::size_t t) {
    return std::max(0.0, (risk[t] - branch_risk[t]) / static_cast<double>(n_leaves[t] - 1));
  };
  std::vector<Link> links;
  for (std::size_t t = 0; t < n; ++t)
    if (n_children[t] > 0) links.push_back({strength(t), static_cast<NodeIndex>(t)});
  std::priority_queue heap(std::greater<Link>{}, std::move(links));

  double alpha = 0;
  std::vector<double> stop_alpha(n, never);
  std::vector<std::size_t> below;
  while (!heap.empty()) {
    const Link link = heap.top();
    heap.pop();
    const auto t = static_cast<std::size_t>(link.node);
    if (gone[t]) continue;
    // Cutting the weakest link makes those above it stronger, never weaker: an entry is put right when it is met.
    const double now = strength(t);
    if (now > link.g) {
      heap.push({now, link.node});
      continue;
    }
    // Equal up to rounding is equal: such links are cut together.
    if (link.g > alpha * (1 + 1e-12) + 1e-300) alpha = link.g;
    stop_alpha[t] = alpha;
    below.push_back(t);   // everything under t disappears with it
    while (!below.empty()) {
      const std::size_t d = below.back();
      below.pop_back();
      gone[d] = 1;
      for (NodeIndex c = first_child[d]; c < first_child[d] + n_children[d]; ++c) {
        if (!gone[static_cast<std::size_t>(c)]) below.push_back(static_cast<std::size_t>(c));
      }
    }
    const double more_risk = risk[t] - branch_risk[t];
    const std::int64_t fewer_leaves = n_leaves[t] - 1;
    for (NodeIndex up = parent[t]; up >= 0; up = parent[static_cast<std::size_t>(up)]) {
      const auto u = static_cast<std::size_t>(up);
      branch_risk[u] += more_risk;
      n_leaves[u] -= fewer_leaves;
    }
  }
  return stop_alpha;
}

}   // namespace treewright
