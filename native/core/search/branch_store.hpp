// BranchStore: the rows of a small node and of all that lies below it, in flat arrays. It serves trees without finer rules on
// columns of numbers without missing values, where most nodes have few rows and whatever is done per node counts.
#pragma once
#include <numeric>

#include "../rank.hpp"
#include "../recorded.hpp"
#include "../store.hpp"
#include "screen.hpp"
#include "short_lists.hpp"
#include "sorted.hpp"

namespace treewright {

template <class C>
struct SumsOf {   // what a store keeps of its nodes, so that the sums of one child say those of the other
  struct type {};
};
template <class C>
  requires requires(const C& criterion, std::span<const RowIndex> rows) { criterion.node_sums(rows); }
struct SumsOf<C> {
  using type = typename C::NodeSums;
};

template <class C>
class BranchStore final : public Store {
 public:
  static constexpr int id_bits = short_id_bits;
  static constexpr bool screened = requires(const C& criterion) { criterion.deviation(0, 0); };

  struct Table {   // what branches of one tree share; it outlives them
    const AnyCriterion& criterion;
    const Columns& columns;
    const Growth& growth;
    std::int64_t min_weight;
  };

  // Of rows with a number in every column: `places` among the keys. `criterion` counts them in this order. With threads of a pool
  // large nodes are shared, and smaller ones handed out.
  BranchStore(C criterion, const Table& table, std::vector<RowIndex> places, NodeKeys keys, Pool& pool)
      : BranchStore(std::move(criterion), table, std::move(places), std::move(keys), &pool, pool.cancel()) {
    pool_.for_each(n_columns(), [&](std::size_t f) {
      thread_local std::vector<Key> own;
      std::span<const Key> keys = keys_.of(f);
      if (keys.size() > n_) {   // of some of the places
        own.resize(n_);
        for (std::uint32_t i = 0; i < n_; ++i) own[i] = keys[rows_[i]];
        keys = own;
      }
      lists_.set_ties(f, rank_keys(keys, key_kind(columns()[f].type), lists_.whole(f)) < n_);
    });
  }

  // Of a segment of sorted lists, which are needed here alone; `criterion` counts rows by the ids of the lists.
  BranchStore(const C& criterion, const Table& table, const SortedLists& lists, const Segment& segment,
              std::atomic<bool>* cancel)
      : BranchStore(criterion.gather(lists.ids(segment)), table, rows_of(lists, segment), NodeKeys{}, nullptr, cancel) {
    std::vector<std::uint32_t>& here = numbers(lists.rows().size());
    for (std::uint32_t i = 0; i < n_; ++i) here[lists.ids(segment)[i]] = i;
    for (std::size_t f = 0; f < n_columns(); ++f) {
      const std::span<const SortedLists::Entry> entries = lists.present(f, segment).first;
      fill(f,
           [&](std::size_t i) { return std::pair(SortedLists::rank(entries[i]), here[SortedLists::id(entries[i])]); });
    }
  }

  double user_mass(double mass) const override { return criterion_.user_mass(mass); }
  Summary root() override { return criterion_.summary(ids_); }
  void check() const override { pool_.check(); }
  void for_each(std::size_t n, const std::function<void(std::size_t)>& work) override { pool_.for_each(n, work); }
  std::int64_t part_size() const override {   // small branches stay in cache
    constexpr std::int64_t large = 4096;
    return n_ < large ? 0 : n_ / (worth_sharing(n_) ? 8 * pool_.n_threads() : 16);
  }
  std::vector<MakeStore> parts(std::span<const NodeIndex> nodes) override {
    std::vector<MakeStore> stores;
    for (const NodeIndex node : nodes)
      stores.push_back([this, node] {
        return std::unique_ptr<Store>(new BranchStore(*this, nodes_[static_cast<std::size_t>(node)]));
      });
    return stores;
  }

  void best_splits(std::span<const SplitRequest> requests) override {
    for (const SplitRequest& request : requests) {
      Split& split = *request.split;
      Node& node = nodes_[static_cast<std::size_t>(request.node)];
      context_.total = request.tally;   // all else is the same for every node
      context_.scale = Scale(request.mass);
      Cut cut;
      find_cut(request.mass, node, cut);
      split.score = cut.score;
      if (cut.score < 0) continue;
      node.n_left = cut.after + 1;
      if (node.size() == 2) {
        finish(split, cut, ids_[node.begin], ids_[node.begin + 1]);
      } else {
        node.tested = lists_.of(node, static_cast<std::size_t>(cut.feature));
        finish(split, cut, id(node.tested[cut.after]), id(node.tested[cut.after + 1]));
      }
    }
  }

