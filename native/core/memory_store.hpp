// MemoryStore: all rows at hand. Large nodes are counted in bins and looked into where a bound demands it; small ones
// are sorted once and divided. Both find the same split, so the sizes at which they change over do not matter.
#pragma once
#include <numeric>

#include "held.hpp"
#include "recorded.hpp"
#include "search/counted.hpp"
#include "search/node_rows.hpp"
#include "search/random.hpp"
#include "search/sorted_node.hpp"
#include "store.hpp"

namespace treewright {

// Nodes of at most so many rows are sorted, larger ones counted in bins.
std::int64_t sort_limit(const AnyCriterion& criterion, const Columns& columns, const BinnedColumns& binned,
                        const Growth& growth);
// Whether one store of branches serves a whole table: see search/branch_store.hpp.
bool is_one_branch(const AnyCriterion& criterion, const Columns& columns, const Growth& growth);
// Whether a table of so many rows is worth the bins.
bool counts_in_bins(const AnyCriterion& criterion, const Columns& columns, std::int64_t n_rows, const Growth& growth);

class MemoryStore : public Store {
 public:
  struct Table {   // what a store and its parts share
    const Columns& columns;
    const Growth& growth;
    const AnyCriterion& criterion;
    const BinnedColumns& binned;   // empty where no node is large enough to be counted
    const Presorted& presorted;    // empty, or all columns in order where several trees share them
    std::vector<RowIndex> rows;    // node after node; parts own disjoint stretches
    std::int64_t min_weight = 0;
    std::vector<std::uint8_t> sides{};        // of every row, where surrogates are wanted
    RecordedValues recorded{};                // where thresholds are values of the table
    std::vector<std::int64_t> own_weight{};   // of every row when tests are compared, if not the criterion's
    std::int64_t sort_limit = 0;              // nodes of at most so many rows are sorted, larger ones counted
    std::vector<std::uint64_t> hashes{};      // of the content of every row, where tests may combine columns
    NodeKeys keys{};                          // by row, where one store of branches serves the whole table
    DealtLists::InOrder in_order{};           // beside bins, where several trees share it
  };

  MemoryStore(std::shared_ptr<Table> table, Pool& pool) : table_(std::move(table)), pool_(pool) {
    nodes_.resize(1);
    nodes_[0].end = table_->rows.size();
    table_->sort_limit = sort_limit(table_->criterion, table_->columns, table_->binned, table_->growth);
    if (!table_->in_order.empty() && table_->criterion.screens_columns())
      table_->sort_limit *= 3;   // lists cost little
  }

  double user_mass(double mass) const override { return table_->criterion.user_mass(mass); }
  Summary root() override { return table_->criterion.summary(rows(nodes_[0])); }
  void for_each(std::size_t n, const std::function<void(std::size_t)>& work) override { pool_.for_each(n, work); }
  void check() const override { pool_.check(); }

  void close(NodeIndex index) override {   // its rows stay known: its sibling may be the parent minus them
    Node& node = at(index);
    node.family.reset();
    node.histogram.reset();
    node.sorted.reset();
    node.segment = {};
  }

  void set_aside(NodeIndex index, Split& split) override {
    if (table_->binned.empty() || *held_ <= most_waiting()) return;
    Node& node = at(index);
    if (!node.histogram && !node.sorted) return;
    if (!split.levels && !split.missing_alone) split.place = {0, split.low};   // of bins and ranks nothing is left
    if (node.sorted) {   // its rows are a stretch, divided as its ids are
      const Sorted& sorted = *node.sorted;
      node.begin = sorted.begin + node.segment.begin;
      node.end = node.begin + node.segment.size();
      auto to = table_->rows.begin() + static_cast<std::ptrdiff_t>(node.begin);
      for (const std::uint32_t id : sorted.lists.ids(node.segment)) *to++ = sorted.lists.row(id);
    }
    node.sorted.reset();
    node.segment = {};
    node.histogram.reset();
  }

