#include "rule_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "node_model.hpp"

namespace treewright {

namespace {

constexpr double outlier = 5;     // mean absolute errors
constexpr double exact = 1e-10;   // of the error of a constant

// Some rows with columns of mean 0 and length 1, and the target of mean 0 after them.
class Squares {
 public:
  Squares(const RuleTable& table, std::vector<RowIndex> rows, std::span<const std::uint32_t> columns,
          std::span<const RowIndex> all)
      : table_(table), rows_(std::move(rows)) {
    for (const RowIndex row : rows_) n_ += table.weight[row];
    for (const std::uint32_t column : columns) {
      const double first = table.value(rows_[0], column);
      const auto differs = [&](RowIndex row) { return table.value(row, column) != first; };
      if (std::any_of(rows_.begin(), rows_.end(), differs)) columns_.push_back(column);
    }
    if (2 * columns_.size() > rows_.size()) columns_.clear();   // too few rows for a model of all of them
    write();
    for (std::size_t j = 0; j < columns_.size(); ++j) moves_.push_back(deviation(all, columns_[j]) / length_[j]);
  }

  RuleFit shortest() {
    std::vector<std::size_t> places(columns_.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    RuleFit found;
    double best = std::numeric_limits<double>::infinity();
    const double none = exact * absolute({});   // an error below is rounding
    for (;; places.erase(places.begin() + least_moving(places))) {
      solve(places);
      const double v = static_cast<double>(places.size());
      const double error = n_ > v ? absolute(places) * (n_ + v) / (n_ - v) : best;
      if (error <= std::max(best, none)) {
        found = fit(places);
        best = error;
      }
      if (places.empty()) return found;
    }
  }

  const std::vector<RowIndex>& rows() const { return rows_; }

 private:
  void write() {
    const std::size_t m = columns_.size();
    width_ = whole_quads(m + 1);
    values_.assign(rows_.size() * width_, 0.0);
    mean_.assign(m + 1, 0.0);
    length_.assign(m + 1, 1.0);
    std::vector<double> weight(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      double* z = values_.data() + i * width_;
      for (std::size_t j = 0; j < m; ++j) z[j] = table_.value(rows_[i], columns_[j]);
      z[m] = table_.y[rows_[i]];
      weight[i] = table_.weight[rows_[i]];
      for (std::size_t j = 0; j <= m; ++j) mean_[j] += weight[i] * z[j] / n_;
    }
    std::vector<double> squares(m, 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      double* z = values_.data() + i * width_;
      for (std::size_t j = 0; j <= m; ++j) z[j] -= mean_[j];
      for (std::size_t j = 0; j < m; ++j) squares[j] += weight[i] * z[j] * z[j];
    }
    for (std::size_t j = 0; j < m; ++j) length_[j] = squares[j] > 0 ? std::sqrt(squares[j]) : 1.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      double* z = values_.data() + i * width_;
      for (std::size_t j = 0; j < m; ++j) z[j] /= length_[j];
    }
    gram_ = gram_of({values_.data(), weight.data(), rows_.size(), width_}, m + 1);
  }

  // The mean deviation of a column.
  double deviation(std::span<const RowIndex> all, std::uint32_t column) const {
    double n = 0, mean = 0, sum = 0;
    for (const RowIndex row : all) n += table_.weight[row], mean += table_.weight[row] * table_.value(row, column);
    mean /= n;
    for (const RowIndex row : all) sum += table_.weight[row] * std::fabs(table_.value(row, column) - mean);
    return sum / n;
  }

  void solve(const std::vector<std::size_t>& places) {
    const std::size_t k = places.size();
    std::vector<double> A(k * k);
    size_.resize(k);
    for (std::size_t i = 0; i < k; ++i) {
      size_[i] = gram_[row_begin(columns_.size()) + places[i]];
      for (std::size_t j = 0; j <= i; ++j) A[i * k + j] = gram_[row_begin(places[i]) + places[j]];
    }
    solve_positive(A, k, size_.data(), 1);
  }

  double absolute(const std::vector<std::size_t>& places) const {
    const double mean = mean_[columns_.size()];
    double sum = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double* z = values_.data() + i * width_;
      double found = 0;
      for (std::size_t k = 0; k < places.size(); ++k) found += size_[k] * z[places[k]];
      const double rest = z[columns_.size()] - std::clamp(found, table_.low - mean, table_.high - mean);
      sum += table_.weight[rows_[i]] * std::fabs(rest);
    }
    return sum;
  }

  std::ptrdiff_t least_moving(const std::vector<std::size_t>& places) const {
    std::size_t least = 0;
    const auto moves = [&](std::size_t k) { return std::fabs(size_[k]) * moves_[places[k]]; };
    for (std::size_t k = 1; k < places.size(); ++k)
      if (moves(k) < moves(least)) least = k;
    return static_cast<std::ptrdiff_t>(least);
  }

  RuleFit fit(const std::vector<std::size_t>& places) const {
    RuleFit found;
    found.intercept = mean_[columns_.size()];
    for (std::size_t k = 0; k < places.size(); ++k) {
      const double coefficient = size_[k] / length_[places[k]];
      found.intercept -= coefficient * mean_[places[k]];
      found.terms.push_back({columns_[places[k]], coefficient});
    }
    return found;
  }

  const RuleTable& table_;
  std::vector<RowIndex> rows_;
  std::vector<std::uint32_t> columns_;
  std::size_t width_ = 0;
  double n_ = 0;   // the weight of the rows
  std::vector<double> values_, mean_, length_, moves_, gram_, size_;
};

}   // namespace

RuleFit fit_rule(const RuleTable& table, std::span<const RowIndex> rows, std::span<const std::uint32_t> columns) {
  RuleFit found = Squares(table, {rows.begin(), rows.end()}, columns, rows).shortest();
  std::vector<RowIndex> near(rows.begin(), rows.end());
  const auto mean = [&](const auto& of) {
    double sum = 0, n = 0;
    for (const RowIndex row : near) sum += table.weight[row] * of(found.rest(table, row)), n += table.weight[row];
    return sum / n;
  };
  if (!found.terms.empty()) {
    const double most = outlier * mean([](double rest) { return std::fabs(rest); });
    std::erase_if(near, [&](RowIndex row) { return !(std::fabs(found.rest(table, row)) <= most); });
    if (near.size() < rows.size()) return Squares(table, near, columns, rows).shortest();
  }
  found.intercept += mean([](double rest) { return rest; });
  return found;
}

}   // namespace treewright
