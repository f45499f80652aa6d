// Thresholds: the number between two neighbouring values of a column, and which keys lie on its low side.
#pragma once
#include <cmath>

#include "columns.hpp"
#include "growth.hpp"

namespace treewright {

// A cut between two neighbouring values a < b of one column: x <= value goes left. Where no double separates them
// (integers beyond 2^53) the cut is the integer `exact` = a.
struct Threshold {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::int64_t exact = 0;
  bool is_exact_integer = false;
  bool strict = false;   // x < value instead
};

// The double with the fewest digits in the middle half of [a, b), nearest the middle of those; NaN where there is none
// of at most 17 digits. Precondition: a < b.
double shortest_between(double a, double b);

// Microseconds: the roundest time in the middle half of [a, b): a whole day, hour, minute, second or millisecond.
double roundest_time_between(double a, double b);

inline Threshold threshold_between(KeyKind kind, Key low, Key high, Thresholds rule, bool is_time = false) {
  if (kind == KeyKind::real) {
    const double a = number_of(low), b = number_of(high), middle = a / 2 + b / 2;
    if (rule == Thresholds::observed) return {a};
    if (rule == Thresholds::rounded) {
      const double round = shortest_between(a, b);
      if (round >= a && round < b) return {round};
    }
    return {middle >= a && middle < b ? middle : a};   // a cut next to +inf keeps the finite neighbour
  }
  const Wide zero = zero_key(kind);
  const Wide a = low - zero, b = high - zero;
  double middle = static_cast<double>(a) / 2 + static_cast<double>(b) / 2;
  if (rule == Thresholds::observed) {
    middle = static_cast<double>(a);
    if (static_cast<Wide>(middle) != a) return {middle, static_cast<std::int64_t>(a), true};
  }
  if (rule == Thresholds::rounded && b - a > 1 && (a < 0 ? -a : a) < (Wide{1} << 52) &&
      (b < 0 ? -b : b) < (Wide{1} << 52)) {
    const auto round = is_time ? roundest_time_between : shortest_between;
    middle = std::floor(round(static_cast<double>(a), static_cast<double>(b)));
  }
  const bool between = std::floor(middle) == middle
                           ? static_cast<Wide>(middle) >= a && static_cast<Wide>(middle) < b
                           : middle >= static_cast<double>(a) && middle < static_cast<double>(b);
  if (between) return {middle};
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
  const Wide above = threshold.is_exact_integer ? static_cast<Wide>(t) - whole_number(threshold) : 0;
  const bool goes_left = threshold.strict ? above < 0 : above <= 0;
  return goes_left ? t : std::nextafter(t, -std::numeric_limits<double>::infinity());
}

// The greatest key of this column kind that goes left: what routing and prediction compare with. The column may be of
// another kind than the one the cut was found in.
inline Key last_key_left(KeyKind kind, const Threshold& threshold) {
  if (kind == KeyKind::real) return key_of(last_double_left(threshold));
  if (threshold.value >= 0x1p65) return std::numeric_limits<Key>::max();
  if (threshold.value < -0x1p63) return missing_key;
  Wide cut = threshold.is_exact_integer ? whole_number(threshold) : static_cast<Wide>(std::floor(threshold.value));
  if (threshold.strict && static_cast<double>(cut) == threshold.value) --cut;
  if (cut < -(Wide{1} << 63)) return missing_key;
  if (kind == KeyKind::natural) {
    if (cut < 0) return missing_key;
    return cut >> 64 ? std::numeric_limits<Key>::max() : key_of(static_cast<std::uint64_t>(cut));
  }
  return cut >> 63 > 0 ? std::numeric_limits<Key>::max() : key_of(static_cast<std::int64_t>(cut));
}

// The same cut between two neighbouring values as x < value, where a double can say it.
inline void make_strict(Threshold& threshold, KeyKind kind, Key low, Key high) {
  if (threshold.is_exact_integer) return;
  const Threshold above = threshold_between(kind, high, high, Thresholds::observed);
  if (above.is_exact_integer) return;
  threshold.strict = true;
  if (last_key_left(kind, threshold) < low) threshold.value = above.value;
}

}   // namespace treewright
