// Raising: branches that are grown anew.
#include <bit>
#include <numeric>

#include "raising.hpp"
#include "random.hpp"

namespace treewright {

std::vector<Raising::Node> Raising::regrow(Node node, int chosen, Node replacement) {
  HeldRows held = rows_at(below(node)), stopped;
  bool shares = false;
  const std::vector<HeldRows> parts = divide(replacement, held, stopped, shares);
  clear_rows(node);
  decision_[node] = chosen;
  Undecided undecided{add_test(replacement), {}};
  const auto n_before = static_cast<Node>(tree_.nodes.size());
  std::vector<std::pair<Node, Node>> moved{{node, undecided.top}};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (!has_several_classes(parts[k])) continue;
    const HeldRows rows = rows_to_grow(parts[k]);
    const RowsKey key = key_of_rows(rows);
    const auto place = static_cast<Node>(undecided.top + 1 + k);
    if (const auto known = known_.find(key); known != known_.end()) {
      if (!known->second.nodes.empty()) moved.emplace_back(place, add_branch(known->second));
      continue;
    }
    ++n_regrown_;
    PredictorTree tree = grow_(rows);
    undecided.branches.emplace_back(key, place);
    if (tree.nodes[0].n_children > 0) moved.emplace_back(place, add_tree(std::move(tree)));
    else n_sources_ += static_cast<std::int64_t>(tree.nodes.size());
  }
  extend();
  for (const auto& [place, root] : moved) moved_[place] = root;
  undecided_.push_back(std::move(undecided));
  std::vector<Node> again = take_over(route(undecided_.back().top, std::move(held), false));
  std::erase_if(again, [&](Node at) { return at >= n_before && is_decided_[at]; });
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

// 128 bits of rows and weights, and their number: others do not have the same.
Raising::RowsKey Raising::key_of_rows(const HeldRows& rows) {
  RowsKey key{1, 2, rows.row.size()};
  for (std::size_t i = 0; i < rows.row.size(); ++i) {
    const auto weight = std::bit_cast<std::uint64_t>(rows.weight[i]);
    for (std::size_t h = 0; h < 2; ++h) key[h] = mix(mix(key[h] ^ rows.row[i]) + weight);
  }
  return key;
}

// ---- new nodes

// Nothing below these places waits to be decided.
void Raising::keep_decided(const Undecided& decided) {
  for (const auto& [key, place] : decided.branches)
    known_.emplace(key, moved_[place] == 0 ? Branch{} : branch_below(moved_[place]));
}

Raising::Branch Raising::branch_below(Node root) const {
  Branch out;
  std::vector<Node> places{root};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Node place = places[i], node = replacement(place);
    PredictorNode copy = tree_.nodes[node];
    copy.share = tree_.nodes[place].share;
    if (is_inner(node)) {
      const auto first = copy.first_child;
      copy.first_child = static_cast<std::int32_t>(places.size());
      for (int k = 0; k < copy.n_children; ++k) places.push_back(static_cast<Node>(first + k));
    } else {
      copy.n_children = 0;
    }
    out.nodes.push_back(copy);
    out.source.push_back(source_[node]);
    out.place.push_back(place_source_[place]);
    out.raised.push_back(decision_[place] >= 0 || raised_[place]);
    const auto before = earlier_tests_.find(node);
    out.earlier_tests.push_back(before == earlier_tests_.end() ? std::set<std::string>{} : before->second);
  }
  return out;
}

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

// Put a branch that was decided behind the nodes that are there; the number of its root.
Raising::Node Raising::add_branch(const Branch& branch) {
  const auto root = static_cast<Node>(tree_.nodes.size());
  for (PredictorNode node : branch.nodes) {
    if (node.n_children > 0) node.first_child += static_cast<std::int32_t>(root);
    tree_.nodes.push_back(node);
  }
  source_.insert(source_.end(), branch.source.begin(), branch.source.end());
  place_source_.insert(place_source_.end(), branch.place.begin(), branch.place.end());
  raised_.resize(root, 0);
  raised_.insert(raised_.end(), branch.raised.begin(), branch.raised.end());
  is_decided_.resize(root, 0);
  is_decided_.resize(tree_.nodes.size(), 1);
  for (std::size_t i = 0; i < branch.earlier_tests.size(); ++i)
    if (!branch.earlier_tests[i].empty()) earlier_tests_[root + static_cast<Node>(i)] = branch.earlier_tests[i];
  return root;
}

}   // namespace treewright
