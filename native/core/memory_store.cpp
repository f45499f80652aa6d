#include "memory_store.hpp"

#include "search/oblique.hpp"

namespace treewright {

namespace {

bool are_ordered(const Columns& columns) {
  return std::none_of(columns.columns.begin(), columns.columns.end(),
                      [](const Column& c) { return c.nominal || c.sparse; });
}

bool are_bounded(const AnyCriterion& criterion, const Columns& columns, const BinnedColumns& binned,
                 const Growth& growth) {
  const bool missing = std::any_of(binned.begin(), binned.end(), [](const BinnedColumn& c) { return c.has_missing; });
  return criterion.bounds_columns() && are_ordered(columns) && !missing && growth.ordinary_branches(columns.size());
}

}   // namespace

// To sort every column pays if the tree has many levels.
bool is_one_branch(const AnyCriterion& criterion, const Columns& columns, const Growth& growth) {
  constexpr std::int64_t most_rows = (1 << 15) - 1, least_levels = 5;
  return columns.n_rows <= static_cast<std::size_t>(most_rows) && criterion.bounds_columns() &&
         growth.ordinary_branches(columns.size()) && growth.max_leaf_nodes < 0 &&
         (growth.max_depth < 0 || growth.max_depth >= least_levels) && are_ordered(columns);
}

// A histogram costs a tally per bin, and of many classes tallies are wide; sorted rows cost less where bounds spare most columns
// the search.
std::int64_t sort_limit(const AnyCriterion& criterion, const Columns& columns, const BinnedColumns& binned,
                        const Growth& growth) {
  const bool bounded = are_bounded(criterion, columns, binned, growth);
  return growth.sort_below * std::max<std::int64_t>(bounded ? 4 : 1, static_cast<std::int64_t>(criterion.width()) / 32);
}

bool MemoryStore::are_bounded(const Table& table) {
  return treewright::are_bounded(table.criterion, table.columns, table.binned, table.growth);
}

bool counts_in_bins(const AnyCriterion& criterion, const Columns& columns, std::int64_t n_rows, const Growth& growth) {
  return n_rows / 3 > sort_limit(criterion, columns, {}, growth);
}

std::vector<MakeStore> MemoryStore::parts(std::span<const NodeIndex> nodes) {
  // of gathered keys: more nodes come later
  const std::size_t most_bytes = static_cast<std::size_t>(pool_.n_threads()) * (6 << 20);
  const bool gathers = own_branches() && !table_->binned.empty();
  std::vector<std::pair<std::size_t, std::size_t>> stretches;
  std::vector<std::size_t> stretch(nodes.size(), nodes.size());   // of each node, if its keys are gathered
  std::size_t n = 0, n_rows = 0;
  for (; n < nodes.size(); ++n) {
    Node& node = at(nodes[n]);   // what siblings share is divided here, before threads take their parts
    if (node.family && node.family->sorted) divide_family(*node.family, true);
    if (node.family && node.family->histogram && counted(node)) make_histograms_for(nodes[n]);
    if (!gathers || counted(node) || node.sorted) continue;
    n_rows += node.size();
    if (!stretches.empty() && n_rows * n_features() * sizeof(Key) > most_bytes) break;
    stretch[n] = stretches.size();
    stretches.emplace_back(node.begin, node.end);
  }
  std::shared_ptr<const GatheredKeys> keys;
  if (stretches.size() > 1) {
    Pool& pool = worth_sharing(nodes_[0].size()) ? pool_ : alone_;
    if (!key_memory_ || key_memory_.use_count() > 1) key_memory_ = std::make_shared<KeyMemory>();
    keys = std::make_shared<const GatheredKeys>(table_->columns, table_->rows, stretches, pool, key_memory_,
                                                table_->in_order);
    if (n == nodes.size()) key_memory_.reset();   // the last
  }
  std::vector<MakeStore> stores;
  for (std::size_t i = 0; i < n; ++i) {
    NodeKeys own = stretch[i] < nodes.size() ? NodeKeys{keys, stretch[i]} : NodeKeys{};
    stores.push_back([this, node = nodes[i], own = std::move(own)] { return part(node, own); });
  }
  return stores;
}

void MemoryStore::make_histograms_for(NodeIndex index) {
  Family& family = *at(index).family;
  auto parent = std::move(family.histogram);
  const auto features = built_features(*parent);
  NodeIndex largest = family.first;
  for (NodeIndex child = family.first; child < family.end; ++child) {
    if (at(child).size() >= at(largest).size()) largest = child;
  }
  const bool wanted = counted(at(largest));
  std::unique_ptr<HeldHistogram> small;
  const auto subtract = [&](const Histogram& histogram) {
    for (std::int32_t f : features) parent->subtract(histogram, static_cast<std::size_t>(f));
  };
  for (NodeIndex child = family.first; child < family.end; ++child) {
    Node& node = at(child);
    if (child == largest || (!wanted && !counted(node))) continue;
    if (!counted(node)) {
      if (!small) small = make_histogram();
      count_columns(node, features, *small);
      continue;
    }
    auto histogram = make_histogram();
    count_columns(node, features, *histogram);
    if (wanted) subtract(*histogram);
    if (node.family) node.histogram = std::move(histogram);
  }
  if (small) subtract(*small);
  if (wanted && at(largest).family) at(largest).histogram = std::move(parent);
}

void MemoryStore::offer_combination(const SplitRequest& request, Split& split) {
  const Node& node = at(request.node);
  std::vector<RowIndex> own;
  if (node.sorted)
    for (const std::uint32_t id : node.sorted->lists.ids(node.segment)) own.push_back(node.sorted->lists.row(id));
  search_combinations({table_->criterion, table_->columns, table_->growth, table_->hashes, table_->min_weight, request,
                       node.sorted ? std::span<const RowIndex>(own) : rows(node), worth_sharing(node) ? pool_ : alone_},
                      split);
}

void MemoryStore::record_values() {
  const auto& sorted = nodes_[0].sorted;
  const std::vector<RowIndex> rows = rows_to_record(table_->columns, table_->rows, table_->growth);
  const auto known = [&](std::size_t f) {
    return sorted && rows.size() == table_->rows.size() ? sorted->lists.sorted_values(f) : SortedValues{};
  };
  table_->recorded = RecordedValues(table_->columns, rows, pool_, known);
}

void MemoryStore::route(std::span<const Move> moves, std::span<Summary> children) {
  for (const Move& move : moves) {
    const auto n_children = static_cast<std::size_t>(move.test->n_children);
    nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(move.first_child) + n_children));
    const std::span<Summary> own = children.first(n_children);
    at(move.node).sorted ? route_sorted(move, own) : route_rows(move, own);
    children = children.subspan(n_children);
  }
}

