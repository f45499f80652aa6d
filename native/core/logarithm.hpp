// Our own logarithm, from +, * and / alone: the same bits on every machine, so that the vendor of a mathematics
// library cannot decide a tie.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace treewright {

// ln((1+s)/(1-s)) = 2 (s + s^3/3 + s^5/5 + ...), for |s| <= 0.1716: eleven terms reach 2^-56.
inline double ln_from_quotient(double s) {
  const double z = s * s;
  double sum = 1.0 / 23;
  for (int k = 21; k >= 1; k -= 2) sum = sum * z + 1.0 / k;
  return 2 * s * sum;
}

inline double ln(double x) {   // precondition: x positive, finite and normal
  constexpr double ln_2 = 0x1.62e42fefa39efp-1;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  if (m > 0x1.6a09e667f3bcdp0) {   // keep m within [sqrt(1/2), sqrt(2)]
    m /= 2;
    ++exponent;
  }
  return exponent * ln_2 + ln_from_quotient((m - 1) / (m + 1));
}

// ln(whole / part) for whole >= part > 0, with full relative precision when the two are close.
inline double ln_ratio(double whole, double part) {
  if (whole < 1.4 * part) return ln_from_quotient((whole - part) / (whole + part));
  return ln(whole / part);
}

// part ln(part / whole) - (part - whole) >= 0, for part >= 0 and whole > 0, with full relative precision when the two are close;
// `more` is part - whole, which must then be known precisely. With s = more / (part + whole) it is
// more s + part (ln((1+s)/(1-s)) - 2 s).
inline double excess(double part, double whole, double more) {
  if (!(part > 0)) return whole;
  if (part > 1.4 * whole) return part * ln_ratio(part, whole) - more;
  if (whole > 1.4 * part) return -more - part * ln_ratio(whole, part);
  const double s = more / (part + whole), z = s * s;
  double sum = 1.0 / 23;
  for (int k = 21; k >= 3; k -= 2) sum = sum * z + 1.0 / k;
  return more * s + part * (2 * s * z * sum);
}

}   // namespace treewright
