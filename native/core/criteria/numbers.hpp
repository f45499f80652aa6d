// Criteria over numeric targets. A tally is: rows, weight (where rows are weighted), and for every output two sums:
// first = sum w y and second = sum w y^2 or w y ln y, each on its own power-of-two grid. `Loss` says what they cost.
#pragma once
#include <array>
#include <bit>
#include <string_view>

#include "../criterion.hpp"
#include "../own_tally.hpp"
#include "../search/correction.hpp"
#include "../search/plain.hpp"
#include "../weights.hpp"
#include "number_rows.hpp"

namespace treewright {

// N = 1: one output, no weights, known to the compiler. N = 0: any shape.
template <class Loss, int N>
class Numbers {
 public:
  static constexpr std::string_view name = Loss::name;
  static constexpr bool additive = true;
  static constexpr std::size_t static_width = N == 1 ? 3 : 0;

  explicit Numbers(NumberRows rows) : rows_(std::move(rows)), weighted_(!rows_.weight.empty()) {
    width_ = 1 + weighted_ + 2 * rows_.grid.size();
    for (Grid& grid : rows_.grid) {
      grid.per_gain = Loss::per_gain(grid), grid.per_unit = 1 / grid.per_gain;
      grid.to_first = Scaling(-grid.shift), grid.to_value = Scaling(grid.shift - grid.digits);
      grid.to_mass = Scaling(-2 * grid.relative);
    }
    to_user_ = Scaling(-2 * rows_.base);
  }

