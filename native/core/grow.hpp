// The one loop: take an open leaf, divide it, route its rows, and find the best splits of its children.
#pragma once
#include "frontier.hpp"
#include "random.hpp"
#include "store.hpp"
#include "tree.hpp"

namespace treewright {

NodeLevels grow(Store& store, const Growth& growth, Seed seed);
GrownTree grow(Store& store, const Growth& growth);

}   // namespace treewright
