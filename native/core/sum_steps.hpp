// Prediction where some tests combine columns: steps without a branch for every kind of test.
#pragma once
#include <algorithm>
#include <array>

#include "predict.hpp"

namespace treewright {

// A test where some combine columns: every one is a sum of N terms, and those that it does without are 0. Of one column it
// is 1 x. A leaf leads to itself.
template <std::size_t N>
struct SumStep {
  double threshold = std::numeric_limits<double>::infinity();
  std::array<double, N> coefficient{};
  std::uint32_t left_and_missing =
      0;   // the first child, and in the lowest bit whether missing values go to the second
  std::array<std::uint16_t, N> feature{};

  // 0 times infinity is no number: then the terms are added that are there.
  template <class Load>
  std::uint32_t of_no_number(std::size_t row, Load&& load) const {
    double sum = 0;
    for (std::size_t t = 0; t < N; ++t) {
      if (coefficient[t] == 0) continue;
      const double term = coefficient[t] * static_cast<double>(load(row, feature[t]));
      sum = t == 0 ? term : sum + term;
    }
    return sum != sum ? left_and_missing & 1 : sum > threshold;
  }
};

template <std::size_t N, class Load>
auto next_by_sums(const SumStep<N>* steps, Load&& load) {
  return [steps, load](std::uint32_t at, std::size_t row) {
    const SumStep<N>& step = steps[at];
    double x = step.coefficient[0] * static_cast<double>(load(row, step.feature[0]));   // as `combined` has it
    for (std::size_t t = 1; t < N; ++t) x += step.coefficient[t] * static_cast<double>(load(row, step.feature[t]));
    std::uint32_t second = x > step.threshold;
    if (x != x) [[unlikely]]
      second = step.of_no_number(row, load);
    return (step.left_and_missing >> 1) + second;
  };
}

template <std::size_t N>
std::vector<SumStep<N>> sum_steps(const std::vector<PredictorNode>& nodes, std::span<const std::int32_t> slot) {
  std::vector<SumStep<N>> steps(nodes.size());
  const auto place = [&](std::int32_t feature) {
    return static_cast<std::uint16_t>(slot.empty() ? feature : slot[static_cast<std::size_t>(feature)]);
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const PredictorNode& node = nodes[i];
    SumStep<N>& step = steps[i];
    const bool leaf = node.n_children == 0;
    step.left_and_missing = static_cast<std::uint32_t>(leaf ? static_cast<std::int32_t>(i) : node.first_child) << 1;
    if (leaf) continue;
    step.left_and_missing |= node.missing_child != 0;
    step.threshold = last_double_left(node.threshold);
    step.feature.fill(place(node.feature));
    step.coefficient[0] = 1;
    for (std::size_t t = 0; node.combination && t < node.combination->column.size(); ++t) {
      step.feature[t] = place(node.combination->column[t]);
      step.coefficient[t] = node.combination->coefficient[t];
    }
  }
  return steps;
}

inline bool is_double(const Columns& columns,
                      std::span<const std::int32_t> used) {   // whether doubles hold all of its numbers
  return std::all_of(used.begin(), used.end(), [&](std::int32_t f) {
    const Column& column = columns[static_cast<std::size_t>(f)];
    return !column.nominal && !column.sparse && column.type != Type::int64 && column.type != Type::uint64;
  });
}

}   // namespace treewright
