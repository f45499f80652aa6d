#include "oblique.hpp"

#include <cmath>
#include <numeric>

#include "../random.hpp"
#include "direction_rows.hpp"
#include "round_coefficients.hpp"

namespace treewright {

namespace {

constexpr std::size_t sample_rows = 4096;   // of which directions are made
constexpr std::size_t refined = 3;          // directions that are improved
constexpr std::size_t finalists = 3;        // rounded ones that are scored on all rows of a large node
constexpr double price_of_digit = 1;        // of a coefficient of two digits, when roundings are compared

class CombinationSearch {
 public:
  explicit CombinationSearch(const CombinationInput& input) : in_(input), scores_(input) {}

  void run(Split& best) {
    const std::vector<std::int32_t> columns = candidates();
    if (columns.size() < 2 || in_.rows.size() < 4) return;
    NodeSample all(in_.criterion, {in_.rows.begin(), in_.rows.end()}, in_.rows.size());
    const double ordinary = best ? scores_.likelihood(all, best, 1) : 0;
    if (scores_.counts_classes() && scores_.most_possible(all) - ordinary <= scores_.price())
      return;   // too little is left to gain
    const NodeSample some(in_.criterion, sample(), in_.rows.size());
    Scored found = best_rounded(all, some, improved(some, columns, best));
    const double needed = ordinary + static_cast<double>(found.size() - 1) * scores_.price();
    if (!found.split || found.split.score <= best.score || found.likelihood <= needed) return;
    finish(found);
    best = std::move(found.split);
  }

 private:
  std::vector<std::int32_t> candidates() const {
    std::vector<std::int32_t> found;
    for (std::size_t f = 0; f < in_.columns.size(); ++f) {
      const Column& column = in_.columns[f];
      const bool allowed = in_.growth.combinable.empty() || in_.growth.combinable[f] != 0;
      if (!column.nominal && !column.sparse && !column.is_time && allowed)
        found.push_back(static_cast<std::int32_t>(f));
    }
    return found;
  }

  // At most so many rows, by their content: the same whatever their order, and in an order of their own.
  std::vector<RowIndex> sample() const {
    std::vector<std::pair<std::uint64_t, RowIndex>> order;
    order.reserve(in_.rows.size());
    for (const RowIndex row : in_.rows) order.emplace_back(in_.hashes[row], row);
    if (order.size() > sample_rows) {
      std::nth_element(order.begin(), order.begin() + sample_rows - 1, order.end());
      const std::uint64_t last = order[sample_rows - 1].first;
      std::erase_if(order, [&](const auto& each) { return each.first > last; });
    }
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<RowIndex> rows;
    for (const auto& [hash, row] : order) rows.push_back(row);
    return rows;
  }

  std::vector<Scored> score_all(const NodeSample& some, std::vector<Combination>&& combinations) const {
    std::vector<Scored> found(combinations.size());
    in_.pool.for_each(found.size(), [&](std::size_t i) { found[i] = scores_.score(some, std::move(combinations[i])); });
    return found;
  }

  // ---- directions
  // Of columns in their own units; without those of hardly any effect.
  static Combination in_units(const DirectionRows& rows, const Direction& direction) {
    double most = 0;
    for (const double c : direction.coefficient) most = std::max(most, std::abs(c));
    Combination out;
    for (std::size_t t = 0; t < direction.at.size(); ++t) {
      if (!(std::abs(direction.coefficient[t]) >= 0.02 * most)) continue;
      out.column.push_back(rows.column[direction.at[t]]);
      out.coefficient.push_back(direction.coefficient[t] / rows.scale[direction.at[t]]);
    }
    return out;
  }
  static void add(Combination&& combination, std::vector<Combination>& to) {
    const bool usable =
        combination.column.size() > 1 && std::all_of(combination.coefficient.begin(), combination.coefficient.end(),
                                                     [](double c) { return std::isfinite(c) && c != 0; });
    if (usable && std::find(to.begin(), to.end(), combination) == to.end()) to.push_back(std::move(combination));
  }

  // The best directions that least squares propose, each improved on the rows of the sample.
  std::vector<Scored> improved(const NodeSample& some, const std::vector<std::int32_t>& columns,
                               const Split& best) const {
    DirectionRows rows = direction_rows(in_.columns, some, columns, best);
    if (rows.width() < 2 || rows.responses.empty()) return {};
    if (best && rows.responses.size() > 1) add_sides(some, best, rows);
    std::size_t own = rows.width();
    for (std::size_t c = 0; c < rows.width(); ++c)
      if (best && rows.column[c] == best.feature) own = c;
    std::vector<Combination> proposed;
    for (const Direction& direction : least_squares_directions(rows, static_cast<std::size_t>(in_.growth.oblique), own))
      add(in_units(rows, direction), proposed);
    std::vector<Scored> found = score_all(some, std::move(proposed));
    std::stable_sort(found.begin(), found.end(),
                     [&](const Scored& a, const Scored& b) { return scores_.worth(a) > scores_.worth(b); });
    found.resize(std::min(found.size(), refined));
    in_.pool.for_each(found.size(), [&](std::size_t i) {
      if (found[i].split) reweigh(some, rows, found[i]), refine(some, found[i]);
    });
    std::stable_sort(found.begin(), found.end(),
                     [&](const Scored& a, const Scored& b) { return scores_.worth(a) > scores_.worth(b); });
    return found;
  }

  void take_better(const NodeSample& some, Combination&& combination, Scored& best) const {
    if (combination.column.size() < 2) return;
    Scored found = scores_.score(some, std::move(combination));
    if (scores_.worth(found) > scores_.worth(best) + 1e-9) best = std::move(found);
  }

