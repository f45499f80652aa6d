#include "linear_predict.hpp"

#include <algorithm>
#include <cmath>

namespace treewright {

namespace {

// The columns that some term needs, as numbers, a block of rows at a time; levels are their codes.
class TermColumns {
 public:
  TermColumns(const LinearLeaves& leaves, const Columns& columns) : columns_(columns), slot_(leaves.feature.size()) {
    std::vector<std::int32_t> place(columns.size(), -1);
    for (std::size_t t = 0; t < leaves.feature.size(); ++t) {
      const auto f = static_cast<std::size_t>(leaves.feature[t]);
      if (f >= columns.size()) throw std::invalid_argument("the table must have every column of the linear leaves.");
      if (columns[f].nominal != (leaves.level[t] >= 0) && leaves.level[t] != missing_term)
        throw std::invalid_argument("terms must be of columns of their kind.");
      if (place[f] < 0) {
        place[f] = static_cast<std::int32_t>(used_.size());
        used_.push_back(leaves.feature[t]);
      }
      slot_[t] = static_cast<std::uint32_t>(place[f]);
    }
  }

  void read(std::size_t begin, std::size_t n, std::vector<double>& numbers) const {
    numbers.resize(std::max<std::size_t>(used_.size(), 1) * n);
    for (std::size_t s = 0; s < used_.size(); ++s) {
      read_numbers(columns_[static_cast<std::size_t>(used_[s])], begin, n, numbers.data() + s * n);
    }
  }
  std::uint32_t slot(std::size_t term) const { return slot_[term]; }

 private:
  const Columns& columns_;
  std::vector<std::uint32_t> slot_;   // of each term
  std::vector<std::int32_t> used_;
};

// What a term is worth before its coefficient; a missing number is worth nothing, as it stands at its centre.
inline double term_value(double x, std::int32_t level, double centre) {
  if (level == number_term) return x != x ? 0.0 : x - centre;
  if (level == missing_term) return (x != x ? 1.0 : 0.0) - centre;
  return (x == static_cast<double>(level) ? 1.0 : 0.0) - centre;
}

// The probabilities of one row from its scores, in place: `to` has room for n_outputs.
inline void apply_link(const LinearLeaves& leaves, double* to) {
  if (leaves.link == Link::identity) return;
  if (leaves.link == Link::logistic) {
    const double e = std::exp(-std::fabs(to[0])), p = to[0] >= 0 ? 1 / (1 + e) : e / (1 + e);
    to[0] = to[0] >= 0 ? e / (1 + e) : 1 / (1 + e);
    to[1] = p;
    return;
  }
  const double most = *std::max_element(to, to + leaves.width);
  double sum = 0;
  for (std::size_t k = 0; k < leaves.width; ++k) sum += to[k] = std::exp(to[k] - most);
  for (std::size_t k = 0; k < leaves.width; ++k) to[k] /= sum;
}

template <class Load>
inline void predict_row(const LinearLeaves& leaves, std::size_t node, Load&& load, double* to) {
  const std::size_t width = leaves.width, own = node * width;
  for (std::size_t k = 0; k < width; ++k) to[k] = leaves.constant[own + k];
  const auto end = static_cast<std::size_t>(leaves.begin[node + 1]);
  for (auto t = static_cast<std::size_t>(leaves.begin[node]); t < end; ++t) {
    const double x = term_value(load(t), leaves.level[t], leaves.centre[t]);
    for (std::size_t k = 0; k < width; ++k) to[k] += leaves.coefficient[t * width + k] * x;
  }
  for (std::size_t k = 0; k < width; ++k) {
    if (to[k] != to[k]) to[k] = leaves.constant[own + k];   // infinities of both signs
    to[k] = std::min(std::max(to[k], leaves.lower[own + k]), leaves.upper[own + k]);
  }
  apply_link(leaves, to);
}

// A matrix of one floating type is read in place.
template <class T>
void predict_matrix(const Predictor& predictor, const LinearLeaves& leaves, const Columns& columns, Pool& pool,
                    double* out) {
  const std::byte* data = columns[0].data;
  const std::ptrdiff_t down = columns[0].stride, across = columns.size() > 1 ? columns[1].data - data : 0;
  const std::size_t width = leaves.n_outputs();
  predictor.apply(columns, pool, [&](std::size_t begin, std::span<const std::uint32_t> ends) {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const std::byte* from = data + static_cast<std::ptrdiff_t>(begin + i) * down;
      const auto load = [&](std::size_t t) {
        T x;
        std::memcpy(&x, from + leaves.feature[t] * across, sizeof x);
        return static_cast<double>(x);
      };
      predict_row(leaves, ends[i], load, out + (begin + i) * width);
    }
  });
}

}   // namespace

std::vector<double> predict_linear(const Predictor& predictor, const LinearLeaves& leaves, const Columns& columns,
                                   Pool& pool) {
  const std::size_t width = leaves.n_outputs();
  const TermColumns terms(leaves, columns);
  std::vector<double> out(columns.n_rows * width, 0.0);
  if (columns.n_rows == 0) return out;
  if (predictor.shares_rows()) {
    predictor.apply_shares(columns, pool, [&](std::size_t row, std::uint32_t node, double share) {
      thread_local std::vector<double> numbers, found;
      terms.read(row, 1, numbers);
      found.assign(width, 0.0);
      predict_row(leaves, node, [&](std::size_t t) { return numbers[terms.slot(t)]; }, found.data());
      for (std::size_t k = 0; k < width; ++k) out[row * width + k] += share * found[k];
    });
    return out;
  }
  if (is_matrix(columns)) {
    if (columns[0].type == Type::float32) predict_matrix<float>(predictor, leaves, columns, pool, out.data());
    else predict_matrix<double>(predictor, leaves, columns, pool, out.data());
    return out;
  }
  predictor.apply(columns, pool, [&](std::size_t begin, std::span<const std::uint32_t> ends) {
    std::vector<double> numbers;
    const std::size_t n = ends.size();
    terms.read(begin, n, numbers);
    for (std::size_t i = 0; i < n; ++i)
      predict_row(
          leaves, ends[i], [&](std::size_t t) { return numbers[terms.slot(t) * n + i]; },
          out.data() + (begin + i) * width);
  });
  return out;
}

}   // namespace treewright
