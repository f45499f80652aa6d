// The cut of a column whose two sides differ most: the greatest two-sample statistic.
#pragma once
#include "../split.hpp"
#include "column_test.hpp"

namespace treewright {

// The first of the best cuts with at least this weight on each side. No split, if there is none.
Split best_cut(const Column& column, const KnownRows& known, const Response& response, TestStatistic kind,
               double least_weight);

}   // namespace treewright
