// Search over rows as they are, neither counted nor sorted: splits that are drawn or proposed, a few per column.
#pragma once
#include "../any_criterion.hpp"

namespace treewright {

void search_rows(const AnyCriterion& criterion, const SearchInput& input, const Columns& columns,
                 std::span<const RowIndex> rows, const Growth& growth, std::uint64_t random_key, Split& best);

}   // namespace treewright
