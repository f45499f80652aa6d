#include "raising.hpp"

#include <bit>
#include <numeric>

#include "parallel.hpp"
#include "random.hpp"

namespace treewright {

namespace {

constexpr double equal = 1e-6;           // errors or weights this close are equal
constexpr double slack = 0.1 + equal;    // how many errors more a simpler tree may make
constexpr double least_share = 0.1;      // of its parent's weight: a lighter child is not regrown
constexpr double as_it_is = 0.95;        // of its parent's weight: a heavier child is raised with its branch

}   // namespace

Raising::Raising(PredictorTree tree, const RaisingRows& rows, std::span<const std::int64_t> decision,
                 const ErrorLimit& limit, double pool, GrowBranch grow)
    : tree_(std::move(tree)),
      rows_(rows),
      limit_(limit),
      pool_(pool),
      grow_(std::move(grow)),
      n_old_(tree_.nodes.size()),
      width_(rows.n_outputs * rows.n_classes),
      slot_(rows.columns.size()),
      walker_(tree_, rows.columns, slot_),
      decision_(decision.begin(), decision.end()),
      n_sources_(static_cast<std::int64_t>(n_old_)) {
  std::iota(slot_.begin(), slot_.end(), 0);
  source_.resize(n_old_);
  std::iota(source_.begin(), source_.end(), 0);
  place_source_ = source_;
  extend();
  HeldRows all;
  for (std::size_t row = 0; row < rows.weight.size(); ++row)
    if (rows.weight[row] > 0) all.add(static_cast<RowIndex>(row), rows.weight[row]);
  settle(route(0, std::move(all), false));
}

void Raising::extend() {
  walker_.extend();
  const std::size_t n = tree_.nodes.size();
  decision_.resize(n, keep);
  moved_.resize(n, 0);
  raised_.resize(n, 0);
  is_decided_.resize(n, 0);
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
    while (!pending_.empty() && node <= pending_.back().top) {
      remember(pending_.back());
      pending_.pop_back();
    }
    for (const Node again : judge(node)) waiting.push(again);
  }
}

// ---- decisions

// Decide on one node all of whose children are decided; the nodes to decide again.
std::vector<Raising::Node> Raising::judge(Node node) {
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
  forget(node);
  decision_[node] = collapse;
  held_[node] = std::move(rows);
}

std::vector<Raising::Node> Raising::raise(Node node, int chosen, Routed&& routed) {
  const Node taker = routed.node[0];
  if (grow_) {
    // Branches grow anew, so two tests could take turns for ever.
    std::set<std::string> before = stood_[node];
    before.insert(test(node));
    const bool regrows = weight(taker) < as_it_is * weight(node);
    if (regrows) {
      std::vector<Node> again = regrow(node, chosen, taker);
      stood_[moved_[node]] = std::move(before);
      return again;
    }
    stood_[taker] = std::move(before);
  }
  if (routed.adds) {   // the rows of the branch stay where they are
    for (int k = 0; k < tree_.nodes[node].n_children; ++k)
      if (k != chosen) forget(child(node, k));
    held_[node] = {};
  } else {
    forget(node);
  }
  decision_[node] = chosen;
  return settle(std::move(routed));
}

std::vector<Raising::Node> Raising::regrow(Node node, int chosen, Node taker) {
  HeldRows held = rows_at(below(node)), stopped;
  bool shares = false;
  const std::vector<HeldRows> parts = divide(taker, held, stopped, shares);
  forget(node);
  decision_[node] = chosen;
  Pending pending{add_test(taker), {}};
  const auto n_before = static_cast<Node>(tree_.nodes.size());
  std::vector<std::pair<Node, Node>> moved{{node, pending.top}};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (!tells_apart(parts[k])) continue;
    const HeldRows rows = rows_to_grow(parts[k]);
    const RowsKey key = key_of_rows(rows);
    const auto place = static_cast<Node>(pending.top + 1 + k);
    if (const auto known = known_.find(key); known != known_.end()) {
      if (!known->second.nodes.empty()) moved.emplace_back(place, add_branch(known->second));
      continue;
    }
    ++n_regrown_;
    PredictorTree tree = grow_(rows);
    pending.branches.emplace_back(key, place);
    if (tree.nodes[0].n_children > 0) moved.emplace_back(place, add_tree(std::move(tree)));
    else n_sources_ += static_cast<std::int64_t>(tree.nodes.size());
  }
  extend();
  for (const auto& [place, root] : moved) moved_[place] = root;
  pending_.push_back(std::move(pending));
  std::vector<Node> again = settle(route(pending_.back().top, std::move(held), false));
  std::erase_if(again, [&](Node at) { return at >= n_before && is_decided_[at]; });
  return again;
}

