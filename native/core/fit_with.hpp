// Growing with a criterion that has been made.
#pragma once
#include "any_criterion.hpp"
#include "fit.hpp"
#include "rows/counting_store.hpp"
#include "weights.hpp"

namespace treewright {

struct Prepared {   // what a growth needs beside the table; as settings that are given in other terms say
  Growth growth;
  Weights weights;
  std::unique_ptr<AnyCriterion> criterion;
};
Prepared prepare(const Columns& columns, const Target& target, const Growth& growth);

// Grows a tree for each of `trains`. They share the bins and what the rows say of the target; several trees are grown
// side by side, one thread each.
std::vector<Grown> fit_with(const AnyCriterion& criterion, const Columns& columns, const Weights& weights,
                            const Growth& growth, const Trains& trains, std::atomic<bool>* cancel);

// Grows a tree of rows that live in parts. criterion: any rows of the target, on the grid of all.
Grown fit_in_parts(Rows& rows, const AnyCriterion& criterion, TableShape shape, const Weights& weights,
                   const Growth& growth, std::atomic<bool>* cancel);

// A criterion over the rows of a target, on the grids of the whole target if they are a part of it. Each is compiled in a unit of its own: see criteria/unit.cpp.in.
template <class Impurity>
std::unique_ptr<AnyCriterion> make_classes(const Target& target, const Weights& weights, const TargetRange* range);
template <class Loss>
std::unique_ptr<AnyCriterion> make_numbers(const Target& target, const Weights& weights, const TargetRange* range);
std::unique_ptr<AnyCriterion> make_medians(const Target& target, const Weights& weights, const TargetRange* range);

}   // namespace treewright
