#include "cuts.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "../search/two_classes.hpp"

namespace treewright::single {

namespace {

// What is the same for all cuts of a column.
struct Column {
  float all, unknown, known, share, base, side;
  double least, min_gap;
};
struct Cut {
  float gain, low;
  std::uint32_t after;
};
struct Cuts {
  std::vector<Cut> rising;   // those that gain more than all before them: no other can be the best
  std::int64_t number = 0;
};

// Number: float, or an integer where every row weighs 1. Most cuts are ruled out by a sum of doubles: the bits that are
// left exceed the least so far by more than rounding in single precision can explain.
template <class Number, class WeightOf>
Cuts rising_cuts(const Column& column, std::span<const Entry> entries, std::vector<Number> high, WeightOf&& weight_of) {
  const std::size_t n_classes = high.size();
  const double rounding = static_cast<double>(4 * n_classes + 8) * 0x1p-24 * n_log_n(column.known);
  const float most = column.known - column.side;
  std::vector<Number> low(n_classes, 0);
  std::vector<double> bits(n_classes);   // n log2(n) of a class below and above
  double inner = 0, least_left = HUGE_VAL;
  for (std::size_t c = 0; c < n_classes; ++c) inner += bits[c] = n_log_n(high[c]);
  Number sum = 0;
  float best = nothing;
  Cuts found;
  for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
    const std::size_t c = entries[i].in_class;
    const Number w = weight_of(entries[i].row);
    sum += w;
    low[c] += w;
    high[c] -= w;
    const double now = n_log_n(low[c]) + n_log_n(high[c]);
    inner += now - bits[c];
    bits[c] = now;
    const auto weight = static_cast<float>(sum);
    if (weight < column.side) continue;
    if (weight > most) break;
    if (!(double{entries[i].value} < double{entries[i + 1].value} - column.min_gap)) continue;
    ++found.number;
    const Number below = std::accumulate(low.begin(), low.end(), Number{0});
    const Number above = std::accumulate(high.begin(), high.end(), Number{0});
    if (n_log_n(below) + n_log_n(above) - inner > least_left + rounding) continue;
    if (double{weight} < column.least || double{column.known - weight} < column.least) continue;
    const std::vector<float> lower(low.begin(), low.end()), upper(high.begin(), high.end());
    const float left = information(lower) + information(upper);
    const float gain = (1 - column.share) * (column.base - left / column.known);
    if (!(gain > best)) continue;
    best = gain;
    least_left = left;
    found.rising.push_back({gain, weight, static_cast<std::uint32_t>(i)});
  }
  return found;
}

// The same of two classes where every row weighs 1 and has a value, so that few cuts need a sum of logarithms.
Cuts rising_cuts_of_two(const Column& column, std::span<const Entry> entries, std::span<const float> counts) {
  const auto first = static_cast<std::size_t>(std::max(std::ceil(column.side), 1.0f)) - 1;
  const auto most = static_cast<std::size_t>(std::max(std::floor(column.known - column.side), 0.0f));
  const std::size_t last = std::min(most, entries.size() - 1);
  Cuts found;
  if (first >= last) return found;
  const TwoCounts total{static_cast<std::int64_t>(counts[0]), static_cast<std::int64_t>(counts[1])};
  const TwoClassCuts cuts(
      first, last, EntropyOfTwo(total), [&](std::size_t i) { return entries[i].in_class; },
      [&](std::size_t i) { return double{entries[i].value} < double{entries[i + 1].value} - column.min_gap; });
  found.number = static_cast<std::int64_t>(cuts.size());
  if (cuts.size() == 0) return found;
  found.rising.reserve(8);
  const auto bits_left = [&](const TwoCounts& left) {
    const std::array low{static_cast<float>(left[0]), static_cast<float>(left[1])};
    return information(low) + information(std::array{counts[0] - low[0], counts[1] - low[1]});
  };
  const auto allowed = [&](const TwoCounts& left) {
    const auto weight = static_cast<float>(left[0] + left[1]);
    return double{weight} >= column.least && double{column.known - weight} >= column.least;
  };
  const TwoCounts promising = cuts.promising();
  const double rounding = 0x1p-18 * n_log_n(column.known);
  const auto gain_of = [&](const TwoCounts& left) {   // in bits, in doubles: close to what single precision makes of it
    const auto f = [](std::int64_t n) { return of_whole[static_cast<std::size_t>(n)]; };
    const std::int64_t n_left = left[0] + left[1], n = total[0] + total[1];
    return f(n) - f(n_left) - f(n - n_left) - (f(total[0]) - f(left[0]) - f(total[0] - left[0])) -
           (f(total[1]) - f(left[1]) - f(total[1] - left[1]));
  };
  const double all = double{information(counts)} - rounding;
  double bar = allowed(promising) ? all - double{bits_left(promising)} : -HUGE_VAL;
  float best = nothing;
  cuts.each_above(bar, 0, [&](std::size_t after, const TwoCounts& left) {
    if (gain_of(left) < bar) return true;
    const float bits = bits_left(left), gain = column.base - bits / column.known;
    if (!(gain > best) || !allowed(left)) return true;
    best = gain;
    bar = std::max(bar, all - double{bits});
    found.rising.push_back({gain, static_cast<float>(after + 1), static_cast<std::uint32_t>(after)});
    return true;
  });
  return found;
}

}   // namespace

CutFound best_cut(const CutTask& task, const ClassicRules& rules) {
  const float unknown = std::accumulate(task.of_unknown.begin(), task.of_unknown.end(), 0.0f);
  const float known = task.all - unknown;
  if (double{known} < 2 * task.least || task.entries.empty()) return {};
  const bool whole = task.weight == nullptr && task.entries.size() < of_whole.size();
  std::span<const float> counts = task.counts;
  std::vector<float> of_known;
  if (!whole || !task.of_unknown.empty()) {
    of_known.assign(counts.size(), 0.0f);
    for (const Entry& entry : task.entries) of_known[entry.in_class] += task.weight ? task.weight[entry.row] : 1.0f;
    counts = of_known;
  }
  const auto part = static_cast<float>(rules.side_share * double{known} / static_cast<double>(counts.size()));
  const Column column{task.all,
                      unknown,
                      known,
                      static_cast<float>(1.0 - double{known / task.all}),
                      information(counts) / known,
                      static_cast<float>(std::max(task.least, std::min(25.0, double{part}))),
                      task.least,
                      rules.min_gap};
  Cuts cuts;
  if (whole && task.of_unknown.empty() && counts.size() == 2 && counts[0] > 0 && counts[1] > 0) {
    cuts = rising_cuts_of_two(column, task.entries, counts);
  } else if (whole) {
    cuts = rising_cuts(column, task.entries, std::vector<std::uint32_t>(counts.begin(), counts.end()),
                       [](RowIndex) { return 1u; });
  } else {
    cuts = rising_cuts(column, task.entries, std::vector<float>(counts.begin(), counts.end()),
                       [&](RowIndex row) { return task.weight ? task.weight[row] : 1.0f; });
  }
  const bool pays = rules.threshold_cost != ThresholdCost::none && cuts.number > 0;
  const auto cost = pays ? static_cast<float>(log2_of(static_cast<double>(cuts.number)) / double{task.all}) : 0.0f;
  CutFound found;
  float best = 0;
  for (const Cut& cut : cuts.rising) {
    if (!(cut.gain - cost > best)) continue;
    best = found.gain = cut.gain - cost;
    found.cost = cost;
    found.after = cut.after;
    found.info = information(std::array{unknown, cut.low, known - cut.low}) / task.all;
  }
  return found;
}

}   // namespace treewright::single
