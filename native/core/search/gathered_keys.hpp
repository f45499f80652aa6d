// GatheredKeys: the values of many small nodes, node after node. Rows of one node lie far apart in a table: reading every column
// once from top to bottom, for all nodes, takes a fraction of the time of one node after the other.
#pragma once
#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../columns.hpp"
#include "../large_pages.hpp"
#include "../parallel.hpp"
#include "dealt_lists.hpp"

namespace treewright {

// Memory for keys, which those of the next nodes may use again: pages that were handed out once cost nothing more.
struct KeyMemory {
  LargeArray<Key> keys{};
  std::size_t size = 0;

  Key* of(std::size_t n) {
    if (size < n) {
      keys.reset(), size = 0;   // before more is taken
      keys = large_array<Key>(n + n / 16);
      size = n + n / 16;
    }
    return keys.get();
  }
};

class GatheredKeys {
 public:
  // stretches: of `rows`, each ascending.
  GatheredKeys(const Columns& columns, std::span<const RowIndex> rows,
               std::span<const std::pair<std::size_t, std::size_t>> stretches, Pool& pool,
               std::shared_ptr<KeyMemory> memory = std::make_shared<KeyMemory>(), DealtLists::InOrder in_order = {})
      : n_columns_(columns.size()), memory_(std::move(memory)) {
    std::size_t n = 0;
    for (const auto& [begin, end] : stretches) {
      begin_.push_back(n);
      n += end - begin;
    }
    begin_.push_back(n);
    if (DealtLists::pay(in_order, stretches)) {
      lists_ = DealtLists(in_order, rows, stretches, pool);
      return;
    }
    if (stretches.size() > 1) place_rows(columns.n_rows, rows, stretches);
    else
      ascending_.assign(rows.begin() + static_cast<std::ptrdiff_t>(stretches[0].first),
                        rows.begin() + static_cast<std::ptrdiff_t>(stretches[0].second));
    keys_ = memory_->of(n * n_columns_);                         // threads fill it
    constexpr std::size_t chunk_rows = 4096, block_rows = 256;   // a block of a row-major table stays in cache
    pool.for_each((n + chunk_rows - 1) / chunk_rows, [&](std::size_t chunk) {
      std::array<Key, block_rows> keys;
      bool missing = false;
      const std::size_t last = std::min((chunk + 1) * chunk_rows, n);
      for (std::size_t begin = chunk * chunk_rows; begin < last; begin += block_rows) {
        const std::size_t size = std::min(block_rows, last - begin);
        const std::span<const RowIndex> read_rows = std::span(ascending_).subspan(begin, size);
        const bool is_run = read_rows.back() - read_rows.front() == size - 1;
        for (std::size_t f = 0; f < n_columns_; ++f) {
          Key* own = keys_ + f * n;
          Key* read = to_.empty() ? own + begin : keys.data();
          if (is_run && !columns[f].sparse) {
            missing |= read_keys(columns[f], read_rows.front(), size, read);
          } else {
            read_keys(columns[f], read_rows, read);
            for (std::size_t i = 0; i < size; ++i) missing |= read[i] == missing_key;
          }
          if (!to_.empty())
            for (std::size_t i = 0; i < size; ++i) own[to_[begin + i]] = read[i];
        }
      }
      if (missing) has_missing_ = true;
    });
    ascending_ = {}, to_ = {};
  }

  bool has_missing() const { return has_missing_; }
  const DealtLists& lists() const { return lists_; }   // in place of keys, where there are any
  std::span<const Key> of(std::size_t stretch, std::size_t column) const {
    const std::size_t first = begin_[stretch], n = begin_.back();
    return {keys_ + column * n + first, begin_[stretch + 1] - first};
  }

 private:
  void place_rows(std::size_t n_rows, std::span<const RowIndex> rows,
                  std::span<const std::pair<std::size_t, std::size_t>> stretches) {
    constexpr auto absent = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> place(n_rows, absent);
    for (std::size_t i = 0, at = 0; i < stretches.size(); ++i)
      for (const RowIndex row : rows.subspan(stretches[i].first, stretches[i].second - stretches[i].first))
        place[row] = static_cast<std::uint32_t>(at++);
    ascending_.reserve(begin_.back());
    to_.reserve(begin_.back());
    for (std::size_t row = 0; row < n_rows; ++row)
      if (place[row] != absent) ascending_.push_back(static_cast<RowIndex>(row)), to_.push_back(place[row]);
  }

  std::size_t n_columns_;
  std::vector<std::size_t> begin_;
  std::vector<RowIndex> ascending_;   // while keys are read: the rows from top to bottom,
  std::vector<std::uint32_t> to_;     // and where the keys of each go, if not in this order
  std::shared_ptr<KeyMemory> memory_;
  DealtLists lists_;
  Key* keys_ = nullptr;   // [column][stretch after stretch]
  std::atomic<bool> has_missing_{false};
};

// Those of one node; or nothing.
struct NodeKeys {
  std::shared_ptr<const GatheredKeys> all{};
  std::size_t stretch = 0;
  explicit operator bool() const { return all != nullptr; }
  bool in_lists() const { return all && !all->lists().empty(); }
  std::span<const ShortEntry> list(std::size_t column) const { return all->lists().of(stretch, column); }
  std::span<const Key> of(std::size_t column) const { return all->of(stretch, column); }
};

}   // namespace treewright
