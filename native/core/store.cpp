#include "store.hpp"

namespace treewright {

std::unique_ptr<Store> AnyCriterion::branch_store(const AnyCriterion&, const SortedLists&, const Segment&,
                                                  const Growth&, std::int64_t, std::atomic<bool>*) const {
  return {};
}
std::unique_ptr<Store> AnyCriterion::branch_store(const Columns&, std::span<const RowIndex>, std::vector<RowIndex>,
                                                  const NodeKeys&, const Growth&, std::int64_t, Pool&) const {
  return {};
}

SearchInput search_input(const AnyCriterion& criterion, const Growth& growth, std::int64_t min_weight,
                         const SplitRequest& request, std::int32_t feature) {
  Rules rules{growth.min_samples_leaf, min_weight, 0, request.lower, request.upper};
  if (growth.classic.branches == Branches::chosen) rules.min_rows = 1, rules.min_weight = 0;
  if (!growth.monotonic.empty()) rules.monotonic = growth.monotonic[static_cast<std::size_t>(feature)];
  rules.any_loss = growth.classic.zero_rates;
  SearchInput input{request.tally, Scale(request.mass), rules, feature, growth.missing, growth.compares_columns()};
  input.missing_alone = growth.classic.missing_alone;
  input.rounding_decides = growth.classic.rounding_decides;
  if (!growth.classic.column_costs.empty()) {
    const std::vector<double>& costs = growth.classic.column_costs;   // scores stay below those of the cheapest column
    const double least = *std::min_element(costs.begin(), costs.end());
    input.scale.per_mass *= least / costs[static_cast<std::size_t>(feature)];
    input.plain_unit = costs[static_cast<std::size_t>(feature)];
  }
  if (growth.classic.plain_sums && criterion.adds_plainly() &&
      criterion.plain_rules().factor.empty())   // squares are compared as shares of the node's
    input.plain_unit *= criterion.user_mass(request.mass);
  if (growth.classic.better_by > 0)
    input.better_by = growth.classic.better_by * static_cast<double>(criterion.weight(request.tally));
  return input;
}

Split chosen_split(Choice& choice, const AnyCriterion& criterion, const Columns& columns, const Growth& growth,
                   ConstTally total, std::size_t n_rows, std::int64_t min_weight) {
  Split split = choice.decide(criterion, columns, total, n_rows);
  if (!split || growth.classic.branches != Branches::chosen) return split;
  const std::int64_t right = criterion.weight(total) - split.left_weight;
  const std::int64_t second = split.second_weight >= 0 ? split.second_weight : std::min(split.left_weight, right);
  return second >= min_weight ? split : Split{};
}

}   // namespace treewright
