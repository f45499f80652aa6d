#include "dissimilarity_store.hpp"

#include <bit>
#include <numeric>

#include "grow.hpp"
#include "recorded.hpp"
#include "route.hpp"
#include "search/level_sets.hpp"

namespace treewright {

namespace {

constexpr std::size_t columns_together = 32;   // of which sums are held at a time

}   // namespace

struct DissimilarityStore::Searched {
  std::span<const RowIndex> rows;
  std::vector<std::int64_t> row_sums;
  Wide sum;
  std::int64_t weight;
  double mass;
};

struct DissimilarityStore::Side {
  Wide sum = 0, row_sums = 0;   // S; and the sum of its rows over all rows of the node
  std::int64_t weight = 0, n_rows = 0;

  void add(const Side& other, Wide between) {
    sum += other.sum + 2 * between;
    row_sums += other.row_sums;
    weight += other.weight;
    n_rows += other.n_rows;
  }
};

DissimilarityStore::DissimilarityStore(const Columns& columns, const Growth& growth, DissimilarityMatrix matrix,
                                       const Weights& weights, Pool& pool)
    : columns_(columns), growth_(growth), weights_(weights), pool_(pool), sums_(matrix, weights, pool), nodes_(1) {
  for (std::size_t row = 0; row < columns.n_rows; ++row)
    if (weights[row] > 0) nodes_[0].rows.push_back(static_cast<RowIndex>(row));
  for (const std::int64_t each : sums_.add_up(nodes_[0].rows, {}, pool_)) nodes_[0].sum += each;
}

Summary DissimilarityStore::root() { return summary(nodes_[0]); }

Summary DissimilarityStore::summary(const Node& node) const {
  Summary out;
  std::int64_t units = 0;
  for (const RowIndex row : node.rows) units += weights_[row];
  out.value.assign(1, 0.0);
  out.n_rows = static_cast<std::int64_t>(node.rows.size());
  out.weight = static_cast<double>(units) * weights_.unit;
  out.mass = units > 0 ? to_double(node.sum) / static_cast<double>(units) : 0;
  out.impurity = units > 0 ? user_mass(out.mass) / out.weight : 0;
  out.pure = node.sum <= 0;
  return out;
}

void DissimilarityStore::best_splits(std::span<const SplitRequest> requests) {
  for (const SplitRequest& request : requests) *request.split = best_split(at(request.node));
}

// S(R) = S - 2 (sum of the rows of L over all rows) + S(L).
bool DissimilarityStore::offer(const Searched& node, const Side& left, Split split, Found& best) const {
  const std::int64_t others = static_cast<std::int64_t>(node.rows.size()) - left.n_rows;
  if (std::min(left.n_rows, others) < growth_.min_samples_leaf) return false;
  const Wide right = node.sum - 2 * left.row_sums + left.sum;
  split.gain = node.mass - to_double(left.sum) / static_cast<double>(left.weight) -
               to_double(right) / static_cast<double>(node.weight - left.weight);
  split.score = Scale(node.mass).score(split.gain);
  split.left_weight = left.weight;
  if (split.score < 0 || !split.beats(best.split)) return false;
  best = {std::move(split), left.sum, right};
  return true;
}

DissimilarityStore::Found DissimilarityStore::search_numbers(const Searched& node, std::size_t feature,
                                                             const PairColumn& column) const {
  const std::vector<Item>& items = column.sorted;
  Side lost, left;
  for (const std::uint32_t at : column.missing)
    lost.add({column.to_missing[at], node.row_sums[at], weights_[node.rows[at]], 1}, 0);
  Wide between = 0;   // of the left rows and those whose value is missing
  Found best;
  Split split;
  split.feature = static_cast<std::int32_t>(feature);
  split.missing_seen = !column.missing.empty();
  split.has_neighbours = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t at = items[i].row;
    left.add({2 * Wide{column.before[at]}, node.row_sums[at], weights_[node.rows[at]], 1}, 0);
    if (split.missing_seen) between += column.to_missing[at];
    if (i + 1 == items.size() || items[i].key == items[i + 1].key) continue;
    split.low = split.place.key = items[i].key;
    split.high = items[i + 1].key;
    split.missing_left = false;
    offer(node, left, split, best);
    if (!split.missing_seen) continue;
    Side with = left;
    with.add(lost, between);
    split.missing_left = true;
    offer(node, with, split, best);
  }
  if (split.missing_seen && !items.empty()) {   // is it missing?
    split.missing_left = false;
    split.missing_alone = true;
    offer(node, left, split, best);
  }
  return best;
}

