// The rows of a node as directions need them: standardised columns and responses.
#pragma once
#include "directions.hpp"
#include "oblique_score.hpp"

namespace treewright {

// Of these columns the ones that go with the target most, and that of the ordinary split.
DirectionRows direction_rows(const Columns& table, const NodeSample& some, const std::vector<std::int32_t>& columns,
                             const Split& ordinary);

// What every row loses on the first side of a split, less what it loses on the second.
std::vector<double> losses(const DirectionRows& rows, const std::vector<ChildNumber>& child);

// Values become standardised, 0 where there is no finite number; their standard deviation.
double standardise(std::vector<double>& values, const std::vector<double>& weight);

}   // namespace treewright
