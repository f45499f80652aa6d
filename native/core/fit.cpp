#include "fit.hpp"

#include "criteria/all.hpp"
#include "fit_with.hpp"

namespace treewright {

namespace {

using Make = std::unique_ptr<AnyCriterion> (*)(const Target&, const Weights&, const TargetRange*);

struct Entry {
  std::string_view name;
  bool classes;
  Make make;
};

template <class... I, class... L>
std::vector<Entry> entries(List<I...>, List<L...>) {
  return {Entry{I::name, true, &make_classes<I>}..., Entry{L::name, false, &make_numbers<L>}...,
          Entry{AbsoluteError::name, false, &make_medians}};
}
const std::vector<Entry>& table() {
  static const std::vector<Entry> all = entries(ClassImpurities{}, NumberLosses{});
  return all;
}

constexpr std::string_view gain_ratio = "gain_ratio";

void check_finer_rules(const Target& target, const Growth& growth) {
  const bool of_classes = (growth.classic.comparison != Comparison::exact && !growth.by_permutation()) ||
                          growth.classic.threshold_cost != ThresholdCost::none || growth.classic.side_share > 0 ||
                          growth.nominal_splits == NominalSplits::merged;
  if (of_classes && (target.n_classes.size() != 1 || growth.criterion == AbsoluteError::name))
    throw std::invalid_argument("these rules need one target of classes.");
  if (growth.classic.threshold_cost != ThresholdCost::none && !growth.leaves_missing_out())
    throw std::invalid_argument("the cost of a threshold needs missing = fractional or surrogate.");
  if (growth.classic.comparison == Comparison::c45 &&
      (growth.missing != Missing::fractional || (growth.criterion != gain_ratio && growth.criterion != Entropy::name)))
    throw std::invalid_argument("choice = c4.5 needs missing = fractional, and entropy or gain_ratio.");
  if (growth.nominal_splits == NominalSplits::merged && growth.missing != Missing::fractional)
    throw std::invalid_argument("merged levels need missing = fractional.");
}

void check(const Columns& columns, const Target& target, const Growth& growth) {
  if (columns.size() == 0 || columns.n_rows == 0) throw std::invalid_argument("the table must have rows and columns.");
  if (columns.n_rows >= (std::size_t{1} << 31))
    throw std::invalid_argument("the table must have fewer than 2^31 rows.");
  if (target.n_rows != columns.n_rows)
    throw std::invalid_argument("the target must have one row for each row of the table.");
  if (!growth.monotonic.empty() && growth.monotonic.size() != columns.size()) {
    throw std::invalid_argument("monotonic must have one entry per column.");
  }
  if (growth.max_bins < 2 || growth.max_bins > most_bins)
    throw std::invalid_argument("max_bins must be from 2 to 255.");
  for (const Column& column : columns.columns) {
    if (!column.nominal) continue;
    if (growth.missing == Missing::surrogate && growth.nominal_splits == NominalSplits::multiway)
      throw std::invalid_argument("surrogates need tests with two branches.");
    if (growth.splitter == Splitter::random && growth.criterion == AbsoluteError::name)
      throw std::invalid_argument("random splits under absolute_error take numbers only.");
    for (std::size_t row = 0; row < columns.n_rows; ++row) {
      if (column.level_codes()[row] >= column.n_levels)
        throw std::invalid_argument("codes of a nominal column must be below its number of levels.");
    }
  }
  if (growth.oblique > 1 &&
      (growth.splitter != Splitter::best || growth.leaves_missing_out() || growth.max_features >= 0 ||
       !growth.monotonic.empty() || growth.thresholds == Thresholds::recorded))
    throw std::invalid_argument(
        "oblique tests need the best splits of all columns, without constraints and surrogates.");
  if (!growth.combinable.empty() && growth.combinable.size() != columns.size())
    throw std::invalid_argument("combinable must have one entry per column.");
  if (growth.splitter != Splitter::best && growth.missing != Missing::learned)
    throw std::invalid_argument("proposed splits need missing = learned.");
}

}   // namespace

Prepared prepare(const Columns& columns, const Target& target, const Growth& given) {
  check(columns, target, given);
  check_finer_rules(target, given);
  Growth growth = given;
  const bool by_weight = growth.rows_count_by_weight() || growth.classic.branches == Branches::chosen;
  if (by_weight && growth.min_samples_leaf > growth.min_weight_leaf) {
    // A row counts by its weight or share, so the least number of rows is a weight.
    growth.min_weight_leaf = static_cast<double>(growth.min_samples_leaf);
    growth.min_samples_leaf = 1;
  }
  if (growth.criterion == gain_ratio) {   // entropy, with another choice among the columns
    growth.criterion = Entropy::name;
    growth.by_ratio = true;
  }
  Weights weights =
      Weights::from(target.weights, target.n_rows, growth.missing == Missing::fractional && has_missing(columns));
  if (target.own_weights != nullptr) weights.own = Weights::from(target.own_weights, target.n_rows).units;
  for (const Entry& entry : table()) {
    if (entry.name != growth.criterion) continue;
    if (entry.classes != !target.n_classes.empty()) {
      throw std::invalid_argument("criterion '" + growth.criterion + "' needs a target of " +
                                  (entry.classes ? "classes." : "numbers."));
    }
    growth.min_weight_leaf -= weights.off;   // a leaf that weighs just enough does so on any grid
    auto criterion = entry.make(target, weights, nullptr);
    return {std::move(growth), std::move(weights), std::move(criterion)};
  }
  throw std::invalid_argument("unknown criterion '" + growth.criterion + "'.");
}

std::vector<Grown> fit(const Columns& columns, const Target& target, const Growth& growth, const Trains& trains,
                       std::atomic<bool>* cancel) {
  const Prepared with = prepare(columns, target, growth);
  for (const auto& train : trains.lists) {
    for (const std::int64_t row : train)
      if (row < 0 || row >= static_cast<std::int64_t>(columns.n_rows))
        throw std::invalid_argument("the rows of a fold must be rows of the table.");
  }
  return fit_with(*with.criterion, columns, with.weights, with.growth, trains, cancel);
}

namespace {

void check_weights(const Target& part, const TargetRange& range) {
  if (range.weighted != (part.weights != nullptr))
    throw std::invalid_argument("all parts of a table must have weights, or none.");
}

}   // namespace

std::unique_ptr<AnyCriterion> criterion_of_part(const std::string& name, const Target& target,
                                                const TargetRange& range) {
  check_weights(target, range);
  Weights weights;
  if (range.weighted) weights = Weights::on_grid(target.weights, target.n_rows, range.weights);
  const std::string_view known = name == gain_ratio ? Entropy::name : std::string_view(name);
  for (const Entry& entry : table()) {
    if (entry.name == known && entry.classes == !target.n_classes.empty()) return entry.make(target, weights, &range);
  }
  throw std::invalid_argument("unknown criterion '" + name + "'.");
}

Grown fit_in_parts(Rows& rows, const Columns& columns, const std::vector<int>& n_bins, const Target& example,
                   const TargetRange& range, const Growth& growth, std::atomic<bool>* cancel) {
  TableShape shape{columns, {}};
  for (std::size_t f = 0; f < columns.size(); ++f)
    shape.bins.emplace_back().n_bins = columns[f].nominal ? columns[f].n_levels : n_bins[f];
  Growth used = growth;
  if (growth.criterion == gain_ratio) used.criterion = Entropy::name, used.by_ratio = true;
  check_weights(example, range);
  Weights weights;
  if (range.weighted) weights = Weights::on_grid(example.weights, example.n_rows, range.weights);
  used.min_weight_leaf -= weights.off;   // a leaf that weighs just enough does so on any grid
  return fit_in_parts(rows, *criterion_of_part(growth.criterion, example, range), std::move(shape), weights, used,
                      cancel);
}

std::vector<std::pair<std::string, std::string>> criteria() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Entry& entry : table()) all.emplace_back(entry.name, entry.classes ? "classification" : "regression");
  all.emplace_back(gain_ratio, "classification");
  return all;
}

}   // namespace treewright
