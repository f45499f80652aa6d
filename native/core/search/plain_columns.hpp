// The plain sums of one column of a sorted node.
#pragma once
#include <optional>

#include "../any_criterion.hpp"
#include "../scan.hpp"
#include "plain.hpp"
#include "sorted_lists.hpp"

namespace treewright {

// The sums of a column's known rows, if they are wanted: each_id(use) calls use(id) in the order in which to add them.
template <class C, class EachId>
std::optional<PlainSums> plain_sums(const SearchContext<C>& context, const Growth& growth, std::size_t n_known,
                                    EachId&& each_id) {
  if constexpr (requires { context.criterion.plain_row(0); }) {
    const bool wanted =
        growth.classic.plain_sums && growth.missing == Missing::surrogate;   // one side for missing rows
    if (!wanted || n_known == 0 || context.criterion.n_outputs() > 1) return std::nullopt;
    if constexpr (requires { context.criterion.adds_plainly(); }) {
      if (!context.criterion.adds_plainly()) return std::nullopt;
    }
    PlainRules rules = context.criterion.plain_rules();
    if (rules.factor.size() == growth.classic.class_factors.size()) rules.factor = growth.classic.class_factors;
    if constexpr (C::static_width == 2) {   // two classes, every row weighs the same
      const bool ones = std::all_of(rules.factor.begin(), rules.factor.end(), [](double f) { return f == 1; });
      const bool all_known = static_cast<std::int64_t>(n_known) == context.criterion.rows(context.total);
      if (ones && all_known && rules.factor.size() == 2 && context.criterion.user_mass(1) == 1)
        return PlainSums(std::move(rules), context.total);
    }
    return PlainSums(std::move(rules),
                     [&](auto&& use) { each_id([&](std::uint32_t id) { use(context.criterion.plain_row(id)); }); });
  }
  return std::nullopt;
}
// ... and those of each of its levels.
inline PlainLevels plain_levels(const AnyCriterion& criterion, const SortedLists& lists, std::size_t feature,
                                std::span<const SortedLists::Entry> present, const Growth& growth,
                                std::optional<PlainSums>& sums) {
  PlainLevels plain;
  if (!sums || !growth.classic.ordered_sets || growth.nominal_splits != NominalSplits::subset) return plain;
  std::int32_t level = -1;
  for (const SortedLists::Entry entry : present) {
    if (lists.level(feature, entry) != level) plain.parts.emplace_back();
    level = lists.level(feature, entry);
    sums->enter(plain.parts.back(), criterion.plain_row(SortedLists::id(entry)));
  }
  plain.sums = &*sums;
  plain.moves_last = level + 1 < lists.column(feature).n_levels;
  return plain;
}

}   // namespace treewright
