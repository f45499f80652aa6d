// Raising: what the nodes of a branch count, and the errors to expect of it.
#include <numeric>

#include "raising.hpp"

namespace treewright {

// The sum over the children, and over the rows that stop at the node.
double Raising::as_branch(Node node) const {
  std::vector<double> expected, counts;
  for (int k = 0; k < tree_.nodes[node].n_children; ++k) {
    const Node at = child(node, k);
    expected.push_back(expected_[at]);
    counts.insert(counts.end(), this->counts(at), this->counts(at) + width_);
  }
  double sum = errors_.of_siblings(expected, counts);
  if (!held_[node].empty()) {
    std::vector<double> stopped(width_, 0.0);
    errors_.count(held_[node], stopped.data());
    sum += errors_.of_leaves(stopped)[0];
  }
  return sum;
}

// ---- sending rows down

// What part of a row without a value each child has: that of the rows that have one.
std::vector<double> Raising::shares_of(Node at, const HeldRows& rows, std::span<const std::int32_t> to) const {
  const PredictorNode& node = tree_.nodes[at];
  std::vector<double> share(static_cast<std::size_t>(node.n_children), 0.0);
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] < 0) continue;
    const RowIndex row = rows.row[i];
    const double factor = rows_.factor.empty() ? 1.0 : rows_.factor[row];
    share[static_cast<std::size_t>(to[i])] +=
        rows.weight[i] * factor / (rows_.divisor.empty() ? 1.0 : rows_.divisor[row]);
  }
  const double total = std::accumulate(share.begin(), share.end(), 0.0);
  for (std::size_t k = 0; k < share.size(); ++k)
    share[k] = total > 0 ? share[k] / total : tree_.nodes[static_cast<std::size_t>(node.first_child) + k].share;
  return share;
}

// The rows of each child.
std::vector<HeldRows> Raising::divide(Node at, const HeldRows& rows, HeldRows& stopped, bool& shares) const {
  const PredictorNode& node = tree_.nodes[at];
  const auto n_children = static_cast<std::size_t>(node.n_children);
  const auto load = [&](std::size_t row, std::uint32_t slot) {
    return read_key(rows_.columns[slot], static_cast<RowIndex>(row));
  };
  const std::vector<Key> keys = walker_.keys(at, rows.row);
  std::vector<std::int32_t> to(rows.row.size());
  std::vector<std::size_t> n_rows(n_children, 0);
  bool some_shared = false, one_each = true;   // whether every row has one child
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = walker_.child_of(at, keys[i]);
    if (to[i] < 0) to[i] = walker_.child(at, rows.row[i], load);
    some_shared |= to[i] == shared_missing;
    if (to[i] >= 0) ++n_rows[static_cast<std::size_t>(to[i])];
    else one_each = false;
  }
  std::vector<HeldRows> parts(n_children);
  if (one_each) {
    for (std::size_t k = 0; k < n_children; ++k) parts[k].resize(n_rows[k]);
    std::fill(n_rows.begin(), n_rows.end(), 0);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto k = static_cast<std::size_t>(to[i]);
      parts[k].set(n_rows[k]++, rows.row[i], rows.weight[i]);
    }
    return parts;
  }
  const std::vector<double> share = some_shared ? shares_of(at, rows, to) : std::vector<double>{};
  for (std::size_t k = 0; k < n_children; ++k) parts[k].reserve(n_rows[k]);
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] >= 0) parts[static_cast<std::size_t>(to[i])].add(rows.row[i], rows.weight[i]);
    else if (to[i] == stops_missing) stopped.add(rows.row[i], rows.weight[i]);
    else {
      for (std::size_t k = 0; k < n_children; ++k)
        if (rows.weight[i] * share[k] > 0) parts[k].add(rows.row[i], rows.weight[i] * share[k]);
    }
  }
  shares |= some_shared;
  return parts;
}

// Send rows down the branch below a node as it is now; nothing is changed. `adds`: to those that are there.
Raising::Routed Raising::route(Node from, HeldRows&& rows, bool adds) {
  ++n_routed_;
  Routed out;
  out.adds = adds;
  out.node = {replacement(from)};
  out.ends.push_back(std::move(rows));
  for (std::size_t i = 0; i < out.node.size(); ++i) {   // until they end, rows are with the node that they have come to
    const Node at = out.node[i];
    out.changed.push_back(!adds || !out.ends[i].empty());
    out.first.push_back(0);
    if (!is_inner(at) || !out.changed[i]) continue;
    out.first[i] = out.node.size();
    HeldRows stopped;
    std::vector<HeldRows> parts = divide(at, out.ends[i], stopped, out.shares);
    if (adds && out.shares) return out;   // of no use: shares depend on all rows
    out.ends[i] = std::move(stopped);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      out.node.push_back(child(at, static_cast<int>(k)));
      out.ends.push_back(std::move(parts[k]));
    }
  }
  shared_ |= out.shares;
  sum_up(out);
  return out;
}

