// Directions for tests that combine columns: which weighted sums of standardised columns go with the target.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace treewright {

// Some rows of a node, in an order that depends on their content alone, so that sums of doubles do not depend on the
// order of the table.
struct DirectionRows {
  std::size_t n = 0;
  std::vector<std::int32_t> column;             // of the table, for each candidate
  std::vector<double> scale;                    // its standard deviation
  std::vector<double> z;                        // [row][candidate], standardised; 0 where missing
  std::vector<double> weight;                   // by row
  std::vector<std::vector<double>> responses;   // each by row: what a direction shall go with
  std::size_t width() const { return column.size(); }
  double at(std::size_t row, std::size_t candidate) const { return z[row * width() + candidate]; }
};

struct Direction {
  std::vector<std::size_t> at;       // candidates, ascending
  std::vector<double> coefficient;   // of their standardised values
};

// Least squares with a small ridge on the Gram matrix of all candidates: of each response the columns of a forward
// selection, from the best column and from candidate `own`, and the best pairs.
std::vector<Direction> least_squares_directions(const DirectionRows& rows, std::size_t most_columns, std::size_t own);

// A logistic regression of `label` (0 or 1) on these candidates, by a few reweighted least squares.
Direction logistic_direction(const DirectionRows& rows, const std::vector<std::size_t>& at,
                             const std::vector<double>& label, const std::vector<double>& weight);

}   // namespace treewright
