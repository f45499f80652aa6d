#include "sorted_lists.hpp"

#include <algorithm>
#include <numeric>

#include "marks.hpp"

namespace treewright {

namespace {

constexpr std::uint32_t absent = 0xffffffff;
using Entry = SortedLists::Entry;

// Makes entries of sorted items.
void rank_items(const std::vector<Item>& items, std::vector<Entry>& entries, const Key* zero = nullptr,
                std::uint32_t* zero_rank = nullptr) {
  entries.reserve(items.size());
  std::uint32_t rank = 0;
  bool zero_passed = zero == nullptr;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && items[i].key != items[i - 1].key) ++rank;
    if (!zero_passed && items[i].key > *zero) *zero_rank = rank++, zero_passed = true;
    entries.push_back(static_cast<Entry>(rank) << 32 | items[i].row);
  }
  if (!zero_passed) *zero_rank = items.empty() ? 0 : rank + 1;
}

void append_missing(const std::vector<std::uint32_t>& missing, std::vector<Entry>& entries) {
  for (std::uint32_t i : missing) entries.push_back(static_cast<Entry>(SortedLists::missing_rank) << 32 | i);
}

// The values of a dense column in order, as items and as entries; whether any is missing. `bins`: of every row of the
// table, or nothing. `keys`: of the rows, or nothing.
bool sort_column(const Column& column, std::span<const RowIndex> rows, const Code* bins, std::span<const Key> keys,
                 std::vector<Item>& items, std::vector<Entry>& entries) {
  thread_local std::vector<Item> scratch;
  thread_local std::vector<Code> bin_of;   // by id
  std::vector<std::uint32_t> missing;
  if (keys.empty()) read_items(column, rows, items, missing);
  else to_items(keys, items, missing);
  if (bins != nullptr) {
    bin_of.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) bin_of[i] = bins[rows[i]];
  }
  sort_items(items, scratch, bins != nullptr ? bin_of.data() : nullptr);
  rank_items(items, entries);
  append_missing(missing, entries);
  return !missing.empty();
}

}   // namespace

SortedLists::SortedLists(const Columns& columns, std::span<const RowIndex> rows, Pool& pool,
                         const BinnedColumns& binned, bool keep_values, double min_gap, NodeKeys keys)
    : columns_(columns),
      rows_(rows.begin(), rows.end()),
      ids_(rows.size()),
      child_(rows.size()),
      side_(rows.size()),
      lists_(columns.size()),
      keys_(std::move(keys)),
      min_gap_(min_gap) {
  std::iota(ids_.begin(), ids_.end(), 0);
  std::vector<std::uint32_t> local;   // sparse columns name rows of the table: where are they here?
  for (const Column& column : columns_.columns) {
    if (!column.sparse || !local.empty()) continue;
    local.assign(columns_.n_rows, absent);
    for (std::uint32_t i = 0; i < rows_.size(); ++i) local[rows_[i]] = i;
  }
  const NodeKeys read = keys_ ? keys_ : keys_of_matrix(columns_, rows_, pool);
  pool.for_each(columns.size(), [&](std::size_t f) {
    if (columns_[f].sparse) return list_stored(f, local);
    if (keys_.in_lists()) return list_dealt(f);
    const bool known = f < binned.size() && !binned[f].codes.empty();
    list_dense(f, known ? binned[f].codes.data() : nullptr, read ? read.of(f) : std::span<const Key>{}, keep_values);
  });
  root_.end = static_cast<std::uint32_t>(rows.size());
  for (std::uint32_t f = 0; f < columns.size(); ++f) {
    const auto n_stored = static_cast<std::uint32_t>(lists_[f].entries.size());
    if (!columns_[f].sparse) dense_.push_back(f);
    else if (n_stored > 0) root_.stored.push_back({f, 0, n_stored});
  }
  complete_ = has_all_numbers();
}

