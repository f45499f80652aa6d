// Orders of levels. By the ratio of two sums where a theorem says so; else along the first principal component of the
// levels' means (Coppersmith, Hong and Hosking 1999), and along each of the sums by itself.
#pragma once
#include <cstdint>
#include <vector>

namespace treewright {

using LevelOrder = std::vector<std::uint32_t>;

LevelOrder order_by(const std::vector<double>& key);   // equal keys: the first level first

// By the ratio of the second sum to the first, or of the first to the second; equal ratios: the first level first, or
// the last.
LevelOrder order_by_ratio(const std::vector<std::int64_t>& sums, std::size_t dims, bool counts,
                          bool first_to_second = false, bool last_of_equals = false);

// mean[level][d], weight[level] -> each level's place along the direction in which the means spread most.
std::vector<double> along_component(const std::vector<std::vector<double>>& mean, const std::vector<double>& weight);

}   // namespace treewright
