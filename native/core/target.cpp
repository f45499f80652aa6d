#include <algorithm>
#include <cmath>

#include "target_rows.hpp"

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

// x 2^exponent: a product where the power is a number of its own, which is quicker and as exact.
class Scaling {
 public:
  explicit Scaling(int exponent) : exponent_(exponent), plain_(exponent >= -1000 && exponent <= 1000) {
    if (plain_) factor_ = std::ldexp(1.0, exponent);
  }
  double operator()(double x) const { return plain_ ? x * factor_ : std::ldexp(x, exponent_); }

 private:
  int exponent_;
  bool plain_;
  double factor_ = 1;
};

// The finest grid on which no sum of w q over the rows can overflow 62 bits. Targets keep at least 36 bits; where
// weights take the rest, the sums themselves are kept in units of 2^shift.
Grid grid_of(const Target& target, const Weights& weights, std::size_t o, int weight_bits, bool centred) {
  double low = INFINITY, high = -INFINITY;
  for (std::size_t row = 0; row < target.n_rows; ++row) {
    if (weights[row] == 0) continue;
    const double y = target.numbers[row * target.n_outputs + o];
    low = std::min(low, y), high = std::max(high, y);
  }
  Grid grid;
  const double size = std::max(std::fabs(low), std::fabs(high));
  if (centred && size / 2 > high - low) grid.centre = low;   // then y - low is exact
  const double reach = std::max(std::fabs(low - grid.centre), std::fabs(high - grid.centre));
  const int bits = std::clamp(61 - weight_bits, 36, 52);
  grid.digits = reach > 0 ? bits - bits_of(reach) : 0;
  grid.shift = std::max(0, weight_bits + bits - 61);
  return grid;
}

}   // namespace

NumberRows number_rows(const Target& target, const Weights& weights, bool centred,
                       double (*second)(double y, double q, double w)) {
  const std::size_t n = target.n_rows, outputs = target.n_outputs;
  NumberRows rows;
  rows.weight = weights.units;
  rows.unit = weights.unit;
  rows.exact.assign(target.numbers, target.numbers + n * outputs);
  double total = 0;
  for (std::size_t row = 0; row < n; ++row) total += static_cast<double>(weights[row]);
  for (std::size_t o = 0; o < outputs; ++o) rows.grid.push_back(grid_of(target, weights, o, bits_of(total), centred));
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
      const double q = std::nearbyint(to_grid(y - grid.centre));
      const bool counts = weights[row] > 0;
      rows.q[row * outputs + o] = counts ? static_cast<std::int64_t>(q) : 0;
      const double on_grid = grid.centre + from_grid(q);   // what the first sums say of y
      seconds[row] = counts ? second(on_grid, q, static_cast<double>(weights[row])) : 0;
      largest += std::fabs(seconds[row]);
    }
    // Rounded up, so that bounds made from second sums hold.
    const int exponent = largest > 0 ? 61 - bits_of(largest) : 0;
    const Scaling to_units(exponent);
    for (std::size_t row = 0; row < n; ++row) {
      rows.second[row * outputs + o] = static_cast<std::int64_t>(std::ceil(to_units(seconds[row])));
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
