#include "linear_store.hpp"

#include <algorithm>
#include <cmath>

#include "../grow.hpp"
#include "../recorded.hpp"
#include "../route.hpp"

namespace treewright {

namespace {

constexpr double least_gain = 8;                   // of a split, in mean squared errors of the node
constexpr std::size_t rows_of_distinct = 10'000;   // of a table: with more, bins come from a sample

}   // namespace

LinearStore::LinearStore(const LinearTable& table, const Columns& columns, const Growth& growth, Pool& pool)
    : table_(table), growth_(growth), pool_(pool), columns_(columns) {
  for (Column& column : columns_.columns) {
    if (!column.sparse) continue;
    std::vector<double>& values = dense_.emplace_back(columns.n_rows);
    read_numbers(column, 0, columns.n_rows, values.data());
    column = Column{};
    column.data = reinterpret_cast<const std::byte*>(values.data());
    column.stride = sizeof(double);
  }
  nodes_.resize(1);
  for (std::size_t row = 0; row < table.n_rows; ++row)
    if (table.weight[row] > 0) rows_.push_back(static_cast<RowIndex>(row));
  binned_ = rows_.size() > rows_of_distinct ? bin_columns(columns_, growth.max_bins, pool) : bins_of_distinct();
  row_codes_.resize(table.n_rows * columns_.size());
  constexpr std::size_t block_rows = 1024;
  pool.for_each((table.n_rows + block_rows - 1) / block_rows, [&](std::size_t block) {
    const std::size_t end = std::min((block + 1) * block_rows, table.n_rows);
    for (std::size_t f = 0; f < columns_.size(); ++f)
      for (std::size_t row = block * block_rows; row < end && !columns_[f].nominal; ++row)
        row_codes_[row * columns_.size() + f] = binned_[f].codes[row];
  });
  nodes_[0].end = rows_.size();
  if (!table.intercept_only) return;
  search_ = {0};
}

// Bins of the distinct values of the rows that count: the same whether rows are repeated or have weights.
BinnedColumns LinearStore::bins_of_distinct() const {
  BinnedColumns binned;
  std::vector<double> all(columns_.n_rows);
  for (const Column& column : columns_.columns) {
    if (column.nominal) {
      binned.push_back(bins_of_levels(column, static_cast<std::size_t>(column.n_levels)));
      continue;
    }
    read_numbers(column, 0, all.size(), all.data());
    std::vector<double> values;
    for (const RowIndex row : rows_)
      if (all[row] == all[row]) values.push_back(all[row]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    binned.push_back(code_column(column, columns_.n_rows, Coder(std::move(values), growth_.max_bins)));
  }
  return binned;
}

Summary LinearStore::summary(const Node& node) const {
  Summary out;
  out.n_rows = static_cast<std::int64_t>(node.size());
  double weight = 0;
  for (std::size_t i = node.begin; i < node.end; ++i) weight += table_.weight[rows_[i]];
  out.weight = weight * table_.row_weight;
  out.mass = weight * static_cast<double>(table_.n_targets);   // targets are of variance 1 or less
  out.value.assign(table_.n_targets, 0.0);
  out.pure = false;
  return out;
}

// The split as it is written; none where it gains too little.
Split LinearStore::finished(Search& search) {
  if (search.tests.empty()) return {};
  const Tested& test = search.tests[search.best];
  Split split;
  if (std::isinf(test.cut.loss) || !put_split(search, test, split)) return {};
  double noise = 0;
  for (const double each : search.left) noise += each;
  split.gain /= search.share;
  if (!(split.gain > least_gain * noise / search.block.total)) return {};
  split.score = std::max<Score>(Scale(table_.row_weight * search.block.total / search.share).score(split.gain), 1);
  return split;
}

// The test, and the child of each row. False where a side of the whole node is too small.
bool LinearStore::put_split(Search& search, const Tested& test, Split& split) {
  Node& node = *search.node;
  split.feature = test.feature;
  split.missing_left = test.cut.missing_left;
  split.heuristic = true;
  const auto f = static_cast<std::size_t>(test.feature);
  if (!(columns_[f].nominal ? put_levels(node, test, split) : put_threshold(search, test, split))) return false;
  if (columns_[f].nominal) split.gain = test.scanned->whole() - test.cut.loss;
  node.child.resize(node.size());
  const std::span<const RowIndex> all = rows(node);
  children_by_bin(columns_, binned_[f], all, split, node.child.data());
  std::int64_t n[2] = {0, 0};
  double weight[2] = {0, 0};
  for (std::size_t i = 0; i < all.size(); ++i) {
    ++n[node.child[i]];
    weight[node.child[i]] += table_.weight[all[i]];
  }
  const double least = growth_.min_weight_leaf / table_.row_weight * (1 - 1e-12);
  return std::min(n[0], n[1]) >= std::max<std::int64_t>(growth_.min_samples_leaf, 1) &&
         std::min(weight[0], weight[1]) >= least;
}

bool LinearStore::put_levels(Node& node, const Tested& test, Split& split) {
  const Column& column = columns_[static_cast<std::size_t>(test.feature)];
  LevelMap map;
  std::vector<std::uint8_t> present(static_cast<std::size_t>(column.n_levels), 0);
  for (const RowIndex row : rows(node)) {
    const std::int32_t code = column.level_codes()[row];
    if (code >= 0 && code < column.n_levels) present[static_cast<std::size_t>(code)] = 1;
    else split.missing_seen = true;
  }
  for (std::size_t level = 0; level < present.size(); ++level) {
    if (present[level] == 0) continue;
    map.code.push_back(static_cast<std::int32_t>(level));
    map.child.push_back(test.coded.level_bin[level] > test.cut.bin);   // a level that the sample lacks goes right
  }
  split.levels = std::make_shared<const LevelMap>(std::move(map));
  return true;
}

bool LinearStore::put_threshold(const Search& search, const Tested& test, Split& split) {
  const ModelBlock& block = search.block;
  const auto f = static_cast<std::size_t>(test.feature);
  const Column& column = columns_[f];
  const BinnedColumn& binned = binned_[f];
  std::vector<Key> keys(block.size());
  read_keys(column, block.rows, keys.data());
  const CutScan::Placed placed = test.scanned->place(test.cut, search.sides, keys);
  if (std::isinf(placed.loss)) return false;
  split.gain = test.scanned->whole() - placed.loss;
  const std::span<const RowIndex> all = rows(*search.node);
  std::array<std::uint8_t, 256> filled{};
  for (const RowIndex row : all) filled[binned.codes[row]] = 1;
  split.missing_seen = binned.n_bins < 256 && filled[static_cast<std::size_t>(binned.n_bins)] != 0;
  split.missing_alone = placed.all_left;
  if (placed.all_left) {
    set_threshold(split, column, growth_, {});
    return true;
  }
  // Where the neighbours are in two bins, the cut is at the edge of the first, as rows of the node are sent by bins.
  int low = 0, high = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == placed.low) low = binned.codes[block.rows[i]];
    if (keys[i] == placed.high) high = binned.codes[block.rows[i]];
  }
  split.low = placed.low, split.high = placed.high;
  split.place.bin = low;
  if (low != high) {
    int next = low + 1;
    while (filled[static_cast<std::size_t>(next)] == 0) ++next;
    std::tie(split.low, split.high) = neighbours(column, binned, all, low, next);
  }
  set_threshold(split, column, growth_, {});
  if (low == high) split.place.key = last_key_left(key_kind(column.type), split.threshold);
  return true;
}

void LinearStore::route(std::span<const Move> moves, std::span<Summary> children) {
  Summary* next = children.data();
  for (const Move& move : moves) {
    nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(move.first_child) + 2));
    Node& node = at(move.node);
    const auto begin = divide(rows(node), node.child.data(), 2);
    for (std::size_t k = 0; k < 2; ++k) {
      Node& child = at(move.first_child + static_cast<NodeIndex>(k));
      child.begin = node.begin + begin[k];
      child.end = node.begin + begin[k + 1];
      child.above = node.model;
      *next++ = summary(child);
    }
    node.child = {};
    node.above = node.model = {};
  }
}

Grown grow_linear(const LinearTable& table, const Columns& columns, const Growth& growth, std::atomic<bool>* cancel) {
  Pool pool(growth.n_threads, cancel);
  LinearStore store(table, columns, growth, pool);
  Grown grown;
  grown.n_outputs = table.n_targets;
  grown.tree = grow(store, growth);
  return grown;
}

}   // namespace treewright
