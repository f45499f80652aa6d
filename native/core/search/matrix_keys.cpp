#include "matrix_keys.hpp"

#include <algorithm>

namespace treewright {

NodeKeys keys_of_matrix(const Columns& columns, std::span<const RowIndex> rows, Pool& pool) {
  constexpr std::size_t many = 4096;
  if (rows.size() < std::max(many, columns.n_rows) || columns.size() < 2 || !is_matrix(columns)) return {};
  if (columns[0].stride < static_cast<std::ptrdiff_t>(columns.size() * sizeof(float))) return {};
  const std::pair<std::size_t, std::size_t> whole{0, rows.size()};
  return {std::make_shared<const GatheredKeys>(columns, rows, std::span(&whole, 1), pool)};
}

}   // namespace treewright
