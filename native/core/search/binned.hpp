// Search over a node's histogram: the best bin edge first, then the bins whose bound still reaches it.
#pragma once
#include "../histogram.hpp"
#include "refine.hpp"

namespace treewright {

template <class C>
struct Bins {   // the filled bins of one column as buckets
  const C& criterion;
  const Histogram& histogram;
  const BinnedColumn& column;
  std::size_t feature;
  std::vector<std::int32_t> filled;

  Bins(const C& criterion, const Histogram& histogram, const BinnedColumn& column, std::size_t feature)
      : criterion(criterion), histogram(histogram), column(column), feature(feature) {
    filled.reserve(static_cast<std::size_t>(column.n_bins));
    for (std::int32_t b = 0; b < column.n_bins; ++b) {
      if (criterion.rows(histogram.cell(feature, static_cast<std::size_t>(b))) > 0) filled.push_back(b);
    }
  }
  std::size_t size() const { return filled.size(); }
  ConstTally tally(std::size_t i) const { return histogram.cell(feature, static_cast<std::size_t>(filled[i])); }
  ConstTally missing() const { return histogram.cell(feature, static_cast<std::size_t>(column.n_bins)); }
  void add_to(std::size_t i, Tally left) const {
    const ConstTally t = tally(i);
    for (std::size_t k = 0; k < left.size(); ++k) left[k] += t[k];
  }
  bool may_cut_after(std::size_t) const { return true; }
  bool may_hide(std::size_t i) const {
    return !column.single[static_cast<std::size_t>(filled[i])] && criterion.rows(tally(i)) > 1;
  }
  Place first_place(std::size_t i) const { return {filled[i], missing_key}; }
  void cut(std::size_t i, Split& split) const { split.place = {filled[i], std::numeric_limits<Key>::max()}; }
};

// Whether no cut of the column, at an edge or inside a bin, can beat the best: most columns of most nodes.
template <class C>
bool surely_below(const SearchContext<C>& context, const Histogram& histogram, const BinnedColumn& column,
                  const Split& best) {
  if constexpr (requires { context.criterion.bins_surely_below(context.total, context.total, column.single, 0.0); }) {
    const auto f = static_cast<std::size_t>(context.feature), n_bins = static_cast<std::size_t>(column.n_bins);
    if (best.score <= 0 || !context.order_does_not_matter() || context.rounding_decides || context.n_cuts != nullptr ||
        context.criterion.rows(histogram.cell(f, n_bins)) > 0)
      return false;
    const double least = (static_cast<double>(best.score) - 0.75) / context.scale.per_mass - context.offset;
    return context.criterion.bins_surely_below(context.total, {histogram.column(f), 2 * n_bins}, column.single, least);
  }
  return false;
}

// Offers every edge of the column's bins; returns the bins to look into.
template <class C>
std::vector<Suspect> search_edges(const SearchContext<C>& context, const Bins<C>& bins, Split& best) {
  std::vector<Suspect> suspects;
  const MissingPlacement<C> placement(context, bins.missing());
  placement.each_side([&](ConstTally start, bool missing_left) {
    Bounder<C, Bins<C>> bounder{placement.context, bins, best, {}};
    scan(placement.context, bins, start, missing_left, best, bounder);
    for (const auto& [i, highest] : bounder.open) suspects.push_back({bins.filled[i], missing_left, highest});
  });
  placement.add_missing_child(best);
  placement.offer_missing_alone(best);
  placement.set_split_info(best);
  return suspects;
}

// Looks into the suspects of one column. `items` holds the rows of every suspected bin, bin after bin, and
// `begin[bin]` where they start.
template <class C>
void search_suspects(const SearchContext<C>& context, const Bins<C>& bins, std::span<const Suspect> suspects,
                     std::span<Item> items, std::span<const std::uint32_t> begin, Split& best) {
  const C& criterion = context.criterion;
  const MissingPlacement<C> placement(context, bins.missing());
  thread_local std::vector<Item> scratch;
  for (const Suspect& suspect : suspects) {
    if (!suspect.matters(context.feature, best)) continue;
    OwnTally<C> left(criterion);
    if (suspect.missing_left) left.add(bins.missing());
    for (std::size_t i = 0; bins.filled[i] < suspect.bin; ++i) bins.add_to(i, left);
    const auto bin = static_cast<std::size_t>(suspect.bin);
    const auto n = static_cast<std::size_t>(criterion.rows(bins.histogram.cell(bins.feature, bin)));
    refine(placement.context, items.subspan(begin[bin], n), scratch, left, suspect.missing_left, suspect.bin, best);
  }
  placement.add_missing_child(best);
  placement.set_split_info(best);
}

// Offers every edge of slices of a bin; returns the slices that may still hide a better cut.
template <class C>
std::vector<std::pair<std::size_t, Score>> search_slices(const SearchContext<C>& context, ConstTally missing,
                                                         const SliceCounts& slices, ConstTally start, bool missing_left,
                                                         Split& best) {
  const MissingPlacement<C> placement(context, missing);
  Bounder<C, SliceCounts> bounder{placement.context, slices, best, {}};
  scan(placement.context, slices, start, missing_left, best, bounder);
  placement.add_missing_child(best);
  placement.set_split_info(best);
  return bounder.open;
}

}   // namespace treewright
