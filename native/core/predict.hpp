// Prediction: which leaf does each row reach? Nodes lie breadth-first with siblings adjacent, so the next node is
// `left` or `left + 1` without a branch; eight rows go down side by side to hide the wait for memory.
#pragma once
#include <functional>
#include <vector>

#include "columns.hpp"
#include "parallel.hpp"

namespace treewright {

struct PredictorNode {
  std::int32_t first_child = -1, feature = -1;
  Threshold threshold;
  bool missing_left = false;
};

class Predictor {
 public:
  explicit Predictor(std::vector<PredictorNode> nodes);

  // Calls use(begin, leaves) for blocks of rows, from several threads.
  using Use = std::function<void(std::size_t begin, std::span<const std::uint32_t> leaves)>;
  void apply(const Columns& columns, Pool& pool, const Use& use) const;

  std::size_t n_nodes() const { return nodes_.size(); }

 private:
  template <class T>
  struct Step {   // a leaf leads to itself
    T threshold;
    std::uint32_t test;   // the feature, and in the lowest bit whether missing values go right
    std::uint32_t left;
    std::uint32_t feature() const { return test >> 1; }
    std::uint32_t missing_right() const { return test & 1; }
  };
  template <class T, class Convert>
  std::vector<Step<T>> steps(Convert&& convert) const;
  template <class T>
  void apply_matrix(const Columns& columns, Pool& pool, const Use& use) const;
  void apply_columns(const Columns& columns, Pool& pool, const Use& use) const;

  std::vector<PredictorNode> nodes_;
  std::vector<std::int32_t> used_;   // the features that some node tests
  std::vector<std::int32_t> slot_;   // feature -> its place among them
};

}   // namespace treewright
