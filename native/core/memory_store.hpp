// MemoryStore: all rows at hand. Large nodes are counted in bins and looked into where a bound demands it; small ones
// are sorted once and divided. Both find the same split, so the sizes at which they change over do not matter.
#pragma once
#include <mutex>
#include <numeric>

#include "histogram.hpp"
#include "parallel.hpp"
#include "route.hpp"
#include "search/random.hpp"
#include "search/sorted.hpp"
#include "store.hpp"

namespace treewright {

template <class C>
class MemoryStore final : public Store {
 public:
  struct Table {   // what a store and its parts share
    const Columns& columns;
    const Growth& growth;
    C criterion;
    BinnedColumns binned;         // empty where no node is large enough to be counted
    std::vector<RowIndex> rows;   // node after node; parts own disjoint stretches
    std::int64_t min_weight = 0;
  };

  MemoryStore(std::shared_ptr<Table> table, Pool& pool) : table_(std::move(table)), pool_(pool) {
    nodes_.resize(1);
    nodes_[0].end = table_->rows.size();
  }

  double user_mass(double mass) const override { return table_->criterion.user_mass(mass); }
  Summary root() override { return table_->criterion.summary(rows(nodes_[0])); }
  void for_each(std::size_t n, const std::function<void(std::size_t)>& work) override { pool_.for_each(n, work); }
  void check() const override { pool_.check(); }

  void close(NodeIndex index) override {   // its rows stay known: its sibling may be the parent minus them
    Node& node = at(index);
    node.pair.reset();
    node.histogram.reset();
    node.sorted.reset();
  }

  std::int64_t part_size() const override {
    if (pool_.n_threads() == 1 || static_cast<std::int64_t>(nodes_[0].size()) < table_->growth.share_above / 16)
      return 0;
    return static_cast<std::int64_t>(table_->rows.size()) / (8 * pool_.n_threads());
  }
  std::unique_ptr<Store> part(NodeIndex node) override {
    Node& from = at(node);
    if (from.pair && from.pair->sorted) divide_pair(*from.pair, true, true);
    if (from.pair && from.pair->histogram && counted(from)) make_histograms_for(node);
    auto store = std::unique_ptr<MemoryStore>(new MemoryStore(table_, pool_.cancel()));
    store->nodes_.push_back(std::move(from));
    store->nodes_[0].pair.reset();
    return store;
  }

  std::vector<Split> best_splits(std::span<const Ask> asks) override {
    for (const Ask& ask : asks) prepare(asks, ask.node);
    std::vector<Split> splits;
    for (const Ask& ask : asks) {
      splits.push_back(best_split(ask));
      finish(splits.back(), at(ask.node));
    }
    return splits;
  }

  std::vector<std::pair<Summary, Summary>> route(std::span<const Move> moves) override {
    std::vector<std::pair<Summary, Summary>> out;
    for (const Move& move : moves) {
      nodes_.resize(std::max<std::size_t>(nodes_.size(), static_cast<std::size_t>(move.first_child) + 2));
      out.push_back(at(move.node).sorted ? route_sorted(move) : route_rows(move));
    }
    return out;
  }

 private:
  struct Pair {   // what two siblings still share of their parent
    NodeIndex first = 0;
    std::unique_ptr<Histogram> histogram;
    std::shared_ptr<SortedRows<C>> sorted;
    Segment segment;
    std::uint32_t n_left = 0;
  };
  struct Node {
    std::size_t begin = 0, end = 0;   // of Table::rows
    std::unique_ptr<Histogram> histogram;
    std::shared_ptr<SortedRows<C>> sorted;
    Segment segment;
    std::shared_ptr<Pair> pair;
    std::size_t size() const { return sorted ? segment.size() : end - begin; }
  };

  MemoryStore(std::shared_ptr<Table> table, std::atomic<bool>* cancel)   // a part: one thread, its own
      : table_(std::move(table)), own_pool_(std::make_unique<Pool>(1, cancel)), pool_(*own_pool_) {}

