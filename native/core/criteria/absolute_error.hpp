// Absolute error: phi = sum w |y - median|. A median is not a sum, so no finite tally exists; its nodes are searched on
// sorted rows, where the losses of all cuts of a column are found together. Concave, not smooth.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

#include "numbers.hpp"

namespace treewright {

// Rows in the order of y, as a linked list from which rows are taken one after the other. The median moves by at most
// a step or two with each, so all losses cost linear time.
class MedianList {
 public:
  MedianList(std::span<const std::int64_t> q, std::span<const std::int64_t> w) : q_(q), w_(w) {
    const auto n = static_cast<std::uint32_t>(q.size());
    before_.resize(n);
    after_.resize(n);
  }
  void fill() {   // all rows in
    const auto n = static_cast<std::uint32_t>(q_.size());
    low_weight_ = high_weight_ = low_sum_ = high_sum_ = 0;
    for (std::uint32_t i = 0; i < n; ++i) before_[i] = i - 1, after_[i] = i + 1;
    middle_ = 0;
    size_ = n;
    for (std::uint32_t i = 1; i < n; ++i) high_weight_ += w_[i], high_sum_ += Wide{w_[i]} * q_[i];
    balance();
  }
  void remove(std::uint32_t i) {
    if (--size_ == 0) return;
    if (i == middle_) {   // its neighbour takes over
      if (high_weight_ > 0) step_up(false);
      else step_down(false);
    } else if (i < middle_) {
      low_weight_ -= w_[i], low_sum_ -= Wide{w_[i]} * q_[i];
    } else {
      high_weight_ -= w_[i], high_sum_ -= Wide{w_[i]} * q_[i];
    }
    if (before_[i] != none) after_[before_[i]] = after_[i];
    if (after_[i] < q_.size()) before_[after_[i]] = before_[i];
    balance();
  }
  double loss() const {
    if (size_ == 0) return 0;
    const Wide m = q_[middle_];
    return to_double(m * low_weight_ - low_sum_ + high_sum_ - m * high_weight_);
  }
  // Twice the median: the middle of the lower and the upper one.
  double doubled_median() const {
    if (size_ == 0) return 0;
    const std::int64_t total = low_weight_ + w_[middle_] + high_weight_;
    std::int64_t low = q_[middle_], high = low;
    if (2 * low_weight_ == total && before_[middle_] != none) low = q_[before_[middle_]];
    if (2 * high_weight_ == total && after_[middle_] < q_.size()) high = q_[after_[middle_]];
    return static_cast<double>(low) + static_cast<double>(high);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  void balance() {   // at most half the weight on either side of the middle
    for (;;) {
      const std::int64_t total = low_weight_ + w_[middle_] + high_weight_;
      if (2 * high_weight_ > total) step_up(true);
      else if (2 * low_weight_ > total) step_down(true);
      else return;
    }
  }
  void step_up(bool keep) {
    if (keep) low_weight_ += w_[middle_], low_sum_ += Wide{w_[middle_]} * q_[middle_];
    middle_ = after_[middle_];
    high_weight_ -= w_[middle_], high_sum_ -= Wide{w_[middle_]} * q_[middle_];
  }
  void step_down(bool keep) {
    if (keep) high_weight_ += w_[middle_], high_sum_ += Wide{w_[middle_]} * q_[middle_];
    middle_ = before_[middle_];
    low_weight_ -= w_[middle_], low_sum_ -= Wide{w_[middle_]} * q_[middle_];
  }

  std::span<const std::int64_t> q_, w_;
  std::vector<std::uint32_t> before_, after_;
  std::uint32_t middle_ = 0;
  std::size_t size_ = 0;
  std::int64_t low_weight_ = 0, high_weight_ = 0;
  Wide low_sum_ = 0, high_sum_ = 0;
};

class AbsoluteError {
 public:
  static constexpr std::string_view name = "absolute_error";
  static constexpr bool additive = false;
  static constexpr std::size_t static_width = 3;   // rows, weight, and how many rows from the left end (see Cuts)

  explicit AbsoluteError(NumberRows rows) : rows_(std::move(rows)) {}

  std::size_t width() const { return 3; }
  std::span<const std::int64_t> weights() const { return rows_.weight; }   // empty: every row weighs 1
  std::size_t n_outputs() const { return rows_.grid.size(); }
  std::size_t n_rows() const { return rows_.q.size() / n_outputs(); }
  std::size_t values_per_output() const { return 1; }
  double user_mass(double mass) const {
    return std::ldexp(mass * rows_.unit / static_cast<double>(n_outputs()), -rows_.base);
  }
  std::int64_t weight_of(std::size_t row) const { return rows_.weight.empty() ? 1 : rows_.weight[row]; }
  std::int64_t q(std::size_t row, std::size_t output) const { return rows_.q[row * n_outputs() + output]; }
  void add(Tally t, std::size_t row) const { t[0] += 1, t[1] += weight_of(row), t[2] += 1; }
  std::int64_t rows(ConstTally t) const { return t[0]; }
  std::int64_t weight(ConstTally t) const { return t[1]; }

  AbsoluteError gather(std::span<const RowIndex> rows) const {
    NumberRows some;
    some.grid = rows_.grid;
    some.unit = rows_.unit;
    some.base = rows_.base;
    for (const RowIndex row : rows) {
      for (std::size_t o = 0; o < n_outputs(); ++o) {
        some.q.push_back(q(row, o));
        some.exact.push_back(rows_.exact[row * n_outputs() + o]);
      }
      if (!rows_.weight.empty()) some.weight.push_back(rows_.weight[row]);
    }
    return AbsoluteError(std::move(some));
  }

