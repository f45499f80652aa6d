// Search over sorted rows: every row a bucket, or every level.
#pragma once
#include "levels.hpp"
#include "sorted_lists.hpp"

namespace treewright {

template <class C>
struct SortedEntries {   // buckets; tallies are counted by id
  using Entry = SortedLists::Entry;
  const C& criterion;
  std::span<const Entry> entries;
  std::size_t size() const { return entries.size(); }
  void add_to(std::size_t i, Tally left) const { criterion.add(left, SortedLists::id(entries[i])); }
  bool may_cut_after(std::size_t i) const { return SortedLists::rank(entries[i]) != SortedLists::rank(entries[i + 1]); }
  void cut(std::size_t i, Split& split) const {
    split.place = {0, static_cast<Key>(SortedLists::rank(entries[i]))};
    split.low = SortedLists::id(entries[i]);
    split.high = SortedLists::id(entries[i + 1]);
  }
};

template <class C>
struct StoredEntries {   // stored values, with the zeros as one more bucket in their place
  using Entry = SortedLists::Entry;
  const C& criterion;
  std::span<const Entry> entries;
  std::uint32_t zero_rank;
  std::size_t zero_at;   // the zeros are bucket number `zero_at`, if there are any
  bool has_zeros;
  OwnTally<C> zeros;

  // `total` is the tally of every row of the node whose value is known.
  StoredEntries(const C& criterion, std::span<const Entry> entries, std::uint32_t zero_rank, bool has_zeros,
                ConstTally total)
      : criterion(criterion), entries(entries), zero_rank(zero_rank), has_zeros(has_zeros), zeros(criterion, total) {
    zero_at = static_cast<std::size_t>(
        std::lower_bound(entries.begin(), entries.end(), static_cast<Entry>(zero_rank) << 32) - entries.begin());
    OwnTally<C> stored(criterion);
    for (const Entry entry : entries) criterion.add(stored, SortedLists::id(entry));
    zeros.subtract(stored.values);
  }
  std::size_t size() const { return entries.size() + has_zeros; }
  bool is_zero(std::size_t i) const { return has_zeros && i == zero_at; }
  Entry entry(std::size_t i) const { return entries[i - (has_zeros && i > zero_at)]; }
  std::uint32_t rank_at(std::size_t i) const { return is_zero(i) ? zero_rank : SortedLists::rank(entry(i)); }
  void add_to(std::size_t i, Tally left) const {
    if (!is_zero(i)) return criterion.add(left, SortedLists::id(entry(i)));
    const ConstTally t = zeros;
    for (std::size_t k = 0; k < left.size(); ++k) left[k] += t[k];
  }
  bool may_cut_after(std::size_t i) const { return rank_at(i) != rank_at(i + 1); }
  void cut(std::size_t i, Split& split) const {
    split.place = {0, static_cast<Key>(rank_at(i))};
    split.low = is_zero(i) ? SortedLists::zero_id : static_cast<Key>(SortedLists::id(entry(i)));
    split.high = is_zero(i + 1) ? SortedLists::zero_id : static_cast<Key>(SortedLists::id(entry(i + 1)));
  }
};

// One tally per level of a nominal column.
template <class C>
Levels<C> levels_of(const C& criterion, const SortedLists& lists, std::size_t feature,
                    std::span<const SortedLists::Entry> present) {
  Levels<C> levels(criterion);
  for (std::size_t i = 0; i < present.size();) {
    const std::uint32_t rank = SortedLists::rank(present[i]);
    const Tally tally = levels.add(lists.level(feature, present[i]));
    for (; i < present.size() && SortedLists::rank(present[i]) == rank; ++i)
      criterion.add(tally, SortedLists::id(present[i]));
  }
  return levels;
}

// Offers every test of one column. The question's criterion counts rows by their ids.
template <class C>
void search_sorted(const SortedLists& lists, const Question<C>& asked, const Segment& segment, const Growth& growth,
                   std::uint64_t random_key, Split& best) {
  const C& criterion = asked.criterion;
  const auto feature = static_cast<std::size_t>(asked.feature);
  const auto [entries, n_present] = lists.present(feature, segment);
  OwnTally<C> missing(criterion);
  for (std::size_t i = n_present; i < entries.size(); ++i) criterion.add(missing, SortedLists::id(entries[i]));
  if (lists.column(feature).nominal) {
    const Levels<C> levels = levels_of(criterion, lists, feature, entries.first(n_present));
    return LevelSearch<C>(asked, levels, missing, growth, random_key).search(best);
  }
  const Posed<C> posed(asked, missing);
  posed.each_side([&](ConstTally start, bool missing_left) {
    if (lists.column(feature).sparse) {
      OwnTally<C> known(criterion, asked.total);
      known.subtract(missing.values);
      const bool has_zeros = entries.size() < segment.size();
      const StoredEntries<C> buckets(criterion, entries.first(n_present), lists.zero_rank(feature), has_zeros, known);
      scan(posed.question, buckets, start, missing_left, best);
    } else {
      scan(posed.question, SortedEntries<C>{criterion, entries.first(n_present)}, start, missing_left, best);
    }
  });
  posed.settle(best);
  posed.offer_missing_alone(best);
  posed.inform(best);
}

}   // namespace treewright