  void route(std::span<const Move> moves, std::span<Summary> summaries) override {
    Summary* summary = summaries.data();
    for (const Move& move : moves) {
      nodes_.resize(std::max<std::size_t>(nodes_.size(), static_cast<std::size_t>(move.first_child) + 2));
      Node& node = nodes_[static_cast<std::size_t>(move.node)];
      Node* children = &nodes_[static_cast<std::size_t>(move.first_child)];
      const std::uint32_t middle = node.begin + node.n_left;
      children[0] = {{node.begin, middle, node.copy}};
      children[1] = {{middle, node.end, 1 - node.copy}};
      sum_up(node, children);
      std::array<bool, 2> needs_lists;
      for (std::size_t k = 0; k < 2; ++k, ++summary) {
        if constexpr (summed) criterion_.summarize(children[k].sums, ids(children[k]), *summary);
        else *summary = criterion_.summary(ids(children[k]));
        needs_lists[k] = !move.to_leaves && children[k].size() > 2 && !summary->pure;
      }
      if (needs_lists[0] && needs_lists[1]) divide_lists<Kept::both>(node);
      else if (needs_lists[0]) divide_lists<Kept::left>(node);
      else if (needs_lists[1]) divide_lists<Kept::right>(node);
    }
  }

 private:
  using Entry = ShortEntry;
  static constexpr bool summed =
      requires(const C& criterion, std::span<const RowIndex> rows) { criterion.node_sums(rows); };

  struct Node : ShortLists::Segment {   // in the lists only if it has more than two rows
    std::uint32_t n_left = 0;           // of its split,
    const Entry* tested = nullptr;      // and the list of the tested column, if it has more than two rows
    [[no_unique_address]] typename SumsOf<C>::type sums{};
  };
  struct List {
    std::span<const Entry> entries;
    std::size_t size() const { return entries.size(); }
    std::size_t row(std::size_t i) const { return id(entries[i]); }
    bool differ(std::size_t i) const { return entries[i] >> id_bits != entries[i + 1] >> id_bits; }
  };
  struct ScreenedList : List {
    const Screen<C>& screen;
    typename Screen<C>::Gains gains;
    double sum = 0;   // of the deviations up to the entry at hand
    std::size_t next(std::size_t i, std::size_t end, double bar) {
      if (gains.first != nullptr) return screen.next(gains, i, end, bar);
      return screen.next(List::entries.data(), i, end, bar, sum, id);
    }
  };
  static std::uint32_t id(Entry entry) { return short_id(entry); }

  BranchStore(C criterion, const Table& table, std::vector<RowIndex> rows, NodeKeys keys, Pool* pool,
              std::atomic<bool>* cancel)
      : criterion_(std::move(criterion)),
        table_(table),
        own_pool_(pool == nullptr ? std::make_unique<Pool>(1, cancel) : nullptr),
        pool_(pool == nullptr ? *own_pool_ : *pool),
        n_(static_cast<std::uint32_t>(rows.size())),
        rows_(std::move(rows)),
        side_(n_),
        ids_(n_),
        keys_(std::move(keys)),
        screen_(screened ? n_ : 0, screened ? n_columns() : 0),
        lists_(n_columns(), n_),
        bounds_(screened ? n_columns() : 0),
        context_{search_input(table_.criterion, table_.growth, table_.min_weight, {}, 0), criterion_} {
    std::iota(ids_.begin(), ids_.end(), RowIndex{0});
    nodes_.push_back({{0, n_}});
    if constexpr (summed) nodes_[0].sums = criterion_.node_sums(ids_);
  }
  // Of a node of another, which keeps its lists.
  BranchStore(const BranchStore& whole, const Node& node)
      : BranchStore(whole.criterion_.gather(whole.ids(node)), whole.table_, whole.rows_of(node), whole.keys_, nullptr,
                    whole.pool_.cancel()) {
    std::vector<std::uint32_t>& here = numbers(whole.n_);
    for (std::uint32_t i = 0; i < n_; ++i) here[whole.ids(node)[i]] = i;
    for (std::size_t f = 0; f < n_columns(); ++f) {   // ranks may leave gaps
      const Entry* from = whole.lists_.of(node, f);
      Entry* to = lists_.whole(f);
      lists_.set_ties(f, whole.lists_.has_ties(f));
      for (std::uint32_t i = 0; i < n_; ++i) to[i] = (from[i] >> id_bits << id_bits) | here[id(from[i])];
    }
  }

