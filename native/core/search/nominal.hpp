// A nominal column of a node, however its rows are held: from the rows to one tally per level, and from these to every
// test.
#pragma once
#include "../any_criterion.hpp"

namespace treewright {

// The levels of a nominal column are its bins.
Levels levels_of_bins(const AnyCriterion& criterion, const Histogram& histogram, const BinnedColumn& column,
                      std::size_t feature);

void search_levels_of_bins(const AnyCriterion& criterion, const SearchInput& input, const Histogram& histogram,
                           const BinnedColumn& column, std::int32_t n_declared, const Growth& growth,
                           std::uint64_t random_key, Split& best);
void search_levels_of_rows(const AnyCriterion& criterion, const SearchInput& input, const Column& column,
                           std::span<const RowIndex> rows, const Growth& growth, std::uint64_t random_key, Split& best);
void search_sorted_levels(const AnyCriterion& criterion, const SearchInput& input, const SortedLists& lists,
                          const Segment& segment, const Growth& growth, std::uint64_t random_key, Split& best);

}   // namespace treewright