bool SortedLists::has_all_numbers() const {
  for (std::size_t f = 0; f < lists_.size(); ++f)
    if (lists_[f].has_missing || columns_[f].sparse || columns_[f].nominal) return false;
  return true;
}

Presorted presort(const Columns& columns, Pool& pool) {
  std::vector<RowIndex> rows(columns.n_rows);
  std::iota(rows.begin(), rows.end(), RowIndex{0});
  Presorted sorted(columns.size());
  const NodeKeys keys = keys_of_matrix(columns, rows, pool);
  pool.for_each(columns.size(), [&](std::size_t f) {
    thread_local std::vector<Item> items;
    sort_column(columns[f], rows, nullptr, keys ? keys.of(f) : std::span<const Key>{}, items, sorted[f]);
  });
  return sorted;
}

SortedLists::SortedLists(const Columns& columns, std::span<const RowIndex> rows, Pool& pool, const Presorted& presorted)
    : columns_(columns),
      rows_(rows.begin(), rows.end()),
      ids_(rows.size()),
      child_(rows.size()),
      side_(rows.size()),
      lists_(columns.size()),
      dense_(columns.size()) {
  std::iota(ids_.begin(), ids_.end(), 0);
  std::iota(dense_.begin(), dense_.end(), 0);
  root_.end = static_cast<std::uint32_t>(rows.size());
  std::vector<std::uint32_t> local(columns.n_rows, absent);
  for (std::uint32_t i = 0; i < rows_.size(); ++i) local[rows_[i]] = i;
  pool.for_each(columns.size(), [&](std::size_t f) {
    List& list = lists_[f];
    list.entries.reserve(rows_.size());
    for (const Entry entry : presorted[f]) {
      const std::uint32_t at = local[id(entry)];
      if (at != absent) list.entries.push_back((entry & ~Entry{0xffffffff}) | at);
    }
    list.has_missing = !list.entries.empty() && rank(list.entries.back()) == missing_rank;
  });
  complete_ = has_all_numbers();
}

void SortedLists::list_dense(std::size_t f, const Code* bins, std::span<const Key> keys, bool keep_values) {
  thread_local std::vector<Item> items;
  lists_[f].has_missing = sort_column(columns_[f], rows_, bins, keys, items, lists_[f].entries);
  if (!keep_values || columns_[f].nominal) return;
  lists_[f].values = distinct_keys(items);
  if (min_gap_ == 0) return;
  const Values values = this->values(f);
  const auto n = static_cast<std::uint32_t>(values.of_rank.size());
  std::vector<std::uint8_t> n_close(n);
  bool any = false;
  for (std::uint32_t low = 0, high = 0; low < n; ++low) {
    while (high < n && !values.differ(low, high)) ++high;   // the first that does
    n_close[low] = static_cast<std::uint8_t>(std::min<std::uint32_t>(high - low - 1, Values::many));
    any |= n_close[low] > 0;
  }
  if (any) lists_[f].n_close = std::move(n_close);
}

void SortedLists::list_dealt(std::size_t f) {
  std::vector<Entry>& entries = lists_[f].entries;
  entries.reserve(rows_.size());
  for (const ShortEntry entry : keys_.list(f))
    entries.push_back(static_cast<Entry>(entry >> short_id_bits) << 32 | short_id(entry));
}

void SortedLists::list_stored(std::size_t f, const std::vector<std::uint32_t>& local) {
  thread_local std::vector<Item> items, scratch;
  std::vector<std::uint32_t> missing;
  items.clear();
  const Key zero = zero_key(columns_[f]);
  for (const Item& item : stored_items(columns_[f])) {
    const std::uint32_t at = local[item.row];
    if (at == absent || item.key == zero) continue;
    if (item.key == missing_key) missing.push_back(at);
    else items.push_back({item.key, at});
  }
  sort_items(items, scratch);
  rank_items(items, lists_[f].entries, &zero, &lists_[f].zero_rank);
  append_missing(missing, lists_[f].entries);
  lists_[f].has_missing = !missing.empty();
}

