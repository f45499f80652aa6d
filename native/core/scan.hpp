// The one scan: walk ordered buckets once, moving a tally from right to left, and keep the best cut.
// Bins, parts of a bin, sorted rows and stored values of a sparse column are all buckets.
#pragma once
#include <array>
#include <type_traits>

#include "split.hpp"

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
};

// What is asked of a node about one column.
template <class C>
struct Question {
  const C& criterion;
  ConstTally total;   // of the node, missing rows included
  Scale scale;
  Rules rules;
  std::int32_t feature;
  bool missing_seen = false;
};

// Buckets offer: size(); add_to(i, tally); may_cut_after(i); cut(i, split), which fills in where the cut lies.
// No cut follows the last bucket. A watcher makes bounds of the same walk: it hears of every bucket before it moves
// (`before`), and of the edges of a bucket that bound the cuts inside it (`edge`): edges that are no cuts here, edges
// that the rules forbid, and edges that a cut inside the bucket could equal and precede.
struct NoWatcher {
  static constexpr bool listens = false;
};

template <class C, class Buckets, class Watcher = NoWatcher>
void scan(const Question<C>& question, const Buckets& buckets, ConstTally start, bool missing_left, Split& best,
          Watcher&& watcher = {}) {
  constexpr bool watched = std::remove_reference_t<Watcher>::listens;
  OwnTally<C> left(question.criterion, start);
  std::vector<std::int64_t> right;   // scratch of the rules
  const std::size_t size = buckets.size();
  auto bar = static_cast<double>(best.score);
  if constexpr (watched) watcher.edge(0, question.criterion.gain(question.total, left));
  for (std::size_t i = 0; i < size; ++i) {
    if constexpr (watched) watcher.before(i, left);
    buckets.add_to(i, left);
    if (i + 1 == size || !buckets.may_cut_after(i)) continue;
    const double gain = question.criterion.gain(question.total, left);
    if (gain * question.scale.per_mass + 0.5 < bar) continue;
    const bool allowed = question.rules.allow(question.criterion, question.total, left, right);
    if constexpr (watched) {
      watcher.edge(i, gain);
      if (!allowed) watcher.edge(i + 1, gain);
    }
    if (!allowed) continue;
    Split split;
    split.score = question.scale.score(gain);
    split.gain = gain;
    split.feature = question.feature;
    split.missing_left = missing_left;
    split.missing_seen = question.missing_seen;
    buckets.cut(i, split);
    if (split.beats(best)) {
      best = split;
      bar = static_cast<double>(best.score);
    }
  }
  if constexpr (watched) watcher.edge(size - 1, question.criterion.gain(question.total, left));
}

// "Missing against the rest": every present value left, missing values right.
template <class C>
void offer_missing_alone(const Question<C>& question, ConstTally missing, Split& best) {
  const C& criterion = question.criterion;
  OwnTally<C> present(criterion, question.total);
  for (std::size_t i = 0; i < missing.size(); ++i) present.values[i] -= missing[i];
  if constexpr (!C::additive) present.values[2] = present.values[0];   // the present rows are the left part
  if (criterion.rows(present) == 0 || criterion.rows(missing) == 0) return;
  std::vector<std::int64_t> right;
  if (!question.rules.allow(criterion, question.total, present, right)) return;
  Split split;
  split.gain = criterion.gain(question.total, present);
  split.score = question.scale.score(split.gain);
  split.feature = question.feature;
  split.missing_alone = split.missing_seen = true;
  if (split.beats(best)) best = split;
}

}   // namespace treewright
