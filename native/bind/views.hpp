// The user's arrays as the core sees them, with the references that keep them alive.
#pragma once
#include <nanobind/stl/optional.h>

#include <optional>

#include "../core/columns.hpp"
#include "../core/target.hpp"
#include "arrays.hpp"

namespace treewright {

// The entries of an array, which is kept alive: of one that lies between the addresses of its type, a copy.
template <class View>
const typename View::Scalar* hold(const View& view, std::vector<nb::object>& held) {
  using T = std::remove_const_t<typename View::Scalar>;
  if (reinterpret_cast<std::uintptr_t>(view.data()) % alignof(T) == 0) {
    held.push_back(nb::cast(view));
    return view.data();
  }
  std::vector<T> copy(view.size());
  std::memcpy(copy.data(), view.data(), copy.size() * sizeof(T));
  const T* entries = copy.data();   // which to_array keeps where they are
  held.push_back(to_array(std::move(copy)));
  return entries;
}

struct ColumnsView {
  Columns columns;
  std::vector<nb::object> held;
};

struct TargetView {
  Target target;
  std::vector<nb::object> held;

  void hold_weights(const std::optional<View1<double>>& weights) {
    if (!weights) return;
    if (weights->shape(0) != target.n_rows) throw std::invalid_argument("weights must have one entry per row.");
    target.weights = hold(*weights, held);
  }
  void hold_own_weights(const std::optional<View1<double>>& weights) {
    if (!weights) return;
    if (weights->shape(0) != target.n_rows) throw std::invalid_argument("own_weights must have one entry per row.");
    target.own_weights = hold(*weights, held);
  }
};

}   // namespace treewright
