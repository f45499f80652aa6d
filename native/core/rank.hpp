// Few keys in order, each as its rank and its place.
#pragma once
#include <span>

#include "columns.hpp"

namespace treewright {

// Of at most 2^16 keys, none missing: rank << 16 | place of each, lowest first; of equal keys, which have one rank, the
// first place comes first. Returns the number of ranks.
std::uint32_t rank_keys(std::span<const Key> keys, KeyKind kind, std::uint32_t* ranked);

}   // namespace treewright
