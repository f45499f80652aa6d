#include "predict.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sum_steps.hpp"
#include "walk.hpp"

namespace treewright {

namespace {

constexpr std::size_t lanes = 8;   // rows that go down side by side
constexpr std::size_t block_rows = Predictor::block_rows;
constexpr std::size_t chunk_rows = 8192;   // rows that a thread takes at a time

template <class T>
bool is_missing(T x) {
  if constexpr (std::is_same_v<T, Key>) return x == missing_key;
  else return x != x;
}

// The one walk: takes `Lanes` rows down a tree, two levels at a time, until none of them moves. next(node, row) is
// where a row goes from a node, and the node itself where it ends.
template <std::size_t Lanes, class Next>
inline void walk_lanes(std::size_t base, Next&& next, std::uint32_t* ends) {
  std::array<std::uint32_t, Lanes> at{};
  for (std::uint32_t moved = 1; moved != 0;) {
    for (int level = 0; level < 2; ++level) {
      moved = 0;
      for (std::size_t r = 0; r < Lanes; ++r) {
        const std::uint32_t to = next(at[r], base + r);
        moved |= to ^ at[r];
        at[r] = to;
      }
    }
  }
  std::copy_n(at.begin(), Lanes, ends + base);
}

template <class Next>
void walk(std::size_t n, Next&& next, std::uint32_t* ends) {
  std::size_t base = 0;
  for (; base + lanes <= n; base += lanes) walk_lanes<lanes>(base, next, ends);
  for (; base < n; ++base) walk_lanes<1>(base, next, ends);
}

// The next node of a tree of thresholds with two branches, without a branch of our own. load(row, feature) reads.
template <bool may_be_missing = true, class S, class Load>
auto next_by_steps(const S* steps, Load&& load) {
  return [steps, load](std::uint32_t at, std::size_t row) {
    const S& step = steps[at];
    const auto x = load(row, step.feature());
    const std::uint32_t right = x > step.threshold;
    return step.left + (may_be_missing ? right | (is_missing(x) & step.missing_right()) : right);
  };
}

float round_down(double t) {
  const auto f = static_cast<float>(t);
  return static_cast<double>(f) > t ? std::nextafterf(f, -INFINITY) : f;
}

}   // namespace

Predictor::Predictor(PredictorTree tree) : tree_(std::move(tree)) {
  const std::vector<PredictorNode>& nodes = tree_.nodes;
  if (nodes.empty()) throw std::invalid_argument("a tree has at least one node.");
  const auto check_levels = [&](std::uint32_t begin, std::uint32_t end, std::int32_t n_children) {
    if (begin > end || end > tree_.level_code.size() || tree_.level_child.size() != tree_.level_code.size())
      throw std::invalid_argument("levels must lie within their arrays.");
    for (std::uint32_t i = begin; i < end; ++i) {
      if ((i > begin && tree_.level_code[i] <= tree_.level_code[i - 1]) || tree_.level_code[i] < 0)
        throw std::invalid_argument("the levels of a test must be ascending codes.");
      if (tree_.level_child[i] < 0 || tree_.level_child[i] >= n_children)
        throw std::invalid_argument("a level must go to a child of its node.");
    }
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const PredictorNode& node = nodes[i];
    if (node.n_children == 0) continue;
    const std::int64_t first = node.first_child, n = node.n_children;
    if (n < 2 || first <= static_cast<std::int64_t>(i) || first + n > static_cast<std::int64_t>(nodes.size()))
      throw std::invalid_argument("children must lie after their parent and within the tree.");
    if (node.missing_child < shared_missing || node.missing_child >= n)
      throw std::invalid_argument("missing_child must be the number of a child, -1 or -2.");
    check_levels(node.level_begin, node.level_end, node.n_children);
    if (node.surrogate_begin > node.surrogate_end || node.surrogate_end > tree_.surrogates.size())
      throw std::invalid_argument("surrogates must lie within their arrays.");
    use_feature(node.feature);
    if (node.combination) {
      const Combination& sum = *node.combination;
      if (sum.column.empty() || sum.column.size() != sum.coefficient.size())
        throw std::invalid_argument("a combination must have a coefficient for each of its columns.");
      for (const std::int32_t column : sum.column) use_feature(column);
      most_terms_ = std::max(most_terms_, sum.column.size());
    }
    for (std::uint32_t s = node.surrogate_begin; s < node.surrogate_end; ++s) {
      const SurrogateTest& test = tree_.surrogates[s];
      check_levels(test.level_begin, test.level_end, 2);
      use_feature(test.feature);
    }
    const bool soft = !std::isnan(node.soft_low);
    shares_rows_ |= node.missing_child == shared_missing || soft;
    in_two_ &= n == 2 && !soft && node.level_begin == node.level_end && node.surrogate_begin == node.surrogate_end;
    simple_ &= in_two_ && node.missing_child >= 0;
  }
}

void Predictor::use_feature(std::int32_t feature) {
  if (feature < 0) throw std::invalid_argument("feature must be the number of a column.");
  const auto f = static_cast<std::size_t>(feature);
  if (f >= slot_.size()) slot_.resize(f + 1, -1);
  if (slot_[f] >= 0) return;
  slot_[f] = static_cast<std::int32_t>(used_.size());
  used_.push_back(feature);
}

template <class T, class Convert>
std::vector<Predictor::Step<T>> Predictor::steps(Convert&& convert) const {
  std::vector<Step<T>> out(n_nodes());
  for (std::size_t i = 0; i < n_nodes(); ++i) {
    const PredictorNode& node = tree_.nodes[i];
    out[i] = Step<T>::leaf(i);
    if (node.n_children == 0) continue;
    const auto [threshold, feature] = convert(node);
    out[i] = Step<T>::split(threshold, feature, node.missing_child, node.first_child);
  }
  return out;
}

// Calls use with the ends of all rows of a matrix; next(load) makes where a row goes from a node.
template <class T, class Next>
void Predictor::walk_matrix(const Columns& columns, Pool& pool, const Use& use, Next&& next) {
  const std::byte* data = columns[0].data;
  const std::ptrdiff_t down = columns[0].stride, across = columns.size() > 1 ? columns[1].data - data : 0;
  const std::size_t n_chunks = (columns.n_rows + chunk_rows - 1) / chunk_rows;
  pool.for_each(n_chunks, [&](std::size_t chunk) {
    std::array<std::uint32_t, block_rows> leaves;
    const std::size_t last = std::min((chunk + 1) * chunk_rows, columns.n_rows);
    const auto rows_of = [&](auto step) {   // the usual row-major matrix has a step that the compiler knows
      for (std::size_t begin = chunk * chunk_rows; begin < last; begin += block_rows) {
        const std::size_t n = std::min(block_rows, last - begin);
        const std::byte* from = data + static_cast<std::ptrdiff_t>(begin) * down;
        const auto load = [&](std::size_t row, std::uint32_t feature) {
          T x;
          std::memcpy(&x, from + static_cast<std::ptrdiff_t>(row) * down + static_cast<std::ptrdiff_t>(feature) * step,
                      sizeof x);
          return x;
        };
        walk(n, next(load), leaves.data());
        use(begin, std::span(leaves).first(n));
      }
    };
    if (across == static_cast<std::ptrdiff_t>(sizeof(T))) rows_of(std::integral_constant<std::ptrdiff_t, sizeof(T)>{});
    else rows_of(across);
  });
}

template <class T>
bool Predictor::apply_matrix(const Columns& columns, Pool& pool, const Use& use) const {
  const auto packed = steps<T>([](const PredictorNode& node) {
    const double t = last_double_left(node.threshold);
    if constexpr (std::is_same_v<T, float>) return std::pair(round_down(t), node.feature);
    else return std::pair(t, node.feature);
  });
  if (simple_) {
    walk_matrix<T>(columns, pool, use, [&](const auto& load) { return next_by_steps(packed.data(), load); });
    return true;
  }
  std::atomic<bool> complete{true};
  walk_matrix<T>(columns, pool, use, [&](const auto& load) {
    return next_by_steps(packed.data(), [&complete, load](std::size_t row, std::uint32_t feature) {
      const T x = load(row, feature);
      if (is_missing(x)) complete.store(false, std::memory_order_relaxed);
      return x;
    });
  });
  return complete;
}

template <std::size_t N>
void Predictor::apply_sums(const Columns& columns, Pool& pool, const Use& use) const {
  const auto walk_in = [&]<class T>(T) {
    const auto steps = sum_steps<N>(tree_.nodes, {});
    walk_matrix<T>(columns, pool, use, [&](const auto& load) { return next_by_sums(steps.data(), load); });
  };
  if (is_matrix(columns)) return columns[0].type == Type::float32 ? walk_in(float{}) : walk_in(double{});
  const auto steps = sum_steps<N>(tree_.nodes, slot_);
  pool.for_each((columns.n_rows + block_rows - 1) / block_rows, [&](std::size_t block) {
    const std::size_t begin = block * block_rows, n = std::min(block_rows, columns.n_rows - begin);
    std::vector<double> numbers(used_.size() * n);
    for (std::size_t s = 0; s < used_.size(); ++s)
      with_reader(columns[static_cast<std::size_t>(used_[s])], [&](auto reader) {
        for (std::size_t i = 0; i < n; ++i) numbers[s * n + i] = reader.number(begin + i);
      });
    std::array<std::uint32_t, block_rows> ends;
    const auto load = [&](std::size_t row, std::uint32_t slot) { return numbers[slot * n + row]; };
    walk(n, next_by_sums(steps.data(), load), ends.data());
    use(begin, std::span(ends).first(n));
  });
}

// Columns of any types: the tested ones are brought together as keys, a block of rows at a time.
std::vector<Key> Predictor::gather_keys(const Columns& columns, std::size_t begin, std::size_t n) const {
  std::vector<Key> keys(std::max<std::size_t>(used_.size(), 1) * n);
  for (std::size_t s = 0; s < used_.size(); ++s) {
    const Column& column = columns[static_cast<std::size_t>(used_[s])];
    Key* to = keys.data() + s * n;
    with_reader(column, [&](auto reader) {
      if (!column.sparse) return void(read_keys(column, begin, n, to));
      std::fill_n(to, n, zero_key(column));
      const auto* first =
          std::lower_bound(column.stored_rows, column.stored_rows + column.n_stored, static_cast<std::int32_t>(begin));
      for (; first != column.stored_rows + column.n_stored && static_cast<std::size_t>(*first) < begin + n; ++first) {
        to[static_cast<std::size_t>(*first) - begin] = reader.key(static_cast<std::size_t>(first - column.stored_rows));
      }
    });
  }
  return keys;
}

template <class Visit>
void Predictor::for_each_block(const Columns& columns, Pool& pool, Visit&& visit) const {
  const std::size_t n_blocks = (columns.n_rows + block_rows - 1) / block_rows;
  pool.for_each(n_blocks, [&](std::size_t block) {
    const std::size_t begin = block * block_rows, n = std::min(block_rows, columns.n_rows - begin);
    const std::vector<Key> keys = gather_keys(columns, begin, n);
    visit(begin, n, [&keys, n](std::size_t row, std::uint32_t slot) { return keys[slot * n + row]; });
  });
}

void Predictor::apply_columns(const Columns& columns, Pool& pool, const Use& use) const {
  const auto packed = steps<Key>([&](const PredictorNode& node) {
    const auto f = static_cast<std::size_t>(node.feature);
    return std::pair(last_key_left(key_kind(columns[f].type), node.threshold), slot_[f]);
  });
  for_each_block(columns, pool, [&](std::size_t begin, std::size_t n, const auto& load) {
    std::array<std::uint32_t, block_rows> ends;
    walk(n, next_by_steps(packed.data(), load), ends.data());
    use(begin, std::span(ends).first(n));
  });
}

void Predictor::check(const Columns& columns) const {
  if (columns.size() < std::max<std::size_t>(slot_.size(), 1)) {
    throw std::invalid_argument("the table must have every column that the tree tests.");
  }
  const auto fits = [&](std::int32_t feature, bool by_level) {
    if (columns[static_cast<std::size_t>(feature)].nominal != by_level)
      throw std::invalid_argument("levels and thresholds must be tested on columns of their kind.");
  };
  for (const PredictorNode& node : tree_.nodes) {
    if (node.n_children > 0 && !node.combination) fits(node.feature, node.level_begin < node.level_end);
    else if (node.n_children > 0)
      for (const std::int32_t column : node.combination->column) fits(column, false);
  }
  for (const SurrogateTest& test : tree_.surrogates) fits(test.feature, test.level_begin < test.level_end);
}

void Predictor::apply(const Columns& columns, Pool& pool, const Use& use) const {
  check(columns);
  if (columns.n_rows == 0) return;
  if (simple_ && most_terms_ > 1 && slot_.size() < (1 << 16) && n_nodes() < (std::size_t{1} << 31) &&
      is_double(columns, used_)) {
    if (most_terms_ == 2) return apply_sums<2>(columns, pool, use);
    if (most_terms_ == 3) return apply_sums<3>(columns, pool, use);
    if (most_terms_ <= 6) return apply_sums<6>(columns, pool, use);
  }
  if (simple_ && most_terms_ < 2) {
    if (!is_matrix(columns)) return apply_columns(columns, pool, use);
    columns[0].type == Type::float32 ? apply_matrix<float>(columns, pool, use)
                                     : apply_matrix<double>(columns, pool, use);
    return;
  }
  const Walker walker(tree_, columns, slot_);
  for_each_block(columns, pool, [&](std::size_t begin, std::size_t n, const auto& load) {
    std::array<std::uint32_t, block_rows> ends;
    if (!shares_rows_) {
      walk(n, [&](std::uint32_t at, std::size_t row) { return walker.next(at, row, load); }, ends.data());
    } else {
      std::vector<std::pair<std::uint32_t, double>> open;
      for (std::size_t row = 0; row < n; ++row) {
        double largest = -1;
        walker.ends(row, load, open, [&](std::uint32_t node, double share) {
          if (share > largest) largest = share, ends[row] = node;
        });
      }
    }
    use(begin, std::span(ends).first(n));
  });
}

bool Predictor::apply_grown(const GrownTree& tree, const Columns& columns, bool any_missing, Pool& pool,
                            const Use& use) {
  if (columns.n_rows == 0 || !is_matrix(columns) || columns[0].type != Type::float64) return false;
  std::vector<Step<double>> steps;
  steps.reserve(tree.size());
  bool simple = true;
  tree.for_each([&](std::size_t i, const TreeNode& node, std::span<const double>, const RareParts& rare) {
    if (node.first_child < 0) return void(steps.push_back(Step<double>::leaf(i)));
    simple &= node.n_children == 2 && node.missing_child >= 0 && node.rare < 0 &&
              static_cast<std::size_t>(node.feature) < columns.size();
    const double last_left = node.strict ? last_double_left(threshold_of(node, rare)) : node.threshold;
    steps.push_back(Step<double>::split(last_left, node.feature, node.missing_child, node.first_child));
  });
  if (!simple) return false;
  if (any_missing)
    walk_matrix<double>(columns, pool, use, [&](const auto& load) { return next_by_steps(steps.data(), load); });
  else
    walk_matrix<double>(columns, pool, use, [&](const auto& load) { return next_by_steps<false>(steps.data(), load); });
  return true;
}

void Predictor::single_ends(const Columns& columns, Pool& pool, const Use& use) const {
  check(columns);
  if (columns.n_rows == 0) return;
  if (in_two_ && most_terms_ < 2 && is_matrix(columns)) {
    if (columns[0].type == Type::float32 ? apply_matrix<float>(columns, pool, use)
                                         : apply_matrix<double>(columns, pool, use))
      return;
  }
  const Walker walker(tree_, columns, slot_);
  for_each_block(columns, pool, [&](std::size_t begin, std::size_t n, const auto& load) {
    std::array<std::uint32_t, block_rows> ends;
    walk(n, [&](std::uint32_t at, std::size_t row) { return walker.next(at, row, load); }, ends.data());
    use(begin, std::span(ends).first(n));
  });
}

void Predictor::apply_shares(const Columns& columns, Pool& pool, const UseShare& use) const {
  check(columns);
  const Walker walker(tree_, columns, slot_);
  for_each_block(columns, pool, [&](std::size_t begin, std::size_t n, const auto& load) {
    std::vector<std::pair<std::uint32_t, double>> open;
    std::array<std::uint32_t, block_rows> ends;   // of rows that are not shared out
    walk(n, [&](std::uint32_t at, std::size_t row) { return walker.next(at, row, load); }, ends.data());
    for (std::size_t row = 0; row < n; ++row) {
      if (tree_.nodes[ends[row]].n_children == 0) use(begin + row, ends[row], 1.0);
      else walker.ends(row, load, open, [&](std::uint32_t node, double share) { use(begin + row, node, share); });
    }
  });
}

}   // namespace treewright
