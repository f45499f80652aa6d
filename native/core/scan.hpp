// The one scan: walk ordered buckets once, moving a tally from right to left, and keep the best cut.
// Bins, parts of a bin, sorted rows, stored values of a sparse column and ordered levels are all buckets.
#pragma once
#include <algorithm>
#include <array>

#include "forecast.hpp"
#include "own_tally.hpp"
#include "ratio.hpp"

namespace treewright {

// The input of a search, with a criterion that the compiler knows.
template <class C>
struct SearchContext : SearchInput {
  const C& criterion;

  double gain(ConstTally left) const { return offset + criterion.gain(total, left); }
  // The least that a score before rounding must be to be compared with the best; plain sums may differ from it by a unit.
  double least_score(Score best) const { return static_cast<double>(best) - (plain ? 1.5 : 0.5); }
  // ... and what the criterion must gain for it.
  double least_gain(Score best) const {
    return best > 0 && scale.per_mass > 0 ? least_score(best) / scale.per_mass - offset : 0;
  }
  // Whether the best of all cuts is wanted, in whatever order they are tried.
  bool order_does_not_matter() const {
    return better_by <= 0 && !plain && !rules.compares_values() && scale.per_mass > 0;
  }
};

// Buckets offer: size(); add_to(i, tally); may_cut_after(i); cut(i, split), which fills in where the cut lies.
// No cut follows the last bucket. A watcher makes bounds of the same walk: it is called for every bucket before it moves
// (`before`), of the edges of a bucket that bound the cuts inside it (`edge`): edges that are no cuts here, and edges
// that a cut inside the bucket could equal and precede; and of edges that the rules forbid (`refused`).
struct NoWatcher {
  static constexpr bool listens = false;
};

// Makes a candidate of a left tally whose gain reaches the best; `cut` fills in where it lies. False if forbidden.
template <class C, class Cut>
bool offer(const SearchContext<C>& context, ConstTally left, double gain, bool missing_left,
           std::vector<std::int64_t>& scratch, Split& best, Cut&& cut) {
  if (!context.rules.allow(context.criterion, context.total, left, scratch)) return false;
  if (context.better_by > 0 && gain - (best ? best.gain : 0) <= context.better_by) return true;
  Split split;
  split.score = context.scale.score(gain);
  split.gain = gain;
  split.feature = context.feature;
  split.missing_left = missing_left;
  split.missing_seen = context.missing_seen;
  split.left_weight = context.criterion.weight(left);
  if constexpr (requires { context.criterion.note(context.total, left, split); })
    context.criterion.note(context.total, left, split);
  if constexpr (requires { context.criterion.entropy_as_summed(context.total, left, left); }) {
    split.rounding_decides = context.rounding_decides;
    if (context.rounding_decides)
      split.entropy = context.criterion.entropy_as_summed(context.total, left, context.missing_rows);
  }
  if (context.plain) {
    split.plain = true;
    split.plain_gain = context.plain->gain(left);
    split.plain_share = split.plain_gain / context.plain_unit;
  }
  cut(split);
  if (split.beats(best)) best = std::move(split);
  return true;
}

template <class C, class Buckets, class Watcher = NoWatcher>
void scan(const SearchContext<C>& context, const Buckets& buckets, ConstTally start, bool missing_left, Split& best,
          Watcher&& watcher = {}) {
  constexpr bool watched = std::remove_reference_t<Watcher>::listens;
  OwnTally<C> left(context.criterion, start);
  std::vector<std::int64_t> right;   // scratch of the rules
  const std::size_t size = buckets.size();
  double bar = context.least_gain(best.score);
  std::vector<double> highest;   // that each cut may gain, if forecast
  if constexpr (requires { context.criterion.walk(context.total, start), buckets.row(0); }) {
    if (context.order_does_not_matter() && context.criterion.worth_walking(context.total))
      bar = std::max(bar, forecast(context, buckets, start, highest));
  }
  const double least = bar;
  if constexpr (watched) watcher.edge(0, context.gain(left));
  for (std::size_t i = 0; i < size; ++i) {
    if constexpr (watched) watcher.before(i, left);
    buckets.add_to(i, left);
    if constexpr (requires { buckets.move(i, *context.plain); }) {
      if (context.plain && !context.plain->counts()) buckets.move(i, *context.plain);
    }
    if (i + 1 == size || !buckets.may_cut_after(i)) continue;
    if (context.n_cuts && context.rules.allow(context.criterion, context.total, left, right)) ++*context.n_cuts;
    if constexpr (requires { context.criterion.surely_below(context.total, left, 0.0); }) {
      if (context.criterion.surely_below(context.total, left, bar)) continue;
    }
    if (!highest.empty() && highest[i] < bar) continue;
    const double gain = context.gain(left);
    if (gain * context.scale.per_mass < context.least_score(best.score)) continue;
    if constexpr (watched) watcher.edge(i, gain);
    const bool allowed =
        offer(context, left, gain, missing_left, right, best, [&](Split& split) { buckets.cut(i, split); });
    bar = std::max(context.least_gain(best.score), least);
    if constexpr (watched) {
      if (!allowed) watcher.refused(i, gain);
    }
  }
  if constexpr (watched) watcher.edge(size - 1, context.gain(left));
}

// A search context once the column's missing rows are counted. They are tried on either side; or they have a child of their
// own, if they are enough for one; or they stay out of the gain.
template <class C>
class MissingPlacement {
 public:
  MissingPlacement(const SearchContext<C>& without_missing, ConstTally missing)
      : context(without_missing),
        missing_(missing),
        all_(without_missing.total),
        known_(without_missing.criterion, without_missing.total) {
    const C& criterion = without_missing.criterion;
    context.missing_seen = criterion.rows(missing) > 0;
    context.missing_rows = missing;
    if (!context.missing_seen) return;
    const bool own = without_missing.missing == Missing::branch && without_missing.rules.enough(criterion, missing) &&
                     criterion.rows(missing) < criterion.rows(all_) && criterion.allows(all_, missing);
    learned_ = !own && (without_missing.missing == Missing::learned || without_missing.missing == Missing::branch);
    if (learned_) return;
    known_.subtract(missing);
    context.total = known_;
    if (own) context.offset = criterion.gain(all_, missing), own_child_ = true;
  }
  MissingPlacement(const MissingPlacement&) = delete;

