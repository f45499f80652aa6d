// Search where no finite tally exists (absolute error): the losses of all cuts of a column at once, on sorted rows.
// Levels are put in the order of their medians, which is a heuristic: no theorem covers medians.
#pragma once
#include "../criteria/absolute_error.hpp"
#include "marks.hpp"
#include "sorted.hpp"

namespace treewright {

class MedianSearch {
 public:
  using Cuts = AbsoluteError::Cuts;
  using Entry = SortedLists::Entry;

  MedianSearch(const SortedLists& lists, const SearchContext<AbsoluteError>& context, const Segment& segment,
               double mass, const Growth& growth)
      : lists_(lists), context_(context), segment_(segment), mass_(mass), growth_(growth) {
    entries_ = lists.with_zeros(feature(), segment);
    n_present_ = entries_.size();
    while (n_present_ > 0 && SortedLists::rank(entries_[n_present_ - 1]) == SortedLists::missing_rank) --n_present_;
    n_missing_ = entries_.size() - n_present_;
    for (std::size_t i = n_present_; i < entries_.size(); ++i) context_.criterion.add(missing_, id(entries_[i]));
    context_.missing_seen = n_missing_ > 0;
    const Missing rule = growth.missing;
    own_child_ = rule == Missing::branch && n_missing_ > 0 && context_.rules.enough(context_.criterion, missing_);
    learned_ = n_missing_ > 0 && !own_child_ && !growth.leaves_missing_out();
  }

  void search(Split& best) {
    Split found;
    if (lists_.column(feature()).nominal) {
      if (growth_.nominal_splits == NominalSplits::multiway) branch_per_level(found);
      else order_levels(found);
    } else {
      scan_cuts(found);
    }
    if (found && own_child_) found.missing_to = found.n_children++;
    presence(found);
    if (found.beats(best)) best = std::move(found);
  }

 private:
  static std::uint32_t id(Entry entry) { return SortedLists::id(entry); }
  std::size_t feature() const { return static_cast<std::size_t>(context_.feature); }

  double mass_of(std::span<const std::uint32_t> ids) const {
    return ids.empty() ? 0 : context_.criterion.summary(ids).mass;
  }
  std::vector<std::uint32_t> ids(std::size_t begin, std::size_t end) const {
    std::vector<std::uint32_t> some;
    for (std::size_t i = begin; i < end; ++i) some.push_back(id(entries_[i]));
    return some;
  }
  std::vector<std::vector<std::uint32_t>> targets(bool known_only) const {
    Marks gone(lists_.rows().size());
    if (known_only)
      for (std::size_t i = n_present_; i < entries_.size(); ++i) gone.add(id(entries_[i]));
    std::vector<std::vector<std::uint32_t>> orders(lists_.n_targets());
    for (std::size_t o = 0; o < orders.size(); ++o) {
      orders[o].reserve(segment_.size());
      for (const Entry entry : lists_.by_target(o, segment_))
        if (!gone[id(entry)]) orders[o].push_back(id(entry));
    }
    return orders;
  }

  // entries_ up to n_present_ are in some order whose ranks say where cuts may be.
  void scan_cuts(Split& found) const {
    if (n_present_ < 2) return;
    const bool with_values = context_.rules.compares_values();
    if (!learned_) {   // the known rows alone
      const std::vector<std::uint32_t> known = ids(0, n_present_);
      const double known_mass = n_missing_ > 0 ? mass_of(known) : mass_;
      const Cuts cuts(context_.criterion, targets(n_missing_ > 0), known, known_mass, with_values);
      SearchContext<Cuts> here = context_for(cuts);
      if (own_child_) here.offset = mass_ - known_mass - mass_of(ids(n_present_, entries_.size()));
      scan(here, SortedEntries<Cuts>{cuts, std::span(entries_).first(n_present_)}, OwnTally<Cuts>(cuts), false, found);
      return;
    }
    const auto by_target = targets(false);
    std::vector<std::uint32_t> order(entries_.size());
    for (const bool missing_left : {false, true}) {
      const std::size_t shift = missing_left ? n_missing_ : 0;
      for (std::size_t i = 0; i < entries_.size(); ++i) order[(i + shift) % entries_.size()] = id(entries_[i]);
      const Cuts cuts(context_.criterion, by_target, order, mass_, with_values);
      OwnTally<Cuts> start(cuts);
      if (missing_left) start.add(missing_.values);
      scan(context_for(cuts), SortedEntries<Cuts>{cuts, std::span(entries_).first(n_present_)}, start, missing_left,
           found);
    }
  }
  SearchContext<Cuts> context_for(const Cuts& cuts) const {
    SearchContext<Cuts> context{context_, cuts};
    context.total = cuts.total();
    return context;
  }

  void presence(Split& found) const {
    if (n_missing_ == 0 || n_present_ == 0 || growth_.leaves_missing_out()) return;
    Split split;
    const Summary known = context_.criterion.summary(ids(0, n_present_)),
                  gone = context_.criterion.summary(ids(n_present_, entries_.size()));
    const Rules& rules = context_.rules;
    if (!rules.enough(context_.criterion, known.tally) || !rules.enough(context_.criterion, gone.tally)) return;
    if (rules.compares_values() && !rules.allow_values(known.value[0], gone.value[0])) return;
    split.gain = std::max(mass_ - known.mass - gone.mass, 0.0);
    split.score = context_.scale.score(split.gain);
    split.feature = context_.feature;
    split.missing_alone = split.missing_seen = true;
    if (lists_.column(feature()).nominal) {
      split.levels = level_map([](std::size_t) { return ChildNumber{0}; });
      split.found_by = FoundBy::every_level;
    }
    if (split.beats(found)) found = std::move(split);
  }

