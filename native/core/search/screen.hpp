// Screen: what every column of a small node can gain at most, found for all columns before any is searched exactly. Nearly
// always one column is left.
//
// Let c be the deviations of the target from the node's mean. A cut after k of m rows gains m (c_1 + ... + c_k)^2 / (k (m - k)).
// The factors 1 / (k (m - k)) are the same for all columns, so that a row costs an addition, two products and a comparison
// without a branch. In doubles a deviation is off by 2^-53 of itself and of a unit of the grid, by which some rows differ, and
// a sum of deviations by less than e = (4 m + 16) 2^-53 sum |c|; so its square over k (m - k) is off by less than
// (2 sum |c| + e) e / (m - 1). The products, and the exact gain as a double, are off by less than 2^-49 of themselves. A bound
// must be this close: columns of equal gain are common in small nodes, and all but the first are passed over where no bound
// reaches the next score, 2^-40 of the impurity above it.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "../scan.hpp"

namespace treewright {

template <class C>
class Screen {
 public:
  Screen(std::size_t n_rows, std::size_t n_columns)
      : inverse_(n_rows + 1),
        shares_(n_rows + 1),
        gains_(n_rows > 0 ? most_gains / 2 + n_columns : 0),
        deviation_(n_rows) {
    for (std::size_t k = 1; k <= n_rows; ++k) inverse_[k] = 1 / static_cast<double>(k);
  }

  // A node of these rows of the criterion, and of this mass.
  void start(const SearchContext<C>& context, double mass, std::span<const RowIndex> rows, std::size_t n_columns) {
    const std::size_t m = rows.size();
    keeps_gains_ = m * (n_columns + 1) <= most_gains;
    const std::int64_t sum = context.criterion.sum(context.total), n = context.criterion.weight(context.total);
    const std::int64_t whole = sum / n;
    const double rest = static_cast<double>(sum - whole * n) / static_cast<double>(n);
    for (const RowIndex row : rows) deviation_[row] = context.criterion.deviation(row, whole) - rest;
    // sum |c| is at most this, by the inequality of Cauchy and Schwarz
    const double spread = std::sqrt(static_cast<double>(m) * mass / context.criterion.gain_unit()) * (1 + 0x1p-30);
    share_ = shares_of(m, std::max<std::int64_t>({context.rules.min_rows, context.rules.min_weight, 1}));
    const double off = static_cast<double>(4 * m + 16) * 0x1p-53 * spread;
    slack_ = (2 * spread + off) * off * inverse_[m - 1] * 2;
    unit_ = static_cast<double>(m) * context.criterion.gain_unit() * (1 + 0x1p-48);
    per_unit_ = (1 - 0x1p-50) / unit_;
  }

  // No cut of these columns, of which `first` is the first, gains more. A list has the rank and the id of each of the m rows, in
  // order of rank; without ties no two ranks are equal. The gains of small nodes are kept for next().
  template <std::size_t N, bool ties, class Entry, class IdOf>
  std::array<double, N> highest(const std::array<const Entry*, N>& lists, std::size_t first, std::size_t m, int id_bits,
                                IdOf id) {
    constexpr std::size_t n_pairs = (N + 1) / 2;   // of an odd number the last has no partner
    const std::size_t step = keeps_gains_ ? n_pairs : 0;
    Pair* to = gains_.data() + (keeps_gains_ ? first / 2 * m : first);
    std::array<Pair, n_pairs> sum{}, most{};
    for (std::size_t k = 0; k + 1 < m; ++k, to += step) {
      const Pair share{share_[k], share_[k]};
      for (std::size_t p = 0; p < n_pairs; ++p) {
        const Entry *a = lists[2 * p] + k, *b = lists[std::min(2 * p + 1, N - 1)] + k;
        sum[p] += Pair{deviation_[id(*a)], 2 * p + 1 < N ? deviation_[id(*b)] : 0};
        Pair gain = sum[p] * sum[p] * share;
        if constexpr (ties) {
          const auto differ = [&](const Entry* x) { return -std::int64_t{x[0] >> id_bits != x[1] >> id_bits}; };
          gain = (Pair)((PairOfMasks)gain & PairOfMasks{differ(a), differ(b)});
        }
        most[p] = most[p] > gain ? most[p] : gain;
        to[p] = gain;
      }
    }
    std::array<double, N> found;
    for (std::size_t i = 0; i < N; ++i) found[i] = (most[i / 2][i % 2] + slack_) * unit_;
    return found;
  }

