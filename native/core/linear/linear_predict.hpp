// What linear leaves predict: the leaf of a row as for any tree, then constant + sum of coefficient * (x - centre) over
// the terms of that leaf, kept within the leaf's range.
#pragma once
#include <cstdint>
#include <vector>

#include "../predict.hpp"

namespace treewright {

enum class Link : std::uint8_t { identity, logistic, softmax };

constexpr std::int32_t number_term = -2, missing_term = -1;   // of a term's `level`; else the code of a level

struct LeafTerm {
  double centre;
  std::int32_t feature, level;
};

struct LinearLeaves {
  std::vector<std::int64_t> begin;   // node i has the terms begin[i]..begin[i + 1] - 1
  std::vector<LeafTerm> terms;
  std::vector<double> coefficient;              // terms x width
  std::vector<double> constant, lower, upper;   // nodes x width
  std::size_t width = 1;
  Link link = Link::identity;

  std::size_t n_outputs() const { return link == Link::logistic ? 2 : width; }
};

// Rows x n_outputs: numbers, or probabilities. A row in several leaves has the mean over its shares.
std::vector<double> predict_linear(const Predictor& predictor, const LinearLeaves& leaves, const Columns& columns,
                                   Pool& pool);

}   // namespace treewright
