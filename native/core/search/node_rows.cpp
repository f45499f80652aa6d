#include "node_rows.hpp"

#include "gaussian.hpp"
#include "nominal.hpp"

namespace treewright {

void search_rows(const AnyCriterion& criterion, const SearchInput& input, const Columns& columns,
                 std::span<const RowIndex> rows, const Growth& growth, std::uint64_t random_key, Split& best) {
  const Column& column = columns[static_cast<std::size_t>(input.feature)];
  if (column.nominal && criterion.additive())
    return search_levels_of_rows(criterion, input, column, rows, growth, random_key, best);
  std::vector<Key> keys(rows.size());
  read_keys(column, rows, keys.data());
  if (growth.splitter == Splitter::gaussian && criterion.sums_are_counts())
    return search_gaussian({input, criterion}, key_kind(column.type), rows, keys, best);
  criterion.search_random(input, key_kind(column.type), random_key, rows, keys, best);
}

}   // namespace treewright
