// Walking all paths of a tree with a block of rows: what the parts of Shapley share.
#pragma once
#include <algorithm>
#include <map>

#include "shapley.hpp"
#include "shapley_weights.hpp"

namespace treewright {

struct Shapley::Scratch {
  std::vector<Bits> bits;                              // (depth, rows of the block)
  std::vector<double> sums;                            // (used columns, width, rows of the block)
  std::vector<std::pair<Bits, std::uint32_t>> order;   // rows by their bits
  std::vector<double> r, after, weights, total, parts;
  std::map<std::size_t, LegendreRule> rules;

  const LegendreRule& rule(std::size_t m) {
    auto [found, fresh] = rules.try_emplace((m + 1) / 2);
    if (fresh) found->second = legendre_rule((m + 1) / 2);
    return found->second;
  }
  void make_room(std::size_t m) {
    for (auto* each : {&r, &after, &weights, &total}) each->resize(m + 1);
  }
};

// Calls use(end, bits of the rows of the block) at every end.
template <class Use>
void Shapley::each_place(std::size_t n, std::span<const std::int32_t> routes, Scratch& scratch, Use&& use) const {
  scratch.bits.resize((depth_ + 1) * n);
  std::fill_n(scratch.bits.begin(), n, Bits{0});
  if (places_.empty()) return use(ends_[0], scratch.bits.data());
  for (const Place& place : places_) {
    const Bits* from = scratch.bits.data() + (place.depth - 1) * n;
    Bits* to = scratch.bits.data() + place.depth * n;
    const std::int32_t* route = routes.data() + static_cast<std::size_t>(place.inner) * n;
    const std::uint32_t at = place.position;
    if (place.fresh) {
      for (std::size_t r = 0; r < n; ++r) to[r] = from[r] | Bits{route[r] == place.child} << at;
    } else {
      for (std::size_t r = 0; r < n; ++r) to[r] = from[r] & ~(Bits{route[r] != place.child} << at);
    }
    if (place.end >= 0) use(ends_[static_cast<std::size_t>(place.end)], to);
  }
}

// Calls use(end, part of every column that goes on) at every end, for one row.
template <class Use>
void Shapley::each_part(std::size_t row, std::size_t n, std::span<const std::int32_t> routes, Scratch& scratch,
                        Use&& use) const {
  const std::vector<PredictorNode>& nodes = predictor_.tree().nodes;
  const std::size_t width = most_columns_ + 1;
  scratch.parts.assign((depth_ + 1) * width, 1.0);
  if (places_.empty()) return use(ends_[0], scratch.parts.data());
  for (const Place& place : places_) {
    const double* from = scratch.parts.data() + (place.depth - 1) * width;
    double* to = scratch.parts.data() + place.depth * width;
    std::copy_n(from, width, to);
    const std::int32_t route = routes[static_cast<std::size_t>(place.inner) * n + row];
    const double part = route == place.child ? 1.0
                        : route == shared_missing && place.child >= 0
                            ? nodes[static_cast<std::size_t>(place.node)].share
                            : 0.0;
    to[place.position] = place.fresh ? part : to[place.position] * part;
    if (place.end >= 0) use(ends_[static_cast<std::size_t>(place.end)], to);
  }
}

}   // namespace treewright
