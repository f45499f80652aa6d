#include "predict.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace treewright {

namespace {

constexpr std::size_t lanes = 8;           // rows that go down side by side
constexpr std::size_t block_rows = 512;    // rows of mixed columns brought together at a time
constexpr std::size_t chunk_rows = 8192;   // rows that a thread takes at a time

template <class T>
bool is_missing(T x) {
  if constexpr (std::is_same_v<T, Key>) return x == missing_key;
  else return x != x;
}

// Takes `Lanes` rows down the tree, four levels at a time, until none of them moves. load(row, feature) reads a value.
template <std::size_t Lanes, class S, class Load>
inline void walk_lanes(const S* steps, std::size_t base, Load&& load, std::uint32_t* leaves) {
  std::array<std::uint32_t, Lanes> at{};
  for (std::uint32_t moved = 1; moved != 0;) {
    for (int level = 0; level < 4; ++level) {
      moved = 0;
      for (std::size_t r = 0; r < Lanes; ++r) {
        const S& step = steps[at[r]];
        const auto x = load(base + r, step.feature());
        const std::uint32_t right = (x > step.threshold) | (is_missing(x) & step.missing_right());
        const std::uint32_t next = step.left + right;
        moved |= next ^ at[r];
        at[r] = next;
      }
    }
  }
  std::copy_n(at.begin(), Lanes, leaves + base);
}

template <class S, class Load>
void walk(const S* steps, std::size_t n, Load&& load, std::uint32_t* leaves) {
  std::size_t base = 0;
  for (; base + lanes <= n; base += lanes) walk_lanes<lanes>(steps, base, load, leaves);
  for (; base < n; ++base) walk_lanes<1>(steps, base, load, leaves);
}

float round_down(double t) {
  const auto f = static_cast<float>(t);
  return static_cast<double>(f) > t ? std::nextafterf(f, -INFINITY) : f;
}

// One matrix of one floating type, read in place.
bool is_matrix(const Columns& columns) {
  const Column& first = columns[0];
  if (first.type != Type::float32 && first.type != Type::float64) return false;
  const std::ptrdiff_t step = columns.size() > 1 ? columns[1].data - first.data : 0;
  for (std::size_t f = 0; f < columns.size(); ++f) {
    const Column& c = columns[f];
    if (c.type != first.type || c.stride != first.stride || c.missing != nullptr || c.sparse) return false;
    if (c.data != first.data + static_cast<std::ptrdiff_t>(f) * step) return false;
  }
  return true;
}

}   // namespace

Predictor::Predictor(std::vector<PredictorNode> nodes) : nodes_(std::move(nodes)) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const PredictorNode& node = nodes_[i];
    if (node.first_child < 0) continue;
    const auto first = static_cast<std::size_t>(node.first_child);
    if (first <= i || first + 1 >= nodes_.size())
      throw std::invalid_argument("first_child must lie after its parent and within the tree.");
    if (node.feature < 0) throw std::invalid_argument("feature must be the number of a column.");
    const auto feature = static_cast<std::size_t>(node.feature);
    if (feature >= slot_.size()) slot_.resize(feature + 1, -1);
    auto& slot = slot_[feature];
    if (slot < 0) {
      slot = static_cast<std::int32_t>(used_.size());
      used_.push_back(node.feature);
    }
  }
  if (nodes_.empty()) throw std::invalid_argument("a tree has at least one node.");
}

template <class T, class Convert>
std::vector<Predictor::Step<T>> Predictor::steps(Convert&& convert) const {
  std::vector<Step<T>> out(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const PredictorNode& node = nodes_[i];
    if (node.first_child < 0) {
      constexpr T most = std::is_same_v<T, Key> ? std::numeric_limits<T>::max() : std::numeric_limits<T>::infinity();
      out[i] = {most, 0, static_cast<std::uint32_t>(i)};
      continue;
    }
    const auto [threshold, feature] = convert(node);
    out[i] = {threshold, static_cast<std::uint32_t>(feature) << 1 | !node.missing_left,
              static_cast<std::uint32_t>(node.first_child)};
  }
  return out;
}

