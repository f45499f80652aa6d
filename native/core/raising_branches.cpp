// Raising: branches that are grown anew.
#include <numeric>

#include "raising.hpp"

namespace treewright {

std::vector<Raising::Node> Raising::regrow(Node node, int chosen, Node replacement) {
  HeldRows held = rows_at(below(node)), stopped;
  bool shares = false;
  const std::vector<HeldRows> parts = divide(replacement, held, stopped, shares);
  clear_rows(node);
  decision_[node] = chosen;
  const Node top = add_test(replacement);
  std::vector<std::pair<Node, Node>> moved{{node, top}};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (!has_several_classes(parts[k])) continue;
    ++n_regrown_;
    PredictorTree tree = grow_(rows_to_grow(parts[k]));
    if (tree.nodes[0].n_children > 0) moved.emplace_back(static_cast<Node>(top + 1 + k), add_tree(std::move(tree)));
    else n_sources_ += static_cast<std::int64_t>(tree.nodes.size());
  }
  extend();
  for (const auto& [place, root] : moved) moved_[place] = root;
  std::vector<Node> again = take_over(route(top, std::move(held), false));
  for (int k = 0; k < tree_.nodes[top].n_children; ++k) cut_useless(child(top, k));
  std::erase_if(again, [&](Node at) { return !is_inner(at); });
  return again;
}

bool Raising::has_several_classes(const HeldRows& part) const {
  const auto labels = [&](RowIndex row) { return std::span(rows_.labels + row * rows_.n_outputs, rows_.n_outputs); };
  return std::any_of(part.row.begin(), part.row.end(),
                     [&](RowIndex row) { return !std::ranges::equal(labels(row), labels(part.row[0])); });
}

// Ascending, with their weights as growing takes them.
HeldRows Raising::rows_to_grow(const HeldRows& part) const {
  std::vector<std::size_t> order(part.row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return part.row[a] < part.row[b]; });
  HeldRows sorted;
  for (const std::size_t i : order) {
    const RowIndex row = part.row[i];
    sorted.add(row, rows_.divisor.empty() ? part.weight[i] : part.weight[i] / rows_.divisor[row]);
  }
  return sorted;
}

// ---- new nodes

// A copy of a node's test over leaves; its number. The leaves follow.
Raising::Node Raising::add_test(Node node) {
  const auto top = static_cast<Node>(tree_.nodes.size());
  PredictorNode copy = tree_.nodes[node];
  const std::int32_t first = copy.first_child;
  copy.first_child = static_cast<std::int32_t>(top + 1);
  tree_.nodes.push_back(copy);
  source_.push_back(source_[node]);
  place_source_.push_back(place_source_[node]);
  for (std::int32_t k = 0; k < copy.n_children; ++k) {
    const auto old = static_cast<std::size_t>(first + k);
    PredictorNode leaf;
    leaf.share = tree_.nodes[old].share;
    tree_.nodes.push_back(leaf);
    source_.push_back(source_[old]);
    place_source_.push_back(place_source_[old]);
  }
  return top;
}

// Put a tree behind the nodes that are there; the number of its root.
Raising::Node Raising::add_tree(PredictorTree&& tree) {
  const auto root = static_cast<Node>(tree_.nodes.size());
  const auto levels = static_cast<std::uint32_t>(tree_.level_code.size());
  const auto surrogates = static_cast<std::uint32_t>(tree_.surrogates.size());
  for (PredictorNode& node : tree.nodes) {
    if (node.n_children > 0) node.first_child += static_cast<std::int32_t>(root);
    node.level_begin += levels, node.level_end += levels;
    node.surrogate_begin += surrogates, node.surrogate_end += surrogates;
    tree_.nodes.push_back(node);
    source_.push_back(n_sources_);
    place_source_.push_back(n_sources_++);
  }
  for (SurrogateTest& test : tree.surrogates) {
    test.level_begin += levels, test.level_end += levels;
    tree_.surrogates.push_back(test);
  }
  tree_.level_code.insert(tree_.level_code.end(), tree.level_code.begin(), tree.level_code.end());
  tree_.level_child.insert(tree_.level_child.end(), tree.level_child.begin(), tree.level_child.end());
  return root;
}

}   // namespace treewright