  AbsoluteError gather(std::span<const RowIndex> rows, std::span<const std::int64_t> units) const {
    AbsoluteError some = gather(rows);
    some.rows_.weight.assign(units.begin(), units.end());
    return some;
  }

  Summary summary(std::span<const RowIndex> rows) const {
    Summary s;
    s.n_rows = static_cast<std::int64_t>(rows.size());
    s.tally = {s.n_rows, 0, 0};
    s.value.assign(n_outputs(), 0);
    for (const RowIndex row : rows) s.tally[1] += weight_of(row);
    s.weight = static_cast<double>(s.tally[1]) * rows_.unit;
    std::vector<std::pair<double, RowIndex>> order(rows.size());   // y and its row: sorted without looking rows up
    for (std::size_t o = 0; o < n_outputs(); ++o) {
      for (std::size_t i = 0; i < rows.size(); ++i) order[i] = {rows_.exact[rows[i] * n_outputs() + o], rows[i]};
      std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      s.pure &= q(order.front().second, o) == q(order.back().second, o);
      std::int64_t below = 0;
      std::size_t i = 0;
      const auto up_to = [&] { return below + weight_of(order[i].second); };
      while (2 * up_to() < s.tally[1]) below += weight_of(order[i++].second);
      const bool between = 2 * up_to() == s.tally[1] && i + 1 < order.size();
      s.value[o] = between ? order[i].first / 2 + order[i + 1].first / 2 : order[i].first;
      Wide loss = 0;
      for (const RowIndex row : rows) {
        const std::int64_t d = q(row, o) - q(order[i].second, o);
        loss += Wide{weight_of(row)} * (d < 0 ? -d : d);
      }
      s.mass += std::ldexp(to_double(loss), -rows_.grid[o].relative);
    }
    if (s.pure) s.mass = 0;
    s.impurity = user_mass(s.mass) / s.weight;
    return s;
  }

  // The losses of all cuts of one column, as a criterion of its own: its tallies only say how far the cut has come.
  class Cuts {
   public:
    static constexpr std::string_view name = AbsoluteError::name;
    static constexpr bool additive = false;
    static constexpr std::size_t static_width = 3;

    // by_target[o]: the node's rows in the order of output o; order: its rows in the order of the column.
    Cuts(const AbsoluteError& criterion, const std::vector<std::vector<std::uint32_t>>& by_target,
         std::span<const std::uint32_t> order, double mass, bool with_values)
        : criterion_(criterion), mass_(mass), loss_(order.size() + 1, 0.0) {
      const std::size_t n = order.size();
      total_[0] = static_cast<std::int64_t>(n);
      for (const std::uint32_t row : order) total_[1] += criterion.weight_of(row);
      if (with_values) left_value_.resize(n + 1), right_value_.resize(n + 1);
      thread_local std::vector<std::uint32_t>
          at;   // by row; kept, since only the rows of the node are written and read
      if (at.size() < criterion.n_rows()) at.resize(criterion.n_rows());
      std::vector<std::int64_t> q(n), w(n);
      for (std::size_t o = 0; o < criterion.n_outputs(); ++o) {
        for (std::uint32_t i = 0; i < n; ++i) {
          const std::uint32_t row = by_target[o][i];
          at[row] = i, q[i] = criterion.q(row, o), w[i] = criterion.weight_of(row);
        }
        const Grid& grid = criterion.rows_.grid[o];
        const double unit = std::ldexp(1.0, -grid.relative);
        const auto value = [&](double doubled) { return grid.centre + std::ldexp(doubled, -grid.digits - 1); };
        MedianList list(q, w);
        list.fill();
        for (std::size_t k = n; k-- > 1;) {   // the first k rows are left
          list.remove(at[order[k]]);
          loss_[k] += list.loss() * unit;
          if (with_values) left_value_[k] = value(list.doubled_median());
        }
        list.fill();
        for (std::size_t k = 1; k < n; ++k) {
          list.remove(at[order[k - 1]]);
          loss_[k] += list.loss() * unit;
          if (with_values) right_value_[k] = value(list.doubled_median());
        }
      }
    }
    std::size_t width() const { return 3; }
    ConstTally total() const { return total_; }   // of all rows; less a left part it is what is right of it
    void add(Tally t, std::size_t row) const { criterion_.add(t, row); }
    std::int64_t rows(ConstTally t) const { return t[0]; }
    std::int64_t weight(ConstTally t) const { return t[1]; }
    bool allows(ConstTally, ConstTally) const { return true; }
    double gain(ConstTally, ConstTally left) const {
      const auto k = static_cast<std::size_t>(left[0]);
      return k == 0 || k + 1 >= loss_.size() ? 0 : std::max(mass_ - loss_[k], 0.0);
    }
    double output_value(ConstTally t) const {   // a left part counts up from 0, what is right of it down
      return t[2] > 0 ? left_value_[static_cast<std::size_t>(t[2])] : right_value_[static_cast<std::size_t>(-t[2])];
    }

   private:
    const AbsoluteError& criterion_;
    double mass_;
    std::array<std::int64_t, 3> total_{};                   // the last stays 0
    std::vector<double> loss_, left_value_, right_value_;   // by the number of rows on the left
  };

 private:
  NumberRows rows_;
};

}   // namespace treewright
