// Read-only views of the user's columns, each in its own type. Nothing is copied; a value is read as a key (exact)
// or as a number (monotone, for bins). The type is looked up once per pass over a column, never per value.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "types.hpp"

namespace treewright {

enum class Type : std::uint8_t { bool8, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };
enum class KeyKind : std::uint8_t { real, integer, natural };   // how a key becomes a number again

inline KeyKind key_kind(Type type) {
  if (type == Type::float32 || type == Type::float64) return KeyKind::real;
  return type == Type::uint64 ? KeyKind::natural : KeyKind::integer;
}

struct Column {
  Type type = Type::float64;
  const std::byte* data = nullptr;   // dense: n_rows values, `stride` bytes apart; sparse: n_stored values
  std::ptrdiff_t stride = 0;
  const std::uint8_t* missing = nullptr;       // one byte per value, or none
  const std::int32_t* stored_rows = nullptr;   // sparse only: ascending rows; every other row is 0
  std::size_t n_stored = 0;
  bool sparse = false;
  bool is_time = false;   // whole microseconds: round thresholds are round on the clock
  // A nominal column holds int32 codes of its levels: -1 is missing, 0 to n_levels - 1 are levels, and any greater code
  // is a level that no test knows.
  bool nominal = false;
  std::int32_t n_levels = 0;

  const std::int32_t* level_codes() const { return reinterpret_cast<const std::int32_t*>(data); }
};

template <class T>
struct Reader {   // with copies of what a loop needs, which no store to memory can change
  const std::byte* data;
  std::ptrdiff_t stride;
  const std::uint8_t* missing;
  bool nominal;

  explicit Reader(const Column& column)
      : data(column.data), stride(column.stride), missing(column.missing), nominal(column.nominal) {}
  T value(std::size_t i) const {
    T v;
    std::memcpy(&v, data + static_cast<std::ptrdiff_t>(i) * stride, sizeof v);
    return v;
  }
  bool is_missing(std::size_t i) const {
    if constexpr (std::is_floating_point_v<T>) {
      const T v = value(i);
      if (v != v) return true;
    }
    if constexpr (std::is_same_v<T, std::int32_t>) {
      if (nominal && value(i) < 0) return true;
    }
    return missing != nullptr && missing[i] != 0;
  }
  Key key(std::size_t i) const {
    if (is_missing(i)) return missing_key;
    if constexpr (std::is_floating_point_v<T>) return key_of(static_cast<double>(value(i)));
    else if constexpr (std::is_same_v<T, std::uint64_t>) return key_of(value(i));
    else return key_of(static_cast<std::int64_t>(value(i)));
  }
  double number(std::size_t i) const {   // monotone in key; NaN where missing
    if (missing != nullptr && missing[i] != 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(value(i)) + 0.0;
  }
};

template <class F>
decltype(auto) with_reader(const Column& column, F&& use) {
  switch (column.type) {
    case Type::bool8:
    case Type::uint8:
      return use(Reader<std::uint8_t>(column));
    case Type::int8:
      return use(Reader<std::int8_t>(column));
    case Type::int16:
      return use(Reader<std::int16_t>(column));
    case Type::int32:
      return use(Reader<std::int32_t>(column));
    case Type::int64:
      return use(Reader<std::int64_t>(column));
    case Type::uint16:
      return use(Reader<std::uint16_t>(column));
    case Type::uint32:
      return use(Reader<std::uint32_t>(column));
    case Type::uint64:
      return use(Reader<std::uint64_t>(column));
    case Type::float32:
      return use(Reader<float>(column));
    default:
      return use(Reader<double>(column));
  }
}

struct Columns {
  std::size_t n_rows = 0;
  std::vector<Column> columns;
  bool of_table_with_missing = false;   // these are some rows of a table that has missing values

  std::size_t size() const { return columns.size(); }
  const Column& operator[](std::size_t feature) const { return columns[feature]; }
  Columns slice(std::size_t first, std::size_t n) const {   // the rows first..first + n - 1 of dense columns
    Columns some{n, columns, of_table_with_missing};
    for (Column& column : some.columns) {
      if (column.sparse) throw std::invalid_argument("parts of a table must have dense columns.");
      column.data += static_cast<std::ptrdiff_t>(first) * column.stride;
      if (column.missing != nullptr) column.missing += first;
    }
    return some;
  }
};

inline Key zero_key(KeyKind kind) {
  if (kind == KeyKind::real) return 0;
  return kind == KeyKind::natural ? key_of(std::uint64_t{0}) : key_of(std::int64_t{0});
}
inline double number_of(KeyKind kind, Key key) {
  return kind == KeyKind::real ? number_of(key) : static_cast<double>(Wide{key} - zero_key(kind));
}
inline Key zero_key(const Column& column) { return zero_key(key_kind(column.type)); }

bool is_matrix(const Columns& columns);     // of one floating type, that can be read in place
bool has_missing(const Columns& columns);   // whether any value is, here or in the table that these rows are of

// The keys of these rows, dense or sparse.
void read_keys(const Column& column, std::span<const RowIndex> rows, Key* keys);
// Of the rows begin..begin + n - 1 of a dense column; whether any is missing.
bool read_keys(const Column& column, std::size_t begin, std::size_t n, Key* keys);
// The rows begin..begin + n - 1 as numbers: NaN where missing, the codes of levels.
void read_numbers(const Column& column, std::size_t begin, std::size_t n, double* to);
// Keys with their place in `rows`; and the places whose value is missing.
void read_items(const Column& column, std::span<const RowIndex> rows, std::vector<Item>& items,
                std::vector<std::uint32_t>& missing);
void to_items(std::span<const Key> keys, std::vector<Item>& items, std::vector<std::uint32_t>& missing);
std::vector<Item> stored_items(const Column& column);   // of a sparse column
inline Key read_key(const Column& column, RowIndex row) {
  Key key;
  read_keys(column, {&row, 1}, &key);
  return key;
}

}   // namespace treewright
