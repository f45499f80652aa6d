// Small nodes, and columns without bins: the rows of a node kept sorted by every column. A split divides each list
// stably, so nothing is ever sorted twice (SPRINT's attribute lists). Sparse columns list their stored values only;
// the rows they do not list are one bucket, zero.
#pragma once
#include <algorithm>

#include "../bins.hpp"
#include "../parallel.hpp"
#include "../sort.hpp"
#include "../split.hpp"
#include "matrix_keys.hpp"

namespace treewright {

struct Segment {   // a node's part of every list
  struct Stored {
    std::uint32_t feature, begin, end;
  };
  std::uint32_t begin = 0, end = 0;   // of `ids` and of every dense list
  std::vector<Stored> stored;         // of the sparse lists that have any of its rows, by feature: a wide table has few
  std::uint32_t size() const { return end - begin; }
};

// Every column of a table in order, for several trees of parts of its rows: the rank of the value, then the row.
using Presorted = std::vector<std::vector<std::uint64_t>>;
Presorted presort(const Columns& columns, Pool& pool);

using SortedValues = std::shared_ptr<const std::vector<Key>>;   // of a column, each once; or nothing

class SortedLists {
 public:
  using Entry = std::uint64_t;   // rank of the value, then id of the row
  static constexpr std::uint32_t missing_rank = 0xffffffff;
  static constexpr Key zero_id = -1;
  static std::uint32_t rank(Entry entry) { return static_cast<std::uint32_t>(entry >> 32); }
  static std::uint32_t id(Entry entry) { return static_cast<std::uint32_t>(entry); }

  // Numbers the rows 0, 1, ... and sorts them by every column, faster if its bins are known; keeps the value of every
  // rank if keep_values.
  SortedLists(const Columns& columns, std::span<const RowIndex> rows, Pool& pool, const BinnedColumns& binned,
              bool keep_values = false, double min_gap = 0, NodeKeys keys = {});
  // The same of a table that was sorted before.
  SortedLists(const Columns& columns, std::span<const RowIndex> rows, Pool& pool, const Presorted& presorted);

  // One more list, divided with the others: the rows in the order of a target.
  void add_target(std::vector<Item> items);

  const Segment& root() const { return root_; }
  const Columns& columns() const { return columns_; }
  bool complete() const { return complete_; }   // whether every column has a number in every row
  const Column& column(std::size_t feature) const { return columns_[feature]; }
  RowIndex row(std::uint32_t id) const { return rows_[id]; }
  std::span<const RowIndex> rows() const { return rows_; }
  std::span<const std::uint32_t> ids(const Segment& s) const { return std::span(ids_).subspan(s.begin, s.size()); }
  std::uint32_t zero_rank(std::size_t feature) const { return lists_[feature].zero_rank; }
  bool constant(std::size_t feature, const Segment& segment) const;

  // The values by rank of a column of numbers that is not sparse, where they are kept.
  struct Values {
    static constexpr std::uint8_t many = 255;
    std::span<const Key> of_rank;
    KeyKind kind{};
    std::span<const std::uint8_t> n_close{};   // by rank: how many of the next do not differ from it; empty: none
    double min_gap = 0;                        // below 0: they differ in single precision
    double number(std::uint32_t rank) const { return number_of(kind, of_rank[rank]); }
    bool apart(std::uint32_t low, std::uint32_t high) const {
      if (n_close.empty()) return true;
      return n_close[low] < many ? high - low > n_close[low] : differ(low, high);
    }
    bool differ(std::uint32_t low, std::uint32_t high) const {   // by more than min_gap
      if (min_gap < 0) return static_cast<float>(number(low)) < static_cast<float>(number(high));
      return number(low) + min_gap < number(high);
    }
  };
  Values values(std::size_t feature) const {
    const List& list = lists_[feature];
    if (!list.values) return {};
    return {*list.values, key_kind(columns_[feature].type), list.n_close, min_gap_};
  }
  SortedValues sorted_values(std::size_t feature) const { return lists_[feature].values; }

  // The node's entries of one list, and how many of them are not missing.
  std::pair<std::span<const Entry>, std::size_t> present(std::size_t feature, const Segment& segment) const;
  std::span<const Entry> by_target(std::size_t output, const Segment& segment) const {
    return std::span(by_target_[output].entries).subspan(segment.begin, segment.size());
  }
  std::size_t n_targets() const { return by_target_.size(); }
  // All rows of the node in the order of a column, zeros of a sparse column included, missing values last.
  std::vector<Entry> with_zeros(std::size_t feature, const Segment& segment) const;
  std::int32_t level(std::size_t feature, Entry entry) const {
    return columns_[feature].level_codes()[rows_[id(entry)]];
  }

  // Replaces the ids, or entries, that a search noted by the neighbouring values.
  void find_neighbours(Split& split) const;

  // Decides the child of every row of the node; child_of(id) then has it.
  void decide(const Segment& segment, const Test& test);
  ChildNumber child_of(std::uint32_t id) const { return child_[id]; }
  void set_child(std::uint32_t id, ChildNumber child) { child_[id] = child; }
  // Orders the node's ids by child; returns where each child's begin, and the end.
  std::vector<std::uint32_t> route(const Segment& segment, std::size_t n_children);
  // Divides the lists of a routed node. Of two children a second that nobody will search need not be kept.
  std::vector<Segment> divide(const Segment& segment, std::span<const std::uint32_t> begin, bool keep_last, Pool& pool);

 private:
  struct List {
    std::vector<Entry> entries;          // by rank; missing values last
    SortedValues values;                 // by rank, where they are kept
    std::vector<std::uint8_t> n_close;   // see Values
    std::uint32_t zero_rank = 0;
    bool has_missing = false;
  };

  std::pair<std::uint32_t, std::uint32_t> bounds(std::size_t feature, const Segment& segment) const {
    if (!columns_[feature].sparse) return {segment.begin, segment.end};
    const auto found = std::lower_bound(segment.stored.begin(), segment.stored.end(), feature,
                                        [](const Segment::Stored& s, std::size_t f) { return s.feature < f; });
    return found != segment.stored.end() && found->feature == feature ? std::pair{found->begin, found->end}
                                                                      : std::pair{0u, 0u};
  }
  bool has_all_numbers() const;
  void list_dense(std::size_t f, const Code* bins, std::span<const Key> keys, bool keep_values);
  void list_dealt(std::size_t f);
  void list_stored(std::size_t f, const std::vector<std::uint32_t>& local);
  std::uint32_t divide_in_two(std::vector<Entry>& entries, std::uint32_t begin, std::uint32_t end,
                              bool keep_last) const;
  void divide_in_many(std::vector<Entry>& entries, std::uint32_t begin, std::uint32_t end,
                      std::span<std::uint32_t> starts) const;

  const Columns& columns_;
  std::vector<RowIndex> rows_;         // id -> row of the table
  std::vector<std::uint32_t> ids_;     // node after node
  std::vector<ChildNumber> child_;     // by id
  std::vector<std::uint8_t> side_;     // the same of two children, while a node is divided: more of it fits the cache
  std::vector<List> lists_;            // by column
  std::vector<List> by_target_;        // by output, where the criterion needs it
  std::vector<std::uint32_t> dense_;   // the columns that are not sparse
  NodeKeys keys_;
  double min_gap_ = 0;
  bool complete_ = false;
  Segment root_;
};

}   // namespace treewright
