// Random splits (extremely randomised trees): one threshold per column, drawn evenly between the least and the
// greatest value of the node. Needs neither bins nor order: two passes over the rows.
#pragma once
#include "../random.hpp"
#include "../scan.hpp"

namespace treewright {

// A threshold in [low, high): an even draw, kept on the column's own scale.
inline Threshold random_threshold(KeyKind kind, Key low, Key high, double share) {
  const auto number = [kind](Key key) {
    if (kind == KeyKind::real) return number_of(key);
    return static_cast<double>(Wide{key} - zero_key(kind));
  };
  constexpr double most = std::numeric_limits<double>::max();
  const double a = std::max(number(low), -most), b = std::min(number(high), most);
  Threshold threshold{a * (1 - share) + b * share, 0, false};
  const Key last = last_key_left(kind, threshold);
  if (last >= low && last < high) return threshold;
  return threshold_between(kind, low, high, Thresholds::midpoint);   // too close to draw between
}

struct KeyRange {
  Key low = std::numeric_limits<Key>::max(), high = missing_key;
  std::size_t n_missing = 0;
  bool constant() const { return low >= high && (n_missing == 0 || high == missing_key); }
};

inline KeyRange key_range(std::span<const Key> keys) {
  KeyRange range;
  for (const Key key : keys) {
    if (key == missing_key) ++range.n_missing;
    else range.low = std::min(range.low, key), range.high = std::max(range.high, key);
  }
  return range;
}

inline bool goes_left(const Split& split, Key key) {
  return key == missing_key ? split.missing_left : split.missing_alone || key <= split.place.key;
}

// Criteria without a finite tally: the loss of both children from their rows.
template <class C>
void offer_subset(const SearchContext<C>& context, Split split, std::span<const RowIndex> rows,
                  std::span<const Key> keys, Split& best) {
  std::vector<RowIndex> left, right;
  for (std::size_t i = 0; i < rows.size(); ++i) (goes_left(split, keys[i]) ? left : right).push_back(rows[i]);
  if (left.empty() || right.empty()) return;
  const Summary a = context.criterion.summary(left), b = context.criterion.summary(right);
  const Rules& rules = context.rules;
  if (std::min(a.n_rows, b.n_rows) < rules.min_rows || std::min(a.tally[1], b.tally[1]) < rules.min_weight) return;
  if (rules.compares_values() && !rules.allow_values(a.value[0], b.value[0])) return;
  split.gain = std::max(0x1p40 / context.scale.per_mass - a.mass - b.mass, 0.0);
  split.score = context.scale.score(split.gain);
  if (split.beats(best)) best = split;
}

// keys[i] is the value of rows[i].
template <class C>
void search_random(SearchContext<C> context, KeyKind kind, std::uint64_t node_key, std::span<const RowIndex> rows,
                   std::span<const Key> keys, Split& best) {
  const KeyRange range = key_range(keys);
  if (range.constant()) return;
  const auto feature = static_cast<std::uint64_t>(context.feature);
  Split split;
  split.feature = context.feature;
  split.found_by = FoundBy::random;
  split.missing_seen = range.n_missing > 0;
  if (range.low < range.high) {
    split.missing_left = split.missing_seen && (draw(node_key, feature, 2) & 1) != 0;
    split.threshold = random_threshold(kind, range.low, range.high, unit_interval(draw(node_key, feature, 1)));
    split.place.key = last_key_left(kind, split.threshold);
  } else {
    split.missing_alone = true;
  }
  if constexpr (!C::additive) return offer_subset(context, split, rows, keys, best);
  else {
    OwnTally<C> left(context.criterion);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (goes_left(split, keys[i])) context.criterion.add(left, rows[i]);
    }
    std::vector<std::int64_t> right;
    if (!context.rules.allow(context.criterion, context.total, left, right)) return;
    split.gain = context.criterion.gain(context.total, left);
    split.score = context.scale.score(split.gain);
    if (split.beats(best)) best = split;
  }
}

}   // namespace treewright
