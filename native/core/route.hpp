// Which rows go right? One routine for every way in which a node's rows are held.
#pragma once
#include "bins.hpp"
#include "split.hpp"

namespace treewright {

// Orders rows so that those that go left come first, keeping their order; returns how many do. sides[i] belongs to
// rows[i]: 0 left, 1 right.
std::size_t divide(std::span<RowIndex> rows, const std::uint8_t* sides);

// The side of each row, from its bin, and from its value where the cut lies inside a bin.
void sides_by_bin(const Column& column, const BinnedColumn& binned, std::span<const RowIndex> rows, const Split& split,
                  std::uint8_t* sides);

// The side of each row, from its value.
void sides_by_key(const Column& column, std::span<const RowIndex> rows, const Split& split, std::uint8_t* sides);

}   // namespace treewright