  std::size_t n_features() const { return table_->columns.size(); }
  Node& at(NodeIndex node) { return nodes_[static_cast<std::size_t>(node)]; }
  std::span<const RowIndex> rows(const Node& node) const {
    return std::span(table_->rows).subspan(node.begin, node.end - node.begin);
  }
  bool counted(const Node& node) const {   // in bins, rather than sorted
    return !table_->binned.empty() && static_cast<std::int64_t>(node.size()) > table_->growth.sort_below;
  }
  bool worth_sharing(const Node& node) const { return worth_sharing(node.size()); }
  bool worth_sharing(std::size_t n_rows) const {
    return pool_.n_threads() > 1 && static_cast<std::int64_t>(n_rows * n_features()) >= table_->growth.share_above;
  }
  void share(bool worth, std::size_t n, const std::function<void(std::size_t)>& work) {
    if (worth) return pool_.for_each(n, work);
    for (std::size_t i = 0; i < n; ++i) work(i);
  }

  // ---- before a search: bring the node's histogram or sorted lists into being
  void prepare(std::span<const Ask> asks, NodeIndex index) {
    Node& node = at(index);
    if (table_->growth.random_splits) return;
    if (node.pair && node.pair->sorted) {
      Pair& pair = *node.pair;
      const bool may_hand_out = part_size() > 0;   // then a sibling may be asked about later
      return divide_pair(pair, may_hand_out || asked(asks, pair.first), may_hand_out || asked(asks, pair.first + 1));
    }
    if (node.sorted) return;
    if (!counted(node)) {
      node.sorted = std::make_shared<SortedRows<C>>(table_->criterion, table_->columns, rows(node),
                                                    worth_sharing(node) ? pool_ : alone_);
      node.segment = node.sorted->root();
      node.histogram.reset();
      return;
    }
    if (node.pair && node.pair->histogram) make_histograms_for(index);
  }

  static bool asked(std::span<const Ask> asks, NodeIndex node) {
    return std::any_of(asks.begin(), asks.end(), [&](const Ask& ask) { return ask.node == node; });
  }
  void divide_pair(Pair& pair, bool keep_left, bool keep_right) {
    Node &left = at(pair.first), &right = at(pair.first + 1);
    const auto sorted = std::move(pair.sorted);
    sorted->divide(pair.segment, pair.n_left, keep_left, keep_right, left.segment, right.segment,
                   worth_sharing(pair.segment.size()) ? pool_ : alone_);
    left.sorted = right.sorted = sorted;
  }

  // The smaller sibling is counted; the larger is the parent minus the smaller.
  void make_histograms_for(NodeIndex index) {
    Node& node = at(index);
    Pair& pair = *node.pair;
    Node &left = at(pair.first), &right = at(pair.first + 1);
    Node &small = left.size() <= right.size() ? left : right, &large = &small == &left ? right : left;
    auto parent = std::move(pair.histogram);
    auto counted_small = std::make_unique<Histogram>(table_->binned, table_->criterion.width());
    const auto features = built_features(*parent);
    count_columns(small, features, *counted_small);
    if (counted(large)) {
      for (std::int32_t f : features) parent->subtract(*counted_small, static_cast<std::size_t>(f));
      large.histogram = std::move(parent);
    }
    if (counted(small)) small.histogram = std::move(counted_small);
  }
  static std::vector<std::int32_t> built_features(const Histogram& histogram) {
    std::vector<std::int32_t> features;
    for (std::size_t f = 0; f < histogram.built.size(); ++f) {
      if (histogram.built[f]) features.push_back(static_cast<std::int32_t>(f));
    }
    return features;
  }
  void count_columns(const Node& node, std::span<const std::int32_t> features, Histogram& histogram) {
    const std::size_t n_groups =
        std::min<std::size_t>(features.size(), worth_sharing(node) ? 2 * pool_.n_threads() : 1);
    share(n_groups > 1, n_groups, [&](std::size_t group) {
      const std::size_t first = features.size() * group / n_groups, last = features.size() * (group + 1) / n_groups;
      if constexpr (C::additive) {
        count(table_->criterion, table_->binned, rows(node), features.subspan(first, last - first), histogram, pool_);
      }
    });
    for (std::int32_t f : features) histogram.built[static_cast<std::size_t>(f)] = 1;
  }

  // ---- the search
  Question<C> question(const Ask& ask, std::int32_t feature) const {
    return question_of(table_->criterion, table_->growth, table_->min_weight, ask, feature);
  }