void SortedLists::add_target(std::vector<Item> items) {
  std::vector<Item> scratch;
  sort_items(items, scratch);
  rank_items(items, by_target_.emplace_back().entries);
}

bool SortedLists::constant(std::size_t feature, const Segment& segment) const {
  const auto [entries, n_present] = present(feature, segment);
  if (columns_[feature].sparse) return entries.empty();
  if (n_present > 0 && n_present < entries.size()) return false;
  return n_present == 0 || rank(entries[0]) == rank(entries[n_present - 1]);
}

std::pair<std::span<const Entry>, std::size_t> SortedLists::present(std::size_t feature, const Segment& segment) const {
  const auto [begin, end] = bounds(feature, segment);
  const std::span<const Entry> entries = std::span(lists_[feature].entries).subspan(begin, end - begin);
  std::size_t n = entries.size();
  if (lists_[feature].has_missing)
    while (n > 0 && rank(entries[n - 1]) == missing_rank) --n;
  return {entries, n};
}

std::vector<Entry> SortedLists::with_zeros(std::size_t feature, const Segment& segment) const {
  const auto [entries, n_present] = present(feature, segment);
  if (!columns_[feature].sparse) return {entries.begin(), entries.end()};
  Marks stored(rows_.size());
  for (const Entry entry : entries) stored.add(id(entry));
  std::vector<Entry> all(entries.begin(), entries.end());
  for (const std::uint32_t i : ids(segment)) {
    if (!stored[i]) all.push_back(static_cast<Entry>(lists_[feature].zero_rank) << 32 | i);
  }
  std::sort(all.begin(), all.end());
  return all;
}

void SortedLists::find_neighbours(Split& split) const {
  const auto key = [&](Key noted) {
    const Column& column = columns_[static_cast<std::size_t>(split.feature)];
    return noted == zero_id ? zero_key(column) : read_key(column, rows_[id(static_cast<Entry>(noted))]);
  };
  split.low = key(split.low);
  split.high = key(split.high);
  split.has_neighbours = true;
}

void SortedLists::decide(const Segment& segment, const Test& test) {
  const auto feature = static_cast<std::size_t>(test.feature);
  const auto [entries, n_present] = present(feature, segment);
  if (columns_[feature].sparse) {
    const bool zero_right = !test.missing_alone && static_cast<Key>(lists_[feature].zero_rank) > test.place.key;
    for (std::uint32_t i = segment.begin; i < segment.end; ++i) child_[ids_[i]] = zero_right;
  }
  if (test.levels) {   // entries are in the order of the levels, and so is the map
    std::size_t at = 0;
    for (std::size_t i = 0; i < n_present; ++i) {
      const std::int32_t code = level(feature, entries[i]);
      while (test.levels->code[at] != code) ++at;
      child_[id(entries[i])] = test.levels->child[at];
    }
  } else {
    for (std::size_t i = 0; i < n_present; ++i) {
      child_[id(entries[i])] = !test.missing_alone && static_cast<Key>(rank(entries[i])) > test.place.key;
    }
  }
  const auto missing = static_cast<ChildNumber>(test.child_of_missing());
  for (std::size_t i = n_present; i < entries.size(); ++i) child_[id(entries[i])] = missing;
}

std::vector<std::uint32_t> SortedLists::route(const Segment& segment, std::size_t n_children) {
  std::vector<std::uint32_t> begin(n_children + 1, 0);
  for (std::uint32_t i = segment.begin; i < segment.end; ++i) ++begin[child_[ids_[i]] + 1u];
  begin[0] = segment.begin;
  for (std::size_t k = 0; k < n_children; ++k) begin[k + 1] += begin[k];
  const std::vector<std::uint32_t> all(ids_.begin() + segment.begin, ids_.begin() + segment.end);
  std::vector<std::uint32_t> next = begin;
  for (const std::uint32_t row : all) ids_[next[child_[row]]++] = row;
  return begin;
}