  // ---- nominal columns
  std::vector<std::pair<std::size_t, std::size_t>> level_ranges() const {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    for (std::size_t i = 0; i < n_present_; ++i) {
      if (i == 0 || SortedLists::rank(entries_[i]) != SortedLists::rank(entries_[i - 1])) ranges.emplace_back(i, i);
      ranges.back().second = i + 1;
    }
    return ranges;
  }
  template <class ChildOf>
  std::shared_ptr<const LevelMap> level_map(ChildOf&& child_of) const {
    LevelMap map;
    const auto ranges = level_ranges();
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      map.code.push_back(lists_.level(feature(), entries_[ranges[k].first]));
      map.child.push_back(child_of(k));
    }
    return std::make_shared<const LevelMap>(std::move(map));
  }

  void order_levels(Split& found) {
    const auto ranges = level_ranges();
    if (ranges.size() < 2) return;
    const std::vector<Entry> by_code = entries_;
    const bool one = growth_.nominal_splits == NominalSplits::one_vs_rest;
    std::vector<LevelOrder> orders;
    for (std::size_t output = 0; !one && output < context_.criterion.n_outputs(); ++output) {
      std::vector<double> median;
      for (const auto& [begin, end] : ranges)
        median.push_back(context_.criterion.summary(ids(begin, end)).value[output]);
      orders.push_back(order_by(median));
    }
    if (one || ranges.size() <= 64) {   // each level first in turn: only the cut after it counts
      for (std::uint32_t a = 0; a < ranges.size(); ++a) orders.push_back({a});
    }
    std::vector<std::uint8_t> left(ranges.size(), 0);
    for (std::size_t o = 0; o < orders.size(); ++o) {
      std::vector<Entry> arranged;
      std::vector<std::uint8_t> placed(ranges.size(), 0);
      std::uint32_t rank = 0;
      const auto put = [&](std::size_t k, std::uint32_t as) {
        for (std::size_t i = ranges[k].first; i < ranges[k].second; ++i)
          arranged.push_back(static_cast<Entry>(as) << 32 | id(by_code[i]));
        placed[k] = 1;
      };
      for (const std::uint32_t k : orders[o]) put(k, rank++);
      for (std::size_t k = 0; k < ranges.size(); ++k)
        if (!placed[k]) put(k, rank);
      std::copy(arranged.begin(), arranged.end(), entries_.begin());
      Split here;
      scan_cuts(here);
      here.place.bin = static_cast<std::int32_t>(o);
      if (!here.beats(found)) continue;
      found = here;
      std::fill(left.begin(), left.end(), 0);
      for (Key i = 0; i <= here.place.key; ++i) left[orders[o][static_cast<std::size_t>(i)]] = 1;
    }
    entries_ = by_code;
    if (!found) return;
    const bool swap = !one && !left[0];
    found.levels = level_map([&](std::size_t k) { return static_cast<ChildNumber>(left[k] == swap); });
    if (swap && learned_) found.missing_left = !found.missing_left;
    found.found_by = one ? FoundBy::every_level : FoundBy::order;
    found.heuristic = !one && ranges.size() > 2;
  }

  void branch_per_level(Split& found) const {
    const auto ranges = level_ranges();
    if (ranges.size() < 2) return;
    const std::vector<std::uint32_t> missing = ids(n_present_, entries_.size());
    const Rules& rules = context_.rules;
    std::vector<double> alone(ranges.size());
    std::size_t n_short = 0;
    double loss = own_child_ ? mass_of(missing) : 0;
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      const Summary s = context_.criterion.summary(ids(ranges[k].first, ranges[k].second));
      loss += alone[k] = s.mass;
      n_short += !rules.enough(context_.criterion, s.tally);
    }
    const double all = growth_.leaves_missing_out() && n_missing_ > 0 ? mass_of(ids(0, n_present_)) : mass_;
    for (std::size_t k = 0; k < (learned_ ? ranges.size() : 1); ++k) {
      double here = loss;
      std::size_t still_short = n_short;
      if (learned_) {
        std::vector<std::uint32_t> both = ids(ranges[k].first, ranges[k].second);
        const bool was_short = !rules.enough(context_.criterion, context_.criterion.summary(both).tally);
        both.insert(both.end(), missing.begin(), missing.end());
        const Summary s = context_.criterion.summary(both);
        here += s.mass - alone[k];
        still_short -= was_short && rules.enough(context_.criterion, s.tally);
      }
      if (still_short > 0) continue;
      Split split;
      split.gain = std::max(all - here, 0.0);
      split.score = context_.scale.score(split.gain);
      split.feature = context_.feature;
      split.missing_seen = context_.missing_seen;
      split.place = {0, static_cast<Key>(k)};
      split.n_children = static_cast<std::int32_t>(ranges.size());
      if (learned_) split.missing_to = static_cast<std::int32_t>(k);
      split.found_by = FoundBy::every_level;
      if (split.beats(found)) found = std::move(split);
    }
    if (found) found.levels = level_map([](std::size_t k) { return static_cast<ChildNumber>(k); });
  }

  const SortedLists& lists_;
  SearchContext<AbsoluteError> context_;
  const Segment& segment_;
  double mass_;
  const Growth& growth_;
  std::vector<Entry> entries_;
  std::size_t n_present_ = 0, n_missing_ = 0;
  OwnTally<AbsoluteError> missing_{context_.criterion};
  bool own_child_ = false, learned_ = false;
};

}   // namespace treewright
