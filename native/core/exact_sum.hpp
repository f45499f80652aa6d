// ExactSum: a sum of doubles without rounding, so that neither the order of the terms nor their division into parts
// changes it.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace treewright {

class ExactSum {
 public:
  static constexpr std::size_t n_limbs = 68;   // 32 bits each, from 2^-1074 up; limbs hold carries of 2^31 terms

  void add(double x) {   // precondition: finite and not negative
    if (x == 0) return;
    int exponent;
    const double fraction = std::frexp(x, &exponent);
    auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    int position = exponent - 53 + 1074;
    if (position < 0) mantissa >>= -position, position = 0;   // of a subnormal number these bits are 0
    auto limb = static_cast<std::size_t>(position / 32);
    unsigned __int128 bits = static_cast<unsigned __int128>(mantissa) << (position % 32);
    for (; bits != 0; bits >>= 32) limbs[limb++] += static_cast<std::int64_t>(bits & 0xffffffffu);
  }
  void add(const ExactSum& other) {
    for (std::size_t i = 0; i < n_limbs; ++i) limbs[i] += other.limbs[i];
    carry();
  }
  // Rounded once or twice, always in the same way; infinite if too large.
  double value() const {
    ExactSum sum = *this;
    sum.carry();
    double total = 0;
    for (std::size_t i = n_limbs; i-- > 0;)
      total += std::ldexp(static_cast<double>(sum.limbs[i]), 32 * static_cast<int>(i) - 1074);
    return total;
  }

  std::array<std::int64_t, n_limbs> limbs{};

 private:
  void carry() {
    for (std::size_t i = 0; i + 1 < n_limbs; ++i) {
      limbs[i + 1] += limbs[i] >> 32;
      limbs[i] &= 0xffffffff;
    }
  }
};

}   // namespace treewright
