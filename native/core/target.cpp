#include <algorithm>
#include <cmath>

#include "scaling.hpp"
#include "target_rows.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace treewright {

ClassRows class_rows(const Target& target, const Weights& weights) {
  ClassRows rows;
  rows.n_classes = target.n_classes;
  rows.weight = weights.units;
  rows.unit = weights.unit;
  rows.cell.resize(target.n_rows * target.n_outputs);
  std::uint32_t base = 0;
  for (std::size_t o = 0; o < target.n_outputs; ++o) {
    for (std::size_t row = 0; row < target.n_rows; ++row) {
      const std::int32_t label = target.labels[row * target.n_outputs + o];
      if (label < 0 || static_cast<std::uint32_t>(label) >= target.n_classes[o]) {
        throw std::invalid_argument("labels must be from 0 to n_classes - 1.");
      }
      rows.cell[row * target.n_outputs + o] = base + static_cast<std::uint32_t>(label);
    }
    base += target.n_classes[o];
  }
  return rows;
}

namespace {

int bits_of(double x) {   // the least b with x <= 2^b
  int exponent;
  const double fraction = std::frexp(x, &exponent);
  return fraction == 0.5 ? exponent - 1 : exponent;
}

// The finest grid on which no sum of w q over the rows can overflow 62 bits. Targets keep at least 36 bits; where
// weights take the rest, the sums themselves are kept in units of 2^shift.
Grid grid_of(double low, double high, int weight_bits, bool centred) {
  Grid grid;
  const double size = std::max(std::fabs(low), std::fabs(high));
  if (centred && size / 2 > high - low) grid.centre = low;   // then y - low is exact
  const double reach = std::max(std::fabs(low - grid.centre), std::fabs(high - grid.centre));
  const int bits = std::clamp(61 - weight_bits, 36, 52);
  grid.digits = reach > 0 ? bits - bits_of(reach) : 0;
  grid.shift = std::max(0, weight_bits + bits - 61);
  return grid;
}

// No row of weight 1 has a greater second sum: of squares it is greatest at an end, and y ln y is least at 1/e.
double largest_second(double low, double high, const Grid& grid, bool centred,
                      double (*second)(double, double, double)) {
  double largest = centred ? 0 : 0.37;
  for (const double y : {low, high}) {
    const double q = std::nearbyint(std::ldexp(y - grid.centre, grid.digits));
    largest = std::max(largest, std::fabs(second(grid.centre + std::ldexp(q, -grid.digits), q, 1)));
  }
  return largest * (1 + 0x1p-20);
}

// The nearest whole number, of halves the even one; |x| < 2^62.
std::int64_t nearest(double x) {
#ifdef __SSE2__
  return _mm_cvtsd_si64(_mm_set_sd(x));   // a call of std::nearbyint takes ten times as long
#else
  return static_cast<std::int64_t>(std::nearbyint(x));
#endif
}
std::int64_t not_below(double x) {   // the least whole number that is not; |x| < 2^62
  const auto whole = static_cast<std::int64_t>(x);
  return whole + (static_cast<double>(whole) < x);
}

}   // namespace

void TargetRange::add(const Target& target) {
  if (low.empty()) low.assign(target.n_outputs, INFINITY), high.assign(target.n_outputs, -INFINITY);
  n_rows += static_cast<std::int64_t>(target.n_rows);
  if (target.weights != nullptr) {
    weighted = true;
    weights.add(target.weights, target.n_rows);
  }
  if (target.numbers == nullptr) return;
  for (std::size_t o = 0; o < target.n_outputs; ++o) {
    double least = low[o], most = high[o];
    for (std::size_t row = 0; row < target.n_rows; ++row) {
      if (target.weights != nullptr && target.weights[row] == 0) continue;
      const double y = target.numbers[row * target.n_outputs + o];
      least = y < least ? y : least, most = y > most ? y : most;
    }
    low[o] = least, high[o] = most;
  }
}

