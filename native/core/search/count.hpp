// Counting: one pass over a node's rows for every column, a tile of rows at a time so that what the rows say of the
// target stays in cache while one column after the other is counted.
#pragma once
#include "../histogram.hpp"

namespace treewright {

inline constexpr std::size_t tile_rows = 4096;

// Adds the rows to the histogram's columns `features`.
template <class C>
void count(const C& criterion, const BinnedColumns& columns, std::span<const RowIndex> rows,
           std::span<const std::int32_t> features, Histogram& histogram, const Pool& pool) {
  const std::size_t width = criterion.width();
  for (std::size_t begin = 0; begin < rows.size(); begin += tile_rows) {
    pool.check();
    const std::span<const RowIndex> tile = rows.subspan(begin, std::min(tile_rows, rows.size() - begin));
    const C local = criterion.gather_sums(tile);
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
      const Code* codes = columns[f].codes.data();
      for (std::size_t i = 0; i < tile.size(); ++i) local.add(Tally(cells + codes[tile[i]] * width, width), i);
    }
  }
}

}   // namespace treewright
