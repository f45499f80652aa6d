// Which rows go to which child? One routine, however a node's rows are held.
#pragma once
#include "bins.hpp"
#include "test.hpp"

namespace treewright {

// Orders rows by child, keeping their order; returns where each child's begin, and the end.
std::vector<std::size_t> divide(std::span<RowIndex> rows, const ChildNumber* child, std::size_t n_children);

// The child of each row, from its bin, and from its value where the cut lies inside a bin.
void children_by_bin(const Columns& columns, const BinnedColumn& binned, std::span<const RowIndex> rows,
                     const Test& test, ChildNumber* child);

// The child of each row, from its value.
void children_by_key(const Columns& columns, std::span<const RowIndex> rows, const Test& test, ChildNumber* child);

// The child of one row whose value is missing, from the test's surrogates; the common child where none of them knows.
ChildNumber child_by_surrogate(const Columns& columns, RowIndex row, const Test& test);

}   // namespace treewright
