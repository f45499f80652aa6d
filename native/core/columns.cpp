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

namespace {

// The keys of doubles that lie one after another, two at a time.
bool read_packed_keys(const std::byte* data, std::size_t n, Key* keys) {
  using Numbers = double __attribute__((vector_size(16)));
  using Keys = Key __attribute__((vector_size(16)));
  Keys any{};
  const auto read = [&](std::size_t i, std::size_t bytes) {
    Numbers x{};
    std::memcpy(&x, data + i * sizeof(double), bytes);
    const Keys is_missing = x != x, bits = std::bit_cast<Keys>(x + 0.0);
    const Keys key = bits ^ ((bits >> 63) & std::numeric_limits<Key>::max());   // as key_of()
    const Keys found = (is_missing & missing_key) | (~is_missing & key);
    any |= is_missing;
    std::memcpy(keys + i, &found, bytes);
  };
  std::size_t i = 0;
  for (; i + 2 <= n; i += 2) read(i, 2 * sizeof(double));
  if (i < n) read(i, sizeof(double));
  return (any[0] | any[1]) != 0;
}

}   // namespace

bool read_keys(const Column& column, std::size_t begin, std::size_t n, Key* keys) {
  return with_reader(column, [&](auto reader) {
    if (column.type == Type::float64 && column.stride == sizeof(double) && column.missing == nullptr)
      return read_packed_keys(column.data + begin * sizeof(double), n, keys);
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = reader.key(begin + i);
      any |= keys[i] == missing_key;
    }
    return any;
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
