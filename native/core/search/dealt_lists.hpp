// DealtLists: the rows of many small nodes in the order of every column. One pass over a column of a table that was sorted before
// deals its rows out to the nodes: where several trees share the order, none of them sorts.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "../large_pages.hpp"
#include "../parallel.hpp"
#include "../types.hpp"
#include "short_entries.hpp"

namespace treewright {

class DealtLists {
 public:
  using Stretches = std::span<const std::pair<std::size_t, std::size_t>>;

  // Of every column, if trees share it, the rows in order: the rank of the value, then the row. Nothing is missing.
  using InOrder = std::span<const std::vector<std::uint64_t>>;

  // Whether lists of these stretches of rows can be dealt, and a pass over all rows of the table pays.
  static bool pay(InOrder in_order, Stretches stretches) {
    constexpr std::size_t most = (std::size_t{1} << short_id_bits) - 1, share = 3;
    std::size_t n = 0;
    bool fit = !in_order.empty() && stretches.size() > 1 && stretches.size() < most;
    for (const auto& [begin, end] : stretches) n += end - begin, fit = fit && end - begin <= most;
    return fit && share * n >= in_order[0].size();
  }

  DealtLists() = default;
  DealtLists(InOrder in_order, std::span<const RowIndex> rows, Stretches stretches, Pool& pool)
      : n_(in_order[0].size()), begin_{0}, entries_(large_array<ShortEntry>(in_order.size() * n_)) {
    const std::size_t n_stretches = stretches.size();   // rows of none of them are one more, which nobody reads
    std::vector<std::uint32_t> place(n_, static_cast<std::uint32_t>(n_stretches) << short_id_bits);
    for (std::size_t s = 0; s < n_stretches; ++s) {
      const auto [begin, end] = stretches[s];
      for (std::size_t i = begin; i < end; ++i)
        place[rows[i]] = static_cast<std::uint32_t>(s << short_id_bits | (i - begin));
      begin_.push_back(begin_.back() + static_cast<std::uint32_t>(end - begin));
    }
    pool.for_each(in_order.size(), [&](std::size_t f) { deal(in_order[f], place, &entries_[f * n_]); });
  }

  bool empty() const { return entries_ == nullptr; }
  std::span<const ShortEntry> of(std::size_t stretch, std::size_t column) const {
    return {entries_.get() + column * n_ + begin_[stretch], begin_[stretch + 1] - begin_[stretch]};
  }

 private:
  struct Head {   // of a list: where it ends so far,
    std::uint32_t end, rank = 0xffffffff,
                       rank_of_table = rank - 1;   // the rank of its last value, here and in the table
  };
  // A rank rises where the value of the table does, and every list counts its own.
  void deal(std::span<const std::uint64_t> in_order, std::span<const std::uint32_t> place, ShortEntry* to) const {
    std::vector<Head> heads;
    for (const std::uint32_t begin : begin_) heads.push_back({begin});
    for (const std::uint64_t entry : in_order) {
      const std::uint32_t at = place[static_cast<std::uint32_t>(entry)];
      const auto rank_of_table = static_cast<std::uint32_t>(entry >> 32);
      Head& head = heads[at >> short_id_bits];
      head.rank += rank_of_table != head.rank_of_table;
      head.rank_of_table = rank_of_table;
      to[head.end++] = head.rank << short_id_bits | short_id(at);
    }
  }

  std::size_t n_ = 0;
  std::vector<std::uint32_t> begin_;   // of every stretch, and of the rows of none
  LargeArray<ShortEntry> entries_;     // [column][stretch after stretch]
};

}   // namespace treewright
