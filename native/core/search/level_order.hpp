// Orders of levels where no theorem gives the best one: along the first principal component of the levels' means
// (Coppersmith, Hong and Hosking 1999), and along each of the sums by itself.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace treewright {

using LevelOrder = std::vector<std::uint32_t>;

inline LevelOrder order_by(const std::vector<double>& key) {   // equal keys: the first level first
  LevelOrder order(key.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key[a] < key[b]; });
  return order;
}

// mean[level][d], weight[level] -> each level's place along the direction in which the means spread most.
inline std::vector<double> along_component(const std::vector<std::vector<double>>& mean,
                                           const std::vector<double>& weight) {
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
  // Power iteration, from the column of the greatest variance: it cannot be orthogonal to the answer.
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