template <class T>
void Predictor::apply_matrix(const Columns& columns, Pool& pool, const Use& use) const {
  const auto packed = steps<T>([](const PredictorNode& node) {
    const double t = last_double_left(node.threshold);
    if constexpr (std::is_same_v<T, float>) return std::pair(round_down(t), node.feature);
    else return std::pair(t, node.feature);
  });
  const std::byte* data = columns[0].data;
  const std::ptrdiff_t down = columns[0].stride, across = columns.size() > 1 ? columns[1].data - data : 0;
  const std::size_t n_chunks = (columns.n_rows + chunk_rows - 1) / chunk_rows;
  pool.for_each(n_chunks, [&](std::size_t chunk) {
    std::array<std::uint32_t, chunk_rows> leaves;
    const std::size_t begin = chunk * chunk_rows, n = std::min(chunk_rows, columns.n_rows - begin);
    const std::byte* from = data + static_cast<std::ptrdiff_t>(begin) * down;
    const auto rows_of = [&](auto step) {   // the usual row-major matrix has a step that the compiler knows
      walk(
          packed.data(), n,
          [&](std::size_t row, std::uint32_t feature) {
            T x;
            std::memcpy(&x,
                        from + static_cast<std::ptrdiff_t>(row) * down + static_cast<std::ptrdiff_t>(feature) * step,
                        sizeof x);
            return x;
          },
          leaves.data());
    };
    if (across == static_cast<std::ptrdiff_t>(sizeof(T))) rows_of(std::integral_constant<std::ptrdiff_t, sizeof(T)>{});
    else rows_of(across);
    use(begin, std::span(leaves).first(n));
  });
}

// Columns of any types: the tested ones are brought together as keys, a block of rows at a time.
void Predictor::apply_columns(const Columns& columns, Pool& pool, const Use& use) const {
  const auto packed = steps<Key>([&](const PredictorNode& node) {
    const auto f = static_cast<std::size_t>(node.feature);
    return std::pair(last_key_left(key_kind(columns[f].type), node.threshold), slot_[f]);
  });
  const std::size_t n_chunks = (columns.n_rows + block_rows - 1) / block_rows;
  pool.for_each(n_chunks, [&](std::size_t chunk) {
    const std::size_t begin = chunk * block_rows, n = std::min(block_rows, columns.n_rows - begin);
    std::vector<Key> keys(std::max<std::size_t>(used_.size(), 1) * n);
    for (std::size_t s = 0; s < used_.size(); ++s) {
      const Column& column = columns[static_cast<std::size_t>(used_[s])];
      Key* to = keys.data() + s * n;
      with_reader(column, [&](auto reader) {
        if (!column.sparse) {
          for (std::size_t i = 0; i < n; ++i) to[i] = reader.key(begin + i);
          return;
        }
        std::fill_n(to, n, zero_key(column));
        const auto* first = std::lower_bound(column.stored_rows, column.stored_rows + column.n_stored,
                                             static_cast<std::int32_t>(begin));
        for (; first != column.stored_rows + column.n_stored && static_cast<std::size_t>(*first) < begin + n; ++first) {
          to[static_cast<std::size_t>(*first) - begin] =
              reader.key(static_cast<std::size_t>(first - column.stored_rows));
        }
      });
    }
    std::array<std::uint32_t, block_rows> leaves;
    walk(packed.data(), n, [&](std::size_t row, std::uint32_t slot) { return keys[slot * n + row]; }, leaves.data());
    use(begin, std::span(leaves).first(n));
  });
}

void Predictor::apply(const Columns& columns, Pool& pool, const Use& use) const {
  if (columns.size() < std::max<std::size_t>(slot_.size(), 1)) {
    throw std::invalid_argument("the table must have every column that the tree tests.");
  }
  if (columns.n_rows == 0) return;
  if (!is_matrix(columns)) return apply_columns(columns, pool, use);
  if (columns[0].type == Type::float32) apply_matrix<float>(columns, pool, use);
  else apply_matrix<double>(columns, pool, use);
}

}   // namespace treewright
