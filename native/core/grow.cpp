#include "grow.hpp"

#include <cmath>
#include <utility>

#include "stopping.hpp"

namespace treewright {

namespace {

struct NewLeaf {   // a leaf just made, whose best split is not known yet
  NodeIndex node;
  std::int64_t depth;
  std::uint64_t random_key;
  const Summary* summary;   // until the next leaves are made
};
struct Part : NewLeaf {   // a leaf for a store of its own
  Summary own;
};

class Grower {
 public:
  Grower(Store& store, const Growth& growth, Seed seed, std::shared_ptr<NodeMemory> memory = {})
      : store_(store),
        growth_(growth),
        in_batches_(store.prefers_batches()),
        searches_late_(store.searches_late() && growth.order == Order::depth),
        seed_(std::move(seed)),
        stopping_{growth, store.user_mass(seed_.root_mass), seed_.root_weight},
        root_scale_(seed_.root_mass),
        frontier_(growth.order),
        memory_(std::move(memory)),
        tree_(list_to_make(seed_.summary.value.size())) {}

  TreeInParts run() {
    tree_.add(1);
    record_summary(0, seed_.summary);
    if (bounded()) set_bounds(0, seed_.lower, seed_.upper);
    std::int64_t n_leaves = 1;
    new_leaves_.push_back({0, seed_.depth, seed_.random_key, &seed_.summary});
    consider();
    while (!frontier_.empty() && (any_order_will_do() || n_leaves < growth_.max_leaf_nodes)) {
      store_.check();
      batch_.clear();
      do batch_.push_back(frontier_.pop());
      while (in_batches_ && !frontier_.empty());
      if (!searches_late_ || search(batch_[0])) {
        const std::int64_t before = n_leaves;
        for (const OpenLeaf& leaf : batch_) n_leaves += leaf.split->n_children - 1;
        if (any_order_will_do() || n_leaves <= growth_.max_leaf_nodes) {
          divide();
          consider();
        } else {   // too many branches: it stays a leaf
          n_leaves = before;
          store_.close(batch_[0].node);
        }
      }
      for (const OpenLeaf& leaf : batch_) frontier_.close(leaf.split);
    }
    TreeInParts grown = grow_parts();
    if (growth_.max_leaf_nodes >= 0 && in_batches_)
      return {{}, best_leaves(GrownTree(std::move(grown)).in_one_list().nodes)};
    return grown;
  }

 private:
  // A store that prefers batches searches more nodes than a limit on leaves allows, and the best are taken in the end.
  bool any_order_will_do() const { return growth_.max_leaf_nodes < 0 || in_batches_; }

  bool bounded() const { return !growth_.monotonic.empty(); }
  void set_bounds(NodeIndex node, double lower, double upper) {
    RareParts& rare = tree_.make_rare(node);
    rare.lower = lower;
    rare.upper = upper;
  }
  void record_summary(NodeIndex node, const NodeSummary& summary) {
    tree_[node].n_rows = summary.n_rows;
    tree_[node].weight = summary.weight;
    tree_[node].impurity = summary.impurity;
    std::copy(summary.value.begin(), summary.value.end(), tree_.value(node).begin());
  }

  bool search(const OpenLeaf& leaf) {   // false: it stays a leaf
    const SplitRequest request{leaf.node, {}, 0, 0, 0, leaf.random_key, leaf.split};
    store_.best_splits({&request, 1});
    const Split& split = *leaf.split;
    const bool found =
        bool(split) && stopping_.gains_enough(store_.user_mass(split.gain), split.score, tree_[leaf.node].weight);
    if (!found) store_.close(leaf.node);
    return found;
  }

