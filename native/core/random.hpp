// Random numbers by counter: a draw depends on (seed, node, feature) and on nothing else, so that threads, pages and
// the order of growth cannot change it. The mixer is splitmix64 (Steele, Lea, Flood 2014).
#pragma once
#include <cstdint>

namespace treewright {

inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
inline std::uint64_t draw(std::uint64_t node_key, std::uint64_t feature, std::uint64_t which) {
  return mix(mix(node_key ^ mix(feature)) + which);
}
inline double unit_interval(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }   // [0, 1)

}   // namespace treewright