  // Each row has a side that predicts it better, and loses something on the other: a logistic regression of these sides,
  // weighted by the losses, is a better direction for the same purpose.
  void reweigh(const NodeSample& some, const DirectionRows& rows, Scored& best) const {
    std::vector<std::size_t> at;
    for (std::size_t c = 0; c < rows.width(); ++c) {
      const auto& tested = best.combination.column;
      if (std::find(tested.begin(), tested.end(), rows.column[c]) != tested.end()) at.push_back(c);
    }
    for (int step = 0; step < 2; ++step) {
      std::vector<double> weight = losses(rows, scores_.children(some, best.split)), label(rows.n);
      for (std::size_t i = 0; i < rows.n; ++i) {
        label[i] = weight[i] > 0;
        weight[i] = rows.weight[i] * std::abs(weight[i]);
      }
      const double before = scores_.worth(best);
      take_better(some, in_units(rows, logistic_direction(rows, at, label, weight)), best);
      if (!(scores_.worth(best) > before)) return;
    }
  }

  // Of several classes the ordinary split says which belong together: one more response.
  void add_sides(const NodeSample& some, const Split& best, DirectionRows& rows) const {
    std::vector<double> sides = losses(rows, scores_.children(some, best));
    if (standardise(sides, rows.weight) > 0) rows.responses.push_back(std::move(sides));
  }

  // One coefficient after the other, over a small grid of slopes.
  void refine(const NodeSample& some, Scored& best) const {
    for (double step = 2; step > 1.02; step = std::sqrt(step)) {
      for (std::size_t t = best.size() > 2 ? 0 : 1; t < best.size(); ++t) {
        const Combination start = best.combination;
        for (const double factor : {1 / step, step}) {
          Combination changed = start;
          changed.coefficient[t] *= factor;
          take_better(some, std::move(changed), best);
        }
      }
    }
  }

  // ---- the end: round coefficients, scored on all rows
  Scored best_rounded(const NodeSample& all, const NodeSample& some, std::vector<Scored>&& directions) const {
    std::vector<Combination> candidates;
    for (const Scored& each : directions) {
      if (!each.split) continue;
      for (Combination& round : rounded(each.combination)) add(std::move(round), candidates);
    }
    std::vector<Scored> found = best_first(score_all(some, std::move(candidates)));
    if (some.share == 1) return found.empty() ? Scored{} : std::move(found[0]);
    found.resize(std::min(found.size(), finalists));   // of a large node few are worth a scan of all rows
    candidates.clear();
    for (Scored& each : found) candidates.push_back(std::move(each.combination));
    found = best_first(score_all(all, std::move(candidates)));
    return found.empty() ? Scored{} : std::move(found[0]);
  }
  // The simplest of equals comes first.
  std::vector<Scored> best_first(std::vector<Scored>&& found) const {
    const auto value = [&](const Scored& scored) {
      double digits = 0;
      for (const double c : scored.combination.coefficient) digits += has_two_digits(c);
      return scores_.worth(scored) - price_of_digit * digits;
    };
    std::stable_sort(found.begin(), found.end(), [&](const Scored& a, const Scored& b) { return value(a) > value(b); });
    return std::move(found);
  }
  static bool has_two_digits(double c) {
    c = std::fabs(c);
    const double power = std::pow(10.0, std::floor(std::log10(c)));
    return std::fabs(c / power - std::nearbyint(c / power)) > 1e-9;
  }

  // The threshold is the shortest number in the middle half between the two sums around the cut.
  void finish(Scored& found) const {
    Split& split = found.split;
    const Thresholds rule = in_.growth.thresholds == Thresholds::observed ? Thresholds::observed : Thresholds::rounded;
    split.threshold = threshold_between(KeyKind::real, split.low, split.high, rule);
    split.place = {0, split.low};
    split.has_neighbours = true;
    split.found_by = FoundBy::combined;
    split.heuristic = true;
  }

  const CombinationInput& in_;
  CombinationScore scores_;
};

}   // namespace

std::vector<std::uint64_t> row_hashes(const Columns& columns, const AnyCriterion& criterion) {
  std::vector<std::uint64_t> hashes(columns.n_rows, 0);
  std::vector<RowIndex> rows(columns.n_rows);
  std::iota(rows.begin(), rows.end(), RowIndex{0});
  std::vector<Key> keys(columns.n_rows);
  for (std::size_t f = 0; f < columns.size(); ++f) {
    read_keys(columns[f], rows, keys.data());
    for (std::size_t i = 0; i < keys.size(); ++i)
      hashes[i] = mix(hashes[i] ^ mix(static_cast<std::uint64_t>(keys[i]) + f));
  }
  std::vector<std::int64_t> tally(criterion.width());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const auto add = [&](std::uint64_t word) { hashes[i] = mix(hashes[i] ^ mix(word)); };
    if (criterion.additive()) {
      std::fill(tally.begin(), tally.end(), 0);
      criterion.add(tally, i);
      for (const std::int64_t word : tally) add(static_cast<std::uint64_t>(word));
    } else {
      const Summary summary = criterion.summary({&rows[i], 1});
      for (const double value : summary.value) add(std::bit_cast<std::uint64_t>(value));
      add(std::bit_cast<std::uint64_t>(summary.weight));
    }
  }
  return hashes;
}

void search_combinations(const CombinationInput& input, Split& best) { CombinationSearch(input).run(best); }

}   // namespace treewright