  // Searches the new leaves that may be split, or keeps them for stores of their own.
  void consider() {
    std::size_t n_wanted = 0;
    const std::int64_t part_size = any_order_will_do() ? store_.part_size() : 0;
    requests_.clear();
    for (const NewLeaf& leaf : new_leaves_) {
      if (!stopping_.may_split(*leaf.summary, leaf.depth)) {
        store_.close(leaf.node);
      } else if (leaf.summary->n_rows <= part_size) {
        parts_.push_back({leaf, *leaf.summary});
      } else {
        new_leaves_[n_wanted++] = leaf;
      }
    }
    if (searches_late_) {
      for (std::size_t i = n_wanted; i-- > 0;)
        frontier_.push({new_leaves_[i].node, new_leaves_[i].depth, new_leaves_[i].random_key, frontier_.new_split()});
      return;
    }
    for (std::size_t i = 0; i < n_wanted; ++i) {
      const NewLeaf& leaf = new_leaves_[i];
      const RareParts& rare = tree_.rare(leaf.node);
      requests_.push_back({leaf.node,
                           {leaf.summary->tally.data(), leaf.summary->tally.size()},
                           leaf.summary->mass,
                           rare.lower,
                           rare.upper,
                           leaf.random_key,
                           frontier_.new_split()});
    }
    if (requests_.empty()) return;
    store_.best_splits(requests_);
    for (std::size_t i = n_wanted; i-- > 0;) {   // the first is the last to be pushed: of equals it goes first
      const NewLeaf& from = new_leaves_[i];
      Split& found = *requests_[i].split;
      if (found.tests) tree_.make_rare(from.node).tests = found.tests;
      if (!found || !stopping_.gains_enough(store_.user_mass(found.gain), found.score, from.summary->weight)) {
        store_.close(from.node);
        frontier_.close(&found);
        continue;
      }
      store_.set_aside(from.node, found);
      frontier_.push({from.node, from.depth, from.random_key, &found, root_scale_.score(found.gain)});
    }
  }

  // Parts begin where this growth ends.
  Seed seed_of(const Part& leaf) const {
    const RareParts& rare = tree_.rare(leaf.node);
    return {leaf.own, leaf.depth, leaf.random_key, rare.lower, rare.upper, seed_.root_mass, seed_.root_weight};
  }

  // Gives the leaves of the batch their children, which are the new leaves.
  void divide() {
    moves_.clear();
    std::size_t n_all = 0;
    for (const OpenLeaf& leaf : batch_) n_all += static_cast<std::size_t>(leaf.split->n_children);
    if (children_.size() < n_all) children_.resize(n_all);
    for (const OpenLeaf& leaf : batch_)
      moves_.push_back({leaf.node, leaf.split, tree_.add(static_cast<std::size_t>(leaf.split->n_children)),
                        growth_.max_depth >= 0 && leaf.depth + 1 >= growth_.max_depth});
    std::span<Summary> left = std::span(children_).first(n_all);
    store_.route(moves_, left);
    new_leaves_.clear();
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      const auto n_children = static_cast<std::size_t>(batch_[i].split->n_children);
      record_split(batch_[i], moves_[i].first_child, left.first(n_children));
      for (std::size_t k = 0; k < n_children; ++k) {
        new_leaves_.push_back({moves_[i].first_child + static_cast<NodeIndex>(k), batch_[i].depth + 1,
                               mix(batch_[i].random_key + 1 + k), &left[k]});
      }
      left = left.subspan(n_children);
    }
  }

