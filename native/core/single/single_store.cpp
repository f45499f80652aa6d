#include "single_store.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include "../large_pages.hpp"
#include "../parallel.hpp"

namespace treewright {

using single::BranchCounts;

SingleStore::SingleStore(const AnyCriterion& criterion, const Columns& columns, const Growth& growth,
                         std::vector<RowIndex> rows, double least, Pool& pool)
    : table_(new Table{criterion, columns, growth, criterion.user_mass(1), rows.size(), criterion.n_sums(),
                       std::vector<std::vector<float>>(columns.size()), std::vector<std::uint8_t>(columns.size(), 0),
                       std::vector<std::uint32_t>(columns.size(), 0), std::vector<std::uint32_t>(columns.n_rows, 0),
                       std::vector<float>(columns.n_rows, 1.0f)}),
      least_(least),
      pool_(pool),
      nodes_(1) {
  Node& root = nodes_[0];
  Table& table = *table_;
  const std::span<const std::int64_t> units = criterion.weights();
  for (const RowIndex row : rows) {
    table.class_of[row] = criterion.class_of(row);
    root.weight.push_back(units.empty() ? 1.0f : static_cast<float>(static_cast<double>(units[row]) * table.unit));
  }
  std::uint32_t n_numbers = 0;
  for (std::size_t f = 0; f < columns.size(); ++f) table.place[f] = columns[f].nominal ? 0 : n_numbers++;
  for (std::uint32_t k = 0; k < n_numbers; ++k) root.begin.push_back(k * static_cast<std::uint32_t>(rows.size()));
  root.end = root.begin;
  root.sorted = large_array<Entry>(n_numbers * rows.size());
  std::vector<SortedValues> values(columns.size());
  const NodeKeys keys = keys_of_matrix(columns, rows, pool);
  pool.for_each(columns.size(), [&](std::size_t f) {
    const Column& column = columns[f];
    if (column.nominal) {
      for (const RowIndex row : rows) table.has_missing[f] |= column.level_codes()[row] < 0;
      return;
    }
    table.number[f].assign(columns.n_rows, std::numeric_limits<float>::quiet_NaN());
    thread_local std::vector<Item> items, scratch;
    std::vector<std::uint32_t> missing;
    if (keys) to_items(keys.of(f), items, missing);
    else read_items(column, rows, items, missing);
    table.has_missing[f] = !missing.empty();
    sort_items(items, scratch);
    Entry* to = root.sorted.get() + root.begin[table.place[f]];
    for (const Item& item : items) {
      const RowIndex row = rows[item.row];
      const auto number = static_cast<float>(number_of(key_kind(column.type), item.key));
      table.number[f][row] = number;
      *to++ = {row, table.class_of[row], number};
    }
    root.end[table.place[f]] += static_cast<std::uint32_t>(items.size());
    if (growth.thresholds == Thresholds::recorded) values[f] = distinct_keys(items);
  });
  if (growth.thresholds == Thresholds::recorded)
    table.recorded = RecordedValues(columns, rows, pool, [&](std::size_t f) { return values[f]; });
  for (std::size_t f = 0; f < columns.size(); ++f) table.only_numbers &= !columns[f].nominal && !table.has_missing[f];
  if (table.only_numbers) table.side.resize(columns.n_rows);
  else table.child.resize(columns.n_rows);
  root.rows = std::move(rows);
  root.sums = sums(root);
}

SingleStore::SingleStore(std::shared_ptr<Table> table, double least, Node&& root, std::atomic<bool>* cancel)
    : table_(std::move(table)), least_(least), own_pool_(std::make_unique<Pool>(1, cancel)), pool_(*own_pool_) {
  nodes_.push_back(std::move(root));
}

std::vector<MakeStore> SingleStore::parts(std::span<const NodeIndex> nodes) {   // no row is in several
  std::vector<MakeStore> stores;
  for (const NodeIndex node : nodes)
    stores.push_back([this, node] {
      return std::unique_ptr<Store>(new SingleStore(table_, least_, std::move(at(node)), pool_.cancel()));
    });
  return stores;
}

void SingleStore::best_splits(std::span<const SplitRequest> requests) {
  for (const SplitRequest& request : requests) *request.split = best_split(request.node);
}

void SingleStore::route(std::span<const Move> moves, std::span<Summary> children) {
  Summary* next = children.data();
  for (const Move& move : moves) {
    const auto n_children = static_cast<std::size_t>(move.test->n_children);
    nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(move.first_child) + n_children));
    const std::span<Node> parts(nodes_.data() + move.first_child, n_children);
    if (table_->only_numbers) divide_in_two(at(move.node), *move.test, parts);
    else divide(at(move.node), *move.test, parts);
    close(move.node);
    for (Node& child : parts) {
      child.sums = sums(child);
      *next++ = summary(child);
    }
  }
}

// ---- nodes

