// Some rows of a table, copied: to send them down a tree costs as much as they are, however many rows the table has.
#pragma once
#include <span>
#include <vector>

#include "columns.hpp"

namespace treewright {

struct SomeRows {
  Columns columns;
  std::vector<std::vector<std::byte>> cells;   // what the columns view,
  std::vector<std::vector<std::uint8_t>> missing;
  std::vector<std::vector<std::int32_t>> stored_rows;
};

SomeRows some_rows(const Columns& from, std::span<const std::int64_t> rows);   // ascending rows of the table

}   // namespace treewright
