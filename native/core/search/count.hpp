// Counting: one pass over a node's rows for every column, a tile of rows at a time so that what the rows say of the
// target stays in cache while one column after the other is counted.
#pragma once
#include "../histogram.hpp"

namespace treewright {

inline constexpr std::size_t tile_rows = 4096;

// Rows that lie far apart, a few columns at a time so that their cells stay in cache.
template <class C>
void count_by_row(const C& local, const BinnedColumns& columns, std::span<const RowIndex> tile,
                  std::span<const std::int32_t> features, Histogram& histogram) {
  constexpr std::size_t together = 5;
  const std::size_t width = local.width();
  std::array<std::size_t, together> column;
  std::array<std::int64_t*, together> cells;
  for (std::size_t begin = 0; begin < features.size(); begin += together) {
    const std::size_t n = std::min(together, features.size() - begin);
    for (std::size_t k = 0; k < n; ++k) {
      column[k] = static_cast<std::size_t>(features[begin + k]);
      cells[k] = histogram.column(column[k]);
    }
    const auto codes_of = [&](std::size_t i) { return columns.by_row.get() + tile[i] * columns.size(); };
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < tile.size(); ++i) {
      if (i + ahead < tile.size()) __builtin_prefetch(codes_of(i + ahead) + column[0]);
      const Code* codes = codes_of(i);
      for (std::size_t k = 0; k < n; ++k) local.add(Tally(cells[k] + codes[column[k]] * width, width), i);
    }
  }
}

// Adds the rows to the histogram's columns `features`.
template <class C>
void count(const C& criterion, const BinnedColumns& columns, std::span<const RowIndex> rows,
           std::span<const std::int32_t> features, Histogram& histogram, const Pool& pool) {
  const std::size_t width = criterion.width();
  const bool by_row = columns.by_row && rows.size() * 4 < columns.n_rows;
  std::vector<std::int32_t> coded;   // of the features
  if (by_row) {
    for (const std::int32_t f : features)
      if (columns[static_cast<std::size_t>(f)].levels == nullptr) coded.push_back(f);
  }
  for (std::size_t begin = 0; begin < rows.size(); begin += tile_rows) {
    pool.check();
    const std::span<const RowIndex> tile = rows.subspan(begin, std::min(tile_rows, rows.size() - begin));
    const C local = criterion.gather_sums(tile);
    if (by_row) count_by_row(local, columns, tile, coded, histogram);
    for (std::int32_t feature : features) {
      const auto f = static_cast<std::size_t>(feature);
      if (!columns[f].counted) continue;
      std::int64_t* cells = histogram.column(f);
      if (const std::int32_t* levels = columns[f].levels) {
        const auto missing = static_cast<std::size_t>(columns[f].n_bins);
        for (std::size_t i = 0; i < tile.size(); ++i) {
          const std::int32_t level = levels[tile[i]];
          local.add(Tally(cells + (level < 0 ? missing : static_cast<std::size_t>(level)) * width, width), i);
        }
        continue;
      }
      if (by_row) continue;
      const Code* codes = columns[f].codes.data();
      for (std::size_t i = 0; i < tile.size(); ++i) local.add(Tally(cells + codes[tile[i]] * width, width), i);
    }
  }
}

}   // namespace treewright
