// The exact order of levels where impurity depends on three sums (three classes; the weight and two means). A best
// two-way grouping is cut by a plane through the origin of the space of sums (Burshtein et al. 1992; Chou 1991), and
// every such grouping is met when a plane turns around each level's own direction in turn: O(d^2 log d) for levels of
// d directions.
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "../types.hpp"

namespace treewright {

using Sums3 = std::array<std::int64_t, 3>;

// Levels whose sums point the same way are cut apart by no plane, so they move as one.
struct Directions {
  std::vector<Sums3> axes;         // in the order of their first levels
  std::vector<std::uint32_t> of;   // of every level
  std::size_t size() const { return axes.size(); }
};
Directions directions_of(std::vector<Sums3> sums);

// Turns a half-plane around each direction. All are on the right at first; `move(k)` is told when direction k changes
// sides, and `visit()` whenever a grouping is complete.
void sweep(const std::vector<Sums3>& axes, const std::function<void(std::size_t)>& move,
           const std::function<void()>& visit);

}   // namespace treewright
