// Surrogates (CART): where the tested value of a row is missing, the tests on other columns that divide the node's
// other rows most alike decide instead. The same search, with the chosen sides as classes.
#pragma once
#include <functional>

#include "../any_criterion.hpp"

namespace treewright {

using HigherSide = std::function<int()>;   // the side of the rows that have a higher mean of the target

int higher_side(const AnyCriterion& criterion, std::span<const RowIndex> rows, std::span<const std::uint8_t> sides);

using RowsInBin = std::function<std::int64_t(std::size_t feature, std::size_t bin)>;   // -1: not counted

// For a node that is counted: `sides` has a place for every row of the table, and `rows_in_bin` says what was counted.
void add_surrogates_by_counting(const Columns& columns, const BinnedColumns& binned, const Growth& growth,
                                std::span<const RowIndex> rows, const RowsInBin& rows_in_bin,
                                std::span<const std::int64_t> weights, std::span<std::uint8_t> sides, Pool& pool,
                                const HigherSide& higher_side, Split& primary);

// For a node that is sorted: `sides` has a place for every id of the lists.
void add_surrogates_by_order(SortedLists& lists, const Segment& segment, const Columns& columns, const Growth& growth,
                             std::span<const std::int64_t> weights, std::span<std::uint8_t> sides,
                             const HigherSide& higher_side, Split& primary);

}   // namespace treewright
