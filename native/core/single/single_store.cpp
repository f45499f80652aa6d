#include "single_store.hpp"

#include <cmath>
#include <numeric>

#include "../parallel.hpp"

namespace treewright {

using single::BranchCounts;

SingleStore::SingleStore(const AnyCriterion& criterion, const Columns& columns, const Growth& growth,
                         std::vector<RowIndex> rows, double least, Pool& pool)
    : criterion_(criterion),
      columns_(columns),
      growth_(growth),
      least_(least),
      unit_(criterion.user_mass(1)),
      pool_(pool),
      n_rows_(rows.size()),
      n_classes_(criterion.n_sums()),
      number_(columns.size()),
      has_missing_(columns.size(), 0),
      place_(columns.size(), 0),
      class_(columns.n_rows, 0),
      weight_(columns.n_rows, 1.0f),
      child_(columns.n_rows, 0),
      nodes_(1) {
  Node& root = nodes_[0];
  const std::span<const std::int64_t> units = criterion.weights();
  for (const RowIndex row : rows) {
    class_[row] = criterion.class_of(row);
    root.weight.push_back(units.empty() ? 1.0f : static_cast<float>(static_cast<double>(units[row]) * unit_));
  }
  std::uint32_t n_numbers = 0;
  for (std::size_t f = 0; f < columns.size(); ++f) place_[f] = columns[f].nominal ? 0 : n_numbers++;
  std::vector<std::vector<Item>> order(n_numbers);
  pool.for_each(columns.size(), [&](std::size_t f) {
    const Column& column = columns[f];
    if (column.nominal) {
      for (const RowIndex row : rows) has_missing_[f] |= column.level_codes()[row] < 0;
      return;
    }
    number_[f].assign(columns.n_rows, std::numeric_limits<float>::quiet_NaN());
    std::vector<Item> scratch;
    std::vector<Item>& items = order[place_[f]];
    std::vector<std::uint32_t> missing;
    read_items(column, rows, items, missing);
    for (const Item& item : items)
      number_[f][rows[item.row]] = static_cast<float>(number_of(key_kind(column.type), item.key));
    has_missing_[f] = items.size() < rows.size();
    sort_items(items, scratch);
  });
  if (growth.thresholds == Thresholds::recorded)
    recorded_ = RecordedValues(columns, rows, pool, [&](std::size_t f) { return distinct_keys(order[place_[f]]); });
  root.sorted.reserve(rows.size() * n_numbers);
  for (std::size_t f = 0; f < columns.size(); ++f) {
    if (columns[f].nominal) continue;
    root.begin.push_back(static_cast<std::uint32_t>(root.sorted.size()));
    for (const Item& item : order[place_[f]]) {
      const RowIndex row = rows[item.row];
      root.sorted.push_back({row, class_[row], number_[f][row]});
    }
  }
  root.begin.push_back(static_cast<std::uint32_t>(root.sorted.size()));
  root.rows = std::move(rows);
}

void SingleStore::best_splits(std::span<const SplitRequest> requests, std::vector<Split>& splits) {
  for (const SplitRequest& request : requests) splits.push_back(best_split(request.node));
}

void SingleStore::route(std::span<const Move> moves, std::vector<Summary>& children) {
  for (const Move& move : moves) {
    const auto n_children = static_cast<std::size_t>(move.test->n_children);
    nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(move.first_child) + n_children));
    divide(at(move.node), *move.test, move.first_child);
    close(move.node);
    for (std::size_t k = 0; k < n_children; ++k)
      children.push_back(summary(at(move.first_child + static_cast<NodeIndex>(k))));
  }
}

// ---- nodes

SingleStore::Sums SingleStore::sums(const Node& node) const {
  Sums found{std::vector<float>(n_classes_, 0.0f)};
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    found.counts[class_[node.rows[i]]] += node.weight[i];
    found.all += node.weight[i];
    found.whole &= node.weight[i] == 1;
  }
  return found;
}

Summary SingleStore::summary(const Node& node) const {
  Summary found;
  if (node.rows.empty()) return found;
  const Sums sums = this->sums(node);
  found.n_rows = static_cast<std::int64_t>(node.rows.size());
  found.weight = sums.all;
  found.value.assign(criterion_.values_per_output(), 0.0);
  double bits = single::n_log_n(sums.all);
  for (std::size_t c = 0; c < n_classes_; ++c) {
    found.value[c] = double{sums.counts[c]} / double{sums.all};
    bits -= single::n_log_n(sums.counts[c]);
    found.pure &= sums.counts[c] == 0 || sums.counts[c] == sums.all;
  }
  found.mass = found.pure ? 0 : std::max(bits, 0.0) / unit_;
  found.impurity = criterion_.user_mass(found.mass) / found.weight;
  return found;
}