std::uint32_t SortedLists::divide_in_two(std::vector<Entry>& entries, std::uint32_t begin, std::uint32_t end,
                                         bool keep_last) const {
  thread_local std::vector<Entry> right;
  if (right.size() < end - begin + std::size_t{1}) right.resize(end - begin + std::size_t{1});
  std::uint32_t n_left = begin, n_right = 0;
  for (std::uint32_t i = begin; i < end; ++i) {   // both are written, one is kept: no branch to mispredict
    const Entry entry = entries[i];
    const std::uint32_t goes_right = side_[id(entry)];
    entries[n_left] = entry;
    right[n_right] = entry;
    n_left += 1 - goes_right;
    n_right += goes_right;
  }
  if (keep_last) std::copy_n(right.begin(), end - n_left, entries.begin() + n_left);
  return n_left;
}

// starts: one count per child and one more; becomes where each child's entries begin.
void SortedLists::divide_in_many(std::vector<Entry>& entries, std::uint32_t begin, std::uint32_t end,
                                 std::span<std::uint32_t> starts) const {
  std::fill(starts.begin(), starts.end(), 0);
  for (std::uint32_t i = begin; i < end; ++i) ++starts[child_[id(entries[i])] + 1u];
  starts[0] = begin;
  for (std::size_t k = 1; k < starts.size(); ++k) starts[k] += starts[k - 1];
  const std::vector<Entry> all(entries.begin() + begin, entries.begin() + end);
  std::vector<std::uint32_t> next(starts.begin(), starts.end());
  for (const Entry entry : all) entries[next[child_[id(entry)]]++] = entry;
}

std::vector<Segment> SortedLists::divide(const Segment& segment, std::span<const std::uint32_t> begin, bool keep_last,
                                         Pool& pool) {
  const std::size_t n_children = begin.size() - 1;
  std::vector<Segment> parts(n_children);
  for (std::size_t k = 0; k < n_children; ++k) parts[k] = {begin[k], begin[k + 1], {}};
  if (n_children == 2)
    for (const std::uint32_t row : ids(segment)) side_[row] = static_cast<std::uint8_t>(child_[row]);
  const auto divide_one = [&](List& list, std::uint32_t first, std::uint32_t last, std::span<std::uint32_t> starts) {
    if (n_children > 2) return divide_in_many(list.entries, first, last, starts);
    starts[0] = first, starts[1] = divide_in_two(list.entries, first, last, keep_last), starts[2] = last;
  };
  pool.for_each(dense_.size(), [&](std::size_t i) {
    std::vector<Entry>& entries = lists_[dense_[i]].entries;
    if (n_children == 2) return void(divide_in_two(entries, segment.begin, segment.end, keep_last));
    std::vector<std::uint32_t> starts(n_children + 1);
    divide_in_many(entries, segment.begin, segment.end, starts);
  });
  std::vector<std::uint32_t> starts(segment.stored.size() * (n_children + 1));
  const auto starts_of = [&](std::size_t i) { return std::span(starts).subspan(i * (n_children + 1), n_children + 1); };
  pool.for_each(segment.stored.size(), [&](std::size_t i) {
    const Segment::Stored& part = segment.stored[i];
    divide_one(lists_[part.feature], part.begin, part.end, starts_of(i));
  });
  for (std::size_t i = 0; i < segment.stored.size(); ++i) {
    const std::span<const std::uint32_t> at = starts_of(i);
    for (std::size_t k = 0; k < n_children; ++k)
      if (at[k] < at[k + 1]) parts[k].stored.push_back({segment.stored[i].feature, at[k], at[k + 1]});
  }
  starts.resize(n_children + 1);
  for (List& list : by_target_) divide_in_many(list.entries, segment.begin, segment.end, starts);
  return parts;
}

}   // namespace treewright