// All rows, sent down the tree as it was given.
Raising::Routed Raising::route_all(std::span<const std::uint32_t> leaves) {
  const std::size_t n_rows = rows_.weight.size();
  if (leaves.empty()) {
    HeldRows all;
    for (std::size_t row = 0; row < n_rows; ++row)
      if (rows_.weight[row] > 0) all.add(static_cast<RowIndex>(row), rows_.weight[row]);
    return route(0, std::move(all), false);
  }
  ++n_routed_;
  Routed out;
  out.node = below(0);
  out.changed.assign(out.node.size(), 1);
  out.ends.resize(out.node.size());
  std::size_t n_listed = 1;
  std::vector<std::size_t> place(n_old_, n_old_);   // where the rows of each leaf end now
  for (std::size_t i = 0; i < out.node.size(); ++i) {
    place[out.node[i]] = i;
    out.first.push_back(is_inner(out.node[i]) ? n_listed : 0);
    if (is_inner(out.node[i])) n_listed += static_cast<std::size_t>(tree_.nodes[out.node[i]].n_children);
  }
  for (std::size_t node = 0; node < n_old_; ++node)   // below a node that was cut
    for (int k = 0; k < tree_.nodes[node].n_children; ++k)
      if (std::size_t& at = place[static_cast<std::size_t>(tree_.nodes[node].first_child + k)]; at == n_old_)
        at = place[node];
  std::vector<std::size_t> n_ends(out.node.size(), 0);
  for (const std::uint32_t leaf : leaves) ++n_ends[place[leaf]];
  for (std::size_t i = 0; i < out.node.size(); ++i) out.ends[i].reserve(n_ends[i]);
  for (std::size_t row = 0; row < n_rows; ++row)
    if (rows_.weight[row] > 0) out.ends[place[leaves[row]]].add(static_cast<RowIndex>(row), rows_.weight[row]);
  sum_up(out);
  return out;
}

// What the nodes count, from what ends there; and the errors to expect.
void Raising::sum_up(Routed& out) const {
  out.counts.assign(out.node.size() * width_, 0.0);
  for (std::size_t i = out.node.size(); i-- > 0;) {
    double* counts = out.counts.data() + i * width_;
    errors_.count(out.ends[i], counts);
    if (out.first[i] == 0) continue;
    for (auto k = static_cast<std::size_t>(tree_.nodes[out.node[i]].n_children); k-- > 0;)
      for (std::size_t j = 0; j < width_; ++j) counts[j] += out.counts[(out.first[i] + k) * width_ + j];
  }
  if (out.adds) {
    for (std::size_t i = 0; i < out.node.size(); ++i)
      for (std::size_t j = 0; j < width_; ++j) out.counts[i * width_ + j] += counts(out.node[i])[j];
  }
  estimate_errors(out);
}

// The branch that would take the place of a node, with all of the node's rows.
Raising::Routed Raising::with_all_rows(Node replacement, Node node, int chosen) {
  if (!shared_) {   // every row ends once, so those of the branch stay where they are
    std::vector<Node> others{node};
    for (int k = 0; k < tree_.nodes[node].n_children; ++k) {
      if (k == chosen) continue;
      const std::vector<Node> nodes = below(child(node, k));
      others.insert(others.end(), nodes.begin(), nodes.end());
    }
    Routed routed = route(replacement, rows_at(others), true);
    if (!routed.shares) return routed;
  }
  return route(replacement, rows_at(below(node)), false);
}

// The errors to expect of a branch and of all below it.
void Raising::estimate_errors(Routed& routed) const {
  const std::size_t n = routed.node.size();
  std::vector<double> changed;
  for (std::size_t i = 0; i < n; ++i)
    if (routed.changed[i])
      changed.insert(changed.end(), routed.counts.begin() + static_cast<std::ptrdiff_t>(i * width_),
                     routed.counts.begin() + static_cast<std::ptrdiff_t>((i + 1) * width_));
  const std::vector<double> found = errors_.of_leaves(changed);
  routed.as_leaf.resize(n);
  routed.expected.resize(n);
  for (std::size_t i = 0, next = 0; i < n; ++i) {
    routed.as_leaf[i] = routed.changed[i] ? found[next++] : as_leaf_[routed.node[i]];
    routed.expected[i] = routed.changed[i] ? routed.as_leaf[i] : expected_[routed.node[i]];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (routed.first[i] == 0) continue;
    const auto n_children = static_cast<std::size_t>(tree_.nodes[routed.node[i]].n_children);
    routed.expected[i] =
        errors_.of_siblings(std::span(routed.expected).subspan(routed.first[i], n_children),
                            std::span(routed.counts).subspan(routed.first[i] * width_, n_children * width_));
    const bool stops = !routed.ends[i].empty() || (routed.adds && !held_[routed.node[i]].empty());
    if (!stops) continue;
    std::vector<double> stopped(width_, 0.0);
    if (routed.adds) errors_.count(held_[routed.node[i]], stopped.data());
    errors_.count(routed.ends[i], stopped.data());
    routed.expected[i] += errors_.of_leaves(stopped)[0];
  }
}

}   // namespace treewright
