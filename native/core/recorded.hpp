// The threshold of a split once the neighbours of its cut are known; some rules need all values of the column for it.
#pragma once
#include <algorithm>
#include <numeric>

#include "parallel.hpp"
#include "search/sorted_lists.hpp"

namespace treewright {

// The rows whose values may be thresholds: those that a tree is grown on; with C5.0 and J48 all of the table.
inline std::vector<RowIndex> rows_to_record(const Columns& columns, std::vector<RowIndex> grown_on,
                                            const Growth& growth) {
  const Comparison program = growth.classic.comparison;
  if (program != Comparison::c50 && program != Comparison::j48) return grown_on;
  std::vector<RowIndex> all(columns.n_rows);
  std::iota(all.begin(), all.end(), RowIndex{0});
  return all;
}

// The values of every column of numbers, ascending, where thresholds are to be values of the table.
class RecordedValues {
 public:
  RecordedValues() = default;
  // `known(f)`: the values of a column, if someone has sorted it already.
  template <class Known>
  RecordedValues(const Columns& columns, std::span<const RowIndex> rows, Pool& pool, Known&& known)
      : values_(columns.size()) {
    std::vector<std::size_t> unknown;
    for (std::size_t f = 0; f < columns.size(); ++f)
      if (!columns[f].nominal && !(values_[f] = known(f))) unknown.push_back(f);
    const NodeKeys keys = unknown.empty() ? NodeKeys{} : keys_of_matrix(columns, rows, pool);
    pool.for_each(unknown.size(), [&](std::size_t i) {
      const std::size_t f = unknown[i];
      std::vector<Item> items, scratch;
      std::vector<std::uint32_t> missing;
      if (keys) to_items(keys.of(f), items, missing);
      else read_items(columns[f], rows, items, missing);
      sort_items(items, scratch);
      values_[f] = distinct_keys(items);
    });
  }
  bool empty() const { return values_.empty(); }
  // The greatest value that is not above the middle of two. Precondition: they are values of the column.
  Key at_most_middle(const Split& split, KeyKind kind, bool single) const {
    const std::vector<Key>& keys = *values_[static_cast<std::size_t>(split.feature)];
    if (!single) {
      const Threshold middle = threshold_between(kind, split.low, split.high, Thresholds::midpoint);
      return *std::prev(std::upper_bound(keys.begin(), keys.end(), last_key_left(kind, middle)));
    }
    const auto rounded = [&](Key key) { return static_cast<float>(number_of(kind, key)); };
    const auto middle = static_cast<float>((double{rounded(split.low)} + double{rounded(split.high)}) / 2);
    if (middle >= rounded(split.high)) return split.low;
    const auto above = std::partition_point(keys.begin(), keys.end(), [&](Key key) { return rounded(key) <= middle; });
    return above == keys.begin() ? split.low : std::max(*std::prev(above), split.low);
  }

  // The greatest value that is not above this number, in single precision. Precondition: there is one.
  Key key_at_most(std::size_t feature, KeyKind kind, float number) const {
    const std::vector<Key>& keys = *values_[feature];
    return *std::prev(std::partition_point(
        keys.begin(), keys.end(), [&](Key key) { return static_cast<float>(number_of(kind, key)) <= number; }));
  }

  // The greatest value that is not above this middle of two; the middle itself, if there is none. `single`: compared in
  // single precision, unless the middle is then the upper of the two.
  double at_most(std::size_t feature, KeyKind kind, double middle, bool single) const {
    const std::vector<Key>& keys = *values_[feature];
    const auto last = [&](auto&& is_low) {
      const auto above = std::partition_point(keys.begin(), keys.end(), is_low);
      return above == keys.begin() ? middle : number_of(kind, *std::prev(above));
    };
    const double found = last([&](Key key) { return number_of(kind, key) <= middle; });
    const auto low = static_cast<float>(found), rounded = static_cast<float>(middle);
    if (!single || rounded <= std::nextafter(low, rounded)) return found;
    return last([&](Key key) { return static_cast<float>(number_of(kind, key)) <= rounded; });
  }

 private:
  std::vector<SortedValues> values_;
};

// What becomes of the declared levels that no row of a node has, where they are not like missing values: a branch for
// each of them; of merged levels one for all; of one level against the rest they are among the rest.
inline void add_empty_branches(Split& split, const Columns& columns, const Growth& growth) {
  if (growth.classic.empty_branches == EmptyBranches::none || split.missing_alone) return;
  if (growth.nominal_splits == NominalSplits::subset) return;
  const auto n_levels = static_cast<std::size_t>(columns[static_cast<std::size_t>(split.feature)].n_levels);
  if (split.levels->code.size() == n_levels) return;
  const bool multiway = !split.merged() && growth.nominal_splits != NominalSplits::one_vs_rest;
  const int absent = !split.merged() ? 1 : split.rest >= 0 ? split.rest : split.n_children;
  LevelMap all;
  for (std::size_t code = 0; code < n_levels; ++code) {
    const int known = split.levels->child_of(static_cast<std::int64_t>(code));
    all.code.push_back(static_cast<std::int32_t>(code));
    all.child.push_back(static_cast<ChildNumber>(multiway ? static_cast<int>(code) : known < 0 ? absent : known));
  }
  if (multiway) {   // children are renumbered, and so is the one that missing values go to
    const auto n_before = static_cast<std::int32_t>(split.levels->code.size());
    const bool own_child = split.missing_to >= n_before;
    if (own_child) split.missing_to += static_cast<std::int32_t>(n_levels) - n_before;
    else if (split.missing_to >= 0) split.missing_to = split.levels->code[static_cast<std::size_t>(split.missing_to)];
    split.n_children += static_cast<std::int32_t>(n_levels) - n_before;
  } else if (split.merged() && split.rest < 0) ++split.n_children;
  split.levels = std::make_shared<const LevelMap>(std::move(all));
}

// The middle of two numbers in single precision, where it lies between them.
inline void to_single_middle(Split& split, KeyKind kind) {
  const double low = number_of(kind, split.low), high = number_of(kind, split.high);
  const double sum = double{static_cast<float>(low)} + double{static_cast<float>(high)};
  const double middle = static_cast<float>(sum / 2);
  if (middle >= low && middle < high) split.threshold = {middle};
}

inline void set_threshold(Split& split, const Column& column, const Growth& growth, const RecordedValues& recorded) {
  if (split.missing_alone) {
    split.threshold.value = std::numeric_limits<double>::infinity();
    return;
  }
  const KeyKind kind = key_kind(column.type);
  if (growth.thresholds == Thresholds::recorded) {
    const Key low = recorded.at_most_middle(split, kind, growth.classic.single);
    split.threshold = threshold_between(kind, std::min(low, split.high - 1), split.high, Thresholds::observed);
  } else {
    split.threshold = threshold_between(kind, split.low, split.high, growth.thresholds, column.is_time);
    if (growth.classic.single && growth.thresholds == Thresholds::midpoint) to_single_middle(split, kind);
  }
  if (growth.classic.strict) make_strict(split.threshold, kind, split.low, split.high);
}

}   // namespace treewright
