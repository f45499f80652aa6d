// A tally of its own; on the stack where the compiler knows its width.
#pragma once
#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "types.hpp"

namespace treewright {

template <class C>
struct OwnTally {
  using Storage =
      std::conditional_t<(C::static_width > 0), std::array<std::int64_t, C::static_width>, std::vector<std::int64_t>>;
  Storage values{};

  OwnTally()
    requires(C::static_width > 0)
  = default;
  explicit OwnTally(const C& criterion) {
    if constexpr (C::static_width == 0) values.assign(criterion.width(), 0);
  }
  OwnTally(const C& criterion, ConstTally from) : OwnTally(criterion) {
    std::copy(from.begin(), from.end(), values.begin());
  }
  operator Tally() { return values; }
  operator ConstTally() const { return values; }
  std::int64_t operator[](std::size_t i) const { return values[i]; }
  template <class From>
  void add(const From& from) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += from[i];
  }
  template <class From>
  void subtract(const From& from) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= from[i];
  }
  OwnTally minus(const OwnTally& other) const {
    OwnTally rest = *this;
    rest.subtract(other);
    return rest;
  }
};

}   // namespace treewright