  static std::vector<RowIndex> rows_of(const SortedLists& lists, const Segment& segment) {
    std::vector<RowIndex> rows;
    rows.reserve(segment.size());
    for (const std::uint32_t id : lists.ids(segment)) rows.push_back(lists.row(id));
    return rows;
  }
  std::vector<RowIndex> rows_of(const Node& node) const {
    std::vector<RowIndex> rows;
    rows.reserve(node.size());
    for (const RowIndex id : ids(node)) rows.push_back(rows_[id]);
    return rows;
  }
  static std::vector<std::uint32_t>& numbers(std::size_t n) {   // by id of another list
    thread_local std::vector<std::uint32_t> here;
    here.resize(std::max(here.size(), n));
    return here;
  }
  // sorted(i): a value that says which are equal, and the id.
  template <class Sorted>
  void fill(std::size_t f, const Sorted& sorted) {
    Entry* to = lists_.whole(f);
    Entry rank = 0;
    auto last = sorted(0).first;
    for (std::uint32_t i = 0; i < n_; ++i) {
      const auto [value, id] = sorted(i);
      rank += value != last;
      last = value;
      to[i] = rank << id_bits | id;
    }
    lists_.set_ties(f, rank + 1 < n_);
  }

  const Columns& columns() const { return table_.columns; }
  std::size_t n_columns() const { return columns().size(); }
  bool worth_sharing(std::size_t n_rows) const {
    return pool_.n_threads() > 1 && static_cast<std::int64_t>(n_rows * n_columns()) >= table_.growth.share_above;
  }
  template <class Work>
  void share(std::size_t n_rows, std::size_t n, const Work& work) {
    if (worth_sharing(n_rows)) return pool_.for_each(n, work);
    for (std::size_t i = 0; i < n; ++i) work(i);
  }
  std::span<const RowIndex> ids(const Node& node) const { return std::span(ids_).subspan(node.begin, node.size()); }
  Key key(std::size_t f, RowIndex id) const {
    return keys_ ? keys_.of(f)[rows_[id]] : read_key(columns()[f], rows_[id]);
  }
  // Calls work<N>(first) for columns in groups of N: a loop costs more than a few entries.
  template <class Work>
  void for_each_group(std::size_t n_rows, const Work& work) {
    share(n_rows, lists_.n_groups(), [&](std::size_t group) { lists_.with_group(group, work); });
  }

  void find_cut([[maybe_unused]] double mass, const Node& node, Cut& best) {
    if (node.size() == 2) {
      best = cut_of_pair(node);
    } else if constexpr (screened) {
      find_screened_cut(mass, node, best);
    } else {
      for (std::size_t f = 0; f < n_columns(); ++f) search_column(node, f, best);
    }
  }
  void search_column(const Node& node, std::size_t f, Cut& best) {
    context_.feature = static_cast<std::int32_t>(f);
    const List list{{lists_.of(node, f), node.size()}};
    if constexpr (screened) {
      const auto [first, size] = lists_.group_with(f);
      search_ordinary(context_, ScreenedList{list, screen_, screen_.kept(first, size, f, node.size())}, best);
    } else {
      search_ordinary(context_, list, best);
    }
  }

  // The first of the columns that promise most, then those that may still beat it. Of all comparisons here only few can be
  // foretold, so there are few branches.
  void find_screened_cut(double mass, const Node& node, Cut& best) {
    screen_.start(context_, mass, ids(node), n_columns());
    for_each_group(node.size(), [&]<std::size_t N>(std::size_t first) { bound_columns<N>(node, first); });
    const std::size_t n = n_columns();
    const double* bounds = bounds_.data();
    double most = bounds[0];
    for (std::size_t f = 1; f < n; ++f) most = std::max(most, bounds[f]);
    std::size_t first = n - 1;
    for (std::size_t f = n - 1; f-- > 0;) first = bounds[f] < most * (1 - 0x1p-36) ? first : f;
    const double score_unit = mass * 0x1p-40;
    best.bar = std::max(0.0, screen_.surely_reached(bounds[first]) - score_unit);   // some cut of the column reaches it
    search_column(node, first, best);
    if (best.score < 0) best.bar = 0;
    const auto to_reach = [&](Score score) {
      return (static_cast<double>(score) - 0.5) * score_unit * (1 - 0x1p-48) - context_.offset;
    };
    double to_equal = to_reach(best.score), to_beat = to_reach(best.score + 1);
    std::int64_t n_rivals = 0;   // itself included, nearly always alone
    for (std::size_t f = 0; f < n; ++f) n_rivals += bounds[f] >= to_equal;
    for (std::size_t f = 0; n_rivals > 1 && f < n; ++f) {
      if (f == first || bounds[f] < (static_cast<std::int32_t>(f) > best.feature ? to_beat : to_equal)) continue;
      search_column(node, f, best);
      to_equal = to_reach(best.score), to_beat = to_reach(best.score + 1);
    }
  }

