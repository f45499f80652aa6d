// A forecast of a scan over single rows, for criteria whose gain is dear: of many classes the gain of a cut costs a
// pass over all of them, while a row that moves changes one. A walk keeps sums from which the gain follows but for
// rounding, at the same cost for any number of classes; only cuts that may be the best then have their gain computed.
#pragma once
#include <cmath>
#include <vector>

#include "search_input.hpp"

namespace treewright {

struct About {   // a gain, and how far rounding may have moved it
  double gain, error;
};

// Writes the most that each cut may gain; returns the least that the best of those that the rules allow must gain. A
// cut of less cannot win: its score is below another's.
template <class SearchContext, class Buckets>
double forecast(const SearchContext& context, const Buckets& buckets, ConstTally start, std::vector<double>& highest) {
  auto walk = context.criterion.walk(context.total, start);
  const Rules& rules = context.rules;
  const std::int64_t n_rows = context.criterion.rows(context.total), weight = walk.weight();
  highest.assign(buckets.size(), -1);
  double least = -1;
  for (std::size_t i = 0; i + 1 < buckets.size(); ++i) {
    walk.add(buckets.row(i));
    if (!buckets.may_cut_after(i)) continue;
    if (walk.rows_left() < rules.min_rows || n_rows - walk.rows_left() < rules.min_rows) continue;
    if (walk.weight_left() < rules.min_weight || weight - walk.weight_left() < rules.min_weight) continue;
    const About about = walk.gain();
    highest[i] = about.gain + about.error;
    least = std::max(least, about.gain - about.error);
  }
  const Score score = context.scale.score(context.offset + least);
  return score > 0 ? (static_cast<double>(score) - 0.5) / context.scale.per_mass - context.offset : 0;
}

}   // namespace treewright