void TargetRange::add(const TargetRange& other) {
  if (low.empty()) low = other.low, high = other.high;
  n_rows += other.n_rows;
  weighted |= other.weighted;
  weights.add(other.weights);
  for (std::size_t o = 0; o < other.low.size(); ++o)
    low[o] = std::min(low[o], other.low[o]), high[o] = std::max(high[o], other.high[o]);
}

double TargetRange::total_units(const Weights& grid) const {
  const auto n = static_cast<double>(n_rows);
  if (grid.equal()) return n;
  const double total = (weighted ? weights.sum.value() : n) / grid.unit;
  return weights.whole && grid.unit == 1 ? total : total + 1.5 * n;
}

NumberRows number_rows(const Target& target, const Weights& weights, bool centred,
                       double (*second)(double y, double q, double w), const TargetRange* range) {
  const std::size_t n = target.n_rows, outputs = target.n_outputs;
  NumberRows rows;
  rows.weight = weights.units;
  rows.unit = weights.unit;
  rows.exact.resize(n * outputs);
  for (std::size_t i = 0; i < n * outputs; ++i) rows.exact[i] = target.numbers[i] + 0.0;   // -0.0 is 0
  TargetRange own;
  if (range == nullptr) own.add(target);
  const TargetRange& whole = range == nullptr ? own : *range;
  const double total = whole.total_units(weights);
  for (std::size_t o = 0; o < outputs; ++o)
    rows.grid.push_back(grid_of(whole.low[o], whole.high[o], bits_of(total), centred));
  if (centred) {
    rows.base = rows.grid[0].digits;
    for (const Grid& grid : rows.grid) rows.base = std::min(rows.base, grid.digits);
  }
  rows.q.resize(n * outputs);
  rows.second.resize(n * outputs);
  std::vector<double> seconds(n);
  for (std::size_t o = 0; o < outputs; ++o) {
    Grid& grid = rows.grid[o];
    grid.relative = grid.digits - rows.base;
    const Scaling to_grid(grid.digits), from_grid(-grid.digits);
    double largest = 0;
    for (std::size_t row = 0; row < n; ++row) {
      const double y = rows.exact[row * outputs + o];
      const bool counts = weights[row] > 0;
      const std::int64_t on = counts ? nearest(to_grid(y - grid.centre)) : 0;
      const auto q = static_cast<double>(on);   // at most 52 bits
      rows.q[row * outputs + o] = on;
      const double on_grid = grid.centre + from_grid(q);   // what the first sums say of y
      seconds[row] = counts ? second(on_grid, q, static_cast<double>(weights[row])) : 0;
      largest += std::fabs(seconds[row]);
    }
    // Rounded up, so that bounds made from second sums hold.
    if (range != nullptr) largest = total * largest_second(whole.low[o], whole.high[o], grid, centred, second);
    const int exponent = largest > 0 ? 61 - bits_of(largest) : 0;
    const Scaling to_units(exponent);
    for (std::size_t row = 0; row < n; ++row) {
      rows.second[row * outputs + o] = not_below(to_units(seconds[row]));
    }
    grid.second_unit = std::ldexp(1.0, -exponent - (centred ? 2 * grid.shift : 0));
  }
  if (std::any_of(rows.grid.begin(), rows.grid.end(), [](const Grid& grid) { return grid.shift > 0; })) {
    rows.first.resize(n * outputs);
    for (std::size_t i = 0; i < n * outputs; ++i) {
      const int shift = rows.grid[i % outputs].shift;
      const Wide product = Wide{rows.q[i]} * weights[i / outputs];
      rows.first[i] = static_cast<std::int64_t>((product + (shift > 0 ? Wide{1} << (shift - 1) : 0)) >> shift);
    }
  } else if (!weights.equal()) {
    rows.first.resize(n * outputs);
    for (std::size_t i = 0; i < n * outputs; ++i) rows.first[i] = rows.q[i] * weights[i / outputs];
  }
  return rows;
}

}   // namespace treewright