  std::size_t width() const { return N == 1 ? 3 : width_; }
  std::span<const std::int64_t> weights() const { return rows_.weight; }   // empty: every row weighs 1
  std::size_t n_outputs() const { return rows_.grid.size(); }
  std::size_t values_per_output() const { return 1; }
  double user_mass(double mass) const {
    mass *= rows_.unit;
    return to_user_(N == 1 ? mass : mass / static_cast<double>(n_outputs()));
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
  // The rows row(first), ..., row(last), without the second sum, which only bounds need.
  template <class RowOf>
  void add_for_gain(Tally t, std::size_t first, std::size_t last, const RowOf& row) const
    requires(N == 1)
  {
    const std::int64_t* q = rows_.q.data();
    std::int64_t sum = 0;
    for (std::size_t i = first; i <= last; ++i) sum += q[row(i)];
    t[0] += static_cast<std::int64_t>(last - first + 1);
    t[1] += sum;
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
    NumberRows some = rows_.none();
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
    return over_outputs(
        [&](std::size_t at, const Grid& grid) { return Loss::gain(w, total[at], w_left, left[at]) * grid.per_gain; });
  }
  // Whether gain(total, left) is below `least` by more than rounding: cheaper than the gain itself.
  bool surely_below(ConstTally total, ConstTally left, double least) const
    requires(N == 1 && Loss::centred)
  {
    return Loss::surely_below(total[0], total[1], left[0], left[1], least * rows_.grid[0].per_unit);
  }
  // For the bounds of search/screen.hpp: the sum of the rows, how far one of them is from a number on the grid, and what the
  // square of one unit is worth.
  std::int64_t sum(ConstTally t) const { return t[1]; }
  double deviation(std::size_t row, std::int64_t from) const
    requires(N == 1 && Loss::centred)
  {
    return static_cast<double>(rows_.q[row] - from);
  }
  double gain_unit() const { return rows_.grid[0].per_gain; }
  // The same of bound(total, left, bucket).
  bool bound_surely_below(ConstTally total, ConstTally left, ConstTally bucket, double least) const
    requires(N == 1 && Loss::centred)
  {
    const Grid& grid = rows_.grid[0];
    return Loss::bound_surely_below({total[0], total[1], total[2]}, {left[0], left[1], left[2]},
                                    {bucket[0], bucket[1], bucket[2]}, grid, least * grid.per_unit);
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
    if constexpr (N == 1 && Loss::centred) {
      Summary s;
      summarize(node_sums(rows), rows, s);
      return s;
    }
    OwnTally<Numbers> tally(*this);
    for (RowIndex row : rows) add(tally, row);
    std::vector<OutputMoments> moments(n_outputs());
    for (std::size_t o = 0; o < n_outputs(); ++o) moments[o] = moments_of(rows, o);
    return finish(tally, moments, [&](std::size_t o, const auto& deviance) {
      Wide sum = 0;
      for (RowIndex row : rows) sum += mass_of_row(row, o, deviance);
      return sum;
    });
  }

  // The same in two steps, where rows are divided: see criterion.hpp.
  struct NodeSums {
    std::int64_t n = 0, first = 0, second = 0;   // the tally
    Wide squares = 0;                            // of q, exact

    NodeSums minus(const NodeSums& other) const {
      return {n - other.n, first - other.first, second - other.second, squares - other.squares};
    }
  };
  void add(NodeSums& sums, RowIndex row) const {
    const std::int64_t q = rows_.q[row];
    sums.n += 1, sums.first += q, sums.second += rows_.second[row], sums.squares += Wide{q} * q;
  }
  NodeSums node_sums(std::span<const RowIndex> rows) const
    requires(N == 1 && Loss::centred)
  {
    NodeSums sums;
    for (const RowIndex row : rows) add(sums, row);
    return sums;
  }
  void summarize(const NodeSums& sums, std::span<const RowIndex> rows, Summary& s) const
    requires(N == 1 && Loss::centred)
  {
    const Grid& grid = rows_.grid[0];
    const auto all_mean = [&] { return mean(grid.to_first(static_cast<double>(sums.first)), sums.n, grid); };
    s.tally.set({sums.n, sums.first, sums.second});
    s.n_rows = sums.n;
    s.weight = static_cast<double>(sums.n) * rows_.unit;
    s.pure = Loss::pure(sums.n, sums.first, sums.squares);
    s.mass = s.pure ? 0 : Loss::mass(sums.n, sums.first, sums.squares, grid);
    s.impurity = s.pure ? 0 : user_mass(s.mass) / s.weight;
    if (sums.n == 1) return s.value.set({rows_.exact[rows[0]]});   // as half of the nodes of a full tree have
    if (!s.pure) return s.value.set({all_mean()});
    const auto [least, most] = std::minmax_element(   // all y are the same on the grid
        rows.begin(), rows.end(), [&](RowIndex a, RowIndex b) { return rows_.exact[a] < rows_.exact[b]; });
    s.value.set({rows_.exact[*least] == rows_.exact[*most] ? rows_.exact[*least] : all_mean()});
  }

  // ---- the same in two steps, for rows that live in parts: moments of parts are added, greatest values compared
  std::size_t n_moment_sums() const { return width() + 2 * limbs_of_wide * n_outputs(); }
  std::size_t n_moment_maxima() const { return 4 * n_outputs(); }
  void add_moments(std::span<const RowIndex> rows, std::int64_t* sums, std::int64_t* maxima) const {
    const Tally tally(sums, width());
    for (RowIndex row : rows) add(tally, row);
    if (rows.empty()) return;
    for (std::size_t o = 0; o < n_outputs(); ++o) {
      const OutputMoments found = moments_of(rows, o);
      add_limbs(found.first, sums + width() + 2 * limbs_of_wide * o);
      add_limbs(found.second, sums + width() + 2 * limbs_of_wide * o + limbs_of_wide);
      const std::array<std::int64_t, 4> greatest{found.most, ~found.least, key_of(found.most_y),
                                                 ~key_of(found.least_y)};
      for (std::size_t k = 0; k < 4; ++k) maxima[4 * o + k] = std::max(maxima[4 * o + k], greatest[k]);
    }
  }
  // What a further pass needs to know, if the mass needs one: n_mass_words per output; else none.
  std::vector<std::int64_t> mass_words(const std::int64_t* sums, const std::int64_t* maxima) const {
    std::vector<std::int64_t> words;
    if constexpr (!Loss::centred) {
      const std::int64_t w = weight(ConstTally(sums, width()));
      for (std::size_t o = 0; o < n_outputs(); ++o) {
        const auto deviance = deviance_of(moments_in(sums, maxima, o), w);
        words.insert(words.end(), {deviance.whole, std::bit_cast<std::int64_t>(deviance.part), deviance.exponent});
      }
    }
    return words;
  }
  void add_masses([[maybe_unused]] std::span<const RowIndex> rows, [[maybe_unused]] const std::int64_t* words,
                  [[maybe_unused]] std::int64_t* limbs) const {
    if constexpr (!Loss::centred) {
      for (std::size_t o = 0; o < n_outputs(); ++o) {
        const std::int64_t* own = words + n_mass_words * o;
        const typename Loss::Deviance deviance{own[0], std::bit_cast<double>(own[1]), static_cast<int>(own[2])};
        Wide sum = 0;
        for (RowIndex row : rows) sum += mass_of_row(row, o, deviance);
        add_limbs(sum, limbs + limbs_of_wide * o);
      }
    }
  }
  Summary summary(const std::int64_t* sums, const std::int64_t* maxima,
                  [[maybe_unused]] const std::int64_t* masses) const {
    std::vector<OutputMoments> moments;
    for (std::size_t o = 0; o < n_outputs(); ++o) moments.push_back(moments_in(sums, maxima, o));
    return finish({sums, width()}, moments,
                  [&](std::size_t o, const auto&) { return wide_of(masses + limbs_of_wide * o); });
  }

  // ---- rows as integers, to be sent
  std::size_t n_row_words() const { return rows_.n_words(); }
  void write_row(std::size_t row, std::int64_t* out) const { rows_.write(row, out); }
  Numbers from_words(const std::int64_t* words, std::size_t n, std::size_t stride) const {
    return Numbers(rows_.read(words, n, stride));
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
    if (per_row == 1) {
      for (std::size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
      return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = 0; k < per_row; ++k) to[i * per_row + k] = from[rows[i] * per_row + k];
    }
  }
  static double mean(double first, std::int64_t w, const Grid& grid) {
    return grid.centre + grid.to_value(first / static_cast<double>(w));
  }

  struct OutputMoments {   // sums of w q and w q^2 in 128 bits: exact, whatever the order of the rows
    Wide first = 0, second = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min();
    double least_y = INFINITY, most_y = -INFINITY;
  };
  OutputMoments moments_of(std::span<const RowIndex> rows, std::size_t o) const {
    const std::size_t outputs = n_outputs();
    OutputMoments found;
    for (RowIndex row : rows) {
      const std::int64_t q = rows_.q[row * outputs + o];
      const double y = rows_.exact[row * outputs + o];
      const Wide wq = Wide{q} * (weighted_ ? rows_.weight[row] : 1);
      found.first += wq;
      found.second += wq * q;
      found.least = std::min(found.least, q), found.most = std::max(found.most, q);
      found.least_y = std::min(found.least_y, y), found.most_y = std::max(found.most_y, y);
    }
    return found;
  }
  OutputMoments moments_in(const std::int64_t* sums, const std::int64_t* maxima, std::size_t o) const {
    const std::int64_t* limbs = sums + width() + 2 * limbs_of_wide * o;
    return {wide_of(limbs), wide_of(limbs + limbs_of_wide),     ~maxima[4 * o + 1],
            maxima[4 * o],  number_of(Key{~maxima[4 * o + 3]}), number_of(Key{maxima[4 * o + 2]})};
  }
  static auto deviance_of(const OutputMoments& moments, std::int64_t w) {
    if constexpr (Loss::centred) return 0;
    else return Loss::deviance(w, moments.first, moments.least, moments.most);
  }
  template <class Deviance>
  Wide mass_of_row(RowIndex row, std::size_t o, const Deviance& deviance) const {
    if constexpr (Loss::centred) return 0;
    else return Wide{weighted_ ? rows_.weight[row] : 1} * Loss::units(rows_.q[row * n_outputs() + o], deviance);
  }
  // mass_sum(output, deviance): the sum over the rows of what the mass consists of, where it takes a pass of its own.
  template <class MassSum>
  Summary finish(ConstTally tally, std::span<const OutputMoments> moments, MassSum&& mass_sum) const {
    Summary s;
    s.tally = {tally.data(), tally.size()};
    s.value.assign(n_outputs(), 0);
    s.n_rows = this->rows(s.tally);
    const std::int64_t w = weight(s.tally);
    s.weight = static_cast<double>(w) * rows_.unit;
    for (std::size_t o = 0; o < n_outputs(); ++o) {
      const OutputMoments& found = moments[o];
      const Grid& grid = rows_.grid[o];
      s.pure &= found.least == found.most;
      s.value[o] = found.least_y == found.most_y ? found.least_y : mean(grid.to_first(to_double(found.first)), w, grid);
      if (found.least == found.most) continue;
      if constexpr (Loss::centred) {
        s.mass += Loss::mass(w, found.first, found.second, grid);
      } else {
        const auto deviance = deviance_of(found, w);
        s.mass += Loss::mass(mass_sum(o, deviance), deviance, grid);
      }
    }
    if (s.pure) s.mass = 0;
    s.impurity = user_mass(s.mass) / s.weight;
    return s;
  }

  NumberRows rows_;
  Scaling to_user_;
  bool weighted_;
  std::size_t width_;
};

struct Sums {   // of one output: weight, first and second sum
  std::int64_t w, first, second;
};

}   // namespace treewright
