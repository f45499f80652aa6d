// Squared error: phi = sum w (y - mean)^2. Smooth, strictly concave in the sums.
#pragma once
#include <algorithm>
#include <cmath>
#include <string_view>

#include "numbers.hpp"

namespace treewright {

struct SquaredError {
  static constexpr std::string_view name = "squared_error";
  static constexpr bool centred = true;

  static double second(double, double q, double w) { return w * q * q; }
  static double per_gain(const Grid& grid) { return std::ldexp(1.0, 2 * (grid.shift - grid.relative)); }
  static bool allows(std::int64_t) { return true; }

  // gain = (w s_left - w_left s)^2 / (w w_left w_right), in units of the first sum squared: nothing cancels.
  static double gain(std::int64_t w, std::int64_t s, std::int64_t w_left, std::int64_t s_left) {
    const double cross = to_double(Wide{w} * s_left - Wide{w_left} * s);
    const auto l = static_cast<double>(w_left), r = static_cast<double>(w - w_left);
    return cross * cross / (static_cast<double>(w) * (l * r));
  }

  // The same compared in doubles, without a division: every product is off by less than 2^-51 of itself.
  static bool surely_below(std::int64_t w, std::int64_t s, std::int64_t w_left, std::int64_t s_left, double least) {
    const double a = static_cast<double>(w) * static_cast<double>(s_left);
    const double b = static_cast<double>(w_left) * static_cast<double>(s);
    const double cross = std::fabs(a - b) + (std::fabs(a) + std::fabs(b)) * 0x1p-50;
    const auto l = static_cast<double>(w_left), r = static_cast<double>(w - w_left);
    return cross * cross < least * (static_cast<double>(w) * (l * r)) * (1 - 0x1p-40);
  }

  // A part of weight i of a bucket (weight m, mean b, spread v = sum w (y - b)^2) whose sum deviates by d from i b has
  // d^2 <= v i (m - i) / m by Cauchy-Schwarz: an ellipse. The gain is convex in (i, d), so its greatest value on the
  // octagon around the ellipse is at one of eight corners. Where a side may be empty the corner has no bound, and
  // "drop the bucket" holds instead: gain <= c0^2 / w_left + c1^2 / w_right + v + m (b - mean)^2, with c0 and c1 the
  // deviations of what lies before and after the bucket from the node's mean.
  static double bound(Sums total, Sums left, Sums bucket, const Grid& grid) {
    const auto w = static_cast<double>(total.w), m = static_cast<double>(bucket.w), wl = static_cast<double>(left.w);
    const double c0 = to_double(Wide{total.w} * left.first - Wide{left.w} * total.first) / w;
    const double off = to_double(Wide{total.w} * bucket.first - Wide{bucket.w} * total.first) / (w * m);   // b - mean
    const double squares = static_cast<double>(bucket.second) * grid.second_unit;
    const auto sum = static_cast<double>(bucket.first);
    const double v = std::max(0.0, squares - sum * sum / m) + squares * 0x1p-50;
    const double wr = w - wl - m, c1 = c0 + off * m;
    const double drop = (wl > 0 ? c0 * c0 / wl : 0) + (wr > 0 ? c1 * c1 / wr : 0) + v + m * off * off;
    constexpr double radius = 1.0823922002923940;                      // 1 / cos(pi / 8)
    constexpr double near = 0.38268343236508978 * radius, far = 1.0;   // radius sin(pi / 8), radius cos(pi / 8)
    const double half = std::sqrt(v * m) / 2;
    double corner = 0;
    for (const auto& [x, y] : {std::pair{near, far},
                               {near, -far},
                               {-near, far},
                               {-near, -far},
                               {far, near},
                               {far, -near},
                               {-far, near},
                               {-far, -near}}) {
      const double i = std::clamp(m * (1 + x) / 2, 0.0, m), d = c0 + i * off + half * y;
      const double l = wl + i, r = w - l;
      if (!(l > 0) || !(r > 0)) {
        corner = drop;
        break;
      }
      corner = std::max(corner, d * d * (w / (l * r)));
    }
    return std::min(corner, drop) * (1 + 0x1p-40) * grid.per_gain;
  }

  // Whether bound(...) is below `least` by more than rounding, by a bound that is looser and cheaper: inside the bucket
  // the deviation of the left side is at most the greater one of both edges, and sqrt(v m) / 2; l r is least at an edge.
  static bool bound_surely_below(Sums total, Sums left, Sums bucket, const Grid& grid, double least) {
    const auto w = static_cast<double>(total.w), m = static_cast<double>(bucket.w), wl = static_cast<double>(left.w);
    const auto s = static_cast<double>(total.first), sum = static_cast<double>(bucket.first);
    const double a0 = w * static_cast<double>(left.first), b0 = wl * s;
    const double a1 = w * static_cast<double>(left.first + bucket.first), b1 = (wl + m) * s;
    const double squares = static_cast<double>(bucket.second) * grid.second_unit * m;
    const double spread = std::max(0.0, squares - sum * sum) + squares * 0x1p-48;
    const double rounding = (std::fabs(a0) + std::fabs(b0) + std::fabs(a1) + std::fabs(b1)) * 0x1p-50;
    const double cross = std::max(std::fabs(a0 - b0), std::fabs(a1 - b1)) + rounding + w * std::sqrt(spread) / 2;
    const double lr = std::min(wl * (w - wl), (wl + m) * (w - wl - m));
    return cross * cross < least * (w * lr) * (1 - 0x1p-30);
  }

  // Whether all of n numbers are the same, by their sum and the sum of their squares.
  static bool pure(std::int64_t n, std::int64_t first, Wide squares) {
    if (n == 1) return true;
    // n sum q^2 = (sum q)^2 only then; in doubles both are off by less than 2^-50
    const double sum = static_cast<double>(first), product = static_cast<double>(n) * to_double(squares);
    if (std::fabs(product - sum * sum) > product * 0x1p-40) return false;
    const Wide middle = first / n;
    return middle * n == first && middle * middle * n == squares;
  }

  // sum w q^2 - (sum w q)^2 / w, taken around the whole number nearest the mean so that it stays exact.
  static double mass(std::int64_t w, Wide first, Wide second, const Grid& grid) {
    const bool is_short = first == static_cast<std::int64_t>(first);   // a division of 64 bits will do
    const Wide middle = is_short ? Wide{static_cast<std::int64_t>(first) / w} : first / w;
    const Wide squares = second - 2 * middle * first + middle * middle * w;
    const auto deviation = static_cast<double>(static_cast<std::int64_t>(first - middle * w));   // |rest| < w
    return grid.to_mass(to_double(squares) - deviation * deviation / static_cast<double>(w));
  }
};

}   // namespace treewright
