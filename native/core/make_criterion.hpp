// From a target to a criterion whose shape the compiler knows, where it is a common one.
#pragma once
#include "criterion_of.hpp"
#include "fit_with.hpp"
#include "target_rows.hpp"

namespace treewright {

template <class Impurity>
std::unique_ptr<AnyCriterion> make_classes(const Target& target, const Weights& weights, const TargetRange*) {
  if (target.n_outputs == 1 && target.n_classes[0] == 2 && weights.equal())
    return std::make_unique<AdditiveCriterion<Classes<Impurity, 2>>>(Classes<Impurity, 2>(class_rows(target, weights)));
  return std::make_unique<AdditiveCriterion<Classes<Impurity, 0>>>(Classes<Impurity, 0>(class_rows(target, weights)));
}

template <class Loss>
std::unique_ptr<AnyCriterion> make_numbers(const Target& target, const Weights& weights, const TargetRange* range) {
  NumberRows rows = number_rows(target, weights, Loss::centred, Loss::second, range);
  if (target.n_outputs == 1 && weights.equal())
    return std::make_unique<AdditiveCriterion<Numbers<Loss, 1>>>(Numbers<Loss, 1>(std::move(rows)));
  return std::make_unique<AdditiveCriterion<Numbers<Loss, 0>>>(Numbers<Loss, 0>(std::move(rows)));
}

}   // namespace treewright
