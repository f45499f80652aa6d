#include "level_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../sort.hpp"

namespace treewright {

LevelOrder order_by(const std::vector<double>& key) {
  LevelOrder order(key.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key[a] < key[b]; });
  return order;
}

// Ratios are first sorted as doubles, a step each, and then put right where those are too close.
LevelOrder order_by_ratio(const std::vector<std::int64_t>& sums, std::size_t dims, bool counts, bool first_to_second,
                          bool last_of_equals) {
  const std::size_t m = dims > 0 ? sums.size() / dims : 0;
  LevelOrder order(m);
  std::iota(order.begin(), order.end(), 0u);
  if (dims < 2) return order;
  const std::size_t top = first_to_second ? 0 : 1, under = 1 - top;
  const auto before = [&](std::uint32_t x, std::uint32_t y) {   // exactly
    const std::int64_t *a = &sums[x * dims], *b = &sums[y * dims];
    const Wide left = Wide{a[top]} * b[under], right = Wide{b[top]} * a[under];
    return left != right ? left < right : last_of_equals ? y < x : x < y;
  };
  std::vector<double> ratio(m);
  for (std::size_t i = 0; i < m; ++i) {
    const auto a = static_cast<double>(sums[i * dims + under]), b = static_cast<double>(sums[i * dims + top]);
    ratio[i] = b / (counts ? a + b : a);
  }
  const auto [low, high] = std::minmax_element(ratio.begin(), ratio.end());
  const double scale = *high > *low ? 0x1p50 / (*high - *low) : 0, from = *low;
  const double doubt = 64 + std::max(std::fabs(*low), std::fabs(*high)) * 0x1p-50 * scale;   // rounding, in steps
  if (!(scale > 0) || !(doubt < 0x1p20) || m < 32) {
    std::sort(order.begin(), order.end(), before);
    return order;
  }
  std::vector<Item> items(m), scratch;
  for (std::size_t i = 0; i < m; ++i)
    items[i] = {static_cast<Key>((ratio[i] - from) * scale), static_cast<RowIndex>(i)};
  sort_items(items, scratch);
  const auto close = static_cast<Key>(doubt);
  for (std::size_t i = 1; i < m; ++i) {
    for (std::size_t k = i; k > 0 && items[k].key - items[k - 1].key < close && before(items[k].row, items[k - 1].row);
         --k)
      std::swap(items[k], items[k - 1]);
  }
  for (std::size_t i = 0; i < m; ++i) order[i] = items[i].row;
  return order;
}

std::vector<double> along_component(const std::vector<std::vector<double>>& mean, const std::vector<double>& weight) {
  const std::size_t m = mean.size(), d = mean[0].size();
  std::vector<double> centre(d, 0.0), spread(d * d, 0.0);
  double total = 0;
  for (std::size_t i = 0; i < m; ++i) {
    total += weight[i];
    for (std::size_t k = 0; k < d; ++k) centre[k] += weight[i] * mean[i][k];
  }
  for (double& c : centre) c /= total;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < d; ++k) {
      const double off = weight[i] * (mean[i][k] - centre[k]);
      for (std::size_t l = 0; l < d; ++l) spread[k * d + l] += off * (mean[i][l] - centre[l]);
    }
  }
  // Power iteration, from the column of the greatest variance: it cannot be orthogonal to the result.
  std::size_t widest = 0;
  for (std::size_t k = 1; k < d; ++k)
    if (spread[k * d + k] > spread[widest * d + widest]) widest = k;
  std::vector<double> v(spread.begin() + static_cast<std::ptrdiff_t>(widest * d),
                        spread.begin() + static_cast<std::ptrdiff_t>((widest + 1) * d));
  std::vector<double> next(d);
  for (int round = 0; round < 30; ++round) {
    double size = 0;
    for (std::size_t k = 0; k < d; ++k) {
      next[k] = 0;
      for (std::size_t l = 0; l < d; ++l) next[k] += spread[k * d + l] * v[l];
      size = std::max(size, std::fabs(next[k]));
    }
    if (!(size > 0)) break;
    for (std::size_t k = 0; k < d; ++k) v[k] = next[k] / size;
  }
  std::vector<double> place(m, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < d; ++k) place[i] += v[k] * (mean[i][k] - centre[k]);
  }
  return place;
}

}   // namespace treewright