  std::int64_t part_size() const override {
    if (table_->keys) return static_cast<std::int64_t>(nodes_[0].size());
    if (!worth_sharing(nodes_[0].size())) {
      if (!own_branches()) return 0;
      return table_->binned.empty() ? static_cast<std::int64_t>(nodes_[0].size()) : table_->sort_limit;
    }
    const int per_thread = table_->growth.missing == Missing::surrogate ? 4 : 8;   // its nodes are shared in more steps
    return static_cast<std::int64_t>(table_->rows.size()) / (per_thread * pool_.n_threads());
  }
  std::vector<MakeStore> parts(std::span<const NodeIndex> nodes) override;
  std::unique_ptr<Store> part(NodeIndex node, NodeKeys keys) {   // of one thread, which may be any
    Node& from = at(node);
    if (own_branches() && !counted(from)) {
      if (table_->keys) return branch_store(from, {rows(from).begin(), rows(from).end()}, table_->keys, pool_);
      if (keys && are_bounded(*table_)) {
        std::vector<RowIndex> places(from.size());
        std::iota(places.begin(), places.end(), RowIndex{0});
        return branch_store(from, std::move(places), keys, alone_);
      }
      if (!from.sorted) sort(from, alone_, std::move(keys));
      if (auto store = branch_store(from)) {
        close(node);
        return store;
      }
    }
    auto store = std::unique_ptr<MemoryStore>(new MemoryStore(table_, pool_.cancel()));
    store->nodes_.push_back(std::move(from));
    store->nodes_[0].family.reset();
    store->branches_ = counted(store->nodes_[0]);   // else it was tried
    return store;
  }

  void best_splits(std::span<const SplitRequest> requests) override {
    for (const SplitRequest& request : requests) {
      const auto& family = at(request.node).family;   // a sibling may be searched later, if it is handed out
      prepare(request.node, part_size() > 0 || (family && wanted(requests, family->end - 1)));
    }
    if (table_->growth.thresholds == Thresholds::recorded && table_->recorded.empty()) record_values();
    for (const SplitRequest& request : requests) {
      Split& split = *request.split = best_split(request);
      finish(split, at(request.node));
      if (table_->growth.oblique > 1) offer_combination(request, split);
      if (split && table_->growth.missing == Missing::surrogate) add_surrogates(split, at(request.node));
    }
  }

  void route(std::span<const Move> moves, std::span<Summary> children) override;

 private:
  struct Sorted : SortedNode {
    std::size_t begin;   // of its rows in Table::rows
    Held held;
  };
  struct HeldHistogram : Histogram {
    Held held;
  };
  struct Family {   // what siblings still share of their parent
    NodeIndex first = 0, end = 0;
    std::unique_ptr<HeldHistogram> histogram;
    std::shared_ptr<Sorted> sorted;
    Segment segment;
    std::vector<std::uint32_t> begin;   // of every child's ids
  };
  struct Node {
    std::size_t begin = 0, end = 0;   // of Table::rows
    std::unique_ptr<HeldHistogram> histogram;
    std::shared_ptr<Sorted> sorted;
    Segment segment;
    std::shared_ptr<Family> family;
    std::size_t size() const { return sorted ? segment.size() : end - begin; }
  };

  MemoryStore(std::shared_ptr<Table> table, std::atomic<bool>* cancel)   // a part: one thread, its own
      : table_(std::move(table)), own_pool_(std::make_unique<Pool>(1, cancel)), pool_(*own_pool_) {}

