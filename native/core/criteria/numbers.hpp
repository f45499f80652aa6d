// Criteria over numeric targets. A tally is: rows, weight (where rows are weighted), and for every output two sums:
// first = sum w y and second = sum w y^2 or w y ln y, each on its own power-of-two grid. `Loss` says what they cost.
#pragma once
#include <array>
#include <string_view>

#include "../criterion.hpp"
#include "../search/correction.hpp"
#include "../search/plain.hpp"
#include "../weights.hpp"

namespace treewright {

// The grid of one output: y = centre + q 2^-digits, rounded once.
struct Grid {
  double centre = 0;
  int digits = 0;
  int relative = 0;         // digits beyond the coarsest output's: losses of several outputs are added in its units
  int shift = 0;            // first sums count (w q) 2^-shift
  double second_unit = 1;   // what one unit of the second sum means: first sums squared over weight, or w y ln y
};

struct NumberRows {
  std::vector<std::int64_t> q;        // [row][output]
  std::vector<std::int64_t> first;    // [row][output]: round(w q 2^-shift); empty where it equals q
  std::vector<std::int64_t> second;   // [row][output]
  std::vector<std::int64_t> weight;   // empty: 1
  std::vector<Grid> grid;             // per output
  std::vector<double> exact;          // [row][output]: y itself, so that a leaf of equal y says just that
  double unit = 1;                    // the user's weight of one unit
  int base = 0;                       // losses are in units of 2^-2base (squares) of the user's
};

// N = 1: one output, no weights, known to the compiler. N = 0: any shape.
template <class Loss, int N>
class Numbers {
 public:
  static constexpr std::string_view name = Loss::name;
  static constexpr bool additive = true;
  static constexpr std::size_t static_width = N == 1 ? 3 : 0;

  explicit Numbers(NumberRows rows) : rows_(std::move(rows)), weighted_(!rows_.weight.empty()) {
    width_ = 1 + weighted_ + 2 * rows_.grid.size();
  }

  std::size_t width() const { return N == 1 ? 3 : width_; }
  std::span<const std::int64_t> weights() const { return rows_.weight; }   // empty: every row weighs 1
  std::size_t n_outputs() const { return rows_.grid.size(); }
  std::size_t values_per_output() const { return 1; }
  double user_mass(double mass) const {
    return std::ldexp(mass * rows_.unit / static_cast<double>(n_outputs()), -2 * rows_.base);
  }

  void add(Tally t, std::size_t row) const {
    t[0] += 1;
    if constexpr (N == 1) {
      t[1] += rows_.q[row];
      t[2] += rows_.second[row];
    } else {
      const std::size_t outputs = rows_.grid.size(), base = 1 + weighted_;
      if (weighted_) t[1] += rows_.weight[row];
      const auto& first = rows_.first.empty() ? rows_.q : rows_.first;
      for (std::size_t o = 0; o < outputs; ++o) {
        t[base + 2 * o] += first[row * outputs + o];
        t[base + 2 * o + 1] += rows_.second[row * outputs + o];
      }
    }
  }
  Numbers gather(std::span<const RowIndex> rows) const {
    Numbers some = gather_sums(rows);
    take(rows_.exact, rows, n_outputs(), some.rows_.exact);
    return some;
  }
  // Copies of rows that weigh `units` here: shares of the rows themselves, and so are their sums.
  Numbers gather(std::span<const RowIndex> rows, std::span<const std::int64_t> units) const {
    Numbers some = gather(rows);
    const std::size_t outputs = n_outputs();
    const auto part = [](std::int64_t sum, std::int64_t unit, std::int64_t of) {
      const Wide product = Wide{sum} * unit, half = Wide{of} / 2;
      return static_cast<std::int64_t>((product + (product < 0 ? -half : half)) / of);
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int64_t whole = some.rows_.weight[i];
      for (std::size_t k = i * outputs; k < (i + 1) * outputs; ++k) {
        some.rows_.first[k] = part(some.rows_.first[k], units[i], whole);
        some.rows_.second[k] = part(some.rows_.second[k], units[i], whole);
      }
      some.rows_.weight[i] = units[i];
    }
    return some;
  }
  Numbers gather_sums(std::span<const RowIndex> rows) const {   // all that add() needs
    NumberRows some;
    some.grid = rows_.grid;
    some.unit = rows_.unit;
    some.base = rows_.base;
    take(rows_.q, rows, n_outputs(), some.q);
    take(rows_.first, rows, n_outputs(), some.first);
    take(rows_.second, rows, n_outputs(), some.second);
    take(rows_.weight, rows, 1, some.weight);
    return Numbers(std::move(some));
  }

  std::int64_t rows(ConstTally t) const { return t[0]; }
  std::int64_t weight(ConstTally t) const { return t[N == 1 ? 0 : weighted_]; }

