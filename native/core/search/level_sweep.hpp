// The exact order of levels where impurity depends on three sums (three classes; the weight and two means). A best
// two-way grouping is cut by a plane through the origin of the space of sums (Burshtein et al. 1992; Chou 1991), and
// every such grouping is met when a plane turns around each level's own direction in turn: O(levels^2 log levels).
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "../types.hpp"

namespace treewright {

using Sums3 = std::array<std::int64_t, 3>;

// Brings every coordinate below 2^40, so that determinants fit 128 bits: common factors of two go first, and only
// weights beyond that are rounded.
inline void fit_determinants(std::vector<Sums3>& sums) {
  for (std::size_t d = 0; d < 3; ++d) {
    std::uint64_t all = 0, most = 0;
    for (const Sums3& s : sums) {
      const auto size = static_cast<std::uint64_t>(s[d] < 0 ? -s[d] : s[d]);
      all |= size;
      most = std::max(most, size);
    }
    if (all == 0) continue;
    const int zeros = std::countr_zero(all), length = 64 - std::countl_zero(most);
    const int shift = std::max(length > 40 ? std::min(zeros, length) : 0, length - 40);
    for (Sums3& s : sums) s[d] = (s[d] + (shift > zeros ? std::int64_t{1} << (shift - 1) : 0)) >> shift;
  }
}

inline std::array<Wide, 3> cross(const Sums3& a, const Sums3& b) {
  return {Wide{a[1]} * b[2] - Wide{a[2]} * b[1], Wide{a[2]} * b[0] - Wide{a[0]} * b[2],
          Wide{a[0]} * b[1] - Wide{a[1]} * b[0]};
}

// Turns a half-plane around each level. left[k] says whether level k is on the left now; `move(k)` is told when it
// changes sides, and `visit()` whenever a grouping is complete.
template <class Move, class Visit>
void sweep(std::vector<Sums3> sums, std::vector<std::uint8_t>& left, Move&& move, Visit&& visit) {
  fit_determinants(sums);
  const std::size_t m = sums.size();
  struct Turn {
    std::size_t level;
    bool opposite;   // its direction is half a turn away
  };
  std::vector<Turn> turns;
  std::vector<std::size_t> along;   // levels in the direction of the axis: they move with it
  const auto put = [&](std::size_t k, bool to_left) {
    if (left[k] == to_left) return;
    left[k] = to_left;
    move(k);
  };
  for (std::size_t axis = 0; axis < m; ++axis) {
    turns.clear();
    along.clear();
    std::array<Wide, 3> zero_turn{};   // the direction that counts as no turn
    std::size_t coordinate = 3;
    for (std::size_t k = 0; k < m; ++k) {
      const auto c = cross(sums[axis], sums[k]);
      if (c[0] == 0 && c[1] == 0 && c[2] == 0) {
        along.push_back(k);
        continue;
      }
      if (coordinate == 3) {
        zero_turn = c;
        coordinate = c[0] != 0 ? 0 : c[1] != 0 ? 1 : 2;
      }
      const auto turn = [&](const Sums3& s) { return zero_turn[0] * s[0] + zero_turn[1] * s[1] + zero_turn[2] * s[2]; };
      const Wide side = turn(sums[k]);
      turns.push_back({k, side != 0 ? side < 0 : (c[coordinate] < 0) != (zero_turn[coordinate] < 0)});
    }
    if (along.front() != axis) continue;                     // the same axis was turned around before
    const auto after = [&](const Turn& a, const Turn& b) {   // the sign of the turn from a to b
      const auto c = cross(sums[axis], sums[a.level]);
      const Sums3& s = sums[b.level];
      const Wide det = c[0] * s[0] + c[1] * s[1] + c[2] * s[2];
      return a.opposite != b.opposite ? -det : det;
    };
    std::sort(turns.begin(), turns.end(), [&](const Turn& a, const Turn& b) {
      const Wide turn = after(a, b);
      return turn != 0 ? turn > 0 : a.level < b.level;
    });
    const auto visit_both = [&] {
      for (const bool to_left : {true, false}) {
        for (const std::size_t k : along) put(k, to_left);
        visit();
      }
    };
    for (const Turn& turn : turns) put(turn.level, !turn.opposite);
    visit_both();
    for (std::size_t t = 0; t < turns.size(); ++t) {
      put(turns[t].level, turns[t].opposite);
      if (t + 1 < turns.size() && after(turns[t], turns[t + 1]) != 0) visit_both();
    }
  }
}

}   // namespace treewright