  Split best_split(const Ask& ask) {
    std::vector<std::int32_t> features(n_features());
    std::iota(features.begin(), features.end(), 0);
    const std::int64_t most = table_->growth.max_features;
    Split best;
    if (most < 0 || most >= static_cast<std::int64_t>(features.size())) {
      search(ask, features, best);
      return best;
    }
    // Columns in a random order; constant ones do not count, and the search goes on until some split is found.
    std::vector<std::uint64_t> draws(features.size());
    for (std::size_t f = 0; f < draws.size(); ++f) draws[f] = draw(ask.random_key, f, 0);
    std::sort(features.begin(), features.end(), [&](auto a, auto b) {
      return std::pair(draws[static_cast<std::size_t>(a)], a) < std::pair(draws[static_cast<std::size_t>(b)], b);
    });
    std::int64_t n_visited = 0;
    for (std::size_t next = 0; next < features.size() && (n_visited < most || !best);) {
      const auto n = std::min<std::size_t>(features.size() - next,
                                           static_cast<std::size_t>(std::max<std::int64_t>(most - n_visited, 1)));
      const std::span<const std::int32_t> some = std::span(features).subspan(next, n);
      search(ask, some, best);
      for (std::int32_t f : some) n_visited += !constant(at(ask.node), static_cast<std::size_t>(f));
      next += n;
    }
    return best;
  }

  void search(const Ask& ask, std::span<const std::int32_t> features, Split& best) {
    Node& node = at(ask.node);
    if constexpr (C::additive) {
      if (!table_->growth.random_splits && !node.sorted) return search_counted(ask, node, features, best);
    }
    const bool worth = worth_sharing(node);
    const std::size_t n_groups = worth ? std::min<std::size_t>(features.size(), 4 * pool_.n_threads()) : 1;
    std::mutex mutex;
    share(worth, n_groups, [&](std::size_t group) {
      Split found;
      for (std::size_t i = features.size() * group / n_groups; i < features.size() * (group + 1) / n_groups; ++i) {
        if (node.sorted) node.sorted->search(question(ask, features[i]), node.segment, ask.summary->mass, found);
        else search_random_in(ask, node, features[i], found);
      }
      std::lock_guard lock(mutex);
      if (found.beats(best)) best = found;
    });
  }

  void search_random_in(const Ask& ask, const Node& node, std::int32_t feature, Split& best) {
    const Column& column = table_->columns[static_cast<std::size_t>(feature)];
    std::vector<Key> keys(node.size());
    read_keys(column, rows(node), keys.data());
    search_random(question(ask, feature), key_kind(column.type), ask.random_key, rows(node), keys, best);
  }

  bool constant(const Node& node, std::size_t feature) const {
    if (node.sorted) return node.sorted->constant(feature, node.segment);
    std::vector<Key> keys(node.size());
    read_keys(table_->columns[feature], rows(node), keys.data());
    return key_range(keys).constant();
  }

  struct Look {   // a column with bins to look into
    std::int32_t feature;
    std::vector<Suspect> suspects;
    Score highest = -1;
  };

  void search_counted(const Ask& ask, Node& node, std::span<const std::int32_t> features, Split& best) {
    if (!node.histogram) node.histogram = std::make_unique<Histogram>(table_->binned, table_->criterion.width());
    std::vector<std::int32_t> uncounted;
    for (std::int32_t f : features)
      if (!node.histogram->built[static_cast<std::size_t>(f)]) uncounted.push_back(f);
    if (!uncounted.empty()) count_columns(node, uncounted, *node.histogram);

    std::mutex mutex;
    std::vector<Look> looks(features.size());
    const bool worth = worth_sharing(node);
    share(worth, features.size(), [&](std::size_t i) {
      Split found;
      {
        std::lock_guard lock(mutex);
        found = best;
      }
      const auto f = static_cast<std::size_t>(features[i]);
      const Bins<C> bins(table_->criterion, *node.histogram, table_->binned[f], f);
      Question<C> asked = question(ask, features[i]);
      asked.missing_seen = table_->criterion.rows(bins.missing()) > 0;
      looks[i].feature = features[i];
      if (bins.size() > 0) looks[i].suspects = search_edges(asked, bins, found);
      for (const Suspect& s : looks[i].suspects) looks[i].highest = std::max(looks[i].highest, s.highest);
      std::lock_guard lock(mutex);
      if (found.beats(best)) best = found;
    });
    std::erase_if(looks, [](const Look& look) { return look.suspects.empty(); });
    std::stable_sort(looks.begin(), looks.end(), [](const Look& a, const Look& b) { return a.highest > b.highest; });
    share(worth, looks.size(), [&](std::size_t i) {
      Split found;
      {
        std::lock_guard lock(mutex);
        found = best;
      }
      look_into(ask, node, looks[i], found);
      std::lock_guard lock(mutex);
      if (found.beats(best)) best = found;
    });
  }

