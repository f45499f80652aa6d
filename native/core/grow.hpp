// The one loop: take an open leaf, divide it, route its rows, and find the best splits of its children.
#pragma once
#include "frontier.hpp"
#include "random.hpp"
#include "store.hpp"
#include "tree.hpp"

namespace treewright {

struct Seed {   // where a growth starts: the root of the table, or a node handed out by another growth
  Summary summary;
  std::int64_t depth = 0;
  std::uint64_t random_key = 0;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double root_mass = 0, root_weight = 0;   // of the whole tree
};

GrownTree grow(Store& store, const Growth& growth, Seed seed);
GrownTree grow(Store& store, const Growth& growth);

}   // namespace treewright
