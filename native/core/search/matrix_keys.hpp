// The keys of a whole table at once.
#pragma once
#include "gathered_keys.hpp"

namespace treewright {

// The keys of all rows, where they are those of a matrix whose rows lie together, so that one column after the other would be read
// slowly; else nothing.
NodeKeys keys_of_matrix(const Columns& columns, std::span<const RowIndex> rows, Pool& pool);

}   // namespace treewright
