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
  OwnedTally tally;
};

class Grower {
 public:
  Grower(Store& store, const Growth& growth, Seed seed)
      : store_(store),
        growth_(growth),
        seed_(std::move(seed)),
        stopping_{growth, store.user_mass(seed_.root_mass), seed_.root_weight},
        frontier_(growth.order) {}

  TreeInParts run() {
    tree_.emplace_back();
    OwnedTally tally = std::move(seed_.summary.tally);
    tree_[0].summary = std::move(seed_.summary);
    tree_[0].lower = seed_.lower;
    tree_[0].upper = seed_.upper;
    std::int64_t n_leaves = 1;
    new_leaves_.push_back({0, seed_.depth, seed_.random_key, std::move(tally)});
    consider();
    while (!frontier_.empty() && (any_order_will_do() || n_leaves < growth_.max_leaf_nodes)) {
      store_.check();
      batch_.clear();
      do batch_.push_back(frontier_.pop());
      while (store_.prefers_batches() && !frontier_.empty());
      for (const OpenLeaf& leaf : batch_) n_leaves += leaf.split.n_children - 1;
      if (!any_order_will_do() && n_leaves > growth_.max_leaf_nodes) {   // too many branches: it stays a leaf
        n_leaves -= batch_[0].split.n_children - 1;
        store_.close(batch_[0].node);
        continue;
      }
      divide();
      consider();
    }
    TreeInParts grown = grow_parts();
    if (growth_.max_leaf_nodes >= 0 && store_.prefers_batches()) return {best_leaves(std::move(grown).grafted())};
    return grown;
  }

 private:
  // A store that prefers batches searches more nodes than a limit on leaves allows, and the best are taken in the end.
  bool any_order_will_do() const { return growth_.max_leaf_nodes < 0 || store_.prefers_batches(); }

  // Searches the new leaves that may be split, or keeps them for stores of their own.
  void consider() {
    std::size_t n_wanted = 0;
    requests_.clear();
    for (NewLeaf& leaf : new_leaves_) {
      const TreeNode& node = tree_[static_cast<std::size_t>(leaf.node)];
      if (!stopping_.may_split(node.summary, leaf.depth)) {
        store_.close(leaf.node);
      } else if (node.summary.n_rows <= store_.part_size() && any_order_will_do()) {
        parts_.push_back(std::move(leaf));
      } else {
        if (NewLeaf& to = new_leaves_[n_wanted++]; &to != &leaf) to = std::move(leaf);
      }
    }
    for (std::size_t i = 0; i < n_wanted; ++i) {
      const NewLeaf& leaf = new_leaves_[i];
      const TreeNode& node = tree_[static_cast<std::size_t>(leaf.node)];
      requests_.push_back({leaf.node,
                           {leaf.tally.data(), leaf.tally.size()},
                           node.summary.mass,
                           node.lower,
                           node.upper,
                           leaf.random_key});
    }
    if (requests_.empty()) return;
    std::vector<Split> splits = store_.best_splits(requests_);
    for (std::size_t i = n_wanted; i-- > 0;) {   // the first is the last to be pushed: of equals it goes first
      const NewLeaf& from = new_leaves_[i];
      const double weight = tree_[static_cast<std::size_t>(from.node)].summary.weight;
      if (!splits[i] || !stopping_.gains_enough(store_.user_mass(splits[i].gain), splits[i].score, weight)) {
        store_.close(from.node);
        continue;
      }
      OpenLeaf leaf{from.node, from.depth, from.random_key, std::move(splits[i])};
      leaf.priority = Scale(seed_.root_mass).score(leaf.split.gain);
      store_.set_aside(leaf.node, leaf.split);
      frontier_.push(std::move(leaf));
    }
  }

  // Parts begin where this growth ends.
  Seed seed_of(const NewLeaf& leaf) const {
    const TreeNode& node = tree_[static_cast<std::size_t>(leaf.node)];
    return {{node.summary, leaf.tally}, leaf.depth, leaf.random_key, node.lower, node.upper, seed_.root_mass,
            seed_.root_weight};
  }

