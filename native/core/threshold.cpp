#include "threshold.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace treewright {

double shortest_between(double a, double b) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const double gap = b - a;
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(gap)) return none;
  const double low = a + gap / 4, high = b - gap / 4, middle = a + gap / 2;
  if (low <= 0 && high >= 0) return 0;
  const int most = static_cast<int>(std::ceil(std::log10(std::max(std::fabs(low), std::fabs(high))))) + 1;
  for (int exponent = most; exponent > most - 19; --exponent) {
    const double power = std::pow(10.0, exponent);
    if (!(power > 0) || !std::isfinite(power)) continue;
    const double multiple = std::nearbyint(middle / power);
    for (const double k : {multiple, multiple - 1, multiple + 1}) {   // the quotient may be off by a rounding
      if (!(std::fabs(k) < 1e18)) continue;
      char text[40];
      const int length = std::snprintf(text, sizeof text, "%llde%d", static_cast<long long>(k), exponent);
      double found = none;
      std::from_chars(text, text + length, found);
      if (found >= low && found <= high) return found;
    }
  }
  return none;
}

double roundest_time_between(double a, double b) {
  const double gap = b - a, low = a + gap / 4, high = b - gap / 4, middle = a + gap / 2;
  for (const double unit : {86'400e6, 3'600e6, 600e6, 60e6, 10e6, 1e6, 1e3}) {
    const double round = std::nearbyint(middle / unit) * unit;
    if (round >= low && round <= high) return round;
  }
  return middle;
}

}   // namespace treewright
