#include "column_test.hpp"

#include <algorithm>

namespace treewright {

KnownRows known_rows(const Column& column, std::span<const RowIndex> rows) {
  KnownRows known;
  std::vector<Key> keys(rows.size());
  read_keys(column, rows, keys.data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (keys[i] == missing_key) continue;
    known.at.push_back(static_cast<std::uint32_t>(i));
    if (column.nominal) known.code.push_back(column.level_codes()[rows[i]]);
    else known.key.push_back(keys[i]);
  }
  return known;
}

Centre::Centre(const Response& response, const std::vector<std::uint32_t>& at)
    : mean(response.width(), 0.0), variance(response.width(), 0.0) {
  for (const std::uint32_t i : at) {
    weight += response.weight[i];
    if (response.n_classes > 0) mean[response.label[i]] += response.weight[i];
    else mean[0] += response.weight[i] * response.number[i];
  }
  for (double& each : mean) each /= weight;
  if (response.n_classes > 0) {
    for (std::size_t k = 0; k < mean.size(); ++k) variance[k] = mean[k] * (1 - mean[k]), rank += mean[k] > 0;
    rank -= rank > 0;
    return;
  }
  double least = response.number[at[0]], most = least;
  for (const std::uint32_t i : at) {
    const double off = response.number[i] - mean[0];
    variance[0] += response.weight[i] * off * off / weight;
    least = std::min(least, response.number[i]), most = std::max(most, response.number[i]);
  }
  rank = least < most;
}

void Centre::add(const Response& response, std::size_t row, double factor, double* sums) const {
  const double by = factor * response.weight[row];
  if (response.n_classes == 0) return void(sums[0] += by * (response.number[row] - mean[0]));
  sums[response.label[row]] += by;
}

double Centre::square(const double* sums) const {
  if (mean.size() == 1) return sums[0] * sums[0] / variance[0];
  double found = 0;
  for (std::size_t k = 0; k < mean.size(); ++k)
    if (mean[k] > 0) found += sums[k] * sums[k] / mean[k];
  return found;
}

double Centre::greatest(const double* sums) const {
  double found = 0;
  for (std::size_t k = 0; k < mean.size(); ++k)
    if (variance[k] > 0) found = std::max(found, std::abs(sums[k]) / std::sqrt(variance[k]));
  return found;
}

namespace {

std::vector<double> positive(const std::vector<double>& from) {
  std::vector<double> found;
  for (const double each : from)
    if (each > 0) found.push_back(each);
  return found;
}

ColumnTest of_statistic(double square, double greatest, std::size_t rank, const std::vector<double>& level_shares,
                        const Centre& centre, TestStatistic kind) {
  if (!std::isfinite(square)) return {};
  if (kind == TestStatistic::quadratic) return {square, chi_square_tails(square, static_cast<double>(rank))};
  const std::vector<double> class_shares = centre.mean.size() > 1 ? positive(centre.mean) : std::vector<double>{};
  return {greatest, greatest_normal_tails(greatest, level_shares, class_shares)};
}

ColumnTest test_numbers(const Column& column, const KnownRows& known, const Response& response, const Centre& centre,
                        TestStatistic kind) {
  const KeyKind keys = key_kind(column.type);
  double mean = 0, squares = 0;
  std::vector<double> value(known.at.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (known.ranked == nullptr) value[i] = number_of(keys, known.key[i]);
    else
      value[i] = static_cast<double>(std::lower_bound(known.ranked->begin(), known.ranked->end(), known.key[i]) -
                                     known.ranked->begin());
    mean += response.weight[known.at[i]] * value[i] / centre.weight;
  }
  std::vector<double> sums(centre.mean.size(), 0.0);
  for (std::size_t i = 0; i < value.size(); ++i) {
    const double off = value[i] - mean;
    squares += response.weight[known.at[i]] * off * off;
    centre.add(response, known.at[i], off, sums.data());
  }
  const auto [least, most] = std::minmax_element(known.key.begin(), known.key.end());
  if (*least == *most) return {};
  const double scale = squares * (centre.weight / (centre.weight - 1));
  return of_statistic(centre.square(sums.data()) / scale, centre.greatest(sums.data()) / std::sqrt(scale), centre.rank,
                      {}, centre, kind);
}

ColumnTest test_levels(const Column& column, const KnownRows& known, const Response& response, const Centre& centre,
                       TestStatistic kind) {
  const std::size_t width = centre.mean.size(), n_levels = static_cast<std::size_t>(column.n_levels);
  std::vector<double> weight(n_levels, 0.0), sums(n_levels * width, 0.0);
  for (std::size_t i = 0; i < known.at.size(); ++i) {
    const auto level = static_cast<std::size_t>(known.code[i]);
    weight[level] += response.weight[known.at[i]];
    centre.add(response, known.at[i], 1, &sums[level * width]);
  }
  double square = 0, greatest = 0;
  std::vector<double> shares;
  for (std::size_t level = 0; level < n_levels; ++level) {
    if (!(weight[level] > 0)) continue;
    const double share = weight[level] / centre.weight;
    shares.push_back(share);
    if (width > 1)
      for (std::size_t k = 0; k < width; ++k) sums[level * width + k] -= weight[level] * centre.mean[k];
    square += centre.square(&sums[level * width]) / weight[level];
    greatest = std::max(greatest, centre.greatest(&sums[level * width]) / std::sqrt(weight[level] * (1 - share)));
  }
  if (shares.size() < 2) return {};
  const double scale = centre.weight / (centre.weight - 1);
  return of_statistic(square / scale, greatest / std::sqrt(scale), (shares.size() - 1) * centre.rank, shares, centre,
                      kind);
}

}   // namespace

ColumnTest test_column(const Column& column, const KnownRows& known, const Response& response, TestStatistic kind) {
  if (known.at.empty()) return {};
  const Centre centre(response, known.at);
  if (centre.rank == 0 || !(centre.weight > 1)) return {};
  return column.nominal ? test_levels(column, known, response, centre, kind)
                        : test_numbers(column, known, response, centre, kind);
}

}   // namespace treewright
