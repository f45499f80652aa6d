// Search over sorted rows of a column of numbers: every row a bucket.
#pragma once
#include "../single.hpp"
#include "marks.hpp"
#include "plain_columns.hpp"
#include "sorted_lists.hpp"
#include "threshold_rules.hpp"
#include "two_classes.hpp"

namespace treewright {

template <class C>
struct SortedEntries {   // buckets; tallies are counted by id
  using Entry = SortedLists::Entry;
  const C& criterion;
  std::span<const Entry> entries;
  SortedLists::Values values{};   // where those that are too close are not cut apart
  CutRange range{};

  std::size_t size() const { return entries.size(); }
  std::size_t row(std::size_t i) const { return SortedLists::id(entries[i]); }
  void add_to(std::size_t i, Tally left) const { criterion.add(left, row(i)); }
  bool may_cut_after(std::size_t i) const { return range.holds(i) && differ(i); }
  bool differ(std::size_t i) const {
    const std::uint32_t low = SortedLists::rank(entries[i]), high = SortedLists::rank(entries[i + 1]);
    return low != high && values.apart(low, high);
  }
  void move(std::size_t i, PlainSums& plain) const
    requires requires { criterion.plain_row(0); }
  {
    plain.move(criterion.plain_row(SortedLists::id(entries[i])));
  }
  void cut(std::size_t i, Split& split) const {
    split.place = {0, static_cast<Key>(SortedLists::rank(entries[i]))};
    split.low = SortedLists::id(entries[i]);
    split.high = static_cast<Key>(entries[i + 1]);
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

// The range of a node's values over the distance of the two around a cut, in single precision where values are single.
inline double gap_of(const SortedLists& lists, std::size_t feature, std::span<const SortedLists::Entry> known,
                     const Split& cut) {
  const SortedLists::Values values = lists.values(feature);
  if (values.of_rank.empty()) return 1;
  const auto next = SortedLists::rank(static_cast<SortedLists::Entry>(cut.high));   // of the first entry after the cut
  const auto ratio = [&]<class T>(T) {
    const auto number = [&](std::uint32_t rank) { return static_cast<T>(values.number(rank)); };
    const T range = number(SortedLists::rank(known.back())) - number(SortedLists::rank(known.front()));
    return static_cast<double>(range / (number(next) - number(static_cast<std::uint32_t>(cut.place.key))));
  };
  return values.min_gap < 0 ? ratio(float{}) : ratio(double{});
}

// Where weights are shares in single precision, so are the sums that say which cuts leave enough on both sides.
template <class C>
CutRange cuts_in_single(const SortedLists& lists, const Segment& segment, std::span<const SortedLists::Entry> entries,
                        std::size_t n_known, const Growth& growth, SearchContext<C>& context) {
  if constexpr (requires(const C& c) { c.class_of(0); }) {
    const std::span<const std::int64_t> units = context.criterion.weights();
    if (!growth.classic.single || units.empty()) return {};
    const double unit = context.criterion.user_mass(1);
    const auto weight = [&](std::uint32_t id) { return static_cast<float>(static_cast<double>(units[id]) * unit); };
    const double per_class = growth.classic.side_share / static_cast<double>(context.criterion.n_sums());
    const auto of_entry = [&](std::size_t i) { return weight(SortedLists::id(entries[i])); };
    if (growth.classic.comparison == Comparison::c50) {
      context.rules.min_rows = 1;
      context.rules.min_weight = 0;
      return cuts_with_enough_as_c50(n_known, growth.min_weight_leaf, per_class, of_entry);
    }
    Marks is_known(units.size());
    for (const SortedLists::Entry entry : entries.first(n_known)) is_known.add(SortedLists::id(entry));
    SingleSums sums;
    for (const std::uint32_t id : lists.ids(segment)) sums.add(weight(id), is_known[id]);
    context.rules.min_rows = 1;
    context.rules.min_weight = 0;
    return cuts_with_enough(sums, n_known, growth.min_weight_leaf, per_class, of_entry);
  }
  return {};
}

struct Cut {   // the best cut of a node so far, where cuts are ordinary: all that must be remembered of it
  Score score = -1;
  double gain = 0;
  double bar = 0;   // what a later cut must gain
  std::int32_t feature = -1;
  std::uint32_t after = 0;   // the last entry of the first child
  std::int64_t left_weight = 0;
};

// Offers every cut of a column without missing values, for trees without finer rules: a scan with nothing beside it, since
// most nodes have few rows. Entries offer: size(); row(i); differ(i), whether the values of i and i + 1 do; and perhaps
// next(i, end, bar), the first entry from i on after which a cut may gain so much.
template <class C, class Entries>
void search_ordinary(const SearchContext<C>& context, Entries entries, Cut& best) {
  const C& criterion = context.criterion;
  OwnTally<C> left(criterion);
  const auto row = [&](std::size_t i) { return entries.row(i); };
  const auto add = [&](std::size_t first, std::size_t last) {
    if constexpr (requires { criterion.add_for_gain(left, 0, 0, row); }) criterion.add_for_gain(left, first, last, row);
    else
      for (std::size_t i = first; i <= last; ++i) criterion.add(left, row(i));
  };
  std::vector<std::int64_t> scratch;
  const std::size_t last = std::max<std::size_t>(entries.size(), 1) - 1;
  for (std::size_t i = 0; i < last; ++i) {
    if constexpr (requires { entries.next(i, last, 0.0); }) {
      const std::size_t first = i;
      i = entries.next(i, last, best.bar);
      if (i == last) return;
      add(first, i);
      if (!entries.differ(i)) continue;
    } else {   // up to a cut that may be the best: nothing is called, and little is done
      const double bar = best.bar;
      for (; i < last; ++i) {
        add(i, i);
        if (!entries.differ(i)) continue;
        if constexpr (requires { criterion.surely_below(context.total, left, bar); }) {
          if (criterion.surely_below(context.total, left, bar)) continue;
        }
        break;
      }
      if (i == last) return;
    }
    const double gain = context.gain(left);
    const Score score = context.scale.score(gain);
    if (score < best.score || (score == best.score && context.feature >= best.feature)) continue;
    if (!context.rules.allow(criterion, context.total, left, scratch)) continue;
    best = {score, gain, 0, context.feature, static_cast<std::uint32_t>(i), criterion.weight(left)};
    best.bar = context.least_gain(best.score);
  }
}

// The same with the best split of other columns, which may be of another kind.
template <class C>
void search_ordinary(const SearchContext<C>& context, std::span<const SortedLists::Entry> entries, Split& best) {
  struct Entries {
    std::span<const SortedLists::Entry> list;
    std::size_t size() const { return list.size(); }
    std::size_t row(std::size_t i) const { return SortedLists::id(list[i]); }
    bool differ(std::size_t i) const { return SortedLists::rank(list[i]) != SortedLists::rank(list[i + 1]); }
  };
  Cut found{best.score, best.gain, context.least_gain(best.score), best.feature};
  search_ordinary(context, Entries{entries}, found);
  if (found.feature != context.feature || (found.feature == best.feature && found.score == best.score)) return;
  best = Split{};
  best.score = found.score;
  best.gain = found.gain;
  best.feature = found.feature;
  best.left_weight = found.left_weight;
  SortedEntries<C>{context.criterion, entries}.cut(found.after, best);
}

// Whether two counts say all of a cut of so many entries.
template <class C>
bool can_scan_two_classes(const SearchContext<C>& context, std::size_t n_entries) {
  const C& criterion = context.criterion;
  if constexpr (requires { criterion.counts_rows(); }) {
    if (!criterion.counts_rows() || static_cast<std::size_t>(criterion.rows(context.total)) < n_entries) return false;
  }
  return !context.missing_seen && context.offset == 0 && (!context.plain || context.plain->counts()) &&
         !context.rules.compares_values() && context.scale.per_mass > 0 &&
         criterion.rows(context.total) < std::int64_t{1} << 26;
}

// The tally of so many rows of both classes.
template <class C>
auto tally_of(const C& criterion, const TwoCounts& counts) {
  if constexpr (requires { criterion.tally_of(counts); }) return criterion.tally_of(counts);
  else return counts;
}

// The row before the first cut to look at, where a later one must gain more than the best before it by some amount: a cut that
// is taken whatever came before. `reached`: what some cut gains.
template <class C, class Cuts>
std::size_t first_surely_taken(const SearchContext<C>& context, const Cuts& cuts, double reached) {
  std::size_t found = 0;
  for (const double less : {0x1p-10, 0x1p-6, 0x1p-3}) {
    double most = reached * (1 - less);   // of the cuts so far
    cuts.each_above(most, 0, [&](std::size_t after, const TwoCounts& counts) {
      const auto left = tally_of(context.criterion, counts);
      if (context.criterion.surely_below(context.total, left, most)) return true;
      const double gain = context.gain(left);
      if (gain - most > context.better_by * (1 + 0x1p-20)) found = after;
      most = std::max(most, gain);
      return found == 0;
    });
    if (found > 0) break;
  }
  return found;
}

// Offers the cuts of two classes that may be the best, lowest first.
template <class C>
void scan_two_classes(const SearchContext<C>& context, const SortedEntries<C>& buckets, Split& best) {
  const C& criterion = context.criterion;
  const auto n = static_cast<std::size_t>(criterion.rows(context.total));
  const auto least =
      static_cast<std::size_t>(std::max<std::int64_t>({context.rules.min_rows, context.rules.min_weight, 1}));
  const std::size_t first = std::max(least - 1, buckets.range.first);
  const std::size_t last = std::min(n - std::min(n, least), buckets.range.last);
  if (first >= last) return;
  const auto in_second = [&](std::size_t i) { return criterion.class_of(buckets.row(i)); };
  const auto may_cut = [&](std::size_t i) { return buckets.differ(i); };
  const TwoClassCuts cuts(first, last, criterion.bound_of_two(context.total), in_second, may_cut);
  if (context.n_cuts) *context.n_cuts += static_cast<std::int64_t>(cuts.size());
  if (cuts.size() == 0) return;
  const TwoCounts promising = cuts.promising();
  const double reached = context.gain(tally_of(criterion, promising));
  const bool by_more = context.better_by > 0;
  double bar = context.least_gain(by_more ? best.score : std::max(best.score, context.scale.score(reached)));
  std::vector<std::int64_t> scratch;
  const std::size_t begin = by_more ? first_surely_taken(context, cuts, reached) : 0;
  cuts.each_above(bar, begin, [&](std::size_t after, const TwoCounts& counts) {
    const auto left = tally_of(criterion, counts);
    if (criterion.surely_below(context.total, left, bar)) return true;
    const double gain = counts == promising ? reached : context.gain(left);
    if (gain * context.scale.per_mass < context.least_score(best.score)) return true;
    offer(context, left, gain, false, scratch, best, [&](Split& split) { buckets.cut(after, split); });
    bar = std::max(bar, context.least_gain(best.score));
    return true;
  });
}
// Offers every test of one column of numbers. The context's criterion counts rows by their ids.
template <class C>
void search_sorted(const SortedLists& lists, const SearchContext<C>& context, const Segment& segment,
                   const Growth& growth, Split& best) {
  const C& criterion = context.criterion;
  const auto feature = static_cast<std::size_t>(context.feature);
  const auto [entries, n_present] = lists.present(feature, segment);
  bool walks = false;
  if constexpr (requires { criterion.worth_walking(context.total); }) walks = criterion.worth_walking(context.total);
  if constexpr (!requires { criterion.note(context.total, context.total, best); }) {
    if (n_present == entries.size() && !lists.column(feature).sparse && !walks && growth.ordinary_cuts())
      return search_ordinary(context, entries, best);
  }
  OwnTally<C> missing(criterion);
  for (std::size_t i = n_present; i < entries.size(); ++i) criterion.add(missing, SortedLists::id(entries[i]));
  MissingPlacement<C> placement(context, missing);
  auto plain = plain_sums(context, growth, n_present, [&](auto&& use) {   // in the order of the values
    for (const SortedLists::Entry entry : entries.first(n_present)) use(SortedLists::id(entry));
  });
  if (plain && !lists.column(feature).sparse) placement.context.plain = &*plain;
  ThresholdRules<C> finer(placement.context, growth);
  Split found = finer.any() ? Split{} : std::move(best);
  const std::span<const SortedLists::Entry> known = entries.first(n_present);
  const CutRange range = cuts_in_single(lists, segment, entries, n_present, growth, placement.context);
  placement.each_side([&](ConstTally start, bool missing_left) {
    if (lists.column(feature).sparse) {
      OwnTally<C> of_known(criterion, context.total);
      of_known.subtract(missing.values);
      const bool has_zeros = entries.size() < segment.size();
      const StoredEntries<C> buckets(criterion, known, lists.zero_rank(feature), has_zeros, of_known);
      scan(placement.context, buckets, start, missing_left, found);
    } else {
      const SortedEntries<C> buckets{criterion, known, lists.values(feature), range};
      if constexpr (requires { criterion.bound_of_two(context.total); }) {
        if (can_scan_two_classes(placement.context, known.size()))
          return scan_two_classes(placement.context, buckets, found);
      }
      scan(placement.context, buckets, start, missing_left, found);
    }
  });
  if (finer.any()) {
    if (found) finer.charge(found, gap_of(lists, feature, known, found));
    if (found.beats(best)) best = std::move(found);
  } else {
    best = std::move(found);
  }
  placement.add_missing_child(best);
  placement.offer_missing_alone(best);
  placement.set_split_info(best);
}

}   // namespace treewright