  // The kept gains of a column of a group of so many columns, of which `first` is the first: those of one cut lie side by side.
  struct Gains {
    const double* first = nullptr;   // null: not kept
    std::size_t step = 0;
    std::uint64_t high = 0;   // the cuts that may gain enough, one bit each
    double of(std::size_t k) const { return first[k * step]; }
  };
  Gains kept(std::size_t first, std::size_t n_group, std::size_t column, std::size_t m) const {
    if (!keeps_gains_) return {};
    const auto* gains = reinterpret_cast<const double*>(gains_.data() + first / 2 * m);
    return {gains + (column - first), (n_group + 1) / 2 * 2};
  }
  // As below, of kept gains. A later bar may be another.
  std::size_t next(Gains& gains, std::size_t k, std::size_t end, double bar) const {
    const double least = bar * per_unit_ - slack_;
    if (end > 64) {
      while (k < end && gains.of(k) < least) ++k;
      return k;
    }
    if (k == 0)   // from the last to the first, without a branch
      for (std::size_t i = end; i-- > 0;) gains.high = gains.high << 1 | (gains.of(i) >= least);
    for (std::uint64_t left = gains.high >> k << k; k < end && left != 0; left &= left - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      if (gains.of(i) >= least) return i;
    }
    return end;
  }

  // The first entry from k on, or `end`, after which a cut may gain `bar`. `sum`: of the deviations before it.
  template <class Entry, class IdOf>
  std::size_t next(const Entry* list, std::size_t k, std::size_t end, double bar, double& sum, IdOf id) const {
    const double least = bar * per_unit_ - slack_;
    const double *deviation = deviation_.data(), *share = share_;
    double all = sum;
    while (k < end) {
      if (k + 4 <= end) {   // four sums that do not wait for each other
        const double a = deviation[id(list[k])], b = deviation[id(list[k + 1])];
        const double c = deviation[id(list[k + 2])], d = deviation[id(list[k + 3])];
        const double ab = a + b, first = all + a, second = all + ab, third = all + (ab + c),
                     fourth = all + (ab + (c + d));
        const double before = std::max(first * first * share[k], second * second * share[k + 1]);
        const double after = std::max(third * third * share[k + 2], fourth * fourth * share[k + 3]);
        if (std::max(before, after) < least) {
          all = fourth;
          k += 4;
          continue;
        }
      }
      for (const std::size_t stop = std::min(k + 4, end); k < stop; ++k) {
        all += deviation[id(list[k])];
        if (all * all * share[k] < least) continue;
        sum = all;
        return k;
      }
    }
    return end;
  }

  // Some cut of a column with this bound gains at least so much.
  double surely_reached(double bound) const { return bound * (1 - 0x1p-38) - 2 * slack_ * unit_; }

 private:
  using Pair = double __attribute__((vector_size(16)));   // two columns in one register
  using PairOfMasks = std::int64_t __attribute__((vector_size(16)));

  // 1 / (k (m - k)) of the cut after entry k - 1; 0 where a side has fewer than `least` rows, which is the same for all nodes.
  // Those of small nodes are kept, since most nodes are small.
  const double* shares_of(std::size_t m, std::int64_t least) {
    if (m < most_kept && kept_.empty()) kept_.resize(most_kept * most_kept);
    double* share = m < most_kept ? kept_.data() + m * most_kept : shares_.data();
    if (m < most_kept && share[m] != 0) return share;
    const double *up = inverse_.data() + 1, *down = inverse_.data() + m - 1;
    for (std::size_t k = 0; k + 1 < m; ++k) share[k] = up[k] * *(down - k);
    for (std::size_t k = 1; k < std::min(static_cast<std::size_t>(least), m); ++k) share[k - 1] = share[m - 1 - k] = 0;
    if (m < most_kept) share[m] = 1;   // made
    return share;
  }

  static constexpr std::size_t most_kept = 32;       // rows
  static constexpr std::size_t most_gains = 2'048;   // they stay in the cache
  std::vector<double> inverse_;                      // 1 / k
  std::vector<double> shares_, kept_;
  const double* share_ = nullptr;   // of the node at hand
  bool keeps_gains_ = false;
  std::vector<Pair> gains_;
  std::vector<double> deviation_;   // by row
  double slack_ = 0, unit_ = 1, per_unit_ = 1;
};

}   // namespace treewright
