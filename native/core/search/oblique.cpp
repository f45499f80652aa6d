#include "oblique.hpp"

#include <cmath>
#include <numeric>

#include "../random.hpp"
#include "../route.hpp"
#include "directions.hpp"
#include "round_coefficients.hpp"

namespace treewright {

namespace {

constexpr std::size_t sample_rows = 4096;     // of which directions are made
constexpr std::size_t most_candidates = 12;   // columns in one Gram matrix
constexpr std::size_t most_responses = 6;
constexpr std::size_t refined = 3;     // directions that are improved
constexpr double price = 1;            // of a coefficient, in log(n) / 2
constexpr double price_of_digit = 1;   // of each coefficient of two digits, when roundings are compared

// Rows of a node with a criterion of their own, numbered 0, 1, ...
struct NodeSample {
  std::vector<RowIndex> rows;
  std::vector<RowIndex> ids;
  std::unique_ptr<AnyCriterion> criterion;
  Summary summary;
  double share = 1;   // of the node's rows

  NodeSample(const AnyCriterion& of_table, std::vector<RowIndex> some, std::size_t n_node)
      : rows(std::move(some)), ids(rows.size()), criterion(of_table.gather(rows)) {
    std::iota(ids.begin(), ids.end(), RowIndex{0});
    summary = criterion->summary(ids);
    share = static_cast<double>(rows.size()) / static_cast<double>(n_node);
  }
};

struct Scored {
  Combination combination;
  Split split;
  double likelihood = 0;
  std::size_t size() const { return combination.column.size(); }
};

class CombinationSearch {
 public:
  explicit CombinationSearch(const CombinationInput& input)
      : in_(input), n_(static_cast<double>(input.rows.size())), price_(price * std::log(n_) / 2) {}

  void run(Split& best) {
    const std::vector<std::int32_t> columns = candidates();
    if (columns.size() < 2 || in_.rows.size() < 4) return;
    NodeSample all(in_.criterion, {in_.rows.begin(), in_.rows.end()}, in_.rows.size());
    const double ordinary = best ? likelihood(all, children(all, best), best, 1) : 0;
    if (counts_classes() && most_possible(all) - ordinary <= price_) return;   // too little is left to gain
    const bool whole = in_.rows.size() <= sample_rows;
    const NodeSample some(in_.criterion, sample(), in_.rows.size());
    Scored found = best_rounded(all, improved(some, columns, best), whole);
    const double needed = ordinary + static_cast<double>(found.size() - 1) * price_;
    if (!found.split || found.split.score <= best.score || found.likelihood <= needed) return;
    finish(found);
    best = std::move(found.split);
  }

 private:
  bool counts_classes() const { return in_.criterion.sums_are_counts() && in_.criterion.n_outputs() == 1; }

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

  // ---- what a split gains in log-likelihood
  static std::vector<ChildNumber> children_of(const NodeSample& some, const Columns& columns, const Split& split) {
    std::vector<ChildNumber> child(some.rows.size());
    children_by_test(columns, some.rows, Test::of(split), child.data());
    return child;
  }
  std::vector<ChildNumber> children(const NodeSample& some, const Split& split) const {
    return counts_classes() ? children_of(some, in_.columns, split) : std::vector<ChildNumber>{};
  }
  // n log n summed over the classes of a tally, less that of the tally: the log-likelihood of its rows.
  double of_counts(const AnyCriterion& criterion, ConstTally tally) const {
    std::vector<std::int64_t> counts(criterion.n_sums());
    criterion.sums(tally, counts.data());
    double sum = 0, total = 0;
    for (const std::int64_t count : counts) {
      const auto c = static_cast<double>(count);
      if (count > 0) sum += c * std::log(c);
      total += c;
    }
    return total > 0 ? sum - total * std::log(total) : 0;
  }
  double per_row(const NodeSample& some) const {   // weights have a mean of 1, and a sample stands for its node
    return n_ / (some.summary.weight / some.criterion->user_mass(1));
  }
  double most_possible(const NodeSample& all) const {
    return -of_counts(*all.criterion, all.summary.tally) * per_row(all);
  }
  double likelihood(const NodeSample& some, const std::vector<ChildNumber>& child, const Split& split,
                    std::size_t n_columns) const {
    const AnyCriterion& criterion = *some.criterion;
    if (counts_classes()) {
      const std::size_t width = criterion.width();
      std::vector<std::int64_t> tallies(width * static_cast<std::size_t>(split.n_children));
      for (std::size_t i = 0; i < child.size(); ++i) criterion.add(Tally(tallies).subspan(child[i] * width, width), i);
      double sum = -of_counts(criterion, some.summary.tally);
      for (std::size_t k = 0; k < tallies.size(); k += width)
        sum += of_counts(criterion, ConstTally(tallies).subspan(k, width));
      return sum * per_row(some);
    }
    if (in_.growth.criterion == "poisson") return split.gain * per_row(some);
    const double left = std::max(1 - split.gain / some.summary.mass, 0x1p-40);
    const double free = n_ - static_cast<double>(n_columns) - 2;
    return -std::max(free, 0.0) / (in_.growth.criterion == "absolute_error" ? 1 : 2) * std::log(left);
  }

