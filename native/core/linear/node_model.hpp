// The model of one node: ridge or logistic regression, shrunk towards the node above it.
#pragma once
#include <span>
#include <vector>

#include "gram.hpp"

namespace treewright {

struct ModelRows {   // row after row: the design columns, whose first is 1, then the targets
  const double* values = nullptr;
  const double* weight = nullptr;
  std::size_t n_rows = 0, width = 0;   // width: numbers per row, whole quads
};

std::vector<double> gram_of(const ModelRows& rows, std::size_t size);

// The coefficients of least penalised log loss, by Newton's method: of one score for two classes, whose targets are 1 for
// the second; or of one score per class, where the curvature is bounded by half of that of least squares (Böhning 1992).
// The penalty is sum of penalty * (b - prior)^2 / 2; an infinite one keeps its coefficients at the prior.
std::vector<double> logistic_solution(const ModelRows& rows, const Ridge& ridge, std::span<const double> prior,
                                      std::span<const double> start, double tolerance);

// What a model leaves of the targets of one row: y - p, or y - prediction.
void residuals(const double* row, const Ridge& ridge, const double* coefficients, bool logistic, double* to);

}   // namespace treewright
