// Agreement with a split that is already chosen: how well does a test on another column send the rows the same way?
// A tally is: rows of either side, weight that went to the first child, weight that went to the second. phi is the
// weight of the smaller side, so that the greatest gain is the greatest agreement. Rows of neither side do not count.
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "../criterion.hpp"
#include "../search/correction.hpp"
#include "../search/two_classes.hpp"

namespace treewright {

class Agreement {
 public:
  static constexpr std::string_view name = "agreement";
  static constexpr bool additive = true;
  static constexpr std::size_t static_width = 3;
  static constexpr std::uint8_t neither = 2;

  // side[row]: 0, 1 or neither; weight[row], or none where all weigh 1. The caller keeps both alive.
  Agreement(std::span<const std::uint8_t> side, std::span<const std::int64_t> weight) : side_(side), weight_(weight) {}

  std::size_t width() const { return 3; }
  std::size_t n_outputs() const { return 1; }
  std::size_t values_per_output() const { return 1; }
  std::span<const std::int64_t> weights() const { return weight_; }
  void add(Tally t, std::size_t row) const {
    const std::uint8_t side = side_[row];
    if (side == neither) return;
    t[0] += side == 0 ? 1 : one_second;
    t[1 + side] += weight_.empty() ? 1 : weight_[row];
  }
  // Where only rows of one side were counted, which weigh 1: the other side is the rest of so many.
  static void add_rest(Tally t, std::int64_t n, int counted) {
    const std::int64_t rest = n - t[1 + static_cast<std::size_t>(counted)];
    t[0] += counted == 0 ? rest * one_second : rest;
    t[2 - static_cast<std::size_t>(counted)] += rest;
  }
  Agreement gather(std::span<const RowIndex> rows) const {
    std::vector<std::int64_t> units(weight_.empty() ? 0 : rows.size());
    for (std::size_t i = 0; i < units.size(); ++i) units[i] = weight_[rows[i]];
    return gather(rows, units);
  }
  Agreement gather(std::span<const RowIndex> rows, std::span<const std::int64_t> units) const {
    auto own = std::make_shared<Own>();
    own->side.resize(rows.size());
    own->weight.assign(units.begin(), units.end());
    for (std::size_t i = 0; i < rows.size(); ++i) own->side[i] = side_[rows[i]];
    Agreement some(own->side, own->weight);
    some.own_ = std::move(own);
    return some;
  }
  Agreement gather_sums(std::span<const RowIndex> rows) const { return gather(rows); }
  // Rows of the first side are counted in the lower half of an integer, those of the second in the upper.
  static constexpr std::int64_t one_second = std::int64_t{1} << 32;
  static std::int64_t rows_of(ConstTally t, int side) { return side == 0 ? t[0] & (one_second - 1) : t[0] >> 32; }
  static std::int64_t rows(ConstTally t) { return rows_of(t, 0) + rows_of(t, 1); }
  std::int64_t weight(ConstTally t) const { return t[1] + t[2]; }
  static std::int64_t mass(ConstTally t) { return std::min(t[1], t[2]); }

  double gain(ConstTally total, ConstTally left) const {
    return static_cast<double>(mass(total) - std::min(left[1], left[2]) -
                               std::min(total[1] - left[1], total[2] - left[2]));
  }
  bool surely_below(ConstTally total, ConstTally left, double least) const {
    return gain(total, left) < least * (1 - 0x1p-40);
  }
  // See search/two_classes.hpp: where all rows weigh 1, and each is of one side.
  bool counts_rows() const { return weight_.empty(); }
  std::uint32_t class_of(std::size_t row) const { return side_[row]; }
  AgreementOfTwo bound_of_two(ConstTally total) const { return AgreementOfTwo(TwoCounts{total[1], total[2]}); }
  static std::array<std::int64_t, 3> tally_of(const TwoCounts& counts) {
    return {counts[0] + counts[1] * one_second, counts[0], counts[1]};
  }
  // Every corner of the bucket's box: each side wholly left or wholly right of the cut.
  double bound(ConstTally total, ConstTally left, ConstTally bucket) const {
    const std::array<std::int64_t, 3> first{left[0], left[1] + bucket[1], left[2]},
        second{left[0], left[1], left[2] + bucket[2]};
    return std::max(gain(total, first), gain(total, second));
  }
  bool bound_surely_below(ConstTally total, ConstTally left, ConstTally bucket, double least) const {
    return bound(total, left, bucket) < least * (1 - 0x1p-40);
  }
  // What some edge of bins gains, and what no cut exceeds; not known where rows have no value. `bins`: of a column, and the bin of
  // missing values; `single`: those of one value.
  struct Range {
    std::int64_t reached = 0, most = 0;
    bool known = true;
  };
  static Range range_of_gain(ConstTally total, std::span<const std::int64_t> bins,
                             const std::vector<std::uint8_t>& single) {
    Range found;
    std::int64_t n = 0, first = 0, second = 0;
    const std::int64_t n_rows = rows(total);
    const auto gain = [&](std::int64_t k, std::int64_t l) {
      return mass(total) - std::min(k, l) - std::min(total[1] - k, total[2] - l);
    };
    for (std::size_t b = 0; 3 * b < bins.size(); ++b) {
      const ConstTally bin = bins.subspan(3 * b, 3);
      if (3 * (b + 1) == bins.size()) {
        found.known = rows(bin) == 0;
        break;
      }
      if (!single[b]) found.most = std::max({found.most, gain(first + bin[1], second), gain(first, second + bin[2])});
      n += rows(bin), first += bin[1], second += bin[2];
      const std::int64_t at_edge = gain(first, second);
      found.most = std::max(found.most, at_edge);
      if (std::min(n, n_rows - n) >= 2) found.reached = std::max(found.reached, at_edge);
    }
    return found;
  }
  bool allows(ConstTally, ConstTally) const { return true; }
  static double user_mass(double mass) { return mass; }
  // The weight that agrees with a cut; negative where it agrees the other way round.
  template <class Split>
  void note(ConstTally total, ConstTally left, Split& split) const {
    const std::int64_t same = left[1] + total[2] - left[2], other = left[2] + total[1] - left[1];
    split.left_weight = same >= other ? same : -other;
    split.known_weight = total[1] + total[2];
    split.known_majority = std::max(total[1], total[2]);
  }
  std::size_t n_sums() const { return 2; }
  static bool sums_are_counts() { return true; }
  void sums(ConstTally t, std::int64_t* out) const { out[0] = t[1], out[1] = t[2]; }
  Evidence evidence(ConstTally, std::span<const std::int64_t>, Scale) const { return {}; }
  double mean_value(ConstTally t) const { return output_value(t); }
  double output_value(ConstTally t) const { return static_cast<double>(t[2]) / static_cast<double>(weight(t)); }
  Summary summary(std::span<const RowIndex> rows) const {
    Summary s;
    s.tally.assign(3, 0);
    for (const RowIndex row : rows) add(s.tally, row);
    s.n_rows = Agreement::rows(s.tally);
    s.mass = static_cast<double>(mass(s.tally));
    return s;
  }

 private:
  struct Own {
    std::vector<std::uint8_t> side;
    std::vector<std::int64_t> weight;
  };
  std::shared_ptr<const Own> own_;
  std::span<const std::uint8_t> side_;
  std::span<const std::int64_t> weight_;
};

}   // namespace treewright