  SearchContext<C> context;

  bool tries_both_sides() const { return learned_; }   // of the missing rows
  // Calls use(start, missing_left) once, or for both sides of the missing rows.
  template <class Use>
  void each_side(Use&& use) const {
    use(ConstTally(nothing_), false);
    if (learned_) use(missing_, true);
  }
  // "Missing against the rest": every present value left, missing values right.
  void offer_missing_alone(Split& best) const {
    if ((!learned_ && !own_child_) || !context.missing_alone) return;
    const C& criterion = context.criterion;
    OwnTally<C> present(criterion, all_);
    present.subtract(missing_);
    if (criterion.rows(present) == 0) return;
    SearchContext<C> whole = context;
    whole.total = all_;
    whole.offset = 0;
    std::vector<std::int64_t> scratch;
    offer(whole, present, criterion.gain(all_, present), false, scratch, best,
          [](Split& split) { split.missing_alone = true; });
  }
  // After a search of the column: a split with a child of its own for missing values says so.
  void add_missing_child(Split& best) const {
    if (!best || best.feature != context.feature || best.missing_alone || best.missing_to >= 0) return;
    if (!own_child_) return;
    best.missing_to = best.n_children++;
    if (best.second_weight >= 0) return;
    const C& criterion = context.criterion;   // of three children the median is the second heaviest
    std::array<std::int64_t, 3> weights{best.left_weight, criterion.weight(context.total) - best.left_weight,
                                        criterion.weight(missing_)};
    std::sort(weights.begin(), weights.end());
    best.second_weight = weights[1];
  }
  // ... and how even its children are, where columns are compared by that.
  void set_split_info(Split& best) const {
    if (!context.by_ratio || !best || best.feature != context.feature || best.split_info >= 0) return;
    const C& criterion = context.criterion;
    const std::int64_t missing = context.missing_seen ? criterion.weight(missing_) : 0;
    std::array<std::int64_t, 3> parts{best.left_weight, criterion.weight(context.total) - best.left_weight,
                                      learned_ ? 0 : missing};
    if (best.missing_alone) parts = {criterion.weight(all_) - missing, missing, 0};
    best.split_info = split_information(parts);
  }

 private:
  ConstTally missing_, all_;
  OwnTally<C> known_;
  OwnTally<C> nothing_{context.criterion};
  bool learned_ = false, own_child_ = false;
};

}   // namespace treewright
