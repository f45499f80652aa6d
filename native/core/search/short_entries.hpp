// Sorted lists of a small node: an entry is the rank of a value, then the id of its row, in 32 bits.
#pragma once
#include <array>
#include <cstdint>

namespace treewright {

using ShortEntry = std::uint32_t;
inline constexpr int short_id_bits = 16;
inline std::uint32_t short_id(ShortEntry entry) { return entry & ((ShortEntry{1} << short_id_bits) - 1); }

enum class Kept { both, left, right };   // the children whose lists are needed

// Divides N lists of so many entries, each in its order, by the side of every row: 0 or 1. Those of the first child move up
// within the list; those of the second go `second` entries on, in another copy of the lists. There is no branch to
// mispredict: every entry is written for both children, and the next one in the place of what was written too much. Behind
// the second child one such entry may be left, so that place must be free.
template <Kept kept, std::size_t N>
void divide_entries(const std::array<ShortEntry*, N>& lists, std::ptrdiff_t second, const std::uint8_t* side,
                    std::uint32_t size) {
  std::array<std::ptrdiff_t, N> n_second{};   // entries of the second child so far
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(size); ++i) {
    for (std::size_t c = 0; c < N; ++c) {
      const ShortEntry entry = lists[c][i];
      if constexpr (kept != Kept::right) lists[c][i - n_second[c]] = entry;
      if constexpr (kept != Kept::left) lists[c][second + n_second[c]] = entry;
      n_second[c] += side[short_id(entry)];
    }
  }
}

}   // namespace treewright