  double gain(ConstTally total, ConstTally left) const {
    const std::int64_t w = weight(total), w_left = weight(left);
    if (w_left <= 0 || w_left >= w) return 0;
    return over_outputs([&](std::size_t at, const Grid& grid) {
      return Loss::gain(w, total[at], w_left, left[at]) * Loss::per_gain(grid);
    });
  }
  [[gnu::noinline]] double bound(ConstTally total, ConstTally left, ConstTally bucket) const {   // once per bin
    const std::int64_t w = weight(total), w_left = weight(left), w_bucket = weight(bucket);
    return over_outputs([&](std::size_t at, const Grid& grid) {
      return Loss::bound({w, total[at], total[at + 1]}, {w_left, left[at], left[at + 1]},
                         {w_bucket, bucket[at], bucket[at + 1]}, grid);
    });
  }
  bool allows(ConstTally total, ConstTally left) const {
    bool all = true;
    over_outputs([&](std::size_t at, const Grid&) {
      all &= Loss::allows(left[at]) && Loss::allows(total[at] - left[at]);
      return 0.0;
    });
    return all;
  }
  // The sums on which impurity depends: the weight, and the first sum of every output.
  std::size_t n_sums() const { return 1 + n_outputs(); }
  static bool sums_are_counts() { return false; }
  void sums(ConstTally t, std::int64_t* out) const {
    *out++ = weight(t);
    for (std::size_t o = 0; o < n_outputs(); ++o) *out++ = t[1 + (N == 0 && weighted_) + 2 * o];
  }
  // The share of the node's impurity that lies between groups.
  Evidence evidence(ConstTally total, std::span<const std::int64_t> groups, Scale scale) const {
    std::vector<std::int64_t> rest(total.begin(), total.end());
    double between = 0;
    for (std::size_t at = 0; at < groups.size(); at += width()) {
      const ConstTally group = groups.subspan(at, width());
      between += gain(rest, group);
      for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= group[k];
    }
    return {between * scale.per_mass * 0x1p-40, static_cast<double>(n_outputs())};
  }

  // For plain sums: see search/plain.hpp.
  PlainRow plain_row(std::size_t row) const
    requires(Loss::centred)
  {
    return {0, rows_.exact[row * n_outputs()], weighted_ ? static_cast<double>(rows_.weight[row]) * rows_.unit : 1.0};
  }
  PlainRules plain_rules() const
    requires(Loss::centred)
  {
    return {};
  }
  double mean_value(ConstTally t) const { return output_value(t); }
  double output_value(ConstTally t) const {
    return mean(to_double(t[1 + (N == 0 && weighted_)]), weight(t), rows_.grid[0]);
  }

  Summary summary(std::span<const RowIndex> rows) const {
    Summary s;
    s.tally.assign(width(), 0);
    for (RowIndex row : rows) add(s.tally, row);
    s.n_rows = static_cast<std::int64_t>(rows.size());
    const std::int64_t w = weight(s.tally);
    s.weight = static_cast<double>(w) * rows_.unit;
    for (std::size_t o = 0; o < n_outputs(); ++o) summarise_output(rows, o, w, s);
    if (s.pure) s.mass = 0;
    s.impurity = user_mass(s.mass) / s.weight;
    return s;
  }

 private:
  template <class F>
  double over_outputs(F&& f) const {
    if constexpr (N == 1) return f(std::size_t{1}, rows_.grid[0]);
    double sum = 0;
    for (std::size_t o = 0; o < rows_.grid.size(); ++o) sum += f(1 + weighted_ + 2 * o, rows_.grid[o]);
    return sum;
  }
  template <class T>
  static void take(const std::vector<T>& from, std::span<const RowIndex> rows, std::size_t per_row,
                   std::vector<T>& to) {
    if (from.empty()) return;
    to.resize(rows.size() * per_row);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = 0; k < per_row; ++k) to[i * per_row + k] = from[rows[i] * per_row + k];
    }
  }
  static double mean(double first, std::int64_t w, const Grid& grid) {
    return grid.centre + std::ldexp(first / static_cast<double>(w), grid.shift - grid.digits);
  }

  // Sums of w q and w q^2 in 128 bits: exact, whatever the order of the rows.
  void summarise_output(std::span<const RowIndex> rows, std::size_t o, std::int64_t w, Summary& s) const {
    const std::size_t outputs = n_outputs();
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min();
    double least_y = INFINITY, most_y = -INFINITY;
    Wide first = 0, second = 0;
    for (RowIndex row : rows) {
      const std::int64_t q = rows_.q[row * outputs + o];
      const double y = rows_.exact[row * outputs + o];
      const Wide wq = Wide{q} * (weighted_ ? rows_.weight[row] : 1);
      first += wq;
      second += wq * q;
      least = std::min(least, q), most = std::max(most, q);
      least_y = std::min(least_y, y), most_y = std::max(most_y, y);
    }
    s.pure &= least == most;
    s.value.push_back(least_y == most_y ? least_y
                                        : mean(std::ldexp(to_double(first), -rows_.grid[o].shift), w, rows_.grid[o]));
    if (least == most) return;
    const auto visit = [&](auto&& use) {   // every y as the grid has it
      const Grid& grid = rows_.grid[o];
      for (RowIndex row : rows) {
        use(grid.centre + std::ldexp(static_cast<double>(rows_.q[row * outputs + o]), -grid.digits),
            weighted_ ? rows_.weight[row] : 1);
      }
    };
    s.mass += Loss::mass(w, first, second, rows_.grid[o], visit);
  }

  NumberRows rows_;
  bool weighted_;
  std::size_t width_;
};

struct Sums {   // of one output: weight, first and second sum
  std::int64_t w, first, second;
};

}   // namespace treewright