DissimilarityStore::Found DissimilarityStore::search_levels(const Searched& node, std::size_t feature,
                                                            const PairColumn& column) const {
  const std::size_t n = column.n_levels;
  Found best;
  if (n < 2) return best;
  std::vector<Side> alone(n);
  for (std::size_t i = 0; i < node.rows.size(); ++i)
    alone[static_cast<std::size_t>(column.level[i])].add({0, node.row_sums[i], weights_[node.rows[i]], 1}, 0);
  for (std::size_t l = 0; l < n; ++l) alone[l].sum = column.pairs[l * n + l];
  const bool every = n <= try_all_levels;
  Split split;
  split.feature = static_cast<std::int32_t>(feature);
  split.missing_seen = !column.missing.empty();
  split.found_by = every ? FoundBy::every_subset : FoundBy::every_level;
  split.heuristic = !every;
  const auto offer_set = [&](std::span<const std::uint8_t> inside) {
    Side left;
    for (std::size_t l = 0; l < n; ++l) {
      if (!inside[l]) continue;
      Wide between = 0;
      for (std::size_t before = 0; before < l; ++before)
        if (inside[before]) between += column.pairs[l * n + before];
      left.add(alone[l], between);
    }
    split.missing_left = split.missing_seen && inside[n - 1];
    if (!offer(node, left, split, best)) return;
    LevelMap map{column.codes, {}};
    for (std::size_t l = 0; l < column.codes.size(); ++l) map.child.push_back(!inside[l]);
    best.split.levels = std::make_shared<const LevelMap>(std::move(map));
  };
  std::vector<std::uint8_t> inside(n, 0);
  inside[0] = 1;   // the first level goes first
  const std::size_t n_sets = every ? (std::size_t{1} << (n - 1)) - 1 : n;
  for (std::size_t set = 0; set < n_sets; ++set) {
    split.place.key = static_cast<Key>(set);
    for (std::size_t l = 1; l < n; ++l) inside[l] = every ? set >> (l - 1) & 1 : set != 0 && l != set;
    offer_set(inside);
  }
  return best;
}

Split DissimilarityStore::best_split(Node& node) {
  Pool& pool = node.rows.size() * node.rows.size() > static_cast<std::size_t>(growth_.share_above) ? pool_ : alone_;
  Searched searched{node.rows, {}, node.sum, 0, 0};
  for (const RowIndex row : node.rows) searched.weight += weights_[row];
  searched.mass = to_double(node.sum) / static_cast<double>(searched.weight);
  Found best;
  for (std::size_t first = 0; first < columns_.size(); first += columns_together) {
    const std::size_t n = std::min(columns_together, columns_.size() - first);
    std::vector<PairColumn> columns(n);
    pool.for_each(n, [&](std::size_t i) { columns[i] = PairColumn(columns_[first + i], node.rows); });
    searched.row_sums = sums_.add_up(node.rows, columns, pool);
    std::vector<Found> found(n);
    pool.for_each(n, [&](std::size_t i) {
      found[i] = columns_[first + i].nominal ? search_levels(searched, first + i, columns[i])
                                             : search_numbers(searched, first + i, columns[i]);
    });
    for (Found& each : found)
      if (each.split && each.split.beats(best.split)) best = std::move(each);
  }
  if (best.split && !best.split.levels)
    set_threshold(best.split, columns_[static_cast<std::size_t>(best.split.feature)], growth_, {});
  node.left = best.left;
  node.right = best.right;
  return std::move(best.split);
}

void DissimilarityStore::route(std::span<const Move> moves, std::span<Summary> children) {
  Summary* next = children.data();
  for (const Move& move : moves) {
    nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(move.first_child) + 2));
    Node& node = at(move.node);
    std::vector<ChildNumber> child(node.rows.size());
    children_by_key(columns_, node.rows, *move.test, child.data());
    for (std::size_t i = 0; i < child.size(); ++i)
      at(move.first_child + static_cast<NodeIndex>(child[i])).rows.push_back(node.rows[i]);
    at(move.first_child).sum = node.left;
    at(move.first_child + 1).sum = node.right;
    node = {};
    for (NodeIndex k = 0; k < 2; ++k) *next++ = summary(at(move.first_child + k));
  }
}

Grown fit_by_dissimilarity(const Columns& columns, DissimilarityMatrix matrix, const double* weights,
                           const Growth& growth, std::atomic<bool>* cancel) {
  if (columns.size() == 0 || columns.n_rows == 0) throw std::invalid_argument("the table must have rows and columns.");
  if (matrix.n_rows != columns.n_rows)
    throw std::invalid_argument("the matrix must have one row per row of the table.");
  const Weights units = Weights::from(weights, columns.n_rows);
  Pool pool(growth.n_threads, cancel);
  DissimilarityStore store(columns, growth, matrix, units, pool);
  Grown grown;
  grown.tree = grow(store, growth);
  return grown;
}

}   // namespace treewright
