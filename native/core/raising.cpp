#include "raising.hpp"

#include <numeric>

#include "parallel.hpp"

namespace treewright {

Raising::Raising(PredictorTree tree, const RaisingRows& rows, std::span<const std::uint32_t> leaves,
                 std::span<const std::int64_t> decision, const ErrorLimit& limit, double pool, GrowBranch grow,
                 bool regrows)
    : tree_(std::move(tree)),
      rows_(rows),
      errors_(rows, limit, pool),
      grow_(std::move(grow)),
      n_old_(tree_.nodes.size()),
      width_(rows.n_outputs * rows.n_classes),
      slot_(rows.columns.size()),
      walker_(tree_, rows.columns, slot_),
      decision_(decision.begin(), decision.end()),
      n_sources_(static_cast<std::int64_t>(n_old_)),
      regrows_(regrows) {
  std::iota(slot_.begin(), slot_.end(), 0);
  source_.resize(n_old_);
  std::iota(source_.begin(), source_.end(), 0);
  place_source_ = source_;
  extend();
  take_over(route_all(leaves));
  if (grow_) cut_useless(0);
}

void Raising::extend() {
  walker_.extend();
  const std::size_t n = tree_.nodes.size();
  decision_.resize(n, keep);
  moved_.resize(n, 0);
  is_fixed_.resize(n, 0);
  counts_.resize(n * width_, 0);
  expected_.resize(n, 0);
  as_leaf_.resize(n, 0);
  held_.resize(n);
}

void Raising::decide(const std::atomic<bool>* cancel) {
  std::priority_queue<Node> waiting;   // the greatest number first: children before their parents
  for (const Node node : below(0))
    if (is_inner(node)) waiting.push(node);
  while (!waiting.empty()) {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) throw Cancelled();
    const Node node = waiting.top();
    waiting.pop();
    for (const Node again : decide_node(node)) waiting.push(again);
  }
}

// ---- decisions

// Decide on one node all of whose children are decided; the nodes to decide again.
std::vector<Raising::Node> Raising::decide_node(Node node) {
  const double leaf = as_leaf_[node], branch = as_branch(node);
  expected_[node] = branch;
  const int chosen = grow_ ? candidate_to_regrow(node) : candidate(node);
  double raised = leaf;   // a leaf that is raised is the node as a leaf
  Routed routed;
  if (chosen >= 0 && is_inner(child(node, chosen))) {
    routed = with_all_rows(child(node, chosen), node, chosen);
    raised = routed.expected[0];
  }
  if (leaf <= branch + slack && leaf <= raised + slack) {
    cut(node);
    expected_[node] = leaf;
  } else if (!routed.node.empty() && raised <= branch + slack) {
    return raise(node, chosen, std::move(routed));
  }
  return {};
}

void Raising::cut(Node node) {
  HeldRows rows = rows_at(below(node));
  clear_rows(node);
  decision_[node] = collapse;
  held_[node] = std::move(rows);
  expected_[node] = as_leaf_[node];
}

// Cuts branches that hardly make fewer errors on their own rows than a leaf.
void Raising::cut_useless(Node top) {
  const std::vector<Node> nodes = below(top);
  std::unordered_map<Node, double> wrong;   // of the branches below
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const Node node = nodes[i];
    double& here = wrong[node];
    const double as_leaf = errors_.wrong(counts(node));
    if (!is_inner(node)) {
      here = as_leaf;
      continue;
    }
    for (int k = 0; k < tree_.nodes[node].n_children; ++k) here += wrong[child(node, k)];
    if (here < useless * as_leaf) continue;
    cut(node);
    wrong[node] = as_leaf;
  }
}

std::vector<Raising::Node> Raising::raise(Node node, int chosen, Routed&& routed) {
  const Node replacement = routed.node[0];
  std::vector<Node> again;
  if (grow_ && regrows_ && !is_fixed_[node] && weight(replacement) < as_it_is * weight(node)) {
    again = regrow(node, chosen, replacement);
  } else {
    if (routed.adds) {   // the rows of the branch stay where they are
      for (int k = 0; k < tree_.nodes[node].n_children; ++k)
        if (k != chosen) clear_rows(child(node, k));
      held_[node] = {};
    } else {
      clear_rows(node);
    }
    decision_[node] = chosen;
    again = take_over(std::move(routed));
  }
  for (const Node at : below(node)) is_fixed_[at] = 1;
  return again;
}

