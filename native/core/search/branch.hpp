// A branch: all that lies below a small node, grown in one loop over flat arrays. It serves trees without finer rules on
// columns of numbers without missing values, where most nodes have few rows and whatever is done per node counts. The
// cuts, and so the tree, are those of the general loop (grow.cpp).
#pragma once
#include "../recorded.hpp"
#include "../stopping.hpp"
#include "../store.hpp"
#include "sorted.hpp"

namespace treewright {

template <class C>
class Branch {
 public:
  // `criterion` counts rows by the ids of the lists; `any` is the same.
  Branch(const C& criterion, const AnyCriterion& any, const SortedLists& lists, const Segment& segment,
         const BranchRules& rules)
      : criterion_(criterion.gather(lists.ids(segment))),
        any_(any),
        lists_(lists),
        rules_(rules),
        n_(segment.size()),
        rows_(n_),
        side_(n_),
        ids_(n_) {
    thread_local std::vector<std::uint32_t> here;   // by id of the lists
    here.resize(std::max(here.size(), lists.rows().size()));
    for (std::uint32_t i = 0; i < n_; ++i) {
      const std::uint32_t id = lists.ids(segment)[i];
      here[id] = i;
      rows_[i] = lists.row(id);
    }
    entries_[0].resize(n_ * n_columns());
    entries_[1].resize(n_ * n_columns());
    for (std::size_t f = 0; f < n_columns(); ++f) {
      const auto [entries, n_present] = lists.present(f, segment);
      Entry rank = 0;
      for (std::uint32_t i = 0; i < n_; ++i) {
        rank += i > 0 && SortedLists::rank(entries[i]) != SortedLists::rank(entries[i - 1]);
        entries_[0][f * n_ + i] = rank << id_bits | here[SortedLists::id(entries[i])];
      }
    }
  }

  GrownTree grow(const Seed& seed) {
    tree_.emplace_back();
    tree_[0].summary = seed.summary;
    root_mass_ = seed.root_mass;
    open_.push_back({0, 0, n_, seed.depth, 0});
    for (std::size_t n_done = 0; !open_.empty(); ++n_done) {
      if (n_done % 256 == 0) rules_.pool.check();
      const Open node = open_.back();
      open_.pop_back();
      const Cut best = best_cut(node);
      const std::span<const Entry> tested = list(node, static_cast<std::size_t>(std::max(best.feature, 0)), node.copy);
      for (std::uint32_t i = 0; i < node.size(); ++i) ids_[i] = id(tested[i]);   // in order of the column
      divide(node, best, std::span(ids_).first(node.size()));
    }
    return std::move(tree_);
  }

 private:
  using Entry = std::uint32_t;   // rank of the value, then id of the row
  static constexpr int id_bits = 16;
  static_assert(std::size_t{1} << id_bits == BranchRules::most_rows);

  struct Open {   // a node that may split
    NodeIndex node;
    std::uint32_t begin, end;   // of every list
    std::int64_t depth;
    int copy;   // of the lists that holds it
    std::uint32_t size() const { return end - begin; }
  };
  struct List {
    std::span<const Entry> entries;
    std::size_t size() const { return entries.size(); }
    std::size_t row(std::size_t i) const { return id(entries[i]); }
    bool differ(std::size_t i) const { return entries[i] >> id_bits != entries[i + 1] >> id_bits; }
  };
  static std::uint32_t id(Entry entry) { return entry & ((Entry{1} << id_bits) - 1); }

  std::size_t n_columns() const { return lists_.n_columns(); }
  std::span<Entry> list(const Open& node, std::size_t f, int copy) {
    return std::span(entries_[copy]).subspan(f * n_ + node.begin, node.size());
  }

  SearchContext<C> context(const Open& node) const {
    const SplitRequest request{node.node, &tree_[static_cast<std::size_t>(node.node)].summary, 0, 0, 0};
    return {search_input(any_, rules_.growth, rules_.min_weight, request, 0), criterion_};
  }
  Cut best_cut(const Open& node) {
    SearchContext<C> context = this->context(node);
    Cut best;
    for (std::size_t f = 0; f < n_columns(); ++f) {
      context.feature = static_cast<std::int32_t>(f);
      search_ordinary(context, List{list(node, f, node.copy)}, best);
    }
    return best;
  }

