#include "route.hpp"

#include <algorithm>

namespace treewright {

namespace {

std::size_t divide_in_two(std::span<RowIndex> rows, const ChildNumber* child) {
  thread_local std::vector<RowIndex> right;
  if (right.size() < rows.size() + 1) right.resize(rows.size() + 1);
  std::size_t n_left = 0, n_right = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {   // both are written, one is kept: no branch to mispredict
    const RowIndex row = rows[i];
    rows[n_left] = row;
    right[n_right] = row;
    n_left += 1u - child[i];
    n_right += child[i];
  }
  std::copy_n(right.begin(), n_right, rows.begin() + static_cast<std::ptrdiff_t>(n_left));
  return n_left;
}

void children_by_level(const Columns& columns, std::span<const RowIndex> rows, std::int32_t feature,
                       const LevelMap& map, int missing_child, ChildNumber* child) {
  const std::int32_t* codes = columns[static_cast<std::size_t>(feature)].level_codes();
  if (static_cast<std::size_t>(map.code.back()) > 8 * rows.size()) {   // few rows: no table of all levels
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int32_t code = codes[rows[i]];
      child[i] = static_cast<ChildNumber>(code < 0 ? missing_child : map.child_of(code));
    }
    return;
  }
  std::vector<ChildNumber> child_of(static_cast<std::size_t>(map.code.back()) + 2);   // the first is for missing
  child_of[0] = static_cast<ChildNumber>(missing_child);
  for (std::size_t k = 0; k < map.code.size(); ++k) child_of[static_cast<std::size_t>(map.code[k]) + 1] = map.child[k];
  for (std::size_t i = 0; i < rows.size(); ++i) child[i] = child_of[static_cast<std::size_t>(codes[rows[i]] + 1)];
}

void use_surrogates(const Columns& columns, std::span<const RowIndex> rows, const Test& test, ChildNumber* child) {
  if (!test.sends_by_surrogates()) return;
  std::vector<Key> keys(rows.size());
  read_keys(columns[static_cast<std::size_t>(test.feature)], rows, keys.data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (keys[i] == missing_key) child[i] = child_by_surrogate(columns, rows[i], test);
  }
}

}   // namespace

std::vector<std::size_t> divide(std::span<RowIndex> rows, const ChildNumber* child, std::size_t n_children) {
  if (n_children == 2) return {0, divide_in_two(rows, child), rows.size()};
  std::vector<std::size_t> begin(n_children + 1, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) ++begin[child[i] + 1u];
  for (std::size_t k = 0; k < n_children; ++k) begin[k + 1] += begin[k];
  const std::vector<RowIndex> all(rows.begin(), rows.end());
  std::vector<std::size_t> next = begin;
  for (std::size_t i = 0; i < all.size(); ++i) rows[next[child[i]]++] = all[i];
  return begin;
}

void children_by_bin(const Columns& columns, const BinnedColumn& binned, std::span<const RowIndex> rows,
                     const Test& test, ChildNumber* child) {
  if (test.combination) return children_by_key(columns, rows, test, child);
  if (test.levels) {
    children_by_level(columns, rows, test.feature, *test.levels, test.child_of_missing(), child);
    return use_surrogates(columns, rows, test, child);
  }
  std::array<ChildNumber, 256> child_of{};
  for (int code = 0; code < binned.n_bins; ++code) {
    child_of[static_cast<std::size_t>(code)] = !test.missing_alone && code > test.place.bin;
  }
  child_of[static_cast<std::size_t>(binned.n_bins)] = static_cast<ChildNumber>(test.child_of_missing());
  const Code* codes = binned.codes.data();
  for (std::size_t i = 0; i < rows.size(); ++i) child[i] = child_of[codes[rows[i]]];
  if (!test.missing_alone && test.place.key != std::numeric_limits<Key>::max()) {
    with_reader(columns[static_cast<std::size_t>(test.feature)], [&](auto reader) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (codes[rows[i]] == test.place.bin) child[i] = reader.key(rows[i]) > test.place.key;
      }
    });
  }
  use_surrogates(columns, rows, test, child);
}

void children_by_key(const Columns& columns, std::span<const RowIndex> rows, const Test& test, ChildNumber* child) {
  const auto missing = static_cast<ChildNumber>(test.child_of_missing());
  if (test.levels) {
    children_by_level(columns, rows, test.feature, *test.levels, test.child_of_missing(), child);
  } else {
    const std::vector<Key> keys = compared_keys(columns, test.feature, test.combination.get(), rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
      child[i] = keys[i] == missing_key ? missing : !test.missing_alone && keys[i] > test.place.key;
  }
  use_surrogates(columns, rows, test, child);
}

ChildNumber child_by_surrogate(const Columns& columns, RowIndex row, const Test& test) {
  for (const Surrogate& surrogate : *test.surrogates) {
    const Column& column = columns[static_cast<std::size_t>(surrogate.feature)];
    const Key key = read_key(column, row);
    if (key == missing_key) continue;
    const int child = surrogate.child_of(key, column.nominal ? column.level_codes()[row] : 0);
    if (child >= 0) return static_cast<ChildNumber>(child);
  }
  return static_cast<ChildNumber>(test.child_of_missing());
}

}   // namespace treewright