std::span<const single::Entry> SingleStore::sorted(const Node& node, std::size_t feature) const {
  const std::uint32_t begin = node.begin[place_[feature]], end = node.begin[place_[feature] + 1];
  return std::span(node.sorted).subspan(begin, end - begin);
}

bool SingleStore::is_known(std::size_t feature, RowIndex row) const {
  return columns_[feature].nominal ? columns_[feature].level_codes()[row] >= 0 : !std::isnan(number_[feature][row]);
}

bool SingleStore::merges(std::size_t feature) const {
  return growth_.nominal_splits == NominalSplits::merged && columns_[feature].n_levels > 2;
}

// ---- searching

Split SingleStore::best_split(NodeIndex number) {
  const Node& node = at(number);
  const Sums sums = this->sums(node);
  if (double{sums.all} < 2 * least_ || *std::max_element(sums.counts.begin(), sums.counts.end()) == sums.all) return {};
  if (!sums.whole)
    for (std::size_t i = 0; i < node.rows.size(); ++i) weight_[node.rows[i]] = node.weight[i];
  std::vector<double> least(columns_.size());
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    least[f] = least_;
    // A slip of the program: where no row has a level, the least weight with which groups are tried stays.
    if (columns_[f].nominal && merges(f) &&
        std::none_of(node.rows.begin(), node.rows.end(), [&](RowIndex row) { return is_known(f, row); }))
      least_ = 1;
  }
  std::vector<Found> found(columns_.size());
  pool_.for_each(columns_.size(), [&](std::size_t f) {
    found[f] = columns_[f].nominal ? search_levels(node, f, sums, least[f]) : search_numbers(node, f, sums, least[f]);
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
    unknown.assign(n_classes_, 0.0f);
    for (std::size_t i = 0; i < node.rows.size(); ++i)
      if (!is_known(feature, node.rows[i])) unknown[class_[node.rows[i]]] += node.weight[i];
  }
  const single::CutTask task{entries, sums.counts, sums.whole ? nullptr : weight_.data(), unknown, sums.all, least};
  const single::CutFound cut = single::best_cut(task, growth_.classic);
  return {cut, cut.after, {}, {}};
}

// The levels that rows of the node have, in order.
BranchCounts SingleStore::levels_of(const Node& node, std::size_t feature, const Sums& sums,
                                    std::vector<std::int32_t>& codes) const {
  const std::int32_t* code = columns_[feature].level_codes();
  std::vector<std::int32_t> place(static_cast<std::size_t>(columns_[feature].n_levels), -1);
  for (const RowIndex row : node.rows)
    if (code[row] >= 0) place[static_cast<std::size_t>(code[row])] = 0;
  for (std::size_t level = 0; level < place.size(); ++level) {
    if (place[level] < 0) continue;
    place[level] = static_cast<std::int32_t>(codes.size());
    codes.push_back(static_cast<std::int32_t>(level));
  }
  BranchCounts found(n_classes_, codes.size());
  std::vector<float> unknown(n_classes_, 0.0f);
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    const RowIndex row = node.rows[i];
    if (code[row] < 0) unknown[class_[row]] += node.weight[i];
    else
      found.counts[static_cast<std::size_t>(place[static_cast<std::size_t>(code[row])]) * n_classes_ + class_[row]] +=
          node.weight[i];
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
    found.groups = single::group_levels(levels, least, growth_.by_ratio);
    static_cast<single::Worth&>(found) = found.groups.worth;
  } else {
    found.gain = levels.gain(levels.base(), levels.unknown / levels.all, least);
    found.info = levels.info();
  }
  return found;
}

// ---- choosing

bool SingleStore::has_many_levels(std::size_t feature) const {
  return columns_[feature].nominal && columns_[feature].n_levels >= 0.3 * static_cast<double>(n_rows_);
}

// Of the columns that gain no less than the mean, the greatest ratio, the first of equals. Columns with many levels have
// no part in the mean, unless all have many, or levels are merged.
const SingleStore::Found* SingleStore::choose(std::span<const Found> found) const {
  bool count_all = growth_.nominal_splits == NominalSplits::merged;
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
    const float value = each ? single::value_of(each, mean, growth_.by_ratio) : single::nothing;
    if (value > most) best = &each, most = value;
  }
  return best;
}

