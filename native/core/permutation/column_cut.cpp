#include "column_cut.hpp"

#include <algorithm>
#include <numeric>

#include "../sort.hpp"

namespace treewright {

namespace {

constexpr std::size_t try_every_set = 16;   // up to so many levels

// The rows on the left of a cut, and how different the two sides are. Equal but for rounding is equal.
class Sides {
 public:
  Sides(const Response& response, const Centre& centre, TestStatistic kind, double least_weight)
      : response_(response), centre_(centre), kind_(kind), least_(least_weight), sums_(centre.mean.size() + 1, 0.0) {}

  void add(std::size_t row) {
    sums_.back() += response_.weight[row];
    centre_.add(response_, row, 1, sums_.data());
  }
  void add(const std::vector<double>& sums, double sign) {
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += sign * sums[k];
  }
  const std::vector<double>& sums() const { return sums_; }
  bool beats_best() {
    const double left = sums_.back(), right = centre_.weight - left;
    if (left < least_ || right < least_ || !(std::min(left, right) > 0)) return false;
    off_ = sums_;
    if (response_.n_classes > 0)
      for (std::size_t k = 0; k < centre_.mean.size(); ++k) off_[k] -= left * centre_.mean[k];
    const double found = kind_ == TestStatistic::quadratic ? centre_.square(off_.data()) / (left * right)
                                                           : centre_.greatest(off_.data()) / std::sqrt(left * right);
    if (!(found > best_ * (1 + 1e-12))) return false;
    best_ = found;
    return true;
  }

 private:
  const Response& response_;
  const Centre& centre_;
  TestStatistic kind_;
  double least_, best_ = -1;
  std::vector<double> sums_, off_;   // of every class, or of the numbers; and the weight
};

Split cut_numbers(const KnownRows& known, Sides sides) {
  std::vector<Item> items(known.at.size()), scratch;
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = {known.key[i], known.at[i]};
  sort_items(items, scratch);
  Split best;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    sides.add(items[i].row);
    if (items[i].key == items[i + 1].key || !sides.beats_best()) continue;
    best.score = 1;
    best.low = best.place.key = items[i].key;
    best.high = items[i + 1].key;
  }
  return best;
}

struct LevelSums {
  std::vector<std::int32_t> code;          // of the levels that are there, rising
  std::vector<std::vector<double>> sums;   // of each, as in Sides
};

LevelSums sums_by_level(const Column& column, const KnownRows& known, const Sides& empty) {
  std::vector<Sides> all(static_cast<std::size_t>(column.n_levels), empty);
  for (std::size_t i = 0; i < known.at.size(); ++i) all[static_cast<std::size_t>(known.code[i])].add(known.at[i]);
  LevelSums found;
  for (std::size_t level = 0; level < all.size(); ++level) {
    if (!(all[level].sums().back() > 0)) continue;
    found.code.push_back(static_cast<std::int32_t>(level));
    found.sums.push_back(all[level].sums());
  }
  return found;
}

Split cut_levels(const Column& column, const KnownRows& known, const Sides& empty, std::size_t n_classes) {
  const LevelSums levels = sums_by_level(column, known, empty);
  const std::size_t n = levels.code.size();
  std::vector<std::uint8_t> left(n, 0), best_left;
  Sides sides = empty;
  const auto move = [&](std::size_t level) {
    left[level] ^= 1;
    sides.add(levels.sums[level], left[level] ? 1 : -1);
    if (sides.beats_best()) best_left = left;
  };
  const bool every = n <= try_every_set;
  if (every && n > 1) {   // a Gray code moves one level at a time; the last one stays on the right
    for (std::uint32_t step = 1; step < 1u << (n - 1); ++step) move(static_cast<std::size_t>(std::countr_zero(step)));
  } else {   // along the means; of several classes along the share of each
    std::vector<std::size_t> order(n);
    for (std::size_t k = 0; k < std::max<std::size_t>(n_classes, 1); ++k) {
      std::iota(order.begin(), order.end(), std::size_t{0});
      const auto mean = [&](std::size_t level) { return levels.sums[level][k] / levels.sums[level].back(); };
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return mean(a) < mean(b); });
      for (const std::size_t level : order) move(level);
      for (const std::size_t level : order) move(level);   // and back
    }
  }
  Split best;
  if (best_left.empty()) return best;
  LevelMap map{levels.code, {}};   // the first level goes first
  for (std::size_t i = 0; i < n; ++i) map.child.push_back(best_left[i] != best_left[0]);
  best.score = 1;
  best.levels = std::make_shared<const LevelMap>(std::move(map));
  best.found_by = every ? FoundBy::every_subset : FoundBy::order;
  best.heuristic = !every;
  return best;
}

}   // namespace

Split best_cut(const Column& column, const KnownRows& known, const Response& response, TestStatistic kind,
               double least_weight) {
  if (known.at.empty()) return {};
  const Centre centre(response, known.at);
  if (centre.rank == 0) return {};
  const Sides sides(response, centre, kind, least_weight);
  Split best = column.nominal ? cut_levels(column, known, sides, response.n_classes) : cut_numbers(known, sides);
  best.missing_seen = known.at.size() < response.size();
  best.has_neighbours = true;
  return best;
}

}   // namespace treewright