  void record_split(const OpenLeaf& leaf, NodeIndex first, std::span<const Summary> children) {
    TreeNode& node = tree_[leaf.node];
    const Split& split = *leaf.split;
    node.first_child = first;
    node.n_children = split.n_children;
    node.feature = split.feature;
    node.threshold = split.threshold.value;
    node.strict = split.threshold.strict;
    node.found_by = split.found_by;
    node.heuristic = split.heuristic;
    node.missing_seen = split.missing_seen;
    node.missing_child = split.stops_missing() ? stops_missing : split.child_of_missing();
    if (growth_.classic.missing_to_more && growth_.missing == Missing::surrogate)
      node.missing_child = more_rows(children);
    if (!split.missing_seen && growth_.missing != Missing::surrogate) {
      node.missing_child = growth_.classic.unseen_stops ? stops_missing : most_rows(children);
    }
    if (growth_.missing == Missing::fractional) node.missing_child = shared_missing;
    node.gain = store_.user_mass(split.gain);
    if (split.levels || split.combination || split.surrogates || split.threshold.is_exact_integer ||
        growth_.max_leaf_nodes >= 0) {
      RareParts& rare = tree_.make_rare(leaf.node);
      if (split.threshold.is_exact_integer) rare.exact = split.threshold.exact;
      rare.levels = split.levels;
      rare.combination = split.combination;
      rare.surrogates = split.surrogates;
      rare.priority = leaf.priority;
    }
    double weight = 0;
    for (const Summary& child : children) weight += child.weight;
    for (std::size_t k = 0; k < children.size(); ++k) {
      const NodeIndex child = first + static_cast<NodeIndex>(k);
      if (growth_.missing == Missing::fractional) tree_.make_rare(child).share = children[k].weight / weight;
      if (children[k].n_rows > 0) record_summary(child, children[k]);
      else set_empty_value(tree_.value(leaf.node), tree_.value(child));
    }
    if (bounded()) bound_children(leaf.node, first, static_cast<NodeIndex>(children.size()));
  }

  // What a leaf without rows predicts depends on its parent.
  void set_empty_value(std::span<const double> parent, std::span<double> value) const {
    if (growth_.classic.empty_branches == EmptyBranches::shares)
      return void(std::copy(parent.begin(), parent.end(), value.begin()));
    std::fill(value.begin(), value.end(), 0.0);
    const auto most = std::max_element(parent.begin(), parent.end()) - parent.begin();
    if (growth_.classic.empty_branches == EmptyBranches::label) value[static_cast<std::size_t>(most)] = 1;
  }

  static std::int32_t more_rows(std::span<const Summary> children) {   // of two; between equals a row stops
    if (children[0].n_rows == children[1].n_rows) return stops_missing;
    return children[1].n_rows > children[0].n_rows;
  }
  static std::int32_t most_rows(std::span<const Summary> children) {   // the last of equals
    std::size_t most = 0;
    for (std::size_t k = 1; k < children.size(); ++k)
      if (children[k].n_rows >= children[most].n_rows) most = k;
    return static_cast<std::int32_t>(most);
  }

  // Below a constrained split no value on one side may pass the middle of the two.
  void bound_children(NodeIndex parent, NodeIndex first, NodeIndex n_children) {
    const double lower = tree_.rare(parent).lower, upper = tree_.rare(parent).upper;
    for (NodeIndex k = first; k < first + n_children; ++k) set_bounds(k, lower, upper);
    const int sign = growth_.monotonic[static_cast<std::size_t>(tree_[parent].feature)];
    if (sign == 0) return;
    const auto value = [&](NodeIndex node) {   // P(class 1), or the number
      const std::span<const double> v = tree_.value(node);
      return std::clamp(v.size() > 1 ? v[1] : v[0], lower, upper);
    };
    const double middle = (value(first) + value(first + 1)) / 2;
    (sign > 0 ? tree_.make_rare(first).upper : tree_.make_rare(first).lower) = middle;
    (sign > 0 ? tree_.make_rare(first + 1).lower : tree_.make_rare(first + 1).upper) = middle;
  }

