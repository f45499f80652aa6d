// When a node stays a leaf: before its best split is searched, and after.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "criterion.hpp"
#include "growth.hpp"

namespace treewright {

struct Stopping {
  const Growth& growth;
  double root_mass, root_weight;                                   // of the whole tree, in the user's units
  double flat = growth.classic.flat * (root_mass / root_weight);   // a node of less impurity is not split

  bool may_split(const NodeSummary& s, std::int64_t depth) const {
    if (s.pure || (growth.max_depth >= 0 && depth >= growth.max_depth)) return false;
    if (growth.min_confidence < 1 && *std::max_element(s.value.begin(), s.value.end()) >= growth.min_confidence)
      return false;
    if (growth.classic.leaves_per_weight > 0 && std::nearbyint(s.weight * growth.classic.leaves_per_weight) < 2)
      return false;
    if (s.impurity < flat) return false;
    const double size = growth.rows_count_by_weight() ? s.weight : static_cast<double>(s.n_rows);
    const double rounding = growth.missing == Missing::fractional ? 1e-6 : 0;   // of weights that are shares
    return size + rounding >= static_cast<double>(growth.min_samples_split) &&
           s.n_rows >= 2 * growth.min_samples_leaf && s.weight + rounding >= 2 * growth.min_weight_leaf;
  }

  // `gain` in the user's units, of a node of this weight.
  bool gains_enough(double gain, Score score, double weight) const {
    if (growth.min_impurity_decrease > 0 &&
        gain / root_weight + std::numeric_limits<double>::epsilon() < growth.min_impurity_decrease)
      return false;
    if (gain <= growth.classic.least_gain * weight) return false;
    return growth.classic.least_gain < 0 || score > 0;   // otherwise nothing but rounding
  }
};

}   // namespace treewright
