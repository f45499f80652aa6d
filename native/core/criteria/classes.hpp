// Criteria over class counts. A tally is the weight of every class, output after output, and the number of rows at the
// end where rows are weighted. `Impurity` says what a row of counts costs (gini.hpp, entropy.hpp, ...).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "../criterion.hpp"
#include "../own_tally.hpp"
#include "../search/correction.hpp"
#include "../search/plain.hpp"
#include "../search/two_classes.hpp"
#include "../weights.hpp"
#include "class_rows.hpp"

namespace treewright {

// K = 2: two classes, one output, no weights, known to the compiler. K = 0: any shape.
template <class Impurity, int K>
class Classes {
 public:
  static constexpr std::string_view name = Impurity::name;
  static constexpr bool additive = true;
  static constexpr std::size_t static_width = K;

  explicit Classes(ClassRows rows) : rows_(std::move(rows)) {
    for (std::uint32_t k : rows_.n_classes) n_counts_ += k;
    width_ = n_counts_ + !rows_.weight.empty();
    if constexpr (K > 0) few_.assign(rows_.cell.begin(), rows_.cell.end()), rows_.cell = {};
  }

  std::size_t width() const { return K > 0 ? K : width_; }
  std::span<const std::int64_t> weights() const { return rows_.weight; }   // empty: every row weighs 1
  std::size_t n_outputs() const { return rows_.n_classes.size(); }
  std::size_t values_per_output() const { return *std::max_element(rows_.n_classes.begin(), rows_.n_classes.end()); }
  double user_mass(double mass) const { return mass * rows_.unit / static_cast<double>(n_outputs()); }

