#include "linear_predict.hpp"

#include <algorithm>
#include <cmath>

namespace treewright {

namespace {

// The columns that some term needs, as numbers, a block of rows at a time; levels are their codes.
class TermColumns {
 public:
  TermColumns(const LinearLeaves& leaves, const Columns& columns) : columns_(columns), slot_(leaves.terms.size()) {
    std::vector<std::int32_t> place(columns.size(), -1);
    for (std::size_t t = 0; t < leaves.terms.size(); ++t) {
      const auto [_, feature, level] = leaves.terms[t];
      const auto f = static_cast<std::size_t>(feature);
      if (f >= columns.size()) throw std::invalid_argument("the table must have every column of the linear leaves.");
      if (columns[f].nominal != (level >= 0) && level != missing_term)
        throw std::invalid_argument("terms must be of columns of their kind.");
      if (place[f] < 0) {
        place[f] = static_cast<std::int32_t>(used_.size());
        used_.push_back(feature);
      }
      numbers_only_ &= level == number_term;
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
  bool numbers_only() const { return numbers_only_; }

 private:
  const Columns& columns_;
  std::vector<std::uint32_t> slot_;   // of each term
  std::vector<std::int32_t> used_;
  bool numbers_only_ = true;
};

// What a term is worth before its coefficient; a missing number is worth nothing, as it stands at its centre.
inline double number_value(double x, double centre) { return x != x ? 0.0 : x - centre; }

inline double term_value(double x, const LeafTerm& term) {
  if (term.level == number_term) return number_value(x, term.centre);
  const bool holds = term.level == missing_term ? x != x : x == static_cast<double>(term.level);
  return (holds ? 1.0 : 0.0) - term.centre;
}

// A score as it is predicted: infinities of both signs make no sum, and the rest stays within the range of the node.
inline double within(const LinearLeaves& leaves, std::size_t at, double score) {
  score = score != score ? leaves.constant[at] : score;
  return std::min(std::max(score, leaves.lower[at]), leaves.upper[at]);
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
    const double x = term_value(load(t), leaves.terms[t]);
    for (std::size_t k = 0; k < width; ++k) to[k] += leaves.coefficient[t * width + k] * x;
  }
  for (std::size_t k = 0; k < width; ++k) to[k] = within(leaves, own + k, to[k]);
  apply_link(leaves, to);
}

// The same for one number of numbers alone, without a branch but for the end of the terms.
template <class Load>
inline double predict_number(const LinearLeaves& leaves, std::size_t node, Load&& load) {
  double sum = leaves.constant[node];
  const auto end = static_cast<std::size_t>(leaves.begin[node + 1]);
  for (auto t = static_cast<std::size_t>(leaves.begin[node]); t < end; ++t)
    sum += leaves.coefficient[t] * number_value(load(t), leaves.terms[t].centre);
  return within(leaves, node, sum);
}

// A matrix of one floating type is read in place, while the rows that were sent down are still in the cache.
template <class T>
void predict_matrix(const Predictor& predictor, const LinearLeaves& leaves, const Columns& columns, bool plain,
                    Pool& pool, double* out) {
  const std::byte* data = columns[0].data;
  const std::ptrdiff_t down = columns[0].stride, across = columns.size() > 1 ? columns[1].data - data : 0;
  const std::size_t width = leaves.n_outputs();
  predictor.apply(columns, pool, [&](std::size_t begin, std::span<const std::uint32_t> ends) {
    const auto for_rows = [&](const auto& work) {
      for (std::size_t i = 0; i < ends.size(); ++i) {
        const std::byte* from = data + static_cast<std::ptrdiff_t>(begin + i) * down;
        work(begin + i, ends[i], [&](std::size_t t) {
          T x;
          std::memcpy(&x, from + leaves.terms[t].feature * across, sizeof x);
          return static_cast<double>(x);
        });
      }
    };
    if (plain)
      for_rows([&](std::size_t i, std::size_t node, auto load) { out[i] = predict_number(leaves, node, load); });
    else
      for_rows([&](std::size_t i, std::size_t node, auto load) { predict_row(leaves, node, load, out + i * width); });
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
    const bool plain = terms.numbers_only() && width == 1 && leaves.link == Link::identity;
    if (columns[0].type == Type::float32) predict_matrix<float>(predictor, leaves, columns, plain, pool, out.data());
    else predict_matrix<double>(predictor, leaves, columns, plain, pool, out.data());
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
