// The one loop: take an open leaf, divide it, route its rows, and find the best splits of its children.
#pragma once
#include "frontier.hpp"
#include "random.hpp"
#include "store.hpp"
#include "tree.hpp"

namespace treewright {

// A branch, whose nodes lie in `memory` if there is one.
NodeLevels grow(Store& store, const Growth& growth, Seed seed, std::shared_ptr<NodeMemory> memory);
GrownTree grow(Store& store, const Growth& growth);

}   // namespace treewright