  void add(Tally tally, std::size_t row) const {
    if constexpr (K > 0) {
      ++tally[few_[row]];
    } else {
      const std::size_t outputs = rows_.n_classes.size();
      const std::int64_t w = rows_.weight.empty() ? 1 : rows_.weight[row];
      for (std::size_t o = 0; o < outputs; ++o) tally[rows_.cell[row * outputs + o]] += w;
      if (!rows_.weight.empty()) ++tally[width_ - 1];
    }
  }
  Classes gather(std::span<const RowIndex> rows) const {
    ClassRows some;
    some.n_classes = rows_.n_classes;
    some.unit = rows_.unit;
    if constexpr (K > 0) {
      Classes two(std::move(some));
      two.few_.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) two.few_[i] = few_[rows[i]];
      return two;
    }
    const std::size_t outputs = rows_.n_classes.size();
    some.cell.resize(rows.size() * outputs);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t o = 0; o < outputs; ++o) some.cell[i * outputs + o] = rows_.cell[rows[i] * outputs + o];
    }
    if (!rows_.weight.empty()) {
      some.weight.reserve(rows.size());
      for (RowIndex row : rows) some.weight.push_back(rows_.weight[row]);
    }
    return Classes(std::move(some));
  }
  // Copies of rows that weigh `units` here: shares of the rows themselves.
  Classes gather(std::span<const RowIndex> rows, std::span<const std::int64_t> units) const {
    Classes some = gather(rows);
    some.rows_.weight.assign(units.begin(), units.end());
    return some;
  }
  Classes gather_sums(std::span<const RowIndex> rows) const { return gather(rows); }   // all that add() needs

  std::int64_t weight(ConstTally t) const {
    if constexpr (K == 2) return t[0] + t[1];
    std::int64_t sum = 0;
    for (std::uint32_t k = 0; k < rows_.n_classes[0]; ++k) sum += t[k];
    return sum;
  }
  std::int64_t rows(ConstTally t) const { return K > 0 || rows_.weight.empty() ? weight(t) : t[width_ - 1]; }

  double gain(ConstTally total, ConstTally left) const { return gain(total, left, weight(total), weight(left)); }
  bool allows(ConstTally, ConstTally) const { return true; }

  // Whether gain(total, left) is below `least` by more than rounding: cheaper than the gain itself, where that helps.
  bool surely_below(ConstTally total, ConstTally left, double least) const
    requires(K == 2 &&
             requires { Impurity::surely_below(std::int64_t{}, std::int64_t{}, std::int64_t{}, std::int64_t{}, 0.0); })
  {
    return Impurity::surely_below(total[0], left[0], total[0] + total[1], left[0] + left[1], least);
  }

  // The same of bound(total, left, bucket).
  bool bound_surely_below(ConstTally total, ConstTally left, ConstTally bucket, double least) const
    requires(K == 2 &&
             requires { Impurity::surely_below(std::int64_t{}, std::int64_t{}, std::int64_t{}, std::int64_t{}, 0.0); })
  {
    const std::array<std::int64_t, 2> first{left[0] + bucket[0], left[1]}, second{left[0], left[1] + bucket[1]};
    return surely_below(total, first, least) && surely_below(total, second, least);
  }

  // The same of every edge of bins and, where a bin has several values, of every cut inside it: at a corner of what a cut may
  // take of the bin, all of one class and nothing of the other. Products are exact below 2^26 rows.
  bool bins_surely_below(ConstTally total, std::span<const std::int64_t> bins, const std::vector<std::uint8_t>& single,
                         double least) const
    requires(K == 2 && requires { Impurity::variances; })
  {
    const auto n = static_cast<double>(total[0] + total[1]), second = static_cast<double>(total[1]);
    if (n >= 0x1p26) return false;
    const double bar = least * n * (1 - 0x1p-40) / Impurity::variances;
    double left = 0, left_second = 0, most = 0;
    const auto try_cut = [&](double rows, double of_second) {
      const double cross = n * of_second - rows * second;
      most = std::max(most, cross * cross - bar * (rows * (n - rows)));
    };
    for (std::size_t b = 0; b < single.size(); ++b) {
      const auto first_here = static_cast<double>(bins[2 * b]), second_here = static_cast<double>(bins[2 * b + 1]);
      if (!single[b]) {
        try_cut(left + first_here, left_second);
        try_cut(left + second_here, left_second + second_here);
      }
      left += first_here + second_here;
      left_second += second_here;
      try_cut(left, left_second);
    }
    return most <= 0;   // 0: with nothing on one side
  }

  // See search/two_classes.hpp.
  auto bound_of_two(ConstTally total) const
    requires(K == 2 && requires { typename Impurity::OfTwo; })
  {
    return typename Impurity::OfTwo(TwoCounts{total[0], total[1]});
  }

  // For the bounds of search/screen.hpp: the second class as a number, where the impurity is a multiple of its variance.
  std::int64_t sum(ConstTally t) const { return t[1]; }
  double deviation(std::size_t row, std::int64_t from) const
    requires(K == 2 && requires { Impurity::variances; })
  {
    return static_cast<double>(few_[row]) - static_cast<double>(from);
  }
  double gain_unit() const
    requires(K == 2 && requires { Impurity::variances; })
  {
    return Impurity::variances;
  }

  // A walk over rows: see forecast.hpp. It pays where there are many classes.
  ClassWalk<Impurity> walk(ConstTally total, ConstTally start) const
    requires(K == 0 && requires { typename Impurity::Walk; })
  {
    return {rows_, total, start, rows(start), weight(total), weight(start)};
  }
  bool worth_walking(ConstTally total) const
    requires(K == 0 && requires { typename Impurity::Walk; })
  {
    constexpr std::uint32_t many = 16;
    return n_outputs() == 1 && n_counts_ >= many && weight(total) < Impurity::Walk::most;
  }

  // The entropy of the classes in the branches and among the missing rows, summed cell by cell in doubles: its last
  // bits decide between equal splits where a program lets them.
  double entropy_as_summed(ConstTally total, ConstTally left, ConstTally missing) const {
    const auto times_ln = [](double x) { return x > 0 ? x * std::log(x) : 0.0; };
    double sum = 0, all = 0;
    for (int branch = 0; branch < 3; ++branch) {
      double weight = 0;
      for (std::uint32_t k = 0; k < rows_.n_classes[0]; ++k) {
        const std::int64_t units = branch == 0 ? left[k] : branch == 1 ? total[k] - left[k] : missing[k];
        const double cell = static_cast<double>(units) * rows_.unit;
        sum += times_ln(cell);
        weight += cell;
      }
      sum -= times_ln(weight);
      all += weight;
    }
    return -sum / (all * std::log(2.0));
  }

  // The independent sums on which impurity depends: all counts of the first output, all but one of the others.
  std::size_t n_sums() const { return n_counts_ - (n_outputs() - 1); }
  static bool sums_are_counts() { return true; }
  void sums(ConstTally t, std::int64_t* out) const {
    std::size_t base = 0;
    for (std::size_t o = 0; o < n_outputs(); ++o) {
      for (std::uint32_t k = o > 0; k < rows_.n_classes[o]; ++k) *out++ = t[base + k];
      base += rows_.n_classes[o];
    }
  }
  // The share of the classes' Gini variance that lies between groups: sum n_g (p_gk - p_k)^2 over sum n p_k (1 - p_k).
  Evidence evidence(ConstTally total, std::span<const std::int64_t> groups, Scale) const {
    Evidence found{0, 0};
    double between = 0, all = 0;
    const std::size_t step = width(), n_groups = groups.size() / step;
    std::size_t base = 0;
    for (const std::uint32_t k_classes : rows_.n_classes) {
      const auto n = static_cast<double>(weight(total));
      std::vector<double> in_group(n_groups, 0.0);
      for (std::size_t g = 0; g < n_groups; ++g) {
        for (std::uint32_t k = 0; k < k_classes; ++k) in_group[g] += static_cast<double>(groups[g * step + base + k]);
      }
      double present = 0;
      for (std::uint32_t k = 0; k < k_classes; ++k) {
        const double p = static_cast<double>(total[base + k]) / n;
        present += p > 0;
        all += n * p * (1 - p);
        for (std::size_t g = 0; g < n_groups; ++g) {
          const double off = static_cast<double>(groups[g * step + base + k]) - in_group[g] * p;
          if (in_group[g] > 0) between += off * off / in_group[g];
        }
      }
      found.degrees += present - 1;
      base += k_classes;
    }
    found.share = all > 0 ? between / all : 0;
    return found;
  }
  std::uint32_t class_of(std::size_t row) const {
    if constexpr (K > 0) return few_[row];
    else return rows_.cell[row * rows_.n_classes.size()];
  }
  std::uint32_t n_classes() const { return rows_.n_classes[0]; }
  std::int64_t weight_of(std::size_t row) const { return rows_.weight.empty() ? 1 : rows_.weight[row]; }

  // For plain sums: see search/plain.hpp.
  PlainRow plain_row(std::size_t row) const
    requires(requires { Impurity::plain(0.0); })
  {
    return {class_of(row), 0, static_cast<double>(weight_of(row)) * rows_.unit};
  }
  PlainRules plain_rules() const
    requires(requires { Impurity::plain(0.0); })
  {
    return {&Impurity::plain, std::vector<double>(n_classes(), 1.0)};
  }
  double mean_value(ConstTally t) const {   // of the numbers of the classes
    double sum = 0;
    for (std::uint32_t k = 0; k < rows_.n_classes[0]; ++k) sum += static_cast<double>(k) * static_cast<double>(t[k]);
    return sum / static_cast<double>(weight(t));
  }
  double output_value(ConstTally t) const { return static_cast<double>(t[1]) / static_cast<double>(weight(t)); }

  // The loss of the children is concave in what the left one takes of the bucket, so its least value lies at a corner
  // of the box of attainable counts: every class wholly left or wholly right. Both edges of the bucket are corners
  // too, and are left out. Many classes have too many corners: there, dropping the bucket bounds from above as well,
  // because phi(A + B) >= phi(A) + phi(B).
  double bound(ConstTally total, ConstTally left, ConstTally bucket) const {
    if constexpr (K == 2) {
      if (bucket[0] == 0 || bucket[1] == 0) return -1;
      const std::array<std::int64_t, 2> first{left[0] + bucket[0], left[1]}, second{left[0], left[1] + bucket[1]};
      const std::int64_t n = weight(total);
      return std::max(gain(total, first, n, first[0] + first[1]), gain(total, second, n, second[0] + second[1]));
    } else {
      double sum = 0;   // of several outputs each may reach its best at another corner, edges included
      std::size_t base = 0;
      for (std::uint32_t k : rows_.n_classes) {
        sum += output_bound(total.subspan(base, k), left.subspan(base, k), bucket.subspan(base, k),
                            rows_.n_classes.size() > 1);
        base += k;
      }
      return sum;
    }
  }

  Summary summary(std::span<const RowIndex> rows) const {
    OwnTally<Classes> tally(*this);
    for (RowIndex row : rows) add(tally, row);
    return summary(ConstTally(tally));
  }
  // The same in two steps, where rows are divided: see criterion.hpp.
  using NodeSums = OwnTally<Classes>;
  NodeSums node_sums(std::span<const RowIndex> rows) const
    requires(K == 2)
  {
    NodeSums sums(*this);
    for (const RowIndex row : rows) add(sums, row);
    return sums;
  }
  void summarize(const NodeSums& sums, std::span<const RowIndex>, Summary& s) const { s = summary(ConstTally(sums)); }

  // ---- the same in two steps, for rows that live in parts: a tally is all there is to know
  std::size_t n_moment_sums() const { return width(); }
  static std::size_t n_moment_maxima() { return 0; }
  void add_moments(std::span<const RowIndex> rows, std::int64_t* sums, std::int64_t*) const {
    for (RowIndex row : rows) add(Tally(sums, width()), row);
  }
  static std::vector<std::int64_t> mass_words(const std::int64_t*, const std::int64_t*) { return {}; }
  static void add_masses(std::span<const RowIndex>, const std::int64_t*, std::int64_t*) {}
  Summary summary(const std::int64_t* sums, const std::int64_t*, const std::int64_t*) const {
    return summary(ConstTally(sums, width()));
  }

  // ---- rows as integers, to be sent
  std::size_t n_row_words() const { return n_outputs() + !rows_.weight.empty(); }
  void write_row(std::size_t row, std::int64_t* out) const {
    if (!rows_.weight.empty()) *out++ = rows_.weight[row];
    if constexpr (K > 0) *out++ = few_[row];
    else
      for (std::size_t o = 0; o < n_outputs(); ++o) *out++ = rows_.cell[row * n_outputs() + o];
  }
  // The criterion over n such rows, `stride` integers apart.
  Classes from_words(const std::int64_t* words, std::size_t n, std::size_t stride) const {
    ClassRows some;
    some.n_classes = rows_.n_classes;
    some.unit = rows_.unit;
    for (std::size_t row = 0; row < n; ++row, words += stride) {
      const std::int64_t* word = words;
      if (!rows_.weight.empty()) some.weight.push_back(*word++);
      for (std::size_t o = 0; o < n_outputs(); ++o) some.cell.push_back(static_cast<std::uint32_t>(*word++));
    }
    return Classes(std::move(some));
  }

 private:
  Summary summary(ConstTally tally) const {
    Summary s;
    s.tally = {tally.data(), tally.size()};
    s.n_rows = rows(s.tally);
    const std::int64_t w = weight(s.tally);
    s.weight = static_cast<double>(w) * rows_.unit;
    const std::size_t widest = values_per_output();
    s.value.assign(n_outputs() * widest, 0.0);
    std::size_t base = 0;
    for (std::size_t o = 0; o < n_outputs(); ++o) {
      const std::int64_t* counts = s.tally.data() + base;
      s.mass += Impurity::mass(counts, rows_.n_classes[o], w);
      for (std::uint32_t k = 0; k < rows_.n_classes[o]; ++k) {
        s.value[o * widest + k] = static_cast<double>(counts[k]) / static_cast<double>(w);
        s.pure &= counts[k] == 0 || counts[k] == w;
      }
      base += rows_.n_classes[o];
    }
    if (s.pure) s.mass = 0;
    s.impurity = user_mass(s.mass) / s.weight;
    return s;
  }

  double gain(ConstTally total, ConstTally left, std::int64_t w, std::int64_t w_left) const {
    if (w_left <= 0 || w_left >= w) return 0;
    if constexpr (K == 2) return Impurity::template gain<2>(total.data(), left.data(), 2, w, w_left);
    else return gain_of_outputs(total, left, w, w_left);
  }
  // A loop, so that a call costs little; copies of it cost much time to compile.
  [[gnu::noinline]] double gain_of_outputs(ConstTally total, ConstTally left, std::int64_t w,
                                           std::int64_t w_left) const {
    double sum = 0;
    std::size_t base = 0;
    for (std::uint32_t k : rows_.n_classes) {
      sum += Impurity::template gain<0>(total.data() + base, left.data() + base, k, w, w_left);
      base += k;
    }
    return sum;
  }

  [[gnu::noinline]] double output_bound(ConstTally total, ConstTally left, ConstTally bucket, bool with_edges) const {
    const auto k = static_cast<std::uint32_t>(total.size());
    std::array<std::uint32_t, 4> present;
    std::size_t n_present = 0;
    std::int64_t w = 0, w_left = 0, w_bucket = 0;
    for (std::uint32_t i = 0; i < k; ++i) {
      if (bucket[i] > 0 && n_present++ < present.size()) present[n_present - 1] = i;
      w += total[i];
      w_left += left[i];
      w_bucket += bucket[i];
    }
    if (n_present < 2 && !with_edges) return -1;
    thread_local std::vector<std::int64_t> corner;
    corner.assign(left.begin(), left.end());
    if (n_present > present.size()) {
      for (std::uint32_t i = 0; i < k; ++i) corner[i] = total[i] - left[i] - bucket[i];
      return Impurity::mass(total.data(), k, w) - Impurity::mass(left.data(), k, w_left) -
             Impurity::mass(corner.data(), k, w - w_left - w_bucket);
    }
    double best = with_edges ? 0 : -1;
    const std::uint32_t first = with_edges ? 0 : 1, end = (1u << n_present) - (with_edges ? 0 : 1);
    for (std::uint32_t mask = first; mask < end; ++mask) {
      std::int64_t w_corner = w_left;
      for (std::size_t j = 0; j < n_present; ++j) {
        const std::uint32_t i = present[j];
        const std::int64_t taken = mask >> j & 1 ? bucket[i] : 0;
        corner[i] = left[i] + taken;
        w_corner += taken;
      }
      if (w_corner <= 0 || w_corner >= w) continue;
      best = std::max(best, Impurity::template gain<0>(total.data(), corner.data(), k, w, w_corner));
    }
    return best;
  }

  ClassRows rows_;
  std::vector<std::uint8_t> few_;   // K > 0: the class of every row, in place of rows_.cell: more of it fits the cache
  std::size_t n_counts_ = 0, width_ = 0;
};

}   // namespace treewright
