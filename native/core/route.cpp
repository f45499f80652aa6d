#include "route.hpp"

#include <algorithm>

namespace treewright {

std::size_t divide(std::span<RowIndex> rows, const std::uint8_t* sides) {
  thread_local std::vector<RowIndex> right;
  if (right.size() < rows.size() + 1) right.resize(rows.size() + 1);
  std::size_t n_left = 0, n_right = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {   // both are written, one is kept: no branch to mispredict
    const RowIndex row = rows[i];
    rows[n_left] = row;
    right[n_right] = row;
    n_left += 1u - sides[i];
    n_right += sides[i];
  }
  std::copy_n(right.begin(), n_right, rows.begin() + static_cast<std::ptrdiff_t>(n_left));
  return n_left;
}

void sides_by_bin(const Column& column, const BinnedColumn& binned, std::span<const RowIndex> rows, const Split& split,
                  std::uint8_t* sides) {
  std::array<std::uint8_t, 256> side{};
  for (int code = 0; code < binned.n_bins; ++code) {
    side[static_cast<std::size_t>(code)] = !split.missing_alone && code > split.place.bin;
  }
  side[static_cast<std::size_t>(binned.n_bins)] = !split.missing_left;
  const Code* codes = binned.codes.data();
  for (std::size_t i = 0; i < rows.size(); ++i) sides[i] = side[codes[rows[i]]];
  if (split.missing_alone || split.place.key == std::numeric_limits<Key>::max()) return;
  with_reader(column, [&](auto reader) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (codes[rows[i]] == split.place.bin) sides[i] = reader.key(rows[i]) > split.place.key;
    }
  });
}

void sides_by_key(const Column& column, std::span<const RowIndex> rows, const Split& split, std::uint8_t* sides) {
  std::vector<Key> keys(rows.size());
  read_keys(column, rows, keys.data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sides[i] = keys[i] == missing_key ? !split.missing_left : !split.missing_alone && keys[i] > split.place.key;
  }
}

}   // namespace treewright
