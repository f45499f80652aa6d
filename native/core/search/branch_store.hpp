// BranchStore: the rows of a small node and of all that lies below it, in flat arrays. It serves trees without finer rules on
// columns of numbers without missing values, where most nodes have few rows and whatever is done per node counts.
#pragma once
#include <numeric>

#include "../recorded.hpp"
#include "../store.hpp"
#include "screen.hpp"
#include "sorted.hpp"

namespace treewright {

template <class C>
class BranchStore final : public Store {
 public:
  static constexpr int id_bits = 16;
  static constexpr std::size_t most_rows = std::size_t{1} << id_bits;
  static constexpr bool screened = requires(const C& criterion) { criterion.deviation(0, 0); };

  // `criterion` counts rows by the ids of the lists, `of_table` those of the table; the lists are needed here alone.
  BranchStore(const C& criterion, const AnyCriterion& of_table, const SortedLists& lists, const Segment& segment,
              const Growth& growth, std::int64_t min_weight, std::atomic<bool>* cancel)
      : criterion_(criterion.gather(lists.ids(segment))),
        any_(of_table),
        columns_(lists.columns()),
        growth_(growth),
        min_weight_(min_weight),
        pool_(1, cancel),
        n_(segment.size()),
        rows_(n_),
        side_(n_),
        ids_(n_),
        screen_(screened ? n_ : 0),
        has_ties_(columns_.size()) {
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
      has_ties_[f] = rank + 1 < n_;
    }
    std::iota(ids_.begin(), ids_.end(), RowIndex{0});
    nodes_.push_back({0, n_});
  }

  double user_mass(double mass) const override { return any_.user_mass(mass); }
  Summary root() override { return criterion_.summary(ids_); }
  void check() const override { pool_.check(); }

  std::vector<Split> best_splits(std::span<const SplitRequest> requests) override {
    std::vector<Split> splits(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      Node& node = nodes_[static_cast<std::size_t>(requests[i].node)];
      SearchContext<C> context{search_input(any_, growth_, min_weight_, requests[i], 0), criterion_};
      const Cut cut = node.size() == 2 ? cut_of_pair(context, node) : best_cut(context, node);
      if (cut.score < 0) continue;
      node.n_left = cut.after + 1;
      if (node.size() > 2) {
        const std::span<const Entry> tested = list(node, static_cast<std::size_t>(cut.feature), node.copy);
        for (std::uint32_t k = 0; k < node.size(); ++k) ids_[node.begin + k] = id(tested[k]);
      }
      finish(splits[i], cut, ids_[node.begin + cut.after], ids_[node.begin + cut.after + 1]);
    }
    return splits;
  }

  std::vector<std::vector<Summary>> route(std::span<const Move> moves) override {
    std::vector<std::vector<Summary>> out;
    for (const Move& move : moves) {
      const Node node = nodes_[static_cast<std::size_t>(move.node)];
      const std::uint32_t middle = node.begin + node.n_left;
      nodes_.resize(std::max<std::size_t>(nodes_.size(), static_cast<std::size_t>(move.first_child) + 2));
      Node* children = &nodes_[static_cast<std::size_t>(move.first_child)];
      children[0] = {node.begin, middle, 0, 1 - node.copy};
      children[1] = {middle, node.end, 0, 1 - node.copy};
      std::vector<Summary>& summaries = out.emplace_back(2);
      bool needs_lists = false;
      for (std::size_t k = 0; k < 2; ++k) {
        const std::span<const RowIndex> ids = std::span(ids_).subspan(children[k].begin, children[k].size());
        summaries[k] = criterion_.summary(ids);
        needs_lists |= children[k].size() > 2 && !summaries[k].pure;
      }
      if (needs_lists) divide_lists(node, static_cast<std::size_t>(move.test->feature));
    }
    return out;
  }

 private:
  using Entry = std::uint32_t;   // rank of the value, then id of the row

  struct Node {
    std::uint32_t begin, end;   // of every list
    std::uint32_t n_left = 0;   // of its split
    int copy = 0;               // of the lists that holds it, if it has more than two rows
    std::uint32_t size() const { return end - begin; }
  };
  struct List {
    std::span<const Entry> entries;
    std::size_t size() const { return entries.size(); }
    std::size_t row(std::size_t i) const { return id(entries[i]); }
    bool differ(std::size_t i) const { return entries[i] >> id_bits != entries[i + 1] >> id_bits; }
  };
  static std::uint32_t id(Entry entry) { return entry & ((Entry{1} << id_bits) - 1); }

  std::size_t n_columns() const { return columns_.size(); }
  std::span<Entry> list(const Node& node, std::size_t f, int copy) {
    return std::span(entries_[copy]).subspan(f * n_ + node.begin, node.size());
  }

  Cut best_cut(SearchContext<C>& context, const Node& node) {
    Cut best;
    if constexpr (screened) return best_screened_cut(context, node);
    for (std::size_t f = 0; f < n_columns(); ++f) search_column(context, node, f, best);
    return best;
  }
  void search_column(SearchContext<C>& context, const Node& node, std::size_t f, Cut& best) {
    context.feature = static_cast<std::int32_t>(f);
    search_ordinary(context, List{list(node, f, node.copy)}, best);
  }

