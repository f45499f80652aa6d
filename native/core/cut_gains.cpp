#include "cut_gains.hpp"

#include <cmath>

#include "criteria/absolute_error.hpp"
#include "fit_with.hpp"
#include "recorded.hpp"
#include "scan.hpp"
#include "store.hpp"
#include "target_rows.hpp"

namespace treewright {

namespace {

struct Node {   // the rows at hand and what is known of them
  const Columns& columns;
  const Prepared& with;
  std::span<const RowIndex> rows;
  Summary summary;
  std::int64_t min_weight;
};

// Notes every cut of sorted rows with missing rows on one side; the second side replaces what gains less. Tallies of a
// criterion are exact sums, so that these are the gains of any search, bit for bit.
template <class C>
void note_cuts(const SearchContext<C>& context, std::span<const Item> items, std::span<const RowIndex> rows,
               ConstTally start, bool missing_left, CutGains& out) {
  OwnTally<C> left(context.criterion, start);
  std::vector<std::int64_t> scratch;
  std::size_t at = 0;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    context.criterion.add(left, rows[items[i].row]);
    if (items[i].key == items[i + 1].key) continue;
    const double gain = context.gain(left);
    const bool allowed = context.rules.allow(context.criterion, context.total, left, scratch);
    const auto weight = static_cast<double>(context.criterion.weight(left));
    if (at == out.gain.size()) {
      out.gain.push_back(gain);
      out.left_weight.push_back(weight);
      out.missing_left.push_back(missing_left);
      out.allowed.push_back(allowed);
    } else if (std::pair(allowed, gain) > std::pair(out.allowed[at] != 0, out.gain[at])) {
      out.gain[at] = gain;
      out.left_weight[at] = weight;
      out.missing_left[at] = missing_left;
      out.allowed[at] = allowed;
    }
    ++at;
  }
}

// ... where the criterion has a finite tally.
void note_sums(const Node& node, const SearchInput& input, std::span<const Item> items,
               std::span<const std::uint32_t> missing, CutGains& out) {
  const AnyCriterion& criterion = *node.with.criterion;
  OwnTally<AnyCriterion> gone(criterion);
  for (const std::uint32_t i : missing) criterion.add(gone, node.rows[i]);
  const MissingPlacement<AnyCriterion> placement({input, criterion}, gone);
  placement.each_side([&](ConstTally start, bool missing_left) {
    note_cuts(placement.context, items, node.rows, start, missing_left, out);
  });
}

// ... where it has none: see search/medians.hpp.
void note_medians(const Node& node, const AbsoluteError& criterion, const SearchInput& input,
                  std::span<const Item> items, std::span<const std::uint32_t> missing, CutGains& out) {
  const auto mass_of = [&](std::span<const RowIndex> rows) { return rows.empty() ? 0 : criterion.summary(rows).mass; };
  std::vector<RowIndex> known, gone;
  for (const Item& item : items) known.push_back(node.rows[item.row]);
  for (const std::uint32_t i : missing) gone.push_back(node.rows[i]);
  OwnTally<AbsoluteError> missing_tally(criterion);
  for (const RowIndex row : gone) criterion.add(missing_tally, row);
  const bool own_child =
      node.with.growth.missing == Missing::branch && !gone.empty() && input.rules.enough(criterion, missing_tally);
  const bool learned = !gone.empty() && !own_child && !node.with.growth.leaves_missing_out();
  const auto walk = [&](std::vector<RowIndex> order, double mass, double offset, bool missing_left) {
    std::vector<std::vector<std::uint32_t>> by_target(criterion.n_outputs(), order);
    for (std::size_t o = 0; o < by_target.size(); ++o)
      std::sort(by_target[o].begin(), by_target[o].end(),
                [&](auto a, auto b) { return std::pair(criterion.q(a, o), a) < std::pair(criterion.q(b, o), b); });
    const AbsoluteError::Cuts cuts(criterion, by_target, order, mass, input.rules.compares_values());
    SearchContext<AbsoluteError::Cuts> context{input, cuts};
    OwnTally<AbsoluteError::Cuts> start(cuts);
    if (missing_left) start.add(missing_tally.values);
    context.total = cuts.total();
    context.offset = offset;
    note_cuts(context, items, node.rows, start, missing_left, out);
  };
  if (!learned) {
    const double mass = gone.empty() ? node.summary.mass : mass_of(known);
    return walk(known, mass, own_child ? node.summary.mass - mass - mass_of(gone) : 0, false);
  }
  for (const bool missing_left : {false, true}) {
    std::vector<RowIndex> order = missing_left ? gone : known;
    const std::vector<RowIndex>& rest = missing_left ? known : gone;
    order.insert(order.end(), rest.begin(), rest.end());
    walk(std::move(order), node.summary.mass, 0, missing_left);
  }
}

void add_thresholds(const Node& node, std::int32_t feature, std::span<const Item> items, const RecordedValues& recorded,
                    CutGains& out) {
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    if (items[i].key == items[i + 1].key) continue;
    Split split;
    split.feature = feature;
    split.low = items[i].key;
    split.high = items[i + 1].key;
    set_threshold(split, node.columns[static_cast<std::size_t>(feature)], node.with.growth, recorded);
    out.threshold.push_back(split.threshold.value);
    out.n_left.push_back(static_cast<std::int64_t>(i) + 1);
  }
}

}   // namespace

std::vector<CutGains> cut_gains(const Columns& columns, const Target& target, const Growth& growth,
                                std::span<const RowIndex> rows) {
  const Prepared with = prepare(columns, target, growth);
  if (rows.empty()) throw std::invalid_argument("at least one row is needed.");
  const double rounding = with.growth.missing == Missing::fractional ? 1e-6 : 0;   // of weights that are shares
  const Node node{columns, with, rows, with.criterion->summary(rows),
                  static_cast<std::int64_t>(std::ceil((with.growth.min_weight_leaf - rounding) / with.weights.unit))};
  std::unique_ptr<AbsoluteError> medians;
  if (!with.criterion->additive())
    medians = std::make_unique<AbsoluteError>(
        number_rows(target, with.weights, true, [](double, double, double) { return 0.0; }));
  Pool pool(1);
  std::vector<RowIndex> all(columns.n_rows);
  for (std::size_t row = 0; row < all.size(); ++row) all[row] = static_cast<RowIndex>(row);
  RecordedValues recorded;
  if (with.growth.thresholds == Thresholds::recorded)
    recorded = RecordedValues(columns, all, pool, [](std::size_t) { return SortedValues{}; });
  const SplitRequest request{
      0, {node.summary.tally.data(), node.summary.tally.size()}, node.summary.mass, growth.lower, growth.upper, 0};
  std::vector<CutGains> out(columns.size());
  for (std::size_t f = 0; f < columns.size(); ++f) {
    if (columns[f].nominal) continue;
    const auto feature = static_cast<std::int32_t>(f);
    std::vector<Item> items, scratch;
    std::vector<std::uint32_t> missing;
    read_items(columns[f], rows, items, missing);
    if (items.size() < 2) continue;
    sort_items(items, scratch);
    const SearchInput input = search_input(*with.criterion, with.growth, node.min_weight, request, feature);
    if (medians) note_medians(node, *medians, input, items, missing, out[f]);
    else note_sums(node, input, items, missing, out[f]);
    for (double& gain : out[f].gain) gain = with.criterion->user_mass(gain);
    for (double& weight : out[f].left_weight) weight *= with.weights.unit;
    add_thresholds(node, feature, items, recorded, out[f]);
  }
  return out;
}

}   // namespace treewright