  void look_into(const Ask& ask, const Node& node, Look& look, Split& best) {
    std::erase_if(look.suspects, [&](const Suspect& s) { return !s.matters(look.feature, best); });
    if (look.suspects.empty()) return;
    const auto f = static_cast<std::size_t>(look.feature);
    const BinnedColumn& column = table_->binned[f];
    const Bins<C> bins(table_->criterion, *node.histogram, column, f);
    const Wanted wanted(bins, look.suspects);
    thread_local std::vector<Item> items;   // kept from node to node: fresh pages cost more than the search
    if (items.size() < wanted.n_items) items.resize(wanted.n_items);
    read_bins(table_->columns[f], column, rows(node), wanted.wanted, wanted.begin, items.data());
    Question<C> asked = question(ask, look.feature);
    asked.missing_seen = table_->criterion.rows(bins.missing()) > 0;
    search_suspects(asked, bins, look.suspects, std::span(items).first(wanted.n_items), wanted.begin, best);
  }

  // ---- after a search: the neighbouring values around the cut, and the threshold between them
  void finish(Split& split, const Node& node) const {
    if (!split) return;
    if (table_->growth.random_splits && !split.missing_alone) return;   // the threshold was drawn
    const auto f = static_cast<std::size_t>(split.feature);
    const Column& column = table_->columns[f];
    if (!split.missing_alone) {
      if (node.sorted) node.sorted->find_neighbours(split);
      else if (!split.has_neighbours) {
        const int next = next_filled_bin(table_->criterion, *node.histogram, f, split.place.bin);
        std::tie(split.low, split.high) = neighbours(column, table_->binned[f], rows(node), split.place.bin, next);
      }
    }
    set_threshold(split, key_kind(column.type));
  }

  // ---- routing
  std::pair<Summary, Summary> route_sorted(const Move& move) {
    Node& node = at(move.node);
    auto pair = std::make_shared<Pair>();
    pair->first = move.first_child;
    pair->sorted = std::move(node.sorted);
    pair->segment = std::move(node.segment);
    pair->n_left = pair->sorted->route(pair->segment, *move.split);
    Segment left{pair->segment.begin, pair->segment.begin + pair->n_left, {}};
    Segment right{left.end, pair->segment.end, {}};
    at(move.first_child).pair = at(move.first_child + 1).pair = pair;
    return {pair->sorted->summary(left), pair->sorted->summary(right)};
  }

  std::pair<Summary, Summary> route_rows(const Move& move) {
    Node& node = at(move.node);
    Node &left = at(move.first_child), &right = at(move.first_child + 1);
    const std::span<RowIndex> span = std::span(table_->rows).subspan(node.begin, node.size());
    const auto f = static_cast<std::size_t>(move.split->feature);
    std::vector<std::uint8_t> sides(span.size());
    const std::size_t n_chunks = worth_sharing(node) ? 4 * static_cast<std::size_t>(pool_.n_threads()) : 1;
    share(n_chunks > 1, n_chunks, [&](std::size_t chunk) {
      const std::size_t begin = span.size() * chunk / n_chunks, end = span.size() * (chunk + 1) / n_chunks;
      const std::span<const RowIndex> some = span.subspan(begin, end - begin);
      if (node.histogram) sides_by_bin(table_->columns[f], table_->binned[f], some, *move.split, sides.data() + begin);
      else sides_by_key(table_->columns[f], some, *move.split, sides.data() + begin);
    });
    const std::size_t n_left = divide(span, sides.data());
    left.begin = node.begin;
    left.end = right.begin = node.begin + n_left;
    right.end = node.end;
    if (node.histogram && (counted(left) || counted(right))) {
      auto pair = std::make_shared<Pair>();
      pair->first = move.first_child;
      pair->histogram = std::move(node.histogram);
      left.pair = right.pair = pair;
    }
    node.histogram.reset();
    std::array<Summary, 2> summaries;
    share(worth_sharing(node), 2,
          [&](std::size_t i) { summaries[i] = table_->criterion.summary(rows(i == 0 ? left : right)); });
    return {std::move(summaries[0]), std::move(summaries[1])};
  }

  std::shared_ptr<Table> table_;
  std::unique_ptr<Pool> own_pool_;
  Pool& pool_;
  Pool alone_{1};
  std::vector<Node> nodes_;
};

}   // namespace treewright
