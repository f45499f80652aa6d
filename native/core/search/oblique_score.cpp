#include "oblique_score.hpp"

#include <cmath>

namespace treewright {

namespace {

constexpr double price_of_search = 2;   // of a coefficient, beside log(n) / 2

// n log n summed over the classes of a tally, less that of the tally: the log-likelihood of its rows.
double of_counts(const AnyCriterion& criterion, ConstTally tally) {
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

}   // namespace

CombinationScore::CombinationScore(const CombinationInput& input)
    : in_(input), n_(static_cast<double>(input.rows.size())), price_(std::log(n_) / 2 + price_of_search) {}

std::vector<ChildNumber> CombinationScore::children(const NodeSample& some, const Split& split) const {
  std::vector<ChildNumber> child(some.rows.size());
  Test test = split;
  if (!test.levels) test.place = {0, test.low};   // of bins and ranks nothing is known here
  children_by_key(in_.columns, some.rows, test, child.data());
  return child;
}

double CombinationScore::most_possible(const NodeSample& all) const {
  return -of_counts(*all.criterion, all.summary.tally) * per_row(all);
}

double CombinationScore::likelihood(const NodeSample& some, const Split& split, std::size_t n_columns) const {
  const AnyCriterion& criterion = *some.criterion;
  if (counts_classes()) {
    const std::vector<ChildNumber> child = children(some, split);
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

Scored CombinationScore::score(const NodeSample& some, Combination combination) const {
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
    input.rules.min_rows = static_cast<std::int64_t>(std::ceil(static_cast<double>(input.rules.min_rows) * some.share));
    input.rules.min_weight = static_cast<std::int64_t>(static_cast<double>(input.rules.min_weight) * some.share);
  }
  some.criterion->search_sorted(lists, input, lists.root(), some.summary.mass, in_.growth, found.split);
  if (!found.split) return found;
  lists.find_neighbours(found.split);
  found.split.feature = found.combination.column[0];
  found.split.combination = std::make_shared<const Combination>(found.combination);
  found.likelihood = likelihood(some, found.split, found.size());
  return found;
}

}   // namespace treewright