void MemoryStore::route_sorted(const Move& move, std::span<Summary> children) {
  Node& node = at(move.node);
  node.family.reset();
  auto family = std::make_shared<Family>();
  family->first = move.first_child;
  family->end = move.first_child + move.test->n_children;
  family->sorted = std::move(node.sorted);
  family->segment = std::move(node.segment);
  family->begin = family->sorted->route(family->segment, *move.test, table_->columns);
  for (std::size_t k = 0; k < static_cast<std::size_t>(move.test->n_children); ++k) {
    const Segment child{family->begin[k], family->begin[k + 1], {}};
    children[k] = child.size() > 0 ? family->sorted->summary(child) : Summary{};
    at(move.first_child + static_cast<NodeIndex>(k)).family = family;
  }
}

void MemoryStore::route_rows(const Move& move, std::span<Summary> children) {
  Node& node = at(move.node);
  const std::span<RowIndex> span = std::span(table_->rows).subspan(node.begin, node.size());
  const auto f = static_cast<std::size_t>(move.test->feature);
  const auto n_children = static_cast<std::size_t>(move.test->n_children);
  std::vector<ChildNumber> child(span.size());
  const std::size_t n_chunks = worth_sharing(node) ? 4 * static_cast<std::size_t>(pool_.n_threads()) : 1;
  share(n_chunks > 1, n_chunks, [&](std::size_t chunk) {
    const std::size_t begin = span.size() * chunk / n_chunks, end = span.size() * (chunk + 1) / n_chunks;
    const std::span<const RowIndex> some = span.subspan(begin, end - begin);
    if (node.histogram) children_by_bin(table_->columns, table_->binned[f], some, *move.test, child.data() + begin);
    else children_by_key(table_->columns, some, *move.test, child.data() + begin);
  });
  const auto begin = divide(span, child.data(), static_cast<std::size_t>(move.test->n_parts()));
  bool any_counted = false;
  for (std::size_t k = 0; k < n_children; ++k) {
    Node& to = at(move.first_child + static_cast<NodeIndex>(k));
    to.begin = node.begin + begin[k];
    to.end = node.begin + begin[k + 1];
    any_counted |= counted(to);
  }
  if (node.histogram && any_counted && !move.test->stops_rows()) {
    auto family = std::make_shared<Family>();
    family->first = move.first_child;
    family->end = move.first_child + move.test->n_children;
    family->histogram = std::move(node.histogram);
    for (NodeIndex k = family->first; k < family->end; ++k) at(k).family = family;
  }
  node.histogram.reset();
  node.family.reset();
  share(worth_sharing(node), n_children, [&](std::size_t k) {
    const Node& child = at(move.first_child + static_cast<NodeIndex>(k));
    children[k] = child.size() > 0 ? table_->criterion.summary(rows(child)) : Summary{};
  });
}

}   // namespace treewright
