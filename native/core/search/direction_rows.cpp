#include "direction_rows.hpp"

#include <cmath>

namespace treewright {

namespace {

constexpr std::size_t most_candidates = 12;   // columns in one Gram matrix
constexpr std::size_t most_responses = 6;

double relevance(const std::vector<double>& z, const DirectionRows& rows) {
  double most = 0;
  for (const std::vector<double>& response : rows.responses) {
    double with = 0;
    for (std::size_t i = 0; i < rows.n; ++i) with += rows.weight[i] * z[i] * response[i];
    most = std::max(most, std::abs(with));
  }
  return most;
}
// One column for each class, or for each output; of two classes one says it all. All are standardised.
void read_responses(const NodeSample& some, DirectionRows& out) {
  const AnyCriterion& criterion = *some.criterion;
  out.weight.assign(out.n, 1.0);
  const auto units = criterion.weights();
  for (std::size_t i = 0; i < units.size(); ++i) out.weight[i] = static_cast<double>(units[i]);
  if (criterion.additive()) {
    const std::size_t n_sums = criterion.n_sums();
    const std::size_t skip = criterion.sums_are_counts() ? n_sums == 2 : 1;   // the first of numbers is the weight
    out.responses.assign(n_sums - skip, std::vector<double>(out.n));
    std::vector<std::int64_t> tally(criterion.width()), sums(n_sums);
    for (std::size_t i = 0; i < out.n; ++i) {
      std::fill(tally.begin(), tally.end(), 0);
      criterion.add(tally, i);
      criterion.sums(tally, sums.data());
      for (std::size_t r = skip; r < n_sums; ++r)
        out.responses[r - skip][i] = static_cast<double>(sums[r]) / out.weight[i];
    }
  } else {
    for (const std::vector<Item>& items : criterion.targets()) {
      std::vector<double>& response = out.responses.emplace_back(out.n);
      for (const Item& item : items) response[item.row] = static_cast<double>(item.key);
    }
  }
  std::vector<std::pair<double, std::vector<double>>> by_scale;
  for (std::vector<double>& response : out.responses) {
    const double scale = standardise(response, out.weight);
    if (scale > 0) by_scale.emplace_back(scale, std::move(response));
  }
  std::stable_sort(by_scale.begin(), by_scale.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  by_scale.resize(std::min(by_scale.size(), most_responses));
  out.responses.clear();
  for (auto& [scale, response] : by_scale) out.responses.push_back(std::move(response));
}

}   // namespace

double standardise(std::vector<double>& values, const std::vector<double>& weight) {
  double total = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    total += weight[i];
    sum += weight[i] * values[i];
  }
  const double mean = sum / total;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i])) squares += weight[i] * (values[i] - mean) * (values[i] - mean);
  const double deviation = std::sqrt(squares / total);
  if (!(deviation > 0) || !std::isfinite(deviation)) return 0;
  for (double& value : values) value = std::isfinite(value) ? (value - mean) / deviation : 0;
  return deviation;
}

std::vector<double> losses(const DirectionRows& rows, const std::vector<ChildNumber>& child) {
  std::vector<double> found(rows.n, 0.0);
  for (const std::vector<double>& response : rows.responses) {
    std::array<double, 2> sum{}, total{};
    for (std::size_t i = 0; i < rows.n; ++i)
      if (child[i] < 2) sum[child[i]] += rows.weight[i] * response[i], total[child[i]] += rows.weight[i];
    if (!(total[0] > 0) || !(total[1] > 0)) return std::vector<double>(rows.n, 0.0);
    for (std::size_t i = 0; i < rows.n; ++i) {
      const double first = response[i] - sum[0] / total[0], second = response[i] - sum[1] / total[1];
      found[i] += first * first - second * second;
    }
  }
  return found;
}

DirectionRows direction_rows(const Columns& table, const NodeSample& some, const std::vector<std::int32_t>& columns,
                             const Split& ordinary) {
  DirectionRows out;
  out.n = some.rows.size();
  read_responses(some, out);
  struct Candidate {
    double relevance;
    std::int32_t column;
    double scale;
    std::vector<double> z;
  };
  std::vector<Candidate> found;
  for (const std::int32_t column : columns) {
    Candidate each{0, column, 0, std::vector<double>(out.n)};
    read_row_numbers(table[static_cast<std::size_t>(column)], some.rows, each.z.data());
    each.scale = standardise(each.z, out.weight);
    if (!(each.scale > 0)) continue;
    each.relevance = relevance(each.z, out);
    if (ordinary && ordinary.feature == column) each.relevance = std::numeric_limits<double>::infinity();
    found.push_back(std::move(each));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Candidate& a, const Candidate& b) { return a.relevance > b.relevance; });
  if (found.size() > most_candidates) found.resize(most_candidates);
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return a.column < b.column; });
  out.z.resize(out.n * found.size());
  for (std::size_t c = 0; c < found.size(); ++c) {
    out.column.push_back(found[c].column);
    out.scale.push_back(found[c].scale);
    for (std::size_t i = 0; i < out.n; ++i) out.z[i * found.size() + c] = found[c].z[i];
  }
  return out;
}

}   // namespace treewright
