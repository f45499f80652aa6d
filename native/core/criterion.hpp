// The contract of a criterion, and the one measure by which splits are compared.
//
// A criterion measures the impurity mass phi of a tally: the loss of the best constant, summed over the rows' weights.
//   phi >= 0, phi = 0 when pure, phi is concave and homogeneous, so gain = phi(T) - phi(L) - phi(R) >= 0.
//
// It offers:
//   name                            what users type
//   width()                         integers in one tally
//   add(tally, row)                 one row enters
//   gather(rows)                    the same criterion over a copy of these rows, numbered 0, 1, ...
//   rows(tally), weight(tally)      how many rows, and their weight in units of the grid
//   gain(total, left)               phi(total) - phi(left) - phi(total - left), without cancellation
//   bound(total, left, bucket)      no cut inside `bucket` (rows that follow `left`, in an unknown order) gains more;
//                                   the bucket's own edges are the caller's matter
//   allows(total, left)             false where a child would have no finite loss
//   output_value(tally)             the value that a monotone constraint compares
//   summary(rows)                   what the tree keeps of a node
//   node_sums(rows)                 perhaps: sums that add; those of a child are its parent's less its sibling's
//   summarize(sums, rows, s)        ... and what the tree keeps of a node, from these
//   additive                        false where no finite tally exists: such a criterion scans sorted rows only
#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>
#include <string_view>
#include <vector>

#include "short_list.hpp"
#include "types.hpp"

namespace treewright {

// What the tree keeps of a node.
struct NodeSummary {
  ShortList<double, 2> value;   // per output: class shares, mean or median
  std::int64_t n_rows = 0;
  double weight = 0;     // in the user's units
  double mass = 0;       // phi, in the criterion's units
  double impurity = 0;   // phi / weight, in the user's units
  bool pure = true;
};

// What a node knows of itself once its rows are known: its split is searched with the tally.
using OwnedTally = ShortList<std::int64_t, 3>;
struct Summary : NodeSummary {
  OwnedTally tally;
};

template <class C>
concept Criterion = requires(const C c, Tally t, ConstTally s, std::size_t row, std::span<const RowIndex> rows) {
  { C::name } -> std::convertible_to<std::string_view>;
  { c.width() } -> std::convertible_to<std::size_t>;
  c.add(t, row);
  { c.gather(rows) } -> std::same_as<C>;
  { c.rows(s) } -> std::same_as<std::int64_t>;
  { c.weight(s) } -> std::same_as<std::int64_t>;
  { c.gain(s, s) } -> std::same_as<double>;
  { c.bound(s, s, s) } -> std::same_as<double>;
  { c.allows(s, s) } -> std::same_as<bool>;
  { c.output_value(s) } -> std::same_as<double>;
  { c.summary(rows) } -> std::same_as<Summary>;
};

// A score is the share of the node's impurity that a split removes, in 2^-40: an integer, so that the last bits of a
// sum, of a logarithm or of the order of the classes never decide between equal splits.
using Score = std::int64_t;

struct Scale {
  double per_mass = 0;   // 2^40 / phi(T)
  explicit Scale(double mass) : per_mass(mass > 0 ? 0x1p40 / mass : 0) {}

  Score score(double gain) const { return whole_below(gain * per_mass + 0.5); }
  // What a bound may reach: rounding errors of gains are far below 2^-44 of phi(T), so this is never too low. No
  // split removes more than all of the impurity, however loose the bound.
  Score highest(double bound) const { return whole_below(std::min(bound * per_mass, 0x1p41) + (0.5 + 0x1p-4)); }

 private:
  static Score whole_below(double x) {   // std::floor without a call
    const auto whole = static_cast<Score>(x);
    return whole - (static_cast<double>(whole) > x);
  }
};

}   // namespace treewright