  // Subtrees that fit one thread: the same loop, each over its own rows.
  TreeInParts grow_parts() {
    TreeInParts grown{memory_};
    std::stable_sort(parts_.begin(), parts_.end(),
                     [&](const Part& a, const Part& b) { return a.own.n_rows > b.own.n_rows; });
    if (tree_.size() == 1 && parts_.size() == 1) {   // handed out as a whole
      const NodeIndex root = 0;
      Seed seed = seed_of(parts_[0]);
      keep_list(std::move(tree_));
      return Grower(*store_.parts({&root, 1})[0](), growth_, std::move(seed), memory_).run();
    }
    constexpr std::int64_t many = 16'000;   // rows: of fewer the nodes do not fill a large page
    std::int64_t n_rows = 0;
    for (const Part& part : parts_) n_rows += part.own.n_rows;
    if (!memory_ && n_rows >= many) grown.memory = std::make_shared<NodeMemory>();
    const auto kept = memory_ ? nullptr : grown.memory;   // the branches of a branch are copied into its list
    for (std::size_t done = 0; done < parts_.size();) {
      std::vector<NodeIndex> nodes;
      for (std::size_t i = done; i < parts_.size(); ++i) nodes.push_back(parts_[i].node);
      const std::vector<MakeStore> stores = store_.parts(nodes);
      grown.branches.resize(done + stores.size());
      store_.for_each(stores.size(), [&](std::size_t i) {
        grown.branches[done + i] = grow(*stores[i](), growth_, seed_of(parts_[done + i]), kept);
      });
      for (std::size_t i = 0; i < stores.size(); ++i) grown.at.push_back(parts_[done + i].node);
      done += stores.size();
    }
    grown.tree = std::move(tree_);
    return grown;
  }

  // Of a tree with more leaves than allowed what growth of the best leaf first would have made: which split a node has
  // does not depend on the order, so that this loop is the one above with splits that are known.
  NodeList best_leaves(NodeList&& grown) const {
    NodeList tree(grown.n_values());
    std::vector<bool> divided;   // the children of other nodes are still those of `grown`
    Frontier frontier(growth_.order);
    const auto take = [&](NodeIndex node) {
      tree.take(grown, node);
      divided.push_back(false);
    };
    const auto open = [&](NodeIndex node, std::int64_t depth) {
      if (tree[node].first_child >= 0) frontier.push({node, depth, 0, nullptr, tree.rare(node).priority});
    };
    take(0);
    open(0, 0);
    std::int64_t n_leaves = 1;
    while (!frontier.empty() && n_leaves < growth_.max_leaf_nodes) {
      const OpenLeaf leaf = frontier.pop();
      const NodeIndex n_children = tree[leaf.node].n_children;
      if (n_leaves + n_children - 1 > growth_.max_leaf_nodes) continue;
      n_leaves += n_children - 1;
      divided[static_cast<std::size_t>(leaf.node)] = true;
      const NodeIndex first = std::exchange(tree[leaf.node].first_child, static_cast<NodeIndex>(tree.size()));
      for (NodeIndex k = 0; k < n_children; ++k) take(first + k);
      for (NodeIndex k = 1; k <= n_children; ++k) open(static_cast<NodeIndex>(tree.size()) - k, leaf.depth + 1);
    }
    for (std::size_t i = 0; i < tree.size(); ++i)
      if (!divided[i]) tree.make_leaf(static_cast<NodeIndex>(i));
    return tree;
  }

  Store& store_;
  const Growth& growth_;
  const bool in_batches_, searches_late_;   // as the store prefers
  Seed seed_;
  Stopping stopping_;
  Scale root_scale_;
  Frontier frontier_;
  std::shared_ptr<NodeMemory> memory_;
  NodeList tree_;
  std::vector<Part> parts_;
  std::vector<OpenLeaf> batch_;          // the leaves that are divided now,
  std::vector<Move> moves_;              // how,
  std::vector<Summary> children_;        // into what,
  std::vector<NewLeaf> new_leaves_;      // whose best splits are
  std::vector<SplitRequest> requests_;   // wanted
};

}   // namespace

NodeLevels grow(Store& store, const Growth& growth, Seed seed, std::shared_ptr<NodeMemory> memory) {
  return GrownTree(Grower(store, growth, std::move(seed), std::move(memory)).run()).in_one_list();
}

GrownTree grow(Store& store, const Growth& growth) {
  Seed seed;
  seed.summary = store.root();
  seed.random_key = mix(growth.seed);
  seed.root_mass = seed.summary.mass;
  seed.root_weight = seed.summary.weight;
  seed.lower = growth.lower, seed.upper = growth.upper;
  return GrownTree(Grower(store, growth, std::move(seed)).run());
}

}   // namespace treewright
