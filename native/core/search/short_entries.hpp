// Sorted lists of a small node: an entry is the rank of a value, then the id of its row, in 32 bits.
#pragma once
#include <array>
#include <cstdint>

namespace treewright {

using ShortEntry = std::uint32_t;
inline constexpr int short_id_bits = 16;
inline std::uint32_t short_id(ShortEntry entry) { return entry & ((ShortEntry{1} << short_id_bits) - 1); }

enum class Kept { both, left, right };   // the children whose lists are needed

// Divides N lists of so many entries, each in its order, by the side of every row: 0 or 1. `to`: where the first entry of each
// child goes. There is no branch to mispredict, whatever the compiler prefers; lists that go together do not wait for each
// other.
template <Kept kept, std::size_t N>
void divide_entries(const std::array<const ShortEntry*, N>& from, std::array<std::array<ShortEntry*, 2>, N>& to,
                    const std::uint8_t* side, std::uint32_t size) {
  if constexpr (kept == Kept::both) {
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::size_t c = 0; c < N; ++c) {
        const ShortEntry entry = from[c][i];
        *to[c][side[short_id(entry)]]++ = entry;
      }
    }
  } else if constexpr (kept == Kept::left) {
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::size_t c = 0; c < N; ++c) {
        const ShortEntry entry = *to[c][0] = from[c][i];
        to[c][0] += 1 - side[short_id(entry)];
      }
    }
  } else {   // from the end: what is written too much is no other node's
    for (std::size_t c = 0; c < N; ++c) to[c][0] += size - 1;
    for (std::uint32_t i = size; i-- > 0;) {
      for (std::size_t c = 0; c < N; ++c) {
        const ShortEntry entry = *to[c][0] = from[c][i];
        to[c][0] -= side[short_id(entry)];
      }
    }
  }
}

}   // namespace treewright
