// Exact search inside a bucket whose bound reaches the incumbent: divide it by its values, scan the edges, bound the
// parts, and go on into those that may still hide a better cut; a handful of rows is sorted.
#pragma once
#include <algorithm>

#include "../scan.hpp"
#include "../sort.hpp"

namespace treewright {

// Remembers the buckets that may hide a cut that beats the best so far.
template <class C, class Buckets>
struct Bounder {
  static constexpr bool listens = true;
  const SearchContext<C>& context;
  const Buckets& buckets;
  const Split& best;
  std::vector<std::pair<std::size_t, Score>> open;   // bucket and the highest score it may hide

  void before(std::size_t i, ConstTally left) {
    if (!buckets.may_hide(i)) return;
    const ConstTally bucket = buckets.tally(i);
    if constexpr (requires { context.criterion.bound_surely_below(context.total, left, bucket, 0.0); }) {
      // scale.highest adds 0.5625 to a score before it rounds down
      const double least = (static_cast<double>(best.score) - 0.75) / context.scale.per_mass - context.offset;
      if (best.score > 0 && context.criterion.bound_surely_below(context.total, left, bucket, least)) return;
    }
    note(i, context.offset + context.criterion.bound(context.total, left, bucket));
  }
  void edge(std::size_t i, double gain) {
    if (i < buckets.size() && buckets.may_hide(i)) note(i, gain);
  }
  void refused(std::size_t i, double gain) { edge(i + 1, gain); }
  void note(std::size_t i, double bound) {
    const Score highest = context.scale.highest(bound);
    if (!may_beat(highest, context.feature, buckets.first_place(i), best)) return;
    if (!open.empty() && open.back().first == i) open.back().second = std::max(open.back().second, highest);
    else open.emplace_back(i, highest);
  }
};

struct SortedItems {   // every row a bucket
  std::span<const Item> items;
  std::int32_t bin;

  std::size_t size() const { return items.size(); }
  bool may_cut_after(std::size_t i) const { return items[i].key != items[i + 1].key; }
  void cut(std::size_t i, Split& split) const {
    split.place = {bin, items[i].key};
    split.low = items[i].key;
    split.high = items[i + 1].key;
    split.has_neighbours = true;
  }
};

template <class C>
struct SortedItemsOf : SortedItems {
  const C& criterion;
  std::size_t row(std::size_t i) const { return items[i].row; }
  void add_to(std::size_t i, Tally left) const { criterion.add(left, row(i)); }
};

// Equal slices of a bucket's range of keys, those without rows left out.
template <class C>
struct Slices {
  const C& criterion;
  std::int32_t bin;
  std::vector<std::int64_t> tallies;   // [slice][width]
  std::vector<std::uint32_t> begin;    // where the slice's items start, after they are ordered by slice
  std::vector<Key> low, high;

  // Orders `items` by slice. At most 256 slices; 64-bit keys are told apart after eight rounds at the latest.
  Slices(const C& criterion, std::span<Item> items, std::vector<Item>& scratch, std::int32_t bin)
      : criterion(criterion), bin(bin) {
    Key least = items[0].key, most = items[0].key;
    for (const Item& item : items) least = std::min(least, item.key), most = std::max(most, item.key);
    const auto range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
    int shift = 0;
    while (range >> shift > 255) ++shift;
    const auto slice = [&](Key key) {
      return (static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(least)) >> shift;
    };
    std::array<std::uint32_t, 257> count{};
    for (const Item& item : items) ++count[slice(item.key) + 1];
    std::array<std::uint32_t, 257> at{};
    std::array<std::uint32_t, 256> number{};
    for (std::size_t s = 0; s < 256; ++s) {
      at[s + 1] = at[s] + count[s + 1];
      if (count[s + 1] == 0) continue;
      number[s] = static_cast<std::uint32_t>(begin.size());
      begin.push_back(at[s]);
    }
    const std::size_t width = criterion.width();
    tallies.assign(begin.size() * width, 0);
    low.assign(begin.size(), std::numeric_limits<Key>::max());
    high.assign(begin.size(), std::numeric_limits<Key>::min());
    scratch.assign(items.begin(), items.end());
    for (const Item& item : scratch) {
      const std::uint64_t s = slice(item.key);
      const std::uint32_t k = number[s];
      criterion.add(Tally(&tallies[k * width], width), item.row);
      low[k] = std::min(low[k], item.key);
      high[k] = std::max(high[k], item.key);
      items[at[s]++] = item;
    }
    begin.push_back(static_cast<std::uint32_t>(items.size()));
  }

  std::size_t size() const { return low.size(); }
  ConstTally tally(std::size_t i) const { return {&tallies[i * criterion.width()], criterion.width()}; }
  void add_to(std::size_t i, Tally left) const {
    const ConstTally t = tally(i);
    for (std::size_t k = 0; k < t.size(); ++k) left[k] += t[k];
  }
  bool may_cut_after(std::size_t) const { return true; }
  bool may_hide(std::size_t i) const { return low[i] != high[i]; }
  Place first_place(std::size_t i) const { return {bin, low[i]}; }
  void cut(std::size_t i, Split& split) const {
    split.place = {bin, high[i]};
    split.low = high[i];
    split.high = low[i + 1];
    split.has_neighbours = true;
  }
};

inline constexpr std::size_t sort_items_below = 48;

// `start` is the tally of everything left of these items. Their own outer edges are not cuts here.
template <class C>
void refine(const SearchContext<C>& context, std::span<Item> items, std::vector<Item>& scratch, ConstTally start,
            bool missing_left, std::int32_t bin, Split& best) {
  if (items.size() < 2) return;
  if (items.size() < sort_items_below) {
    sort_by_key(items);
    scan(context, SortedItemsOf<C>{{items, bin}, context.criterion}, start, missing_left, best);
    return;
  }
  const Slices<C> slices(context.criterion, items, scratch, bin);
  if (slices.size() < 2 && slices.low[0] == slices.high[0]) return;
  Bounder<C, Slices<C>> bounder{context, slices, best, {}};
  scan(context, slices, start, missing_left, best, bounder);
  OwnTally<C> left(context.criterion, start);
  std::size_t next = 0;
  for (const auto& [i, highest] : bounder.open) {
    for (; next < i; ++next) slices.add_to(next, left);
    if (!may_beat(highest, context.feature, slices.first_place(i), best)) continue;
    refine(context, items.subspan(slices.begin[i], slices.begin[i + 1] - slices.begin[i]), scratch, left, missing_left,
           bin, best);
  }
}

}   // namespace treewright
