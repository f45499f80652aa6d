#include "branch_grower.hpp"

#include <algorithm>
#include <numeric>

namespace treewright {

namespace {

// Where the value of a row is stored; -1: nowhere, it is the zero of a sparse column.
std::ptrdiff_t place_of(const Column& column, RowIndex row) {
  if (!column.sparse) return static_cast<std::ptrdiff_t>(row);
  const auto* end = column.stored_rows + column.n_stored;
  const auto* found = std::lower_bound(column.stored_rows, end, static_cast<std::int32_t>(row));
  return found != end && *found == static_cast<std::int32_t>(row) ? found - column.stored_rows : -1;
}

}   // namespace

BranchGrower::BranchGrower(const Columns& columns, const Target& target, Growth growth, BranchOptions options)
    : columns_(columns),
      target_(target),
      growth_(std::move(growth)),
      options_(std::move(options)),
      has_missing_(has_missing(columns)),
      cells_(columns.size()) {
  if (target.n_classes.empty()) throw std::invalid_argument("branches are grown from a target of classes.");
  if (target.n_rows != columns.n_rows)
    throw std::invalid_argument("the target must have one row for each row of the table.");
  if (!options_.class_weight.empty() && (target.n_outputs != 1 || options_.class_weight.size() != target.n_classes[0]))
    throw std::invalid_argument("class_weight must have one entry per class.");
  std::int64_t last = -1;
  for (const std::int64_t row : options_.rows) {
    if (row <= last || row >= static_cast<std::int64_t>(columns.n_rows))
      throw std::invalid_argument("rows must be ascending rows of the table.");
    last = row;
  }
  growth_.share_above = std::max<std::int64_t>(growth_.share_above, 2'000'000);   // starting threads costs more
  growth_.rows_of_table = options_.rows.empty() ? columns.n_rows : options_.rows.size();
  part_.columns = columns.columns;
  part_.of_table_with_missing = has_missing_;
}

const Grown& BranchGrower::grow(std::span<const RowIndex> rows, std::span<const double> weights,
                                std::atomic<bool>* cancel) {
  table_rows_.assign(rows.begin(), rows.end());
  if (!options_.rows.empty()) {
    for (RowIndex& row : table_rows_) row = static_cast<RowIndex>(options_.rows.at(row));
  }
  const std::size_t n = rows.size(), n_outputs = target_.n_outputs;
  std::vector<std::int32_t> labels;
  std::vector<double> weight(weights.begin(), weights.end()), own;
  for (std::size_t i = 0; i < n; ++i) {
    const auto* label = target_.labels + table_rows_[i] * n_outputs;
    labels.insert(labels.end(), label, label + n_outputs);
    if (!options_.class_weight.empty()) weight[i] *= options_.class_weight[static_cast<std::size_t>(*label)];
    if (target_.own_weights != nullptr) own.push_back(target_.own_weights[table_rows_[i]]);
  }
  Target part = target_;
  part.n_rows = n;
  part.labels = labels.data();
  const bool ones = std::all_of(weight.begin(), weight.end(), [](double w) { return w == 1; });
  part.weights = ones ? nullptr : weight.data();
  part.own_weights = own.empty() ? nullptr : own.data();
  part_.n_rows = n;
  for (std::size_t f = 0; f < columns_.size(); ++f) copy(f);
  grown_.push_back(std::move(fit(part_, part, growth_, Trains{}, cancel)[0]));
  if (options_.recorded) record(grown_.back().tree);
  return grown_.back();
}

void BranchGrower::copy(std::size_t feature) {
  const Column& from = columns_[feature];
  Column& to = part_.columns[feature];
  Cells& cells = cells_[feature];
  with_reader(from, [&](auto reader) {
    using T = decltype(reader.value(0));
    const std::size_t n = table_rows_.size();
    cells.values.resize(n * sizeof(T));
    if (from.missing != nullptr) cells.missing.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::ptrdiff_t place = place_of(from, table_rows_[i]);
      const T value = place < 0 ? T{} : reader.value(static_cast<std::size_t>(place));
      std::memcpy(cells.values.data() + i * sizeof(T), &value, sizeof(T));
      if (from.missing != nullptr) cells.missing[i] = place < 0 ? 0 : from.missing[place];
    }
    to.stride = sizeof(T);
  });
  to.data = cells.values.data();
  to.missing = from.missing != nullptr ? cells.missing.data() : nullptr;
  to.sparse = false;
}

void BranchGrower::record(GrownTree& tree) {
  tree.change([&](TreeNode& node, const RareParts& rare) {
    if (node.first_child < 0 || rare.levels || rare.combination || rare.exact || !std::isfinite(node.threshold)) {
      return;
    }
    if (recorded_.empty()) record_values();
    const auto feature = static_cast<std::size_t>(node.feature);
    node.threshold =
        recorded_.at_most(feature, key_kind(columns_[feature].type), node.threshold, growth_.classic.single);
  });
}

void BranchGrower::record_values() {
  std::vector<RowIndex> rows(options_.rows.begin(), options_.rows.end());
  if (rows.empty()) {
    rows.resize(columns_.n_rows);
    std::iota(rows.begin(), rows.end(), RowIndex{0});
  }
  rows = rows_to_record(columns_, std::move(rows), growth_);
  const bool small = static_cast<std::int64_t>(rows.size() * columns_.size()) < 200'000;
  Pool pool(small ? 1 : growth_.n_threads);
  recorded_ = RecordedValues(columns_, rows, pool, [](std::size_t) { return SortedValues{}; });
}

}   // namespace treewright
