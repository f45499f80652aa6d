// Search over rows as they are, neither counted nor sorted: splits that are drawn or proposed, a few per column.
#pragma once
#include "../store.hpp"
#include "gaussian.hpp"
#include "levels.hpp"
#include "random.hpp"

namespace treewright {

template <class C>
void search_rows(const Question<C>& asked, const Columns& columns, std::span<const RowIndex> rows, const Ask& ask,
                 const Growth& growth, Split& best) {
  const Column& column = columns[static_cast<std::size_t>(asked.feature)];
  std::vector<Key> keys(rows.size());
  read_keys(column, rows, keys.data());
  if constexpr (C::additive) {
    if (column.nominal) {
      std::vector<std::uint32_t> order(rows.size());
      std::iota(order.begin(), order.end(), 0u);
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
      Levels<C> levels(asked.criterion);
      OwnTally<C> missing(asked.criterion);
      Tally level;
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (keys[order[i]] == missing_key) {
          asked.criterion.add(missing, rows[order[i]]);
          continue;
        }
        const std::int32_t code = column.level_codes()[rows[order[i]]];
        if (levels.size() == 0 || levels.code.back() != code) level = levels.add(code);
        asked.criterion.add(level, rows[order[i]]);
      }
      return LevelSearch<C>(asked, levels, missing, growth, ask.random_key).search(best);
    }
  }
  if constexpr (requires { asked.criterion.class_of(0); }) {
    if (growth.splitter == Splitter::gaussian) return search_gaussian(asked, key_kind(column.type), rows, keys, best);
  }
  search_random(asked, key_kind(column.type), ask.random_key, rows, keys, best);
}

}   // namespace treewright