  std::size_t n_features() const { return table_->columns.size(); }
  bool own_branches() const { return branches_ && table_->growth.ordinary_branches(n_features()); }
  std::unique_ptr<Store> branch_store(const Node& node) const {
    if (!node.sorted->lists.complete() || node.size() >= 1 << 16) return {};
    return node.sorted->criterion->branch_store(table_->criterion, node.sorted->lists, node.segment, table_->growth,
                                                table_->min_weight, pool_.cancel());
  }
  std::unique_ptr<Store> branch_store(const Node& node, std::vector<RowIndex> places, const NodeKeys& keys,
                                      Pool& pool) {
    return table_->criterion.branch_store(table_->columns, rows(node), std::move(places), keys, table_->growth,
                                          table_->min_weight, pool);
  }
  // Columns of numbers without a gap, and a criterion that bounds what they can gain.
  static bool are_bounded(const Table& table);
  std::int64_t most_waiting() const {
    constexpr std::int64_t least = 32 << 20, most = 256 << 20;
    const std::int64_t given = table_->growth.waiting_bytes;
    return given >= 0 ? given
                      : std::clamp(static_cast<std::int64_t>(table_->rows.size() * n_features() * 8), least, most);
  }
  Node& at(NodeIndex node) { return nodes_[static_cast<std::size_t>(node)]; }
  std::span<const RowIndex> rows(const Node& node) const {
    return std::span(table_->rows).subspan(node.begin, node.end - node.begin);
  }
  bool counted(const Node& node) const {   // in bins, rather than sorted
    return !table_->binned.empty() && static_cast<std::int64_t>(node.size()) > table_->sort_limit;
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
  void prepare(NodeIndex index, bool keep_last_sibling) {
    Node& node = at(index);
    if (table_->growth.splitter != Splitter::best) return;
    if (node.family && node.family->sorted) return divide_family(*node.family, keep_last_sibling);
    if (node.sorted) return;
    if (!counted(node)) return sort(node, worth_sharing(node) ? pool_ : alone_, {});
    if (node.family && node.family->histogram) make_histograms_for(index);
  }
  void sort(Node& node, Pool& pool, NodeKeys keys) {
    const Columns& columns = table_->columns;
    SortedLists lists = table_->presorted.empty()
                            ? SortedLists(columns, rows(node), pool, table_->binned, table_->growth.needs_order(),
                                          table_->growth.gap(), std::move(keys))
                            : SortedLists(columns, rows(node), pool, table_->presorted);
    SortedNode sorted(table_->criterion.gather(rows(node)), std::move(lists), table_->growth, table_->own_weight);
    const std::size_t bytes = node.size() * n_features() * sizeof(SortedLists::Entry);
    node.sorted = std::make_shared<Sorted>(Sorted{std::move(sorted), node.begin, Held(held_, bytes)});
    node.segment = node.sorted->lists.root();
    node.histogram.reset();
  }

  // Before the first search, when all rows are in the root.
  void record_values();
  static bool wanted(std::span<const SplitRequest> requests, NodeIndex node) {
    return std::any_of(requests.begin(), requests.end(),
                       [&](const SplitRequest& request) { return request.node == node; });
  }
  void divide_family(Family& family, bool keep_last) {
    const auto sorted = std::move(family.sorted);
    const Segment segment = std::move(family.segment);
    std::vector<Segment> parts =
        sorted->lists.divide(segment, family.begin, keep_last, worth_sharing(segment.size()) ? pool_ : alone_);
    for (NodeIndex child = family.first; child < family.end; ++child) {
      if (!at(child).family) continue;   // closed: what it held would stay to the end
      at(child).segment = std::move(parts[static_cast<std::size_t>(child - family.first)]);
      at(child).sorted = sorted;
    }
  }

  // The largest sibling is the parent minus the others. Those too small for bins of their own are counted together:
  // there may be thousands, each with a row or two.
  void make_histograms_for(NodeIndex index);
  std::unique_ptr<HeldHistogram> make_histogram() const {
    Histogram histogram(table_->binned, table_->criterion.width());
    const std::size_t bytes = histogram.cells.size() * sizeof(std::int64_t);
    return std::make_unique<HeldHistogram>(HeldHistogram{std::move(histogram), Held(held_, bytes)});
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
      table_->criterion.count(table_->binned, rows(node), features.subspan(first, last - first), histogram, pool_);
    });
    for (std::int32_t f : features) histogram.built[static_cast<std::size_t>(f)] = 1;
  }

  // ---- the search
  SearchInput input(const SplitRequest& request, std::int32_t feature) const {
    return search_input(table_->criterion, table_->growth, table_->min_weight, request, feature);
  }

  Split best_split(const SplitRequest& request) {
    if (features_.empty()) features_.resize(n_features()), std::iota(features_.begin(), features_.end(), 0);
    const std::int64_t most = table_->growth.max_features;
    const bool each =
        table_->growth.compares_columns() || (table_->growth.classic.plain_sums && at(request.node).sorted);
    Choice choice(features_.size(), table_->growth, each);
    const auto decide = [&] {
      return chosen_split(choice, table_->criterion, table_->columns, table_->growth, request.tally,
                          table_->rows.size(), table_->min_weight);
    };
    if (most < 0 || most >= static_cast<std::int64_t>(features_.size())) {
      search(request, features_, choice);
      return decide();
    }
    std::vector<std::int32_t> features = features_;
    // Columns in a random order; constant ones do not count, and the search goes on until some split is found.
    std::vector<std::uint64_t> draws(features.size());
    for (std::size_t f = 0; f < draws.size(); ++f) draws[f] = draw(request.random_key, f, 0);
    std::sort(features.begin(), features.end(), [&](auto a, auto b) {
      return std::pair(draws[static_cast<std::size_t>(a)], a) < std::pair(draws[static_cast<std::size_t>(b)], b);
    });
    std::int64_t n_visited = 0;
    for (std::size_t next = 0; next < features.size() && (n_visited < most || !choice.any());) {
      const auto n = std::min<std::size_t>(features.size() - next,
                                           static_cast<std::size_t>(std::max<std::int64_t>(most - n_visited, 1)));
      const std::span<const std::int32_t> some = std::span(features).subspan(next, n);
      search(request, some, choice);
      for (std::int32_t f : some) n_visited += !constant(at(request.node), static_cast<std::size_t>(f));
      next += n;
    }
    return decide();
  }

