#include "some_rows.hpp"

#include <algorithm>
#include <functional>

namespace treewright {

namespace {

using Rows = std::span<const std::int64_t>;

std::size_t size_of(const Column& column) {
  return with_reader(column, [](auto reader) { return sizeof(reader.value(0)); });
}

struct Run {   // neighbouring cells of a row
  const std::byte* data;
  std::ptrdiff_t stride;
  std::size_t size, at;
};

// Dense columns, the cells of a row beside each other: a row of a row-major table is copied as one.
void copy_cells(Rows rows, std::span<Column* const> columns, SomeRows& to) {
  std::vector<Run> runs;
  std::size_t width = 0;
  for (const Column* column : columns) {
    const std::size_t size = size_of(*column);
    const bool joins =
        !runs.empty() && runs.back().stride == column->stride && runs.back().data + runs.back().size == column->data;
    if (joins) runs.back().size += size;
    else runs.push_back({column->data, column->stride, size, width});
    width += size;
  }
  std::byte* cells = to.cells.emplace_back(rows.size() * width).data();
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Run& run : runs) std::memcpy(cells + i * width + run.at, run.data + rows[i] * run.stride, run.size);
  for (Column* column : columns) {
    column->data = cells;
    column->stride = static_cast<std::ptrdiff_t>(width);
    cells += size_of(*column);
  }
}

// place: of every row of the table among those that are copied, or -1.
void copy_stored(std::span<const std::int32_t> place, Column& column, SomeRows& to) {
  const std::size_t size = size_of(column);
  auto& rows = to.stored_rows.emplace_back();
  auto& cells = to.cells.emplace_back();
  auto& missing = to.missing.emplace_back();
  for (std::size_t i = 0; i < column.n_stored; ++i) {
    const std::int32_t row = place[static_cast<std::size_t>(column.stored_rows[i])];
    if (row < 0) continue;
    const std::byte* cell = column.data + static_cast<std::ptrdiff_t>(i) * column.stride;
    rows.push_back(row);
    cells.insert(cells.end(), cell, cell + size);
    if (column.missing != nullptr) missing.push_back(column.missing[i]);
  }
  column.n_stored = rows.size();
  column.stored_rows = rows.data();
  column.data = cells.data();
  column.stride = static_cast<std::ptrdiff_t>(size);
  if (column.missing != nullptr) column.missing = missing.data();
}

void check(const Columns& table, Rows rows) {
  const bool rising = std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>{}) == rows.end();
  if (!rising || (!rows.empty() && (rows.front() < 0 || rows.back() >= static_cast<std::int64_t>(table.n_rows))))
    throw std::invalid_argument("rows must be ascending rows of the table.");
}

}   // namespace

SomeRows some_rows(const Columns& from, Rows rows) {
  check(from, rows);
  SomeRows to{from, {}, {}, {}};
  to.columns.n_rows = rows.size();
  std::vector<std::int32_t> place;
  std::vector<Column*> numbers;
  for (Column& column : to.columns.columns) {
    if (column.sparse) {
      if (place.empty()) {
        place.assign(from.n_rows, -1);
        for (std::size_t i = 0; i < rows.size(); ++i)
          place[static_cast<std::size_t>(rows[i])] = static_cast<std::int32_t>(i);
      }
      copy_stored(place, column, to);
      continue;
    }
    if (column.missing != nullptr) {
      auto& missing = to.missing.emplace_back();
      for (const std::int64_t row : rows) missing.push_back(column.missing[row]);
      column.missing = missing.data();
    }
    if (!column.nominal) {
      numbers.push_back(&column);
      continue;
    }
    Column* const codes = &column;   // they lie one after the other
    copy_cells(rows, {&codes, 1}, to);
  }
  copy_cells(rows, numbers, to);
  return to;
}

}   // namespace treewright