  // The first of the columns that promise most, then those that may still beat it.
  Cut best_screened_cut(SearchContext<C>& context, const Node& node) {
    screen_.start(context, std::span(ids_).subspan(node.begin, node.size()));
    bounds_.resize(n_columns());
    for (std::size_t f = 0; f < n_columns();) {
      const std::size_t left = n_columns() - f;
      f += left >= 7   ? bound_columns<4>(node, f)
           : left == 6 ? bound_columns<6>(node, f)
           : left == 5 ? bound_columns<5>(node, f)
           : left == 4 ? bound_columns<4>(node, f)
           : left == 3 ? bound_columns<3>(node, f)
           : left == 2 ? bound_columns<2>(node, f)
                       : bound_columns<1>(node, f);
    }
    const double most = *std::max_element(bounds_.begin(), bounds_.end());
    std::size_t first = 0;
    while (bounds_[first] < most * (1 - 0x1p-36)) ++first;
    Cut best;   // some cut of the column surely reaches this score: those below it are passed over
    const double reached = std::max(0.0, screen_.surely_reached(bounds_[first]));
    best.bar = context.least_gain(context.scale.score(context.offset + reached));
    search_column(context, node, first, best);
    if (best.score < 0) best.bar = 0;
    for (std::size_t f = 0; f < n_columns(); ++f) {
      const Score least = best.score + (static_cast<std::int32_t>(f) > best.feature);
      if (f != first && !(bounds_[f] < context.least_gain(least))) search_column(context, node, f, best);
    }
    return best;
  }

  // The bounds of N columns side by side, so that their sums do not wait for each other: as many as the registers hold.
  template <std::size_t N>
  std::size_t bound_columns(const Node& node, std::size_t f) {
    std::array<const Entry*, N> lists;
    bool ties = false;
    for (std::size_t i = 0; i < N; ++i) {
      lists[i] = list(node, f + i, node.copy).data();
      ties |= has_ties_[f + i] != 0;
    }
    const auto found = ties ? screen_.template highest<N, true>(lists, node.size(), id_bits, id)
                            : screen_.template highest<N, false>(lists, node.size(), id_bits, id);
    std::copy(found.begin(), found.end(), bounds_.begin() + static_cast<std::ptrdiff_t>(f));
    return N;
  }

  // A third of all nodes have two rows: any column that tells them apart removes all of the impurity, and the first does.
  Cut cut_of_pair(const SearchContext<C>& context, const Node& pair) {
    RowIndex &a = ids_[pair.begin], &b = ids_[pair.begin + 1];
    for (std::size_t f = 0; f < n_columns(); ++f) {
      const Key key_a = read_key(columns_[f], rows_[a]), key_b = read_key(columns_[f], rows_[b]);
      if (key_a == key_b) continue;
      if (key_b < key_a) std::swap(a, b);
      OwnTally<C> left(criterion_);
      criterion_.add(left, a);
      std::vector<std::int64_t> scratch;
      if (!context.rules.allow(criterion_, context.total, left, scratch)) break;
      const double gain = context.gain(left);
      return {context.scale.score(gain), gain, 0, static_cast<std::int32_t>(f), 0, 0};
    }
    return {};
  }

  void finish(Split& split, const Cut& cut, RowIndex low, RowIndex high) const {
    const Column& column = columns_[static_cast<std::size_t>(cut.feature)];
    split.score = cut.score;
    split.gain = cut.gain;
    split.feature = cut.feature;
    split.low = read_key(column, rows_[low]);
    split.high = read_key(column, rows_[high]);
    set_threshold(split, column, growth_, {});
  }

  // Every list goes to the other copy, first child first, in its order.
  void divide_lists(const Node& node, std::size_t tested) {
    for (std::uint32_t k = 0; k < node.size(); ++k) side_[ids_[node.begin + k]] = k >= node.n_left;
    for (std::size_t f = 0; f < n_columns(); ++f) {
      const Entry* from = list(node, f, node.copy).data();
      Entry* to = list(node, f, 1 - node.copy).data();
      if (f == tested) {
        std::copy_n(from, node.size(), to);
        continue;
      }
      std::uint32_t n_right = 0;
      for (std::uint32_t i = 0; i < node.size(); ++i) {   // no branch to mispredict, whatever the compiler prefers
        const std::uint32_t goes_right = side_[id(from[i])];
        const std::uint32_t left = i - n_right, right = node.n_left + n_right;
        to[left + ((right - left) & (0 - goes_right))] = from[i];
        n_right += goes_right;
      }
    }
  }

  C criterion_;   // over the rows of the branch, numbered 0, 1, ...
  const AnyCriterion& any_;
  const Columns& columns_;
  const Growth& growth_;
  std::int64_t min_weight_;
  Pool pool_;
  std::uint32_t n_;
  std::vector<RowIndex> rows_;       // of the table, by id
  std::vector<std::uint8_t> side_;   // of the children of the node at hand, by id
  std::vector<RowIndex> ids_;        // node after node, in the order of the tested column
  std::vector<Entry> entries_[2];    // [column][row], sorted node by node; a node is in one of the two copies
  std::vector<Node> nodes_;
  Screen<C> screen_;
  std::vector<std::uint8_t> has_ties_;   // by column
  std::vector<double> bounds_;           // of the node at hand, by column
};

}   // namespace treewright
