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
};

template <class T>
struct Reader {
  const Column& column;

  T value(std::size_t i) const {
    T v;
    std::memcpy(&v, column.data + static_cast<std::ptrdiff_t>(i) * column.stride, sizeof v);
    return v;
  }
  bool is_missing(std::size_t i) const {
    if constexpr (std::is_floating_point_v<T>) {
      const T v = value(i);
      if (v != v) return true;
    }
    return column.missing != nullptr && column.missing[i] != 0;
  }
  Key key(std::size_t i) const {
    if (is_missing(i)) return missing_key;
    if constexpr (std::is_floating_point_v<T>) return key_of(static_cast<double>(value(i)));
    else if constexpr (std::is_same_v<T, std::uint64_t>) return key_of(value(i));
    else return key_of(static_cast<std::int64_t>(value(i)));
  }
  double number(std::size_t i) const {   // monotone in key; NaN where missing
    if (column.missing != nullptr && column.missing[i] != 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(value(i)) + 0.0;
  }
};

template <class F>
decltype(auto) with_reader(const Column& column, F&& use) {
  switch (column.type) {
    case Type::bool8:
    case Type::uint8:
      return use(Reader<std::uint8_t>{column});
    case Type::int8:
      return use(Reader<std::int8_t>{column});
    case Type::int16:
      return use(Reader<std::int16_t>{column});
    case Type::int32:
      return use(Reader<std::int32_t>{column});
    case Type::int64:
      return use(Reader<std::int64_t>{column});
    case Type::uint16:
      return use(Reader<std::uint16_t>{column});
    case Type::uint32:
      return use(Reader<std::uint32_t>{column});
    case Type::uint64:
      return use(Reader<std::uint64_t>{column});
    case Type::float32:
      return use(Reader<float>{column});
    default:
      return use(Reader<double>{column});
  }
}

struct Columns {
  std::size_t n_rows = 0;
  std::vector<Column> columns;

  std::size_t size() const { return columns.size(); }
  const Column& operator[](std::size_t feature) const { return columns[feature]; }
};

inline Key zero_key(KeyKind kind) {
  if (kind == KeyKind::real) return 0;
  return kind == KeyKind::natural ? key_of(std::uint64_t{0}) : key_of(std::int64_t{0});
}
inline Key zero_key(const Column& column) { return zero_key(key_kind(column.type)); }

// The keys of these rows, dense or sparse.
void read_keys(const Column& column, std::span<const RowIndex> rows, Key* keys);
std::vector<Item> stored_items(const Column& column);   // of a sparse column
inline Key read_key(const Column& column, RowIndex row) {
  Key key;
  read_keys(column, {&row, 1}, &key);
  return key;
}

// A cut between two neighbouring values a < b of one column: x <= value goes left. Where no double separates them
// (integers beyond 2^53) the cut is the integer `exact` = a.
struct Threshold {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::int64_t exact = 0;
  bool is_exact_integer = false;
};

inline Threshold threshold_between(KeyKind kind, Key low, Key high) {
  if (kind == KeyKind::real) {
    const double a = number_of(low), b = number_of(high), middle = a / 2 + b / 2;
    return {middle >= a && middle < b ? middle : a, 0, false};   // a cut next to +inf keeps the finite neighbour
  }
  const Wide zero = zero_key(kind);
  const Wide a = low - zero, b = high - zero;
  const double middle = static_cast<double>(a) / 2 + static_cast<double>(b) / 2;
  const bool between = std::floor(middle) == middle
                           ? static_cast<Wide>(middle) >= a && static_cast<Wide>(middle) < b
                           : middle >= static_cast<double>(a) && middle < static_cast<double>(b);
  if (between) return {middle, 0, false};
  return {static_cast<double>(a), static_cast<std::int64_t>(a), true};   // of uint64 columns `exact` holds the bits
}

// The whole number of an exact cut; of uint64 columns beyond 2^63 the bits read as negative, the double does not.
inline Wide whole_number(const Threshold& threshold) {
  const bool natural = threshold.value > 0 && threshold.exact < 0;
  return natural ? Wide{static_cast<std::uint64_t>(threshold.exact)} : Wide{threshold.exact};
}

// The greatest double that goes left.
inline double last_double_left(const Threshold& threshold) {
  const double t = threshold.value;
  if (!threshold.is_exact_integer || static_cast<Wide>(t) <= whole_number(threshold)) return t;
  return std::nextafter(t, -std::numeric_limits<double>::infinity());
}

// The greatest key of this column kind that goes left: what routing and prediction compare with. The column may be of
// another kind than the one the cut was found in.
inline Key last_key_left(KeyKind kind, const Threshold& threshold) {
  if (kind == KeyKind::real) return key_of(last_double_left(threshold));
  if (threshold.value >= 0x1p65) return std::numeric_limits<Key>::max();
  if (threshold.value < -0x1p63) return missing_key;
  const Wide cut =
      threshold.is_exact_integer ? whole_number(threshold) : static_cast<Wide>(std::floor(threshold.value));
  if (kind == KeyKind::natural) {
    if (cut < 0) return missing_key;
    return cut >> 64 ? std::numeric_limits<Key>::max() : key_of(static_cast<std::uint64_t>(cut));
  }
  return cut >> 63 > 0 ? std::numeric_limits<Key>::max() : key_of(static_cast<std::int64_t>(cut));
}

}   // namespace treewright
