// The user's arrays as the core sees them, with the references that keep them alive.
#pragma once
#include <nanobind/stl/optional.h>

#include <optional>

#include "../core/columns.hpp"
#include "../core/target.hpp"
#include "arrays.hpp"

namespace treewright {

// The entries of an array, which is kept alive.
template <class View>
const typename View::Scalar* hold(const View& view, std::vector<nb::object>& held) {
  const View kept = aligned(view);
  held.push_back(nb::cast(kept));
  return kept.data();
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
