// From columns and a target to a grown tree: the criterion and the store are chosen here, once per fit.
#pragma once
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "growth.hpp"
#include "target.hpp"
#include "tree.hpp"

namespace treewright {

class AnyCriterion;
class Rows;

struct Grown {
  GrownTree tree;
  std::size_t n_outputs = 1, values_per_output = 1;
  std::int64_t n_passes = 0;
};

struct Trains {                                         // the rows to train on, tree by tree
  bool all_rows = true;                                 // first a tree of all rows,
  std::vector<std::span<const std::int64_t>> lists{};   // then one for each of these
  std::size_t size() const { return all_rows + lists.size(); }
};

// One tree for each of `trains`, each as if grown alone.
std::vector<Grown> fit(const Columns& columns, const Target& target, const Growth& growth, const Trains& trains,
                       std::atomic<bool>* cancel);

// The criterion of a part of a table; range: of the whole target.
std::unique_ptr<AnyCriterion> criterion_of_part(const std::string& name, const Target& target,
                                                const TargetRange& range);

// A tree of rows that live in parts. columns: types and levels; example: any row of the target.
Grown fit_in_parts(Rows& rows, const Columns& columns, const std::vector<int>& n_bins, const Target& example,
                   const TargetRange& range, const Growth& growth, std::atomic<bool>* cancel);

// name and task ("classification" or "regression") of every criterion
std::vector<std::pair<std::string, std::string>> criteria();

}   // namespace treewright