  // `ids`: of the node's rows, in the order of the tested column.
  void divide(const Open& open, const Cut& cut, std::span<const RowIndex> ids) {
    const auto at = static_cast<std::size_t>(open.node);
    const double weight = tree_[at].summary.weight, gain = any_.user_mass(cut.gain);
    if (cut.score < 0 || !rules_.stopping.gains_enough(gain, cut.score, weight)) {
      tree_[at].summary.tally = {};
      return;
    }
    const std::uint32_t n_left = cut.after + 1;
    const auto first = static_cast<NodeIndex>(tree_.size());
    tree_.resize(tree_.size() + 2);
    Summary left = criterion_.summary(ids.first(n_left)), right = criterion_.summary(ids.subspan(n_left));
    record(tree_[at], cut, gain, first, left, right);
    tree_[at].threshold = threshold(cut, ids);
    const Open children[2]{{first, open.begin, open.begin + n_left, open.depth + 1, 1 - open.copy},
                           {first + 1, open.begin + n_left, open.end, open.depth + 1, 1 - open.copy}};
    bool needs_lists = false, pair[2]{};
    for (std::size_t k = 2; k-- > 0;) {
      Summary& summary = k == 0 ? left : right;
      TreeNode& child = tree_[static_cast<std::size_t>(first) + k];
      child.share = summary.weight / weight;
      const bool may_split = rules_.stopping.may_split(summary, open.depth + 1);
      pair[k] = may_split && children[k].size() == 2;
      if (may_split && !pair[k]) open_.push_back(children[k]), needs_lists = true;
      if (!may_split) summary.tally = {};
      child.summary = std::move(summary);
    }
    if (needs_lists) divide_lists(open, static_cast<std::size_t>(cut.feature), ids, n_left);
    const std::array<RowIndex, 4> last{ids[0], ids[1], ids[ids.size() - 2], ids[ids.size() - 1]};
    if (pair[0]) divide_pair(children[0], last[0], last[1]);
    if (pair[1]) divide_pair(children[1], last[2], last[3]);
  }

  // A third of all nodes have two rows: any column that tells them apart removes all of the impurity, and the first does.
  void divide_pair(const Open& pair, RowIndex a, RowIndex b) {
    const SearchContext<C> context = this->context(pair);
    std::vector<std::int64_t> scratch;
    for (std::size_t f = 0; f < n_columns(); ++f) {
      const Column& column = lists_.column(f);
      const Key key_a = read_key(column, rows_[a]), key_b = read_key(column, rows_[b]);
      if (key_a == key_b) continue;
      const std::array<RowIndex, 2> ids = key_a < key_b ? std::array{a, b} : std::array{b, a};
      OwnTally<C> left(criterion_);
      criterion_.add(left, ids[0]);
      if (!context.rules.allow(criterion_, context.total, left, scratch)) break;
      const double gain = context.gain(left);
      return divide(pair, {context.scale.score(gain), gain, 0, static_cast<std::int32_t>(f), 0, 0}, ids);
    }
    divide(pair, {}, {});
  }

  // Every list goes to the other copy, first child first, in its order.
  void divide_lists(const Open& open, std::size_t tested, std::span<const RowIndex> ids, std::uint32_t n_left) {
    for (std::uint32_t i = 0; i < open.size(); ++i) side_[ids[i]] = i >= n_left;
    for (std::size_t f = 0; f < n_columns(); ++f) {
      const Entry* from = list(open, f, open.copy).data();
      Entry* to = list(open, f, 1 - open.copy).data();
      if (f == tested) {
        std::copy_n(from, open.size(), to);
        continue;
      }
      std::uint32_t left = 0, right = n_left;
      for (std::uint32_t i = 0; i < open.size(); ++i) {   // no branch to mispredict
        const std::uint32_t goes_right = side_[id(from[i])];
        to[goes_right ? right : left] = from[i];
        left += 1 - goes_right;
        right += goes_right;
      }
    }
  }

  void record(TreeNode& node, const Cut& cut, double gain, NodeIndex first, const Summary& left, const Summary& right) {
    node.first_child = first;
    node.n_children = 2;
    node.feature = cut.feature;
    node.missing_child = rules_.growth.classic.unseen_stops ? stops_missing : right.n_rows >= left.n_rows;
    node.gain = gain;
    node.priority = Scale(root_mass_).score(cut.gain);
    node.summary.tally = {};
  }

  Threshold threshold(const Cut& cut, std::span<const RowIndex> ids) const {
    const Column& column = lists_.column(static_cast<std::size_t>(cut.feature));
    Split split;
    split.low = read_key(column, rows_[ids[cut.after]]);
    split.high = read_key(column, rows_[ids[cut.after + 1]]);
    set_threshold(split, column, rules_.growth, {});
    return split.threshold;
  }

  C criterion_;   // over the rows of the branch, numbered 0, 1, ...
  const AnyCriterion& any_;
  const SortedLists& lists_;
  const BranchRules& rules_;
  std::uint32_t n_;
  std::vector<RowIndex> rows_;       // of the table, by id
  std::vector<std::uint8_t> side_;   // of the children of the node at hand, by id
  std::vector<RowIndex> ids_;        // of the node at hand
  std::vector<Entry> entries_[2];    // [column][row], sorted node by node; a node is in one of the two copies
  std::vector<Open> open_;
  double root_mass_ = 0;
  GrownTree tree_;
};

}   // namespace treewright
