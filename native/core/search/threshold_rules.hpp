// What the classic programs demand of a threshold beyond its gain: enough weight on both sides, and to pay for the choice
// among the cuts (Quinlan 1996): log2(number of cuts) bits, or if that is less, log2(range / gap at the cut).
#pragma once
#include <algorithm>
#include <cmath>

#include "../scan.hpp"

namespace treewright {

template <class C>
class ThresholdRules {
 public:
  // From now on the context counts the cuts.
  ThresholdRules(SearchContext<C>& context, const Growth& growth)
      : growth_(growth), context_(context), unit_(context.criterion.user_mass(1)) {
    if (growth.classic.side_share > 0) widen_sides();
    if (growth.classic.threshold_cost != ThresholdCost::none) context.n_cuts = &n_cuts_;
  }
  ThresholdRules(const ThresholdRules&) = delete;

  bool any() const { return context_.n_cuts != nullptr; }

  // Takes the cost off a split that was found; one that gains no more than its cost is dropped.
  void charge(Split& found, double range_over_gap) const {
    double bits = std::log2(static_cast<double>(n_cuts_));
    if (growth_.classic.threshold_cost == ThresholdCost::gap) bits = std::min(bits, std::log2(range_over_gap));
    found.cost = bits / unit_;
    if (found.gain - found.cost <= context_.better_by) found = Split{};
  }

 private:
  // Each side has at least min(25, share x known weight / classes).
  void widen_sides() {
    const C& criterion = context_.criterion;
    Rules& rules = context_.rules;
    const double known = static_cast<double>(criterion.weight(context_.total)) * unit_;
    const double least = std::min(25.0, growth_.classic.side_share * known / static_cast<double>(criterion.n_sums()));
    rules.min_weight = std::max(rules.min_weight, static_cast<std::int64_t>(std::ceil((least - 1e-6) / unit_)));
    if (growth_.classic.comparison != Comparison::j48) return;
    const double twice = 2 * static_cast<double>(rules.min_weight) * unit_;   // J48 counts rows, whatever they weigh
    if (static_cast<double>(criterion.rows(context_.total)) < twice - 1e-6)
      rules.min_rows = criterion.rows(context_.total) + 1;
  }

  const Growth& growth_;
  SearchContext<C>& context_;
  double unit_;   // the user's weight of one unit of the grid
  std::int64_t n_cuts_ = 0;
};

}   // namespace treewright
