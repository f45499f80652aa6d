#include "combination.hpp"

namespace treewright {

void read_row_numbers(const Column& column, std::span<const RowIndex> rows, double* to) {
  std::vector<Key> keys(rows.size());
  read_keys(column, rows, keys.data());
  const KeyKind kind = key_kind(column.type);
  for (std::size_t i = 0; i < rows.size(); ++i) to[i] = number_or_nan(kind, keys[i]);
}

void combine(const Columns& columns, const Combination& combination, std::span<const RowIndex> rows, double* sums) {
  std::vector<std::vector<double>> numbers(combination.column.size(), std::vector<double>(rows.size()));
  for (std::size_t t = 0; t < numbers.size(); ++t)
    read_row_numbers(columns[static_cast<std::size_t>(combination.column[t])], rows, numbers[t].data());
  for (std::size_t i = 0; i < rows.size(); ++i)
    sums[i] = combined(combination.coefficient, [&](std::size_t t) { return numbers[t][i]; });
}

std::vector<Key> compared_keys(const Columns& columns, std::int32_t feature, const Combination* combination,
                               std::span<const RowIndex> rows) {
  std::vector<Key> keys(rows.size());
  if (combination == nullptr) {
    read_keys(columns[static_cast<std::size_t>(feature)], rows, keys.data());
    return keys;
  }
  std::vector<double> sums(rows.size());
  combine(columns, *combination, rows, sums.data());
  for (std::size_t i = 0; i < rows.size(); ++i) keys[i] = combined_key(sums[i]);
  return keys;
}

}   // namespace treewright