bool Raising::tells_apart(const HeldRows& part) const {   // whether there is something to tell apart
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

// The heaviest child that has a test, the last of equals. None that has few of the rows, that compares the same number
// as its parent, which would change little, or whose test stood here before.
int Raising::candidate_to_regrow(Node node) const {
  int found = -1;
  double most = 0;
  for (int k = 0; k < tree_.nodes[node].n_children; ++k) {
    const Node at = child(node, k);
    if (!is_inner(at) || (found >= 0 && weight(at) < most - equal)) continue;
    found = k;
    most = weight(at);
  }
  if (found < 0 || most < least_share * weight(node)) return -1;
  const Node at = child(node, found);
  const PredictorNode& asks = tree_.nodes[at];
  if (asks.level_begin == asks.level_end && asks.feature == tree_.nodes[node].feature) return -1;
  const auto before = stood_.find(node);
  return before != stood_.end() && before->second.contains(test(at)) ? -1 : found;
}

// No row is held below a node any more.
void Raising::forget(Node node) {
  for (const Node gone : below(node)) held_[gone] = {};
}

// Take over what a branch counts and holds; the nodes to decide again: the others are as they were decided.
std::vector<Raising::Node> Raising::settle(Routed&& routed) {
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

// ---- the tree as it stands

// The node that stands in the place of this one.
Raising::Node Raising::taker(Node node) const {
  while (true) {
    if (moved_[node] != 0) node = moved_[node];
    else if (decision_[node] >= 0) node = static_cast<Node>(tree_.nodes[node].first_child + decision_[node]);
    else return node;
  }
}

// The node and all that stand below it, breadth-first.
std::vector<Raising::Node> Raising::below(Node node) const {
  std::vector<Node> found{taker(node)};
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

// What a node asks, in bytes: equal for equal tests.
std::string Raising::test(Node at) const {
  const PredictorNode& node = tree_.nodes[at];
  std::string found;
  const auto put = [&](const auto& value) { found.append(reinterpret_cast<const char*>(&value), sizeof value); };
  put(node.feature);
  if (node.level_begin == node.level_end) {
    put(node.threshold.value);
    put(node.threshold.is_exact_integer ? node.threshold.exact : std::int64_t{0});
    put(node.threshold.is_exact_integer);
    put(node.threshold.strict);
    return found;
  }
  put(node.n_children);
  for (std::uint32_t i = node.level_begin; i < node.level_end; ++i) put(tree_.level_code[i]), put(tree_.level_child[i]);
  return found;
}

Raising::Standing Raising::standing() const {
  Standing out;
  std::vector<Node> places{0};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Node place = places[i], node = taker(place);
    out.node.push_back(node);
    out.source.push_back(source_[node]);
    out.place.push_back(place_source_[place]);
    out.inner.push_back(is_inner(node));
    out.n_raised += decision_[place] >= 0 || raised_[place];
    if (!is_inner(node)) continue;
    for (int k = 0; k < tree_.nodes[node].n_children; ++k)
      places.push_back(static_cast<Node>(tree_.nodes[node].first_child + k));
  }
  return out;
}

// ---- errors

double Raising::weight_of(const double* counts) const { return std::accumulate(counts, counts + rows_.n_classes, 0.0); }

// The weight of the rows that are not of the class that is decided, as a mean over outputs.
double Raising::wrong(const double* counts) const {
  double sum = 0;
  const std::size_t n = rows_.n_classes;
  for (std::size_t o = 0; o < rows_.n_outputs; ++o, counts += n) {
    const double weight = weight_of(counts);
    std::size_t label = static_cast<std::size_t>(std::max_element(counts, counts + n) - counts);
    if (!rows_.costs.empty()) {
      std::vector<double> expected(n, 0.0);
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i)
          expected[j] += counts[i] / (weight > 0 ? weight : 1.0) * rows_.costs[i * n + j];
      const double least = *std::min_element(expected.begin(), expected.end()) * (1 + 0x1p-40);
      label = 0;
      while (expected[label] > least) ++label;
    }
    sum += weight - counts[label];
  }
  return sum / static_cast<double>(rows_.n_outputs);
}

std::vector<double> Raising::errors(std::span<const double> counts) const {
  std::vector<double> weights, mistakes;
  for (std::size_t i = 0; i < counts.size(); i += width_) {
    weights.push_back(weight_of(counts.data() + i));
    mistakes.push_back(wrong(counts.data() + i));
  }
  return limit_(weights, mistakes);
}

// The sum over the children, and over the rows that stop at the node.
double Raising::as_branch(Node node) const {
  std::vector<double> expected, counts;
  for (int k = 0; k < tree_.nodes[node].n_children; ++k) {
    const Node at = child(node, k);
    expected.push_back(expected_[at]);
    counts.insert(counts.end(), this->counts(at), this->counts(at) + width_);
  }
  double sum = together(expected, counts);
  if (!held_[node].empty()) {
    std::vector<double> stopped(width_, 0.0);
    count(held_[node], stopped.data());
    sum += errors(stopped)[0];
  }
  return sum;
}

// The errors of siblings; those of too little weight count as one leaf.
double Raising::together(std::span<const double> expected, std::span<const double> counts) const {
  double sum = 0;
  bool any = false;
  std::vector<double> light(width_, 0.0);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double* here = counts.data() + k * width_;
    if (pool_ > 0 && weight_of(here) < pool_ - equal) {
      any = true;
      for (std::size_t j = 0; j < width_; ++j) light[j] += here[j];
    } else {
      sum += expected[k];
    }
  }
  return any ? sum + errors(light)[0] : sum;
}