  // ---- the one scan over the column of sums
  Scored score(const NodeSample& some, Combination combination) const {
    Scored found{std::move(combination), {}, 0};
    const std::size_t n = some.rows.size();
    std::vector<double> sums(n);
    combine(in_.columns, found.combination, some.rows, sums.data());
    Columns one{n, {Column{}}};
    one.columns[0].data = reinterpret_cast<const std::byte*>(sums.data());
    one.columns[0].stride = sizeof(double);
    Pool alone(1);
    SortedLists lists(one, some.ids, alone, BinnedColumns{});
    for (std::vector<Item>& items : some.criterion->targets()) lists.add_target(std::move(items));
    SearchInput input = search_input(in_.criterion, in_.growth, in_.min_weight, in_.request, 0);
    input.total = some.summary.tally;
    input.scale = Scale(some.summary.mass);
    input.missing_alone = false;
    if (some.share < 1) {
      input.rules.min_rows =
          static_cast<std::int64_t>(std::ceil(static_cast<double>(input.rules.min_rows) * some.share));
      input.rules.min_weight = static_cast<std::int64_t>(static_cast<double>(input.rules.min_weight) * some.share);
    }
    some.criterion->search_sorted(lists, input, lists.root(), some.summary.mass, in_.growth, found.split);
    if (!found.split) return found;
    lists.find_neighbours(found.split);
    found.split.feature = found.combination.column[0];
    found.split.combination = std::make_shared<const Combination>(found.combination);
    found.likelihood = likelihood(some, children(some, found.split), found.split, found.size());
    return found;
  }
  // What it is worth once its coefficients are paid for.
  double worth(const Scored& scored) const {
    if (!scored.split) return -std::numeric_limits<double>::infinity();
    return scored.likelihood - static_cast<double>(scored.size() - 1) * price_;
  }
  std::vector<Scored> score_all(const NodeSample& some, std::vector<Combination>&& combinations) const {
    std::vector<Scored> found(combinations.size());
    in_.pool.for_each(found.size(), [&](std::size_t i) { found[i] = score(some, std::move(combinations[i])); });
    return found;
  }

