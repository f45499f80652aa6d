// The linear model of some rows as Cubist fits it. It begins with all columns that it may have. The column that moves the
// prediction least is dropped, again and again; of all these models that of the least error * (n + v) / (n - v) is kept,
// where the error is the mean absolute one and v counts terms. If it has terms, rows that it misses by more than five
// times its error are left out, and all is done once more; what a column moves is of all rows. With fewer than two rows per
// column it is a constant. All errors are of predictions that are kept within bounds, and where no row is left out, the model
// is moved by the mean error.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "../types.hpp"

namespace treewright {

struct RuleTable {                  // views; the caller keeps the arrays alive
  const double* values = nullptr;   // row-major: numbers, or codes of levels; none is missing
  const double* y = nullptr;
  const double* weight = nullptr;
  const std::int32_t* n_levels = nullptr;   // of every column; 0: numbers
  std::size_t n_rows = 0, n_columns = 0;
  double low = 0, high = 0;   // what may be predicted

  double value(RowIndex row, std::size_t column) const { return values[row * n_columns + column]; }
};

struct RuleTerm {
  std::uint32_t column;
  double coefficient;
};

struct RuleFit {
  double intercept = 0;
  std::vector<RuleTerm> terms;

  double size() const { return 1 + static_cast<double>(terms.size()); }
  double rest(const RuleTable& table, RowIndex row) const {
    double found = intercept;
    for (const RuleTerm& term : terms) found += term.coefficient * table.value(row, term.column);
    return table.y[row] - std::clamp(found, table.low, table.high);
  }
};

RuleFit fit_rule(const RuleTable& table, std::span<const RowIndex> rows, std::span<const std::uint32_t> columns);

}   // namespace treewright
