// Gains once more, as plain sums of doubles, one row after the other. Between splits that gain the same the rounding of
// such sums decides in programs that know no better (rpart); who wants their very trees must add as they do.
#pragma once
#include <cstdint>
#include <vector>

#include "../types.hpp"

namespace treewright {

struct PlainRow {
  std::uint32_t label = 0;   // of classes
  double y = 0, weight = 1;
};

struct PlainRules {
  double (*impurity)(double share) = nullptr;   // of classes; numbers are compared by squares
  std::vector<double> factor;                   // by class: what its rows weigh more
};

class PlainSums {
 public:
  struct Part {                  // some of the rows
    std::vector<double> count;   // by class
    double sum = 0;              // of y - mean
    double weight = 0;
  };

  // The rows, in the order in which they are added: each_row(use) calls use(row) for every one.
  template <class EachRow>
  PlainSums(PlainRules rules, EachRow&& each_row) : rules_(std::move(rules)) {
    double sum = 0;
    each_row([&](const PlainRow& row) {
      sum += row.y * row.weight;
      enter(right_, row);
    });
    mean_ = sum / right_.weight;
    right_.sum = 0;
    left_.count.resize(rules_.factor.size());
    right_.count.resize(rules_.factor.size());
    for (std::size_t k = 0; k < right_.count.size(); ++k) total_ += term(right_, k);
  }

  // Of classes whose rows all weigh 1: sums of ones are exact, so that the counts of a side say all.
  PlainSums(PlainRules rules, ConstTally total) : rules_(std::move(rules)), counts_(true) {
    left_.count.resize(total.size());
    right_ = {{total.begin(), total.end()}};
    for (const double count : right_.count) right_.weight += count;
    all_ = right_;
    for (std::size_t k = 0; k < right_.count.size(); ++k) total_ += term(right_, k);
  }

  void enter(Part& part, const PlainRow& row) const {
    if (rules_.factor.empty()) {
      part.sum += (row.y - mean_) * row.weight;
      part.weight += row.weight;
      return;
    }
    part.count.resize(rules_.factor.size());
    part.count[row.label] += row.weight;
    part.weight += rules_.factor[row.label] * row.weight;
  }
  bool counts() const { return counts_; }   // then nothing is moved
  void move(const PlainRow& row) {          // to the left
    const bool numbers = rules_.factor.empty();
    const double sum = numbers ? (row.y - mean_) * row.weight : 0;
    const double weight = numbers ? row.weight : rules_.factor[row.label] * row.weight;
    left_.sum += sum, right_.sum -= sum;
    left_.weight += weight, right_.weight -= weight;
    if (!numbers) left_.count[row.label] += row.weight, right_.count[row.label] -= row.weight;
  }
  void move(const Part& part, double sign) {   // to the left, or back
    left_.sum += sign * part.sum, right_.sum -= sign * part.sum;
    left_.weight += sign * part.weight, right_.weight -= sign * part.weight;
    for (std::size_t k = 0; k < part.count.size(); ++k) {
      left_.count[k] += sign * part.count[k];
      right_.count[k] -= sign * part.count[k];
    }
  }

  double gain(ConstTally left) {   // of the cut that was moved to, which leaves these counts on the left
    if (!counts_) return gain();
    left_.weight = 0;
    for (std::size_t k = 0; k < left.size(); ++k) {
      left_.count[k] = static_cast<double>(left[k]);
      right_.count[k] = all_.count[k] - left_.count[k];
      left_.weight += left_.count[k];
    }
    right_.weight = all_.weight - left_.weight;
    return gain();
  }

  // numbers: L^2 / w_left + R^2 / w_right; classes: what the sides leave of sum_k w f(p_k)
  double gain() const {
    if (rules_.factor.empty()) return left_.sum * left_.sum / left_.weight + right_.sum * right_.sum / right_.weight;
    double rest = 0;
    for (std::size_t k = 0; k < left_.count.size(); ++k) {
      rest += term(left_, k);
      rest += term(right_, k);
    }
    return total_ - rest;
  }

 private:
  double term(const Part& part, std::size_t k) const {
    return part.weight * rules_.impurity(rules_.factor[k] * part.count[k] / part.weight);
  }

  PlainRules rules_;
  Part left_, right_, all_{};
  double mean_ = 0, total_ = 0;
  bool counts_ = false;
};

inline constexpr std::size_t try_sets_one_by_one = 20;   // up to so many levels

// Of a nominal column whose levels are moved one by one. All but the last of its declared levels are (rpart), so that
// sets come up twice, with other rounding, in nodes where no row has that one.
struct PlainLevels {
  PlainSums* sums = nullptr;
  std::vector<PlainSums::Part> parts{};   // of the levels
  bool moves_last = false;
};

}   // namespace treewright