void Raising::count(const HeldRows& rows, double* counts) const {
  for (std::size_t i = 0; i < rows.row.size(); ++i) {
    const std::int32_t* labels = rows_.labels + rows.row[i] * rows_.n_outputs;
    for (std::size_t o = 0; o < rows_.n_outputs; ++o)
      counts[o * rows_.n_classes + static_cast<std::size_t>(labels[o])] += rows.weight[i];
  }
}

// ---- sending rows down

// The rows of each child. Where rows without a value are shared out, the shares are those of the rows that have one.
std::vector<HeldRows> Raising::divide(Node at, const HeldRows& rows, HeldRows& stopped, bool& shares) const {
  const PredictorNode& node = tree_.nodes[at];
  const auto n_children = static_cast<std::size_t>(node.n_children);
  std::vector<Key> keys(rows.row.size());
  read_keys(rows_.columns[static_cast<std::size_t>(node.feature)], rows.row, keys.data());
  const auto load = [&](std::size_t row, std::uint32_t slot) {
    return read_key(rows_.columns[slot], static_cast<RowIndex>(row));
  };
  std::vector<std::int32_t> to(rows.row.size());
  std::vector<double> share(n_children, 0.0);
  bool some_shared = false;
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = walker_.child_of(at, keys[i]);
    if (to[i] < 0) to[i] = walker_.child(at, rows.row[i], load);
    some_shared |= to[i] == shared_missing;
    if (to[i] >= 0)
      share[static_cast<std::size_t>(to[i])] +=
          rows_.factor.empty() ? rows.weight[i] : rows.weight[i] * rows_.factor[rows.row[i]];
  }
  const double total = std::accumulate(share.begin(), share.end(), 0.0);
  for (std::size_t k = 0; k < n_children; ++k)
    share[k] = total > 0 ? share[k] / total : tree_.nodes[static_cast<std::size_t>(node.first_child) + k].share;
  std::vector<HeldRows> parts(n_children);
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