SingleStore::Sums SingleStore::sums(const Node& node) const {
  Sums found{std::vector<float>(table_->n_classes, 0.0f)};
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    found.counts[table_->class_of[node.rows[i]]] += node.weight[i];
    found.all += node.weight[i];
    found.whole &= node.weight[i] == 1;
  }
  return found;
}

Summary SingleStore::summary(const Node& node) const {
  Summary found;
  if (node.rows.empty()) return found;
  const Sums& sums = node.sums;
  found.n_rows = static_cast<std::int64_t>(node.rows.size());
  found.weight = sums.all;
  found.value.assign(table_->criterion.values_per_output(), 0.0);
  double bits = single::n_log_n(sums.all);
  for (std::size_t c = 0; c < table_->n_classes; ++c) {
    found.value[c] = double{sums.counts[c]} / double{sums.all};
    bits -= single::n_log_n(sums.counts[c]);
    found.pure &= sums.counts[c] == 0 || sums.counts[c] == sums.all;
  }
  found.mass = found.pure ? 0 : std::max(bits, 0.0) / table_->unit;
  found.impurity = table_->criterion.user_mass(found.mass) / found.weight;
  return found;
}

std::span<const single::Entry> SingleStore::sorted(const Node& node, std::size_t feature) const {
  const std::size_t place = table_->place[feature];
  return {node.sorted.get() + node.begin[place], node.end[place] - node.begin[place]};
}

bool SingleStore::is_known(std::size_t feature, RowIndex row) const {
  return table_->columns[feature].nominal ? table_->columns[feature].level_codes()[row] >= 0
                                          : !std::isnan(table_->number[feature][row]);
}

bool SingleStore::merges(std::size_t feature) const {
  return table_->growth.nominal_splits == NominalSplits::merged && table_->columns[feature].n_levels > 2;
}

// ---- searching

Split SingleStore::best_split(NodeIndex number) {
  const Node& node = at(number);
  const Sums& sums = node.sums;
  if (double{sums.all} < 2 * least_ || *std::max_element(sums.counts.begin(), sums.counts.end()) == sums.all) return {};
  if (!sums.whole)
    for (std::size_t i = 0; i < node.rows.size(); ++i) table_->weight[node.rows[i]] = node.weight[i];
  std::vector<double> least(table_->columns.size());
  for (std::size_t f = 0; f < table_->columns.size(); ++f) {
    least[f] = least_;
    // A slip of the program: where no row has a level, the least weight with which groups are tried stays.
    if (table_->columns[f].nominal && merges(f) &&
        std::none_of(node.rows.begin(), node.rows.end(), [&](RowIndex row) { return is_known(f, row); }))
      least_ = 1;
  }
  std::vector<Found> found(table_->columns.size());
  share(node.rows.size(), table_->columns.size(), [&](std::size_t f) {
    found[f] =
        table_->columns[f].nominal ? search_levels(node, f, sums, least[f]) : search_numbers(node, f, sums, least[f]);
  });
  const Found* best = choose(found);
  if (best == nullptr) return {};
  const auto feature = static_cast<std::size_t>(best - found.data());
  return split_of(node, feature, std::move(found[feature]), sums.all);
}

SingleStore::Found SingleStore::search_numbers(const Node& node, std::size_t feature, const Sums& sums,
                                               double least) const {
  const std::span<const Entry> entries = sorted(node, feature);
  std::vector<float> unknown;
  if (entries.size() < node.rows.size()) {
    unknown.assign(table_->n_classes, 0.0f);
    for (std::size_t i = 0; i < node.rows.size(); ++i)
      if (!is_known(feature, node.rows[i])) unknown[table_->class_of[node.rows[i]]] += node.weight[i];
  }
  const single::CutTask task{entries, sums.counts, sums.whole ? nullptr : table_->weight.data(),
                             unknown, sums.all,    least};
  const single::CutFound cut = single::best_cut(task, table_->growth.classic);
  return {cut, cut.after, {}, {}};
}

// The levels that rows of the node have, in order.
BranchCounts SingleStore::levels_of(const Node& node, std::size_t feature, const Sums& sums,
                                    std::vector<std::int32_t>& codes) const {
  const std::int32_t* code = table_->columns[feature].level_codes();
  std::vector<std::int32_t> place(static_cast<std::size_t>(table_->columns[feature].n_levels), -1);
  for (const RowIndex row : node.rows)
    if (code[row] >= 0) place[static_cast<std::size_t>(code[row])] = 0;
  for (std::size_t level = 0; level < place.size(); ++level) {
    if (place[level] < 0) continue;
    place[level] = static_cast<std::int32_t>(codes.size());
    codes.push_back(static_cast<std::int32_t>(level));
  }
  BranchCounts found(table_->n_classes, codes.size());
  std::vector<float> unknown(table_->n_classes, 0.0f);
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    const RowIndex row = node.rows[i];
    if (code[row] < 0) unknown[table_->class_of[row]] += node.weight[i];
    else
      found.counts[static_cast<std::size_t>(place[static_cast<std::size_t>(code[row])]) * table_->n_classes +
                   table_->class_of[row]] += node.weight[i];
  }
  found.weigh();
  found.all = sums.all;
  for (const float n : unknown) found.unknown += n;
  return found;
}

