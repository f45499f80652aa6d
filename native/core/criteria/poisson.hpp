// Poisson: phi = sum w y ln(y / mean), half the deviance of counts. Smooth; a child whose y are all 0 is not allowed.
#pragma once
#include <algorithm>
#include <cmath>
#include <string_view>

#include "../logarithm.hpp"
#include "numbers.hpp"

namespace treewright {

struct Poisson {
  static constexpr std::string_view name = "poisson";
  static constexpr bool centred = false;

  static double second(double y, double, double w) { return y > 0 ? w * y * ln(y) : 0; }
  static double per_gain(const Grid& grid) { return std::ldexp(1.0, grid.shift - grid.digits); }
  static bool allows(std::int64_t s) { return s > 0; }

  // part * ln(mean of the part / mean of the whole)
  static double term(double s, double w, double mean) {
    if (!(s > 0) || !(w > 0)) return 0;
    const double own = s / w;
    return own >= mean ? s * ln_ratio(own, mean) : -s * ln_ratio(mean, own);
  }
  static double gain(std::int64_t w, std::int64_t s, std::int64_t w_left, std::int64_t s_left) {
    const double mean = static_cast<double>(s) / static_cast<double>(w);
    return std::max(term(static_cast<double>(s_left), static_cast<double>(w_left), mean) +
                        term(static_cast<double>(s - s_left), static_cast<double>(w - w_left), mean),
                    0.0);
  }

  // phi is super-additive, so dropping the bucket bounds every cut inside it:
  // gain <= gain of (left | right) alone + sum over the bucket of w y ln(y / mean).
  static double bound(Sums total, Sums left, Sums bucket, const Grid& grid) {
    const double mean = static_cast<double>(total.first) / static_cast<double>(total.w);
    const Sums right{total.w - left.w - bucket.w, total.first - left.first - bucket.first, 0};
    const double outer = term(static_cast<double>(left.first), static_cast<double>(left.w), mean) +
                         term(static_cast<double>(right.first), static_cast<double>(right.w), mean);
    const auto in_bucket = static_cast<double>(bucket.first) * grid.per_gain;
    const double inner =
        static_cast<double>(bucket.second) * grid.second_unit - in_bucket * (mean > 0 ? ln(mean * grid.per_gain) : 0);
    const double slack = (std::fabs(outer) * grid.per_gain + std::fabs(inner) + in_bucket) * 0x1p-40;
    return outer * grid.per_gain + inner + slack;
  }

  // The mass is a sum of terms y ln(y / mean) - (y - mean) >= 0, each rounded once to a grid of 2^-60 of the largest,
  // which is that of the least or of the greatest y.
  struct Deviance {
    double mean = 0;
    int exponent = 0;
    double of(double y) const { return y > 0 ? term(y, 1, mean) - (y - mean) : mean; }
  };
  static Deviance deviance(std::int64_t w, Wide first, double least, double most, const Grid& grid) {
    Deviance found{std::ldexp(to_double(first) / static_cast<double>(w), -grid.digits)};
    if (found.mean > 0) std::frexp(std::max(found.of(least), found.of(most)), &found.exponent);
    return found;
  }
  static std::int64_t units(double y, const Deviance& deviance) {
    if (!(deviance.mean > 0)) return 0;
    return static_cast<std::int64_t>(std::ldexp(std::max(deviance.of(y), 0.0), 60 - deviance.exponent));
  }
  static double mass(Wide sum, const Deviance& deviance) { return std::ldexp(to_double(sum), deviance.exponent - 60); }
};

}   // namespace treewright