// Send rows down the branch below a node as it stands; nothing is changed. `adds`: to those that are there.
Raising::Routed Raising::route(Node from, HeldRows&& rows, bool adds) {
  ++n_routed_;
  Routed out;
  out.adds = adds;
  out.node = {taker(from)};
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
  out.counts.assign(out.node.size() * width_, 0.0);
  for (std::size_t i = out.node.size(); i-- > 0;) {
    double* counts = out.counts.data() + i * width_;
    count(out.ends[i], counts);
    if (out.first[i] == 0) continue;
    for (auto k = static_cast<std::size_t>(tree_.nodes[out.node[i]].n_children); k-- > 0;)
      for (std::size_t j = 0; j < width_; ++j) counts[j] += out.counts[(out.first[i] + k) * width_ + j];
  }
  if (adds) {
    for (std::size_t i = 0; i < out.node.size(); ++i)
      for (std::size_t j = 0; j < width_; ++j) out.counts[i * width_ + j] += counts(out.node[i])[j];
  }
  judge_branch(out);
  return out;
}

// The branch that would take the place of a node, with all of the node's rows.
Raising::Routed Raising::with_all_rows(Node taker, Node node, int chosen) {
  if (!shared_) {   // every row ends once, so those of the branch stay where they are
    std::vector<Node> others{node};
    for (int k = 0; k < tree_.nodes[node].n_children; ++k) {
      if (k == chosen) continue;
      const std::vector<Node> nodes = below(child(node, k));
      others.insert(others.end(), nodes.begin(), nodes.end());
    }
    Routed routed = route(taker, rows_at(others), true);
    if (!routed.shares) return routed;
  }
  return route(taker, rows_at(below(node)), false);
}

// The errors to expect of a branch and of all below it.
void Raising::judge_branch(Routed& routed) const {
  const std::size_t n = routed.node.size();
  std::vector<double> changed;
  for (std::size_t i = 0; i < n; ++i)
    if (routed.changed[i])
      changed.insert(changed.end(), routed.counts.begin() + static_cast<std::ptrdiff_t>(i * width_),
                     routed.counts.begin() + static_cast<std::ptrdiff_t>((i + 1) * width_));
  const std::vector<double> found = errors(changed);
  routed.as_leaf.resize(n);
  routed.expected.resize(n);
  for (std::size_t i = 0, next = 0; i < n; ++i) {
    routed.as_leaf[i] = routed.changed[i] ? found[next++] : as_leaf_[routed.node[i]];
    routed.expected[i] = routed.changed[i] ? routed.as_leaf[i] : expected_[routed.node[i]];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (routed.first[i] == 0) continue;
    const auto n_children = static_cast<std::size_t>(tree_.nodes[routed.node[i]].n_children);
    routed.expected[i] = together(std::span(routed.expected).subspan(routed.first[i], n_children),
                                  std::span(routed.counts).subspan(routed.first[i] * width_, n_children * width_));
    const bool stops = !routed.ends[i].empty() || (routed.adds && !held_[routed.node[i]].empty());
    if (!stops) continue;
    std::vector<double> stopped(width_, 0.0);
    if (routed.adds) count(held_[routed.node[i]], stopped.data());
    count(routed.ends[i], stopped.data());
    routed.expected[i] += errors(stopped)[0];
  }
}

// ---- new nodes

// Nothing below these places waits to be decided.
void Raising::remember(const Pending& decided) {
  for (const auto& [key, place] : decided.branches)
    known_.emplace(key, moved_[place] == 0 ? Branch{} : standing_below(moved_[place]));
}

Raising::Branch Raising::standing_below(Node root) const {
  Branch out;
  std::vector<Node> places{root};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Node place = places[i], node = taker(place);
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
    const auto before = stood_.find(node);
    out.stood.push_back(before == stood_.end() ? std::set<std::string>{} : before->second);
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
  for (std::size_t i = 0; i < branch.stood.size(); ++i)
    if (!branch.stood[i].empty()) stood_[root + static_cast<Node>(i)] = branch.stood[i];
  return root;
}

}   // namespace treewright