  // Gives the leaves of the batch their children, which are the new leaves.
  void divide() {
    moves_.clear();
    new_leaves_.clear();
    for (const OpenLeaf& leaf : batch_) {
      moves_.push_back({leaf.node, &leaf.split, static_cast<NodeIndex>(tree_.size())});
      tree_.resize(tree_.size() + static_cast<std::size_t>(leaf.split.n_children));
    }
    auto children = store_.route(moves_);
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      const NodeIndex first = moves_[i].first_child;
      for (NodeIndex k = 0; k < batch_[i].split.n_children; ++k) {
        const std::uint64_t key = mix(batch_[i].random_key + 1 + static_cast<std::uint64_t>(k));
        new_leaves_.push_back(
            {first + k, batch_[i].depth + 1, key, std::move(children[i][static_cast<std::size_t>(k)].tally)});
      }
      record_split(batch_[i], first, std::move(children[i]));
    }
  }

  void record_split(const OpenLeaf& leaf, NodeIndex first, std::vector<Summary>&& children) {
    TreeNode& node = tree_[static_cast<std::size_t>(leaf.node)];
    const Split& split = leaf.split;
    node.first_child = first;
    node.n_children = split.n_children;
    node.feature = split.feature;
    node.threshold = split.threshold;
    node.levels = split.levels;
    node.combination = split.combination;
    node.surrogates = split.surrogates;
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
    node.priority = leaf.priority;
    double weight = 0;
    for (const Summary& child : children) weight += child.weight;
    for (std::size_t k = 0; k < children.size(); ++k) {
      TreeNode& child = tree_[static_cast<std::size_t>(first) + k];
      child.share = children[k].weight / weight;
      NodeSummary& summary = children[k];
      child.summary = summary.n_rows > 0 ? std::move(summary) : empty_summary(node.summary);
      child.lower = node.lower;
      child.upper = node.upper;
    }
    bound_children(node, tree_[static_cast<std::size_t>(first)], tree_[static_cast<std::size_t>(first) + 1]);
  }

  // What a leaf without rows predicts depends on its parent.
  NodeSummary empty_summary(const NodeSummary& parent) const {
    NodeSummary empty;
    empty.value = parent.value;
    if (growth_.classic.empty_branches == EmptyBranches::shares) return empty;
    std::fill(empty.value.begin(), empty.value.end(), 0.0);
    const auto most = std::max_element(parent.value.begin(), parent.value.end()) - parent.value.begin();
    if (growth_.classic.empty_branches == EmptyBranches::label) empty.value[static_cast<std::size_t>(most)] = 1;
    return empty;
  }

  static std::int32_t more_rows(const std::vector<Summary>& children) {   // of two; between equals a row stops
    if (children[0].n_rows == children[1].n_rows) return stops_missing;
    return children[1].n_rows > children[0].n_rows;
  }
  static std::int32_t most_rows(const std::vector<Summary>& children) {   // the last of equals
    std::size_t most = 0;
    for (std::size_t k = 1; k < children.size(); ++k)
      if (children[k].n_rows >= children[most].n_rows) most = k;
    return static_cast<std::int32_t>(most);
  }

  // Below a constrained split no value on one side may pass the middle of the two.
  void bound_children(const TreeNode& node, TreeNode& left, TreeNode& right) const {
    if (growth_.monotonic.empty()) return;
    const int sign = growth_.monotonic[static_cast<std::size_t>(node.feature)];
    if (sign == 0) return;
    const auto value = [](const TreeNode& n) {   // P(class 1), or the number
      const auto& v = n.summary.value;
      return std::clamp(v.size() > 1 ? v[1] : v[0], n.lower, n.upper);
    };
    const double middle = (value(left) + value(right)) / 2;
    (sign > 0 ? left.upper : left.lower) = middle;
    (sign > 0 ? right.lower : right.upper) = middle;
  }

  // Subtrees that fit one thread: the same loop, each over its own rows.
  TreeInParts grow_parts() {
    TreeInParts grown;
    std::stable_sort(parts_.begin(), parts_.end(), [&](const NewLeaf& a, const NewLeaf& b) {
      return tree_[static_cast<std::size_t>(a.node)].summary.n_rows >
             tree_[static_cast<std::size_t>(b.node)].summary.n_rows;
    });
    for (std::size_t done = 0; done < parts_.size();) {
      std::vector<NodeIndex> nodes;
      for (std::size_t i = done; i < parts_.size(); ++i) nodes.push_back(parts_[i].node);
      std::vector<std::unique_ptr<Store>> stores = store_.parts(nodes);
      grown.branches.resize(done + stores.size());
      store_.for_each(stores.size(), [&](std::size_t i) {
        grown.branches[done + i] = grow(*stores[i], growth_, seed_of(parts_[done + i]));
        stores[i].reset();
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
    NodeList tree;
    std::vector<NodeIndex> from{0};   // where each node of the tree is in `grown`
    Frontier frontier(growth_.order);
    const auto open = [&](NodeIndex node, std::int64_t depth) {
      const TreeNode& known = grown[static_cast<std::size_t>(from[static_cast<std::size_t>(node)])];
      if (known.first_child >= 0) frontier.push({node, depth, 0, {}, known.priority});
    };
    tree.emplace_back();
    open(0, 0);
    std::int64_t n_leaves = 1;
    while (!frontier.empty() && n_leaves < growth_.max_leaf_nodes) {
      const OpenLeaf leaf = frontier.pop();
      TreeNode& known = grown[static_cast<std::size_t>(from[static_cast<std::size_t>(leaf.node)])];
      if (n_leaves + known.n_children - 1 > growth_.max_leaf_nodes) continue;
      n_leaves += known.n_children - 1;
      const NodeIndex first = std::exchange(known.first_child, static_cast<NodeIndex>(tree.size()));
      tree[static_cast<std::size_t>(leaf.node)] = std::move(known);
      const std::int32_t n_children = tree[static_cast<std::size_t>(leaf.node)].n_children;
      for (std::int32_t k = 0; k < n_children; ++k) from.push_back(first + k), tree.emplace_back();
      for (std::int32_t k = 1; k <= n_children; ++k) open(static_cast<NodeIndex>(tree.size()) - k, leaf.depth + 1);
    }
    for (std::size_t i = 0; i < tree.size(); ++i) {
      if (tree[i].first_child < 0) tree[i] = std::move(grown[static_cast<std::size_t>(from[i])]).as_leaf();
    }
    return tree;
  }

  Store& store_;
  const Growth& growth_;
  Seed seed_;
  Stopping stopping_;
  Frontier frontier_;
  NodeList tree_;
  std::vector<NewLeaf> parts_;
  std::vector<OpenLeaf> batch_;       // the leaves that are divided now,
  std::vector<Move> moves_;           // how,
  std::vector<NewLeaf> new_leaves_;   // what they become,
  std::vector<SplitRequest> requests_;
};

}   // namespace

NodeList grow(Store& store, const Growth& growth, Seed seed) {
  return Grower(store, growth, std::move(seed)).run().grafted();
}

GrownTree grow(Store& store, const Growth& growth) {
  Seed seed;
  seed.summary = store.root();
  seed.random_key = mix(growth.seed);
  seed.root_mass = seed.summary.mass;
  seed.root_weight = seed.summary.weight;
  return Grower(store, growth, std::move(seed)).run();
}

}   // namespace treewright