Split SingleStore::split_of(const Node& node, std::size_t feature, Found&& found, float all) const {
  Split split;
  split.feature = static_cast<std::int32_t>(feature);
  split.gain = std::max(0.0, double{found.gain} + double{found.cost}) * double{all} / unit_;
  split.score = 0;   // a gain of nothing will do
  split.split_info = found.info;
  split.missing_seen = has_missing_[feature] && std::any_of(node.rows.begin(), node.rows.end(),
                                                            [&](RowIndex row) { return !is_known(feature, row); });
  if (!columns_[feature].nominal) {
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
  add_empty_branches(split, columns_, growth_);
  return split;
}

// The threshold is the greatest value of the table that is not above the middle. The middle of neighbouring floats may be
// rounded up to the higher one, which then goes left; some value must stay right.
void SingleStore::set_cut(const Node& node, std::size_t feature, std::uint32_t after, Split& split) const {
  const std::span<const Entry> entries = sorted(node, feature);
  const Column& column = columns_[feature];
  const KeyKind kind = key_kind(column.type);
  split.low = read_key(column, entries[after].row);
  split.high = read_key(column, entries[after + 1].row);
  if (growth_.thresholds != Thresholds::recorded) return set_threshold(split, column, growth_, recorded_);
  const float a = entries[after].value, b = entries[after + 1].value;
  float middle = (a + b) / 2;
  if (!(middle >= a && middle < entries.back().value)) middle = a;
  split.low = recorded_.key_at_most(feature, kind, middle);
  split.threshold = threshold_between(kind, split.low, split.low + 1, Thresholds::observed);
}

// ---- dividing

// The weight of the known rows of every child, as a share of what the program takes for the weight of all known rows.
std::vector<float> SingleStore::shares(const Node& node, std::size_t feature, std::size_t n_children) const {
  std::vector<float> share(n_children, 0.0f), of_class(n_classes_, 0.0f);
  float all = 0, missing = 0;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    const ChildNumber child = child_[node.rows[i]];
    all += node.weight[i];
    (child == unknown ? of_class[class_[node.rows[i]]] : share[child]) += node.weight[i];
  }
  for (const float n : of_class) missing += n;
  const float rate =
      columns_[feature].nominal ? missing / all : static_cast<float>(1.0 - double{(all - missing) / all});
  const float known = all * (1 - rate);
  for (float& s : share) s /= known;
  return share;
}

void SingleStore::divide(const Node& node, const Test& test, NodeIndex first_child) {
  const auto feature = static_cast<std::size_t>(test.feature);
  const auto n_children = static_cast<std::size_t>(test.n_children);
  const auto cut = static_cast<float>(number_of(key_kind(columns_[feature].type), test.low));
  for (const RowIndex row : node.rows) {
    ChildNumber& child = child_[row];
    if (!is_known(feature, row)) child = unknown;
    else if (test.levels) child = static_cast<ChildNumber>(test.levels->child_of(columns_[feature].level_codes()[row]));
    else child = number_[feature][row] > cut;
  }
  const std::vector<float> share = shares(node, feature, n_children);
  const std::span children(nodes_.data() + first_child, n_children);
  const auto give = [&](RowIndex row, auto&& use) {   // to its child, or to all that have rows
    if (child_[row] != unknown) return use(children[child_[row]], 1.0f);
    for (std::size_t k = 0; k < n_children; ++k)
      if (share[k] > 0) use(children[k], share[k]);
  };
  for (std::size_t i = 0; i < node.rows.size(); ++i)
    give(node.rows[i], [&](Node& child, float part) {
      child.rows.push_back(node.rows[i]);
      child.weight.push_back(node.weight[i] * part);
    });
  for (Node& child : children) child.sorted.reserve(child.rows.size() * (node.begin.size() - 1));
  for (std::size_t k = 0; k + 1 < node.begin.size(); ++k) {
    for (Node& child : children) child.begin.push_back(static_cast<std::uint32_t>(child.sorted.size()));
    for (std::size_t i = node.begin[k]; i < node.begin[k + 1]; ++i)
      give(node.sorted[i].row, [&](Node& child, float) { child.sorted.push_back(node.sorted[i]); });
  }
  for (Node& child : children) child.begin.push_back(static_cast<std::uint32_t>(child.sorted.size()));
}

}   // namespace treewright