  // ---- directions
  DirectionRows direction_rows(const NodeSample& some, const std::vector<std::int32_t>& columns,
                               const Split& best) const {
    DirectionRows out;
    out.n = some.rows.size();
    read_responses(some, out);
    struct Candidate {
      double relevance;
      std::int32_t column;
      double scale;
      std::vector<double> z;
    };
    std::vector<Candidate> found;
    for (const std::int32_t column : columns) {
      Candidate each{0, column, 0, std::vector<double>(out.n)};
      read_row_numbers(in_.columns[static_cast<std::size_t>(column)], some.rows, each.z.data());
      each.scale = standardise(each.z, out.weight);
      if (!(each.scale > 0)) continue;
      each.relevance = relevance(each.z, out);
      if (!best.combination && best && best.feature == column) each.relevance = std::numeric_limits<double>::infinity();
      found.push_back(std::move(each));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.relevance > b.relevance; });
    if (found.size() > most_candidates) found.resize(most_candidates);
    std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return a.column < b.column; });
    out.z.resize(out.n * found.size());
    for (std::size_t c = 0; c < found.size(); ++c) {
      out.column.push_back(found[c].column);
      out.scale.push_back(found[c].scale);
      for (std::size_t i = 0; i < out.n; ++i) out.z[i * found.size() + c] = found[c].z[i];
    }
    return out;
  }
  // Values become standardised, 0 where there is no finite number; their standard deviation.
  static double standardise(std::vector<double>& values, const std::vector<double>& weight) {
    double total = 0, sum = 0, squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      total += weight[i];
      sum += weight[i] * values[i];
    }
    const double mean = sum / total;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::isfinite(values[i])) squares += weight[i] * (values[i] - mean) * (values[i] - mean);
    const double deviation = std::sqrt(squares / total);
    if (!(deviation > 0) || !std::isfinite(deviation)) return 0;
    for (double& value : values) value = std::isfinite(value) ? (value - mean) / deviation : 0;
    return deviation;
  }
  static double relevance(const std::vector<double>& z, const DirectionRows& rows) {
    double most = 0;
    for (const std::vector<double>& response : rows.responses) {
      double with = 0;
      for (std::size_t i = 0; i < rows.n; ++i) with += rows.weight[i] * z[i] * response[i];
      most = std::max(most, std::abs(with));
    }
    return most;
  }
  // One column for each class, or for each output; of two classes one says it all. All are standardised.
  void read_responses(const NodeSample& some, DirectionRows& out) const {
    const AnyCriterion& criterion = *some.criterion;
    out.weight.assign(out.n, 1.0);
    const auto units = criterion.weights();
    for (std::size_t i = 0; i < units.size(); ++i) out.weight[i] = static_cast<double>(units[i]);
    if (criterion.additive()) {
      const std::size_t n_sums = criterion.n_sums();
      const std::size_t skip = criterion.sums_are_counts() ? n_sums == 2 : 1;   // the first of numbers is the weight
      out.responses.assign(n_sums - skip, std::vector<double>(out.n));
      std::vector<std::int64_t> tally(criterion.width()), sums(n_sums);
      for (std::size_t i = 0; i < out.n; ++i) {
        std::fill(tally.begin(), tally.end(), 0);
        criterion.add(tally, i);
        criterion.sums(tally, sums.data());
        for (std::size_t r = skip; r < n_sums; ++r)
          out.responses[r - skip][i] = static_cast<double>(sums[r]) / out.weight[i];
      }
    } else {
      for (const std::vector<Item>& items : criterion.targets()) {
        std::vector<double>& response = out.responses.emplace_back(out.n);
        for (const Item& item : items) response[item.row] = static_cast<double>(item.key);
      }
    }
    std::vector<std::pair<double, std::vector<double>>> by_scale;
    for (std::vector<double>& response : out.responses) {
      const double scale = standardise(response, out.weight);
      if (scale > 0) by_scale.emplace_back(scale, std::move(response));
    }
    std::stable_sort(by_scale.begin(), by_scale.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    by_scale.resize(std::min(by_scale.size(), most_responses));
    out.responses.clear();
    for (auto& [scale, response] : by_scale) out.responses.push_back(std::move(response));
  }

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
    const DirectionRows rows = direction_rows(some, columns, best);
    if (rows.width() < 2 || rows.responses.empty()) return {};
    std::size_t own = rows.width();
    for (std::size_t c = 0; c < rows.width(); ++c)
      if (best && rows.column[c] == best.feature) own = c;
    std::vector<Combination> proposed;
    for (const Direction& direction : least_squares_directions(rows, static_cast<std::size_t>(in_.growth.oblique), own))
      add(in_units(rows, direction), proposed);
    std::vector<Scored> found = score_all(some, std::move(proposed));
    std::stable_sort(found.begin(), found.end(), [&](const Scored& a, const Scored& b) { return worth(a) > worth(b); });
    found.resize(std::min(found.size(), refined));
    in_.pool.for_each(found.size(), [&](std::size_t i) {
      if (found[i].split) reweigh(some, rows, found[i]), refine(some, found[i]);
    });
    std::stable_sort(found.begin(), found.end(), [&](const Scored& a, const Scored& b) { return worth(a) > worth(b); });
    return found;
  }

  void take_better(const NodeSample& some, Combination&& combination, Scored& best) const {
    if (combination.column.size() < 2) return;
    Scored found = score(some, std::move(combination));
    if (worth(found) > worth(best) + 1e-9) best = std::move(found);
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
      const std::vector<ChildNumber> child = children_of(some, in_.columns, best.split);
      std::vector<double> label(rows.n), weight(rows.n, 0.0);
      for (const std::vector<double>& response : rows.responses) {
        std::array<double, 2> sum{}, total{};
        for (std::size_t i = 0; i < rows.n; ++i)
          if (child[i] < 2) sum[child[i]] += rows.weight[i] * response[i], total[child[i]] += rows.weight[i];
        if (!(total[0] > 0) || !(total[1] > 0)) return;
        for (std::size_t i = 0; i < rows.n; ++i) {   // what a row loses on the first side, less that on the second
          const double first = response[i] - sum[0] / total[0], second = response[i] - sum[1] / total[1];
          weight[i] += rows.weight[i] * (first * first - second * second);
        }
      }
      for (std::size_t i = 0; i < rows.n; ++i) label[i] = weight[i] > 0, weight[i] = std::abs(weight[i]);
      const double before = worth(best);
      take_better(some, in_units(rows, logistic_direction(rows, at, label, weight)), best);
      if (!(worth(best) > before)) return;
    }
  }

  // One coefficient after the other, over a small grid of slopes.
  void refine(const NodeSample& some, Scored& best) const {
    for (int pass = 0; pass < 2; ++pass) {
      const double before = worth(best);
      for (std::size_t t = best.size() > 2 ? 0 : 1; t < best.size(); ++t) {
        const Combination start = best.combination;
        for (const double factor : {0.5, 0.7, 0.85, 1.2, 1.4, 2.0}) {
          Combination changed = start;
          changed.coefficient[t] *= factor;
          take_better(some, std::move(changed), best);
        }
      }
      if (!(worth(best) > before)) return;
    }
  }

  // ---- the end: round coefficients, scored on all rows
  Scored best_rounded(const NodeSample& all, std::vector<Scored>&& directions, bool) const {
    std::vector<Combination> candidates;
    for (const Scored& each : directions) {
      if (!each.split) continue;
      for (Combination& round : rounded(each.combination)) add(std::move(round), candidates);
    }
    std::vector<Scored> found = score_all(all, std::move(candidates));
    const auto value = [&](const Scored& scored) {
      double digits = 0;
      for (const double c : scored.combination.coefficient) digits += has_two_digits(c);
      return worth(scored) - price_of_digit * digits;
    };
    Scored* best = nullptr;
    for (Scored& each : found)
      if (each.split && (best == nullptr || value(each) > value(*best))) best = &each;
    return best != nullptr ? std::move(*best) : Scored{};
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
  double n_, price_;
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
