// Levels merged into groups, a branch for each, as C4.5 (-s) and C5.0 (subset) do. All begin with a group per level;
// joining groups a and b loses phi(a + b) - phi(a) - phi(b) of the gain.
#pragma once
#include <cmath>
#include <numeric>
#include <utility>

#include "../ratio.hpp"
#include "../scan.hpp"
#include "level_tallies.hpp"

namespace treewright {

// log2 of the number of ways to divide n things into 1, 2, ..., n groups:
// S(n, k) = k S(n - 1, k) + S(n - 1, k - 1), in logarithms.
inline std::vector<double> log2_partitions(std::size_t n) {
  std::vector<double> row{0.0};   // S(1, 1) = 1
  for (std::size_t m = 2; m <= n; ++m) {
    row.push_back(0.0);
    for (std::size_t k = m - 1; k > 1; --k) {
      const double stays = std::log2(static_cast<double>(k)) + row[k - 1], joins = row[k - 2];
      row[k - 1] = std::max(stays, joins) + std::log2(1 + std::exp2(-std::fabs(stays - joins)));
    }
  }
  return row;
}

template <class C>
class Merger {
 public:
  // `gain` is that of a branch per level.
  Merger(const Question<C>& question, const Levels<C>& levels, ConstTally missing, const Growth& growth, double gain)
      : criterion_(question.criterion), levels_(levels), growth_(growth), gain_(gain), group_(levels.size()) {
    std::iota(group_.begin(), group_.end(), ChildNumber{0});
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const ConstTally t = levels.tally(i);
      tally_.emplace_back(t.begin(), t.end());
    }
    missing_ = question.missing_seen ? criterion_.weight(missing) : 0;
    weight_ = static_cast<double>(criterion_.weight(question.total) + missing_);
    unit_ = criterion_.user_mass(1);
  }

  struct Grouping {
    std::vector<ChildNumber> child;   // of every level
    std::size_t n_groups = 0;
    double gain = 0, cost = 0, info = 0;
    std::int64_t second_weight = 0;
    std::int32_t rest = -1;   // the group of what was set aside
    explicit operator bool() const { return n_groups > 1; }
  };

  // C5.0: levels of equal class shares are joined, then again and again the two groups that lose least. Of all states
  // the one of the best ratio, with log2 of the number of ways to make so many groups off its gain; where levels were
  // joined, two groups reach the least weight.
  Grouping as_c50(std::int64_t min_weight) {
    const std::vector<double> ways = log2_partitions(levels_.size());
    Grouping best = state(ways);
    const auto consider = [&] {
      Grouping next = state(ways);
      if (next.second_weight >= min_weight) keep_better(std::move(next), best);
    };
    if (join_equal_shares()) consider();
    while (tally_.size() > 2) {
      const auto [a, b] = least_loss();
      join(a, b);
      consider();
    }
    return best;
  }

  // C4.5: levels of less than half a row are put aside as one group. Groups of one class are joined; then again and
  // again the two whose joining gives the best ratio (the last of equals), as long as it is no worse than before. Two
  // groups of the least weight remain, and while there are but two, the largest group is joined with none.
  Grouping as_c45(double least) {
    constexpr double slack = 1e-9;
    set_aside_below(0.5);
    join_single_classes();
    if (tally_.size() < 2) return {};
    double now = value_of(group_weights(), lost_);
    while (tally_.size() > 2) {
      double best = -std::numeric_limits<double>::infinity();
      std::size_t best_a = 0, best_b = 0;
      for (std::size_t a = 0; a < tally_.size(); ++a) {
        for (std::size_t b = a + 1; b < tally_.size(); ++b) {
          if (!may_join(a, b, least)) continue;
          std::vector<std::int64_t> weights = group_weights();
          weights[a] += std::exchange(weights[b], 0);
          const double next = value_of(weights, lost_ + loss(a, b));
          if (next >= best - slack) best = next, best_a = a, best_b = b;
        }
      }
      if (best < now - slack) break;
      join(best_a, best_b, true);
      now = best;
    }
    if (n_reach(least) < 2) return {};
    Grouping found = state({});
    found.gain = gain_without_aside(lost_);
    found.info = info_of(group_weights());
    return found;
  }