  template <std::size_t N>
  void bound_columns(const Node& node, std::size_t f) {
    std::array<const Entry*, N> lists;
    bool ties = false;
    for (std::size_t i = 0; i < N; ++i) {
      lists[i] = lists_.of(node, f + i);
      ties |= lists_.has_ties(f + i);
    }
    const auto found = ties ? screen_.template highest<N, true>(lists, f, node.size(), id_bits, id)
                            : screen_.template highest<N, false>(lists, f, node.size(), id_bits, id);
    std::copy(found.begin(), found.end(), bounds_.begin() + static_cast<std::ptrdiff_t>(f));
  }

  // A third of all nodes have two rows: any column that tells them apart removes all of the impurity, and the first does.
  Cut cut_of_pair(const Node& pair) {
    RowIndex &a = ids_[pair.begin], &b = ids_[pair.begin + 1];
    for (std::size_t f = 0; f < n_columns(); ++f) {
      const Key key_a = key(f, a), key_b = key(f, b);
      if (key_a == key_b) continue;
      if (key_b < key_a) std::swap(a, b);
      OwnTally<C> left(criterion_);
      criterion_.add(left, a);
      std::vector<std::int64_t> scratch;
      if (!context_.rules.allow(criterion_, context_.total, left, scratch)) break;
      const double gain = context_.gain(left);
      return {context_.scale.score(gain), gain, 0, static_cast<std::int32_t>(f), 0, 0};
    }
    return {};
  }

  void finish(Split& split, const Cut& cut, RowIndex low, RowIndex high) const {
    const Column& column = columns()[static_cast<std::size_t>(cut.feature)];
    split.gain = cut.gain;
    split.feature = cut.feature;
    split.low = key(static_cast<std::size_t>(cut.feature), low);
    split.high = key(static_cast<std::size_t>(cut.feature), high);
    set_threshold(split, column, table_.growth, {});
  }

  // The rows of a node in the order of its split, the side of each, and the sums of its children.
  void sum_up(const Node& node, Node* children) {
    if (const Entry* tested = node.tested; tested != nullptr) {
      RowIndex* rows = ids_.data() + node.begin;
      std::uint8_t* side = side_.data();
      for (std::uint32_t k = 0, n_left = node.n_left, n = node.size(); k < n; ++k) {
        rows[k] = id(tested[k]);
        side[rows[k]] = k >= n_left;
      }
    }
    if constexpr (summed) {
      const bool smaller = children[1].size() < children[0].size();
      children[smaller].sums = criterion_.node_sums(ids(children[smaller]));
      children[!smaller].sums = node.sums.minus(children[smaller].sums);
    }
  }

  template <Kept kept>
  void divide_lists(const Node& node) {
    for_each_group(node.size(), [&]<std::size_t N>(std::size_t first) {
      lists_.divide<kept, N>(node, node.n_left, node.tested, side_.data(), first);
    });
  }

  C criterion_;   // over the rows of the branch, numbered 0, 1, ...
  const Table table_;
  std::unique_ptr<Pool> own_pool_;
  Pool& pool_;
  std::uint32_t n_;
  std::vector<RowIndex> rows_;       // by id: places among the keys, or rows of the table where there are none
  std::vector<std::uint8_t> side_;   // of the children of the node at hand, by id
  std::vector<RowIndex> ids_;        // node after node, in the order of the tested column
  std::vector<Node> nodes_;
  NodeKeys keys_;
  Screen<C> screen_;
  ShortLists lists_;
  std::vector<double> bounds_;   // of the node at hand, by column
  SearchContext<C> context_;     // of the node at hand
};

}   // namespace treewright
