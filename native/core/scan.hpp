// The one scan: walk ordered buckets once, moving a tally from right to left, and keep the best cut.
// Bins, parts of a bin, sorted rows, stored values of a sparse column and ordered levels are all buckets.
#pragma once
#include <array>
#include <type_traits>

#include "forecast.hpp"
#include "ratio.hpp"

namespace treewright {

// A tally of its own; on the stack where the compiler knows its width.
template <class C>
struct OwnTally {
  using Storage =
      std::conditional_t<(C::static_width > 0), std::array<std::int64_t, C::static_width>, std::vector<std::int64_t>>;
  Storage values{};

  explicit OwnTally(const C& criterion) {
    if constexpr (C::static_width == 0) values.assign(criterion.width(), 0);
  }
  OwnTally(const C& criterion, ConstTally from) : OwnTally(criterion) {
    std::copy(from.begin(), from.end(), values.begin());
  }
  operator Tally() { return values; }
  operator ConstTally() const { return values; }
  template <class From>
  void add(const From& from) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += from[i];
  }
  template <class From>
  void subtract(const From& from) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= from[i];
  }
};

// A question to a criterion that the compiler knows.
template <class C>
struct Question : Asked {
  const C& criterion;

  double gain(ConstTally left) const { return offset + criterion.gain(total, left); }
  // The least that a score before rounding must be to stand beside the best; plain sums may differ from it by a unit.
  double least_score(const Split& best) const { return static_cast<double>(best.score) - (plain ? 1.5 : 0.5); }
  // ... and what the criterion must gain for it.
  double least_gain(const Split& best) const {
    return best.score > 0 && scale.per_mass > 0 ? least_score(best) / scale.per_mass - offset : 0;
  }
  // Whether the best of all cuts is wanted, whichever way there is to it.
  bool order_does_not_matter() const {
    return better_by <= 0 && !plain && !rules.compares_values() && scale.per_mass > 0;
  }
};

// Buckets offer: size(); add_to(i, tally); may_cut_after(i); cut(i, split), which fills in where the cut lies.
// No cut follows the last bucket. A watcher makes bounds of the same walk: it hears of every bucket before it moves
// (`before`), of the edges of a bucket that bound the cuts inside it (`edge`): edges that are no cuts here, and edges
// that a cut inside the bucket could equal and precede; and of edges that the rules forbid (`refused`).
struct NoWatcher {
  static constexpr bool listens = false;
};

// Makes a candidate of a left tally whose gain reaches the best; `cut` fills in where it lies. False if forbidden.
template <class C, class Cut>
bool offer(const Question<C>& question, ConstTally left, double gain, bool missing_left,
           std::vector<std::int64_t>& scratch, Split& best, Cut&& cut) {
  if (!question.rules.allow(question.criterion, question.total, left, scratch)) return false;
  if (question.better_by > 0 && gain - (best ? best.gain : 0) <= question.better_by) return true;
  Split split;
  split.score = question.scale.score(gain);
  split.gain = gain;
  split.feature = question.feature;
  split.missing_left = missing_left;
  split.missing_seen = question.missing_seen;
  split.left_weight = question.criterion.weight(left);
  if constexpr (requires { question.criterion.note(question.total, left, split); })
    question.criterion.note(question.total, left, split);
  if constexpr (requires { question.criterion.entropy_as_summed(question.total, left, left); }) {
    split.rounding_decides = question.rounding_decides;
    if (question.rounding_decides)
      split.entropy = question.criterion.entropy_as_summed(question.total, left, question.missing_rows);
  }
  if (question.plain) {
    split.plain = true;
    split.plain_gain = question.plain->gain();
    split.plain_share = split.plain_gain / question.plain_unit;
  }
  cut(split);
  if (split.beats(best)) best = std::move(split);
  return true;
}