 private:
  static constexpr ChildNumber apart = 0x7fffffff;   // the group of a level that was set aside

  double value_of(const std::vector<std::int64_t>& weights, double lost) const {
    const double gain = gain_without_aside(lost) / weight_, info = info_of(weights);
    if (!growth_.by_ratio) return gain;
    return info > 1e-3 ? gain / info : -1e-3;
  }
  // Rows that were set aside count in the entropy before the split, and in no branch.
  double gain_without_aside(double lost) const {
    if (aside_.empty()) return gain_ + lost_ - lost;
    std::vector<std::int64_t> all(levels_.width, 0), groups(levels_.width, 0);
    double after = lost;   // phi of the groups: that of the levels, and what joining them lost
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      for (std::size_t k = 0; k < levels_.width; ++k) all[k] += levels_.tally(i)[k];
      if (group_[i] == apart) continue;
      for (std::size_t k = 0; k < levels_.width; ++k) groups[k] += levels_.tally(i)[k];
      after += phi(levels_.tally(i));
    }
    const auto share = static_cast<double>(criterion_.weight(all)) / static_cast<double>(criterion_.weight(groups));
    return phi(all) - share * after;
  }
  double phi(ConstTally t) const {   // weight x entropy, in bits
    std::vector<std::int64_t> classes(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(criterion_.n_sums()));
    return split_information(classes) * static_cast<double>(criterion_.weight(t));
  }
  double info_of(const std::vector<std::int64_t>& weights) const {   // as shares of all rows of the node
    double sum = 0;
    for (std::size_t g = 0; g < weights.size(); ++g) {
      if (!aside_.empty() && g == tally_.size()) continue;
      const double share = static_cast<double>(weights[g]) / weight_;
      if (share > 0) sum -= share * std::log2(share);
    }
    return sum;
  }
  bool may_join(std::size_t a, std::size_t b, double least) const {
    std::size_t n_now = 0, n_then = 0, largest = 0;
    for (std::size_t g = 0; g < tally_.size(); ++g) {
      if (weight(g) > weight(largest)) largest = g;
      n_now += reaches(weight(g), least);
      if (g != a && g != b) n_then += reaches(weight(g), least);
    }
    n_then += reaches(weight(a) + weight(b), least);
    return n_then >= 2 && (n_now != 2 || (a != largest && b != largest));
  }
  bool reaches(std::int64_t units, double least) const {
    return static_cast<double>(static_cast<float>(static_cast<double>(units) * unit_)) >= least;
  }
  // Of every group, of what was set aside, and of the missing rows.
  std::vector<std::int64_t> group_weights() const {
    std::vector<std::int64_t> weights;
    for (std::size_t g = 0; g < tally_.size(); ++g) weights.push_back(weight(g));
    if (!aside_.empty()) weights.push_back(criterion_.weight(aside_));
    weights.push_back(missing_);
    return weights;
  }
  void set_aside_below(double least) {
    for (std::size_t g = tally_.size(); g-- > 0;) {
      if (static_cast<double>(weight(g)) * unit_ >= least) continue;
      if (aside_.empty()) {
        aside_ = tally_[g];
      } else {
        gain_ -= loss(aside_, tally_[g]);
        for (std::size_t i = 0; i < aside_.size(); ++i) aside_[i] += tally_[g][i];
      }
      remove(g, apart, false);
    }
  }
  // Whether all but a tenth of a row of a group is of this class.
  bool is_single(std::size_t g, std::size_t of_class) const {
    return static_cast<double>(weight(g) - tally_[g][of_class]) * unit_ < 0.1;
  }
  void join_single_classes() {
    for (std::size_t a = 0; a < tally_.size(); ++a) {
      const auto end = tally_[a].begin() + static_cast<std::ptrdiff_t>(criterion_.n_sums());
      const auto most = static_cast<std::size_t>(std::max_element(tally_[a].begin(), end) - tally_[a].begin());
      if (!is_single(a, most)) continue;
      for (std::size_t b = a + 1; b < tally_.size();)
        if (is_single(b, most)) join(a, b, true);
        else ++b;
    }
  }
  void keep_better(Grouping&& next, Grouping& best) const {
    const auto ratio = [&](const Grouping& g) { return g.info > 0 ? steady((g.gain - g.cost) / weight_ / g.info) : 0; };
    if (ratio(next) > ratio(best)) best = std::move(next);
  }
  std::int64_t weight(std::size_t g) const { return criterion_.weight(tally_[g]); }
  std::size_t n_reach(double least) const {
    std::size_t n = 0;
    for (std::size_t g = 0; g < tally_.size(); ++g) n += reaches(weight(g), least);
    return n;
  }
  Grouping state(const std::vector<double>& ways) const {
    std::vector<std::int64_t> weights = group_weights();
    Grouping found{group_, tally_.size(), gain_, 0, split_information(weights), 0, -1};
    if (!ways.empty()) found.cost = ways[tally_.size() - 1] / unit_;
    if (!aside_.empty()) {
      found.rest = static_cast<std::int32_t>(found.n_groups++);
      for (ChildNumber& g : found.child)
        if (g == apart) g = static_cast<ChildNumber>(found.rest);
    }
    weights.resize(tally_.size());
    std::nth_element(weights.begin(), weights.begin() + 1, weights.end(), std::greater<>());
    found.second_weight = weights[1];
    return found;
  }

  double loss(std::size_t a, std::size_t b) const { return loss(tally_[a], tally_[b]); }
  double loss(ConstTally a, ConstTally b) const {
    std::vector<std::int64_t> both(a.begin(), a.end());
    for (std::size_t i = 0; i < both.size(); ++i) both[i] += b[i];
    return criterion_.gain(both, a);
  }
  // The first of equals; the last bits do not decide.
  std::pair<std::size_t, std::size_t> least_loss() const {
    std::pair<std::size_t, std::size_t> best{0, 1};
    double least = std::numeric_limits<double>::infinity();
    const double rounding = weight_ * 0x1p-44;
    for (std::size_t a = 0; a < tally_.size(); ++a) {
      for (std::size_t b = a + 1; b < tally_.size(); ++b) {
        const double lost = loss(a, b);
        if (lost < least - rounding) least = lost, best = {a, b};
      }
    }
    return best;
  }
  bool join_equal_shares() {
    const std::size_t before = tally_.size();
    for (std::size_t a = 0; a < tally_.size(); ++a) {
      for (std::size_t b = tally_.size() - 1; b > a; --b)
        if (equal_shares(a, b)) join(a, b);
    }
    return tally_.size() < before;
  }
  bool equal_shares(std::size_t a, std::size_t b) const {
    for (std::size_t i = 0; i < criterion_.n_sums(); ++i)
      if (Wide{tally_[a][i]} * weight(b) != Wide{tally_[b][i]} * weight(a)) return false;
    return true;
  }
  // a < b. The place of b goes to the last group, or all those after it move up.
  void join(std::size_t a, std::size_t b, bool last_moves = false) {
    const double lost = loss(a, b);
    gain_ -= lost;
    lost_ += lost;
    for (std::size_t i = 0; i < tally_[a].size(); ++i) tally_[a][i] += tally_[b][i];
    remove(b, static_cast<ChildNumber>(a), last_moves);
  }
  void remove(std::size_t b, ChildNumber heir, bool last_moves) {
    const std::size_t last = tally_.size() - 1;
    for (ChildNumber& g : group_) {
      if (g == b) g = heir;
      else if (last_moves && g == last) g = static_cast<ChildNumber>(b);
      else if (!last_moves && g > b && g != apart) --g;
    }
    if (last_moves) {
      if (b != last) tally_[b] = std::move(tally_[last]);
      tally_.pop_back();
    } else {
      tally_.erase(tally_.begin() + static_cast<std::ptrdiff_t>(b));
    }
  }

  const C& criterion_;
  const Levels<C>& levels_;
  const Growth& growth_;
  double gain_, lost_ = 0;                         // of the present groups; by joining so far
  std::vector<ChildNumber> group_;                 // of every level
  std::vector<std::vector<std::int64_t>> tally_;   // of every group
  std::vector<std::int64_t> aside_;
  std::int64_t missing_ = 0;
  double weight_ = 0, unit_ = 1;
};

}   // namespace treewright