SingleStore::Found SingleStore::search_levels(const Node& node, std::size_t feature, const Sums& sums,
                                              double least) const {
  Found found;
  const BranchCounts levels = levels_of(node, feature, sums, found.codes);
  if (levels.size() == 0 || !(levels.known() > 0)) return found;
  if (merges(feature)) {
    found.groups = single::group_levels(levels, least, table_->growth.by_ratio);
    static_cast<single::Worth&>(found) = found.groups.worth;
  } else {
    found.gain = levels.gain(levels.base(), levels.unknown / levels.all, least);
    found.info = levels.info();
  }
  return found;
}

// ---- choosing

bool SingleStore::has_many_levels(std::size_t feature) const {
  return table_->columns[feature].nominal &&
         table_->columns[feature].n_levels >= 0.3 * static_cast<double>(table_->n_rows);
}

// Of the columns that gain no less than the mean, the greatest ratio, the first of equals. Columns with many levels have
// no part in the mean, unless all have many, or levels are merged.
const SingleStore::Found* SingleStore::choose(std::span<const Found> found) const {
  bool count_all = table_->growth.nominal_splits == NominalSplits::merged;
  if (!count_all) {
    count_all = true;
    for (std::size_t f = 0; f < found.size(); ++f) count_all = count_all && has_many_levels(f);
  }
  float sum = 0;
  int n = 0;
  for (std::size_t f = 0; f < found.size(); ++f)
    if (found[f] && (count_all || !has_many_levels(f))) sum += found[f].gain, ++n;
  const float mean = n > 0 ? sum / static_cast<float>(n) : 1e6f;
  const Found* best = nullptr;
  float most = single::nothing;
  for (const Found& each : found) {
    const float value = each ? single::value_of(each, mean, table_->growth.by_ratio) : single::nothing;
    if (value > most) best = &each, most = value;
  }
  return best;
}

Split SingleStore::split_of(const Node& node, std::size_t feature, Found&& found, float all) const {
  Split split;
  split.feature = static_cast<std::int32_t>(feature);
  split.gain = std::max(0.0, double{found.gain} + double{found.cost}) * double{all} / table_->unit;
  split.score = 0;   // a gain of nothing will do
  split.split_info = found.info;
  split.missing_seen =
      table_->has_missing[feature] &&
      std::any_of(node.rows.begin(), node.rows.end(), [&](RowIndex row) { return !is_known(feature, row); });
  if (!table_->columns[feature].nominal) {
    set_cut(node, feature, found.after, split);
    return split;
  }
  LevelMap map{found.codes, std::vector<ChildNumber>(found.codes.size(), 0)};
  if (merges(feature)) {
    const auto n_groups = static_cast<std::int32_t>(found.groups.levels.size());
    if (!found.groups.absent.empty()) split.rest = n_groups;
    for (std::size_t g = 0; g < found.groups.levels.size(); ++g)
      for (const std::size_t level : found.groups.levels[g]) map.child[level] = static_cast<ChildNumber>(g);
    for (const std::size_t level : found.groups.absent) map.child[level] = static_cast<ChildNumber>(n_groups);
    split.n_children = n_groups + (split.rest >= 0);
    split.heuristic = true;
    split.found_by = FoundBy::merged;
  } else {
    std::iota(map.child.begin(), map.child.end(), ChildNumber{0});
    split.n_children = static_cast<std::int32_t>(map.child.size());
    split.found_by = FoundBy::every_level;
  }
  split.levels = std::make_shared<const LevelMap>(std::move(map));
  add_empty_branches(split, table_->columns, table_->growth);
  return split;
}

// The threshold is the greatest value of the table that is not above the middle. The middle of neighbouring floats may be
// rounded up to the higher one, which then goes left; some value must stay right.
void SingleStore::set_cut(const Node& node, std::size_t feature, std::uint32_t after, Split& split) const {
  const std::span<const Entry> entries = sorted(node, feature);
  const Column& column = table_->columns[feature];
  const KeyKind kind = key_kind(column.type);
  split.low = read_key(column, entries[after].row);
  split.high = read_key(column, entries[after + 1].row);
  if (table_->growth.thresholds != Thresholds::recorded)
    return set_threshold(split, column, table_->growth, table_->recorded);
  const float a = entries[after].value, b = entries[after + 1].value;
  float middle = (a + b) / 2;
  if (!(middle >= a && middle < entries.back().value)) middle = a;
  split.low = table_->recorded.key_at_most(feature, kind, middle);
  split.threshold = threshold_between(kind, split.low, split.low + 1, Thresholds::observed);
}

}   // namespace treewright
