// How the classic programs compare the best splits of the columns, each with its own slacks. Gains are in bits per unit
// of weight, less what a threshold costs; a ratio is such a gain over the entropy of the split itself.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>

#include "growth.hpp"
#include "ratio.hpp"
#include "split.hpp"

namespace treewright {

struct Candidates {
  std::span<Split> of_each;   // the best of every column, if it has one
  const Columns& columns;
  double weight;        // of the node, in units of the grid
  double user_weight;   // ... in the user's
  double n_rows;        // of the table
  bool by_ratio;

  double gain(const Split& split) const { return (split.gain - split.cost) / weight; }
  bool many_levels(const Split& split) const {
    const Column& column = columns[static_cast<std::size_t>(split.feature)];
    return column.nominal && column.n_levels >= 0.3 * n_rows;
  }
  bool all_have_many_levels() const {
    for (const Column& column : columns.columns)
      if (!column.nominal || column.n_levels < 0.3 * n_rows) return false;
    return true;
  }
  // The mean gain of the columns that can be split; those with many levels count if all have many.
  double mean_gain() const {
    const bool count_all = all_have_many_levels();
    double sum = 0, n = 0;
    for (const Split& split : of_each)
      if (split && (count_all || !many_levels(split))) sum += gain(split), ++n;
    return n > 0 ? sum / n : 1e6;
  }
};

// J48: of the columns that gain no less than the mean, the greatest ratio; something must be gained, and more by
// `better_by` than the columns before. (C4.5 chooses in single precision: see single/single_store.cpp.)
inline Split* choose_as_j48(const Candidates& from, double better_by) {
  const double least = from.mean_gain() - 1e-3;
  Split* best = nullptr;
  double best_value = 0;
  for (Split& split : from.of_each) {
    if (!split || from.gain(split) < least || split.split_info <= 0) continue;
    const double value = from.gain(split) / split.split_info;
    if (value - best_value > better_by) best = &split, best_value = value;
  }
  return best;
}

// C5.0: of the columns that gain enough, the greatest ratio; of ratios within a thousandth the one with fewer branches,
// then with more gain. Enough is the mean gain in a small table, and in a large one what the choice among so many columns
// costs. Where levels are not merged, columns with many are left out, unless all have many. Gains and ratios are single.
inline Split* choose_as_c50(const Candidates& from, std::size_t n_classes, const Growth& growth) {
  constexpr double least_gain = 1e-4;
  const bool merges = growth.nominal_splits == NominalSplits::merged;
  const double leaves_per_weight = growth.classic.leaves_per_weight;
  const auto many_levels = [&](const Column& column) {
    return !merges && column.nominal && column.n_levels + 1 >= 0.3 * from.n_rows;
  };
  const auto& all = from.columns.columns;
  const bool count_all = std::all_of(all.begin(), all.end(), many_levels);
  const auto gain = [&](const Split& split) { return static_cast<float>(from.gain(split)); };
  const auto info = [](const Split& split) { return static_cast<float>(split.split_info); };
  const auto forks = [&](const Split& split) {
    const std::int32_t n_levels = from.columns[static_cast<std::size_t>(split.feature)].n_levels;
    if (!split.levels) return 3;
    const bool absent = split.rest < 0 && static_cast<std::int32_t>(split.levels->code.size()) < n_levels;
    return split.merged() ? split.n_children + absent : n_levels + 1;
  };
  const auto too_wide = [&](const Split& split) {
    return leaves_per_weight > 0 && split.levels &&
           forks(split) > std::nearbyint(from.user_weight * leaves_per_weight) + 1;
  };
  const auto competes = [&](const Split& split) {
    return split && !too_wide(split) &&
           (count_all || !many_levels(from.columns[static_cast<std::size_t>(split.feature)])) &&
           gain(split) >= least_gain && info(split) > 0;
  };
  double sum = 0, n = 0;
  for (const Split& split : from.of_each)
    if (competes(split)) sum += double{gain(split)}, ++n;
  if (n == 0) return nullptr;
  const double mean = sum / n, small = 0.9 * std::log2(n) / from.user_weight;
  const double per_class = std::floor(from.n_rows / static_cast<double>(n_classes));
  const double large_share = std::clamp((per_class - 500) / 500, 0.0, 1.0);
  const double least = !growth.classic.mean_gain ? 0 : 0.999 * (mean * (1 - large_share) + small * large_share);
  const auto ratio = [&](const Split& split) { return gain(split) / info(split); };
  Split* best = nullptr;
  for (Split& split : from.of_each) {
    if (!competes(split) || gain(split) < least) continue;
    if (best) {
      const bool close = double{ratio(split)} > 0.999 * double{ratio(*best)};
      const bool simpler = forks(split) < forks(*best) || (forks(split) == forks(*best) && gain(split) > gain(*best));
      if (ratio(split) <= ratio(*best) && !(close && simpler)) continue;
    }
    best = &split;
  }
  return best;
}

}   // namespace treewright