// The child with most weight, the last of equals.
int Raising::candidate(Node node) const {
  const int n = tree_.nodes[node].n_children;
  std::vector<double> weights;
  for (int k = 0; k < n; ++k) weights.push_back(weight(child(node, k)));
  const double most = *std::max_element(weights.begin(), weights.end());
  int found = n - 1;
  while (weights[static_cast<std::size_t>(found)] < most - equal) --found;
  return found;
}

// The heaviest child that has a test, the first of equals. None that has few of the rows, or that compares the same
// number as its parent, which would change little.
int Raising::candidate_to_regrow(Node node) const {
  int found = -1;
  double most = least_share * weight(node) - equal;
  for (int k = 0; k < tree_.nodes[node].n_children; ++k) {
    const Node at = child(node, k);
    if (!is_inner(at) || weight(at) <= most + (found >= 0 ? equal : 0)) continue;
    const PredictorNode& below = tree_.nodes[at];
    if (below.level_begin == below.level_end && same_number(below, tree_.nodes[node])) continue;
    found = k;
    most = weight(at);
  }
  return found;
}

// No row is held below a node any more.
void Raising::clear_rows(Node node) {
  for (const Node gone : below(node)) held_[gone] = {};
}

// Take over what a branch counts and holds; the nodes to decide again: the others are as they were decided.
std::vector<Raising::Node> Raising::take_over(Routed&& routed) {
  std::vector<Node> again;
  for (std::size_t i = 0; i < routed.node.size(); ++i) {
    if (!routed.changed[i]) continue;
    const Node node = routed.node[i];
    std::copy_n(routed.counts.begin() + static_cast<std::ptrdiff_t>(i * width_), width_,
                counts_.begin() + static_cast<std::ptrdiff_t>(node * width_));
    as_leaf_[node] = routed.as_leaf[i];
    expected_[node] = routed.expected[i];
    if (routed.adds) {
      held_[node].row.insert(held_[node].row.end(), routed.ends[i].row.begin(), routed.ends[i].row.end());
      held_[node].weight.insert(held_[node].weight.end(), routed.ends[i].weight.begin(), routed.ends[i].weight.end());
    } else {
      held_[node] = std::move(routed.ends[i]);
    }
    if (is_inner(node)) again.push_back(node);
  }
  return again;
}

// ---- the current tree

// The node that is now in the place of this one.
Raising::Node Raising::replacement(Node node) const {
  while (true) {
    if (moved_[node] != 0) node = moved_[node];
    else if (decision_[node] >= 0) node = static_cast<Node>(tree_.nodes[node].first_child + decision_[node]);
    else return node;
  }
}

// The node and all that are now below it, breadth-first.
std::vector<Raising::Node> Raising::below(Node node) const {
  std::vector<Node> found{replacement(node)};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Node at = found[i];
    if (!is_inner(at)) continue;
    for (int k = 0; k < tree_.nodes[at].n_children; ++k) found.push_back(child(at, k));
  }
  return found;
}

// The rows that these nodes hold, each once, with their weight there.
HeldRows Raising::rows_at(std::span<const Node> nodes) const {
  HeldRows all;
  for (const Node node : nodes) {
    all.row.insert(all.row.end(), held_[node].row.begin(), held_[node].row.end());
    all.weight.insert(all.weight.end(), held_[node].weight.begin(), held_[node].weight.end());
  }
  if (!shared_) return all;
  std::vector<std::size_t> order(all.row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return std::pair(all.row[a], a) < std::pair(all.row[b], b); });
  HeldRows once;
  for (const std::size_t i : order) {
    if (!once.empty() && once.row.back() == all.row[i]) once.weight.back() += all.weight[i];
    else once.add(all.row[i], all.weight[i]);
  }
  return once;
}

Raising::FinalTree Raising::final_tree() const {
  FinalTree out;
  std::vector<Node> places{0};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Node place = places[i], node = replacement(place);
    out.node.push_back(node);
    out.source.push_back(source_[node]);
    out.place.push_back(place_source_[place]);
    out.inner.push_back(is_inner(node));
    out.n_raised += decision_[place] >= 0;
    if (!is_inner(node)) continue;
    for (int k = 0; k < tree_.nodes[node].n_children; ++k)
      places.push_back(static_cast<Node>(tree_.nodes[node].first_child + k));
  }
  return out;
}

}   // namespace treewright
