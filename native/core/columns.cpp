#include "columns.hpp"

#include <algorithm>

namespace treewright {

void read_keys(const Column& column, std::span<const RowIndex> rows, Key* keys) {
  with_reader(column, [&](auto reader) {
    if (!column.sparse) {
      for (std::size_t i = 0; i < rows.size(); ++i) keys[i] = reader.key(rows[i]);
      return;
    }
    const Key zero = zero_key(column);
    const auto* end = column.stored_rows + column.n_stored;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = static_cast<std::int32_t>(rows[i]);
      const auto* found = std::lower_bound(column.stored_rows, end, row);
      const bool stored = found != end && *found == row;
      keys[i] = stored ? reader.key(static_cast<std::size_t>(found - column.stored_rows)) : zero;
    }
  });
}

void read_items(const Column& column, std::span<const RowIndex> rows, std::vector<Item>& items,
                std::vector<std::uint32_t>& missing) {
  thread_local std::vector<Key> keys;
  keys.resize(rows.size());
  read_keys(column, rows, keys.data());
  to_items(keys, items, missing);
}

void to_items(std::span<const Key> keys, std::vector<Item>& items, std::vector<std::uint32_t>& missing) {
  items.clear();
  missing.clear();
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == missing_key) missing.push_back(i);
    else items.push_back({keys[i], i});
  }
}

bool is_matrix(const Columns& columns) {
  const Column& first = columns[0];
  if (first.type != Type::float32 && first.type != Type::float64) return false;
  const std::ptrdiff_t step = columns.size() > 1 ? columns[1].data - first.data : 0;
  for (std::size_t f = 0; f < columns.size(); ++f) {
    const Column& c = columns[f];
    if (c.type != first.type || c.stride != first.stride || c.missing != nullptr || c.sparse) return false;
    if (c.data != first.data + static_cast<std::ptrdiff_t>(f) * step) return false;
  }
  return true;
}

void read_numbers(const Column& column, std::size_t begin, std::size_t n, double* to) {
  with_reader(column, [&](auto reader) {
    const auto number = [&](std::size_t i) {
      return reader.is_missing(i) ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(reader.value(i));
    };
    if (!column.sparse) {
      for (std::size_t i = 0; i < n; ++i) to[i] = number(begin + i);
      return;
    }
    std::fill_n(to, n, 0.0);
    const auto* end = column.stored_rows + column.n_stored;
    const auto* first = std::lower_bound(column.stored_rows, end, static_cast<std::int32_t>(begin));
    for (; first != end && static_cast<std::size_t>(*first) < begin + n; ++first)
      to[static_cast<std::size_t>(*first) - begin] = number(static_cast<std::size_t>(first - column.stored_rows));
  });
}

bool has_missing(const Columns& columns) {
  if (columns.of_table_with_missing) return true;
  constexpr std::size_t block_rows = 256;   // of a row-major table, they stay in cache
  const auto has = [&](const Column& column, std::size_t begin, std::size_t end) {
    return with_reader(column, [&](auto reader) {
      for (std::size_t i = begin; i < end; ++i)
        if (reader.is_missing(i)) return true;
      return false;
    });
  };
  for (const Column& column : columns.columns)
    if (column.sparse && has(column, 0, column.n_stored)) return true;
  for (std::size_t begin = 0; begin < columns.n_rows; begin += block_rows)
    for (const Column& column : columns.columns)
      if (!column.sparse && has(column, begin, std::min(begin + block_rows, columns.n_rows))) return true;
  return false;
}

std::vector<Item> stored_items(const Column& column) {
  std::vector<Item> items(column.n_stored);
  with_reader(column, [&](auto reader) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      items[i] = {reader.key(i), static_cast<RowIndex>(column.stored_rows[i])};
    }
  });
  return items;
}

}   // namespace treewright
