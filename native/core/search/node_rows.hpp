// Search over rows as they are, neither counted nor sorted: splits that are drawn or proposed, a few per column.
#pragma once
#include "gaussian.hpp"
#include "levels.hpp"
#include "random.hpp"

namespace treewright {

template <class C>
void search_rows(const Question<C>& asked, const Columns& columns, std::span<const RowIndex> rows, const Growth& growth,
                 std::uint64_t random_key, Split& best) {
  const Column& column = columns[static_cast<std::size_t>(asked.feature)];
  if constexpr (C::additive) {
    if (column.nominal) {
      OwnTally<C> missing(asked.criterion);
      const Levels levels = levels_of_rows(asked.criterion, column, rows, missing);
      return LevelSearch<C>(asked, levels, missing, growth, random_key).search(best);
    }
  }
  std::vector<Key> keys(rows.size());
  read_keys(column, rows, keys.data());
  if constexpr (C::of_every_rule && requires { asked.criterion.class_of(0); }) {
    if (growth.splitter == Splitter::gaussian) return search_gaussian(asked, key_kind(column.type), rows, keys, best);
  }
  search_random(asked, key_kind(column.type), random_key, rows, keys, best);
}

}   // namespace treewright