template <class C, class Buckets, class Watcher = NoWatcher>
void scan(const Question<C>& question, const Buckets& buckets, ConstTally start, bool missing_left, Split& best,
          Watcher&& watcher = {}) {
  constexpr bool watched = std::remove_reference_t<Watcher>::listens;
  OwnTally<C> left(question.criterion, start);
  std::vector<std::int64_t> right;   // scratch of the rules
  const std::size_t size = buckets.size();
  double bar = question.least_gain(best);
  std::vector<double> highest;   // that each cut may gain, if forecast
  if constexpr (requires { question.criterion.walk(question.total, start), buckets.row(0); }) {
    if (question.order_does_not_matter() && question.criterion.worth_walking(question.total))
      bar = std::max(bar, forecast(question, buckets, start, highest));
  }
  const double least = bar;
  if constexpr (watched) watcher.edge(0, question.gain(left));
  for (std::size_t i = 0; i < size; ++i) {
    if constexpr (watched) watcher.before(i, left);
    buckets.add_to(i, left);
    if constexpr (requires { buckets.move(i, *question.plain); }) {
      if (question.plain) buckets.move(i, *question.plain);
    }
    if (i + 1 == size || !buckets.may_cut_after(i)) continue;
    if (question.n_cuts && question.rules.allow(question.criterion, question.total, left, right)) ++*question.n_cuts;
    if constexpr (requires { question.criterion.surely_below(question.total, left, 0.0); }) {
      if (question.criterion.surely_below(question.total, left, bar)) continue;
    }
    if (!highest.empty() && highest[i] < bar) continue;
    const double gain = question.gain(left);
    if (gain * question.scale.per_mass < question.least_score(best)) continue;
    if constexpr (watched) watcher.edge(i, gain);
    const bool allowed =
        offer(question, left, gain, missing_left, right, best, [&](Split& split) { buckets.cut(i, split); });
    bar = std::max(question.least_gain(best), least);
    if constexpr (watched) {
      if (!allowed) watcher.refused(i, gain);
    }
  }
  if constexpr (watched) watcher.edge(size - 1, question.gain(left));
}

// A question once the column's missing rows are counted. They are tried on either side; or they have a child of their
// own, if they are enough for one; or they stay out of the gain.
template <class C>
class Posed {
 public:
  Posed(const Question<C>& asked, ConstTally missing)
      : question(asked), missing_(missing), all_(asked.total), known_(asked.criterion, asked.total) {
    const C& criterion = asked.criterion;
    question.missing_seen = criterion.rows(missing) > 0;
    question.missing_rows = missing;
    if (!question.missing_seen) return;
    const bool own = asked.missing == Missing::branch && asked.rules.enough(criterion, missing) &&
                     criterion.rows(missing) < criterion.rows(all_) && criterion.allows(all_, missing);
    learned_ = !own && (asked.missing == Missing::learned || asked.missing == Missing::branch);
    if (learned_) return;
    known_.subtract(missing);
    question.total = known_;
    if (own) question.offset = criterion.gain(all_, missing), own_child_ = true;
  }
  Posed(const Posed&) = delete;

  Question<C> question;

  bool tries_both_sides() const { return learned_; }   // of the missing rows
  // Calls use(start, missing_left) once, or for both sides of the missing rows.
  template <class Use>
  void each_side(Use&& use) const {
    use(ConstTally(nothing_), false);
    if (learned_) use(missing_, true);
  }
  // "Missing against the rest": every present value left, missing values right.
  void offer_missing_alone(Split& best) const {
    if ((!learned_ && !own_child_) || !question.missing_alone) return;
    const C& criterion = question.criterion;
    OwnTally<C> present(criterion, all_);
    present.subtract(missing_);
    if (criterion.rows(present) == 0) return;
    Question<C> whole = question;
    whole.total = all_;
    whole.offset = 0;
    std::vector<std::int64_t> scratch;
    offer(whole, present, criterion.gain(all_, present), false, scratch, best,
          [](Split& split) { split.missing_alone = true; });
  }
  // After a search of the column: a split with a child of its own for missing values says so.
  void settle(Split& best) const {
    if (!best || best.feature != question.feature || best.missing_alone || best.missing_to >= 0) return;
    if (own_child_) best.missing_to = best.n_children++;
  }
  // ... and how even its children are, where columns are compared by that.
  void inform(Split& best) const {
    if (!question.by_ratio || !best || best.feature != question.feature || best.split_info >= 0) return;
    const C& criterion = question.criterion;
    const std::int64_t missing = question.missing_seen ? criterion.weight(missing_) : 0;
    std::array<std::int64_t, 3> parts{best.left_weight, criterion.weight(question.total) - best.left_weight,
                                      learned_ ? 0 : missing};
    if (best.missing_alone) parts = {criterion.weight(all_) - missing, missing, 0};
    best.split_info = split_information(parts);
  }

 private:
  ConstTally missing_, all_;
  OwnTally<C> known_;
  OwnTally<C> nothing_{question.criterion};
  bool learned_ = false, own_child_ = false;
};

}   // namespace treewright
