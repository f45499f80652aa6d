// Search over the levels of a nominal column: x in A, x = a, or a branch for each level. Everything is made of one
// tally per level, which a histogram or sorted rows give, so it costs no pass over the rows. It calls the criterion for
// sets of levels, not of rows, so that one code serves all criteria.
#pragma once
#include "../any_criterion.hpp"
#include "../scan.hpp"

namespace treewright {

void search_levels(const SearchContext<AnyCriterion>& context, const Levels& levels, ConstTally missing,
                   const Growth& growth, std::uint64_t random_key, PlainLevels plain, Split& best);

}   // namespace treewright