  void search(const SplitRequest& request, std::span<const std::int32_t> features, Choice& choice) {
    Node& node = at(request.node);
    const bool worth = worth_sharing(node);
    if (table_->growth.splitter == Splitter::best && !node.sorted) {
      count_missing_columns(node, features);
      return search_counted(
          counted_node(node, request.random_key), features,
          [&](std::int32_t feature) { return input(request, feature); }, choice);
    }
    const std::size_t n_groups = worth ? std::min<std::size_t>(features.size(), 4 * pool_.n_threads()) : 1;
    const bool alike = table_->growth.monotonic.empty() && table_->growth.classic.column_costs.empty();
    share(worth, n_groups, [&](std::size_t group) {
      Split found;
      SearchInput searched = input(request, features[0]);
      for (std::size_t i = features.size() * group / n_groups; i < features.size() * (group + 1) / n_groups; ++i) {
        if (choice.keeps_each()) found = Split{};
        if (alike) searched.feature = features[i];   // all else is the node's
        else searched = input(request, features[i]);
        if (node.sorted) node.sorted->search(searched, node.segment, request, table_->growth, found);
        else
          search_rows(table_->criterion, searched, table_->columns, rows(node), table_->growth, request.random_key,
                      found);
        if (choice.keeps_each()) choice.offer(std::move(found));
      }
      choice.offer(std::move(found));
    });
  }

  bool constant(const Node& node, std::size_t feature) const {
    if (node.sorted) return node.sorted->lists.constant(feature, node.segment);
    std::vector<Key> keys(node.size());
    read_keys(table_->columns[feature], rows(node), keys.data());
    return key_range(keys).constant();
  }

  void count_missing_columns(Node& node, std::span<const std::int32_t> features) {
    if (!node.histogram) node.histogram = make_histogram();
    std::vector<std::int32_t> uncounted;
    for (std::int32_t f : features)
      if (!node.histogram->built[static_cast<std::size_t>(f)]) uncounted.push_back(f);
    if (!uncounted.empty()) count_columns(node, uncounted, *node.histogram);
  }
  CountedNode counted_node(const Node& node, std::uint64_t random_key) {
    return {table_->criterion, table_->columns, table_->binned, *node.histogram,
            rows(node),        table_->growth,  random_key,     worth_sharing(node) ? pool_ : alone_};
  }

  // ---- after a search: the neighbouring values around the cut, and the threshold between them
  void finish(Split& split, const Node& node) const {
    if (!split) return;
    const Growth& growth = table_->growth;
    if (split.levels) return add_empty_branches(split, table_->columns, growth);
    if (growth.splitter != Splitter::best && !split.missing_alone) return;   // the search named the threshold
    const auto f = static_cast<std::size_t>(split.feature);
    const Column& column = table_->columns[f];
    if (!split.missing_alone) {
      if (node.sorted) node.sorted->lists.find_neighbours(split);
      else if (!split.has_neighbours) {
        const int next = next_filled_bin(table_->criterion, *node.histogram, f, split.place.bin);
        std::tie(split.low, split.high) = neighbours(column, table_->binned[f], rows(node), split.place.bin, next);
      }
    }
    set_threshold(split, column, growth, table_->recorded);
  }

  // ---- a test of several columns in its place, if that pays: see search/oblique.hpp
  void offer_combination(const SplitRequest& request, Split& split);

  // ---- substitutes for a test whose value is missing
  void add_surrogates(Split& split, Node& node) {
    const std::vector<std::int64_t>& own = table_->own_weight;
    if (node.sorted) return node.sorted->add_surrogates(node.segment, table_->columns, table_->growth, split);
    const auto higher = [&] { return higher_side(table_->criterion, rows(node), table_->sides); };
    const auto rows_in_bin = [&](std::size_t f, std::size_t bin) {
      return node.histogram && node.histogram->built[f] ? table_->criterion.rows(node.histogram->cell(f, bin)) : -1;
    };
    add_surrogates_by_counting(table_->columns, table_->binned, table_->growth, rows(node), rows_in_bin,
                               own.empty() ? table_->criterion.weights() : std::span(own), table_->sides,
                               worth_sharing(node) ? pool_ : alone_, higher, split);
  }

  // ---- routing
  void route_sorted(const Move& move, std::span<Summary> children);
  void route_rows(const Move& move, std::span<Summary> children);

  std::shared_ptr<Table> table_;
  std::unique_ptr<Pool> own_pool_;
  Pool& pool_;
  Pool alone_{1, pool_.cancel()};
  std::vector<Node> nodes_;
  std::shared_ptr<KeyMemory> key_memory_;
  bool branches_ = true;                                            // small nodes are handed to stores of their own
  std::vector<std::int32_t> features_;                              // all, in their order
  TotalHeld held_ = std::make_shared<TotalHeld::element_type>(0);   // by sorted lists and histograms
};

}   // namespace treewright
