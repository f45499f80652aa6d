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

  // With the sum s of a part of weight w, the sum S of all of weight W, and e = S w / W, which is expected of the part:
  // s ln(s / e) - (s - e) >= 0. The differences s - e of both children are opposite, so that the gain is a sum of these terms.
  struct Whole {
    Sums total;
    double mean = static_cast<double>(total.first) / static_cast<double>(total.w);

    double more(std::int64_t w, std::int64_t s) const {   // s - e
      return to_double(Wide{s} * total.w - Wide{total.first} * w) / static_cast<double>(total.w);
    }
    double excess(std::int64_t w, std::int64_t s, double more) const {
      return w > 0 && mean > 0 ? treewright::excess(static_cast<double>(s), mean * static_cast<double>(w), more) : 0;
    }
  };
  static double gain(std::int64_t w, std::int64_t s, std::int64_t w_left, std::int64_t s_left) {
    const Whole whole{{w, s, 0}};
    const double more = whole.more(w_left, s_left);
    return whole.excess(w_left, s_left, more) + whole.excess(w - w_left, s - s_left, -more);
  }

  // phi is super-additive, so dropping the bucket bounds every cut inside it:
  // gain <= gain of (left | right) alone + sum over the bucket of w y ln(y / mean).
  static double bound(Sums total, Sums left, Sums bucket, const Grid& grid) {
    const Whole whole{total};
    const std::int64_t w_right = total.w - left.w - bucket.w, s_right = total.first - left.first - bucket.first;
    const double outer = whole.excess(left.w, left.first, whole.more(left.w, left.first)) +
                         whole.excess(w_right, s_right, whole.more(w_right, s_right)) -
                         whole.more(bucket.w, bucket.first);
    const auto in_bucket = static_cast<double>(bucket.first) * grid.per_gain;
    const double inner = static_cast<double>(bucket.second) * grid.second_unit -
                         in_bucket * (whole.mean > 0 ? ln(whole.mean * grid.per_gain) : 0);
    const double slack = (std::fabs(outer) * grid.per_gain + std::fabs(inner) + in_bucket) * 0x1p-40;
    return outer * grid.per_gain + inner + slack;
  }

  // The mass is a sum of terms y ln(y / mean) - (y - mean) >= 0, each rounded once to a grid of 2^-60 of the largest,
  // which is that of the least or of the greatest y. Here y and the mean are in units of the target's grid.
  struct Deviance {
    std::int64_t whole = 0;   // the mean is whole + part
    double part = 0;
    int exponent = 0;
    double mean() const { return static_cast<double>(whole) + part; }
    double of(std::int64_t q) const {
      return excess(static_cast<double>(q), mean(), static_cast<double>(q - whole) - part);
    }
  };
  static Deviance deviance(std::int64_t w, Wide first, std::int64_t least, std::int64_t most) {
    const auto whole = static_cast<std::int64_t>(first / w);
    Deviance found{whole, to_double(first - Wide{whole} * w) / static_cast<double>(w)};
    if (found.mean() > 0) std::frexp(std::max(found.of(least), found.of(most)), &found.exponent);
    return found;
  }
  static std::int64_t units(std::int64_t q, const Deviance& deviance) {
    if (!(deviance.mean() > 0)) return 0;
    return static_cast<std::int64_t>(std::ldexp(deviance.of(q), 60 - deviance.exponent));
  }
  static double mass(Wide sum, const Deviance& deviance, const Grid& grid) {
    return std::ldexp(to_double(sum), deviance.exponent - 60 - grid.digits);
  }
};

}   // namespace treewright
