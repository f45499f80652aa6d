#include "permutation_store.hpp"

#include <numeric>

#include "../recorded.hpp"
#include "../route.hpp"

namespace treewright {

namespace {

// How many of the tests that a node makes could be made. With Bonferroni's correction log(1 - p) is multiplied by it.
double n_tested(const std::vector<ColumnTest>& tests) {
  return static_cast<double>(std::count_if(tests.begin(), tests.end(), [](const ColumnTest& t) { return bool(t); }));
}

}   // namespace

PermutationStore::PermutationStore(const AnyCriterion& criterion, const Columns& columns, const Growth& growth,
                                   std::vector<RowIndex> rows, Pool& pool)
    : criterion_(criterion),
      columns_(columns),
      growth_(growth),
      pool_(pool),
      n_classes_(criterion.plain_rules().factor.size()),
      nodes_(1) {
  if (!criterion.adds_plainly() || criterion.n_outputs() != 1)
    throw std::invalid_argument("permutation tests need one target, of classes or of numbers with squared_error.");
  nodes_[0].rows = std::move(rows);
  ranks_.resize(columns.size());
  for (std::size_t f = 0; f < growth.permutation.ordered.size(); ++f) {
    if (!growth.permutation.ordered[f]) continue;
    ranks_[f] = known_rows(columns[f], nodes_[0].rows).key;
    std::sort(ranks_[f].begin(), ranks_[f].end());
    ranks_[f].erase(std::unique(ranks_[f].begin(), ranks_[f].end()), ranks_[f].end());
  }
}

KnownRows PermutationStore::known(std::size_t feature, std::span<const RowIndex> rows) const {
  KnownRows found = known_rows(columns_[feature], rows);
  if (!ranks_[feature].empty()) found.ranked = &ranks_[feature];
  return found;
}

Response PermutationStore::response(std::span<const RowIndex> rows) const {
  Response found{n_classes_, {}, {}, {}};
  for (const RowIndex row : rows) {
    const PlainRow plain = criterion_.plain_row(row);
    found.weight.push_back(plain.weight);
    if (n_classes_ > 0) found.label.push_back(plain.label);
    else found.number.push_back(plain.y);
  }
  return found;
}

std::vector<ColumnTest> PermutationStore::test(std::span<const RowIndex> rows, const Response& of,
                                               std::int32_t without) const {
  std::vector<ColumnTest> tests(columns_.size());
  const auto test_one = [&](std::size_t f) {
    if (static_cast<std::int32_t>(f) != without)
      tests[f] = test_column(columns_[f], known(f, rows), of, growth_.permutation.test);
  };
  if (static_cast<std::int64_t>(rows.size() * tests.size()) >= growth_.share_above) {
    pool_.for_each(tests.size(), test_one);
  } else {
    for (std::size_t f = 0; f < tests.size(); ++f) test_one(f);
  }
  return tests;
}

// The columns that could be tested, the least p-value first; of equal ones (as where all are 0) the greatest statistic
// first, of equal statistics the last column.
std::vector<std::int32_t> PermutationStore::ranked(const std::vector<ColumnTest>& tests) const {
  std::vector<std::int32_t> order;
  for (std::size_t f = 0; f < tests.size(); ++f)
    if (tests[f]) order.push_back(static_cast<std::int32_t>(f));
  const bool by_statistic = growth_.permutation.adjustment == Adjustment::statistic;
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const ColumnTest &first = tests[static_cast<std::size_t>(a)], &second = tests[static_cast<std::size_t>(b)];
    if (!by_statistic && first.tails.log_lower != second.tails.log_lower)
      return first.tails.log_lower > second.tails.log_lower;
    return first.statistic != second.statistic ? first.statistic > second.statistic : a > b;
  });
  return order;
}

bool PermutationStore::significant(const std::vector<ColumnTest>& tests, std::int32_t feature) const {
  const PermutationRules& rules = growth_.permutation;
  const ColumnTest& test = tests[static_cast<std::size_t>(feature)];
  if (rules.adjustment == Adjustment::statistic) return test.statistic > rules.least_statistic;
  const double n = rules.adjustment == Adjustment::bonferroni ? n_tested(tests) : 1;
  return n * test.tails.log_lower > std::log1p(-rules.alpha);
}

std::shared_ptr<const NodeTests> PermutationStore::recorded(const std::vector<ColumnTest>& tests) const {
  const double n = growth_.permutation.adjustment == Adjustment::bonferroni ? n_tested(tests) : 1;
  auto found = std::make_shared<NodeTests>();
  for (const ColumnTest& test : tests) {
    found->statistic.push_back(test.statistic);
    found->p_value.push_back(-std::expm1(n * test.tails.log_lower));
  }
  return found;
}

Split PermutationStore::cut(std::int32_t feature, std::span<const RowIndex> rows, const Response& of,
                            double least) const {
  const Column& column = columns_[static_cast<std::size_t>(feature)];
  Split split = best_cut(column, known_rows(column, rows), of, growth_.permutation.cut, least);
  split.feature = feature;
  if (split && !split.levels) set_threshold(split, column, growth_, {});
  return split;
}

// Rows whose value is missing go where the tests of other columns send them, those first that depend most on the two
// sides; then to the side of more rows, the second of equal ones. The first side of such a test goes with most of its rows.
void PermutationStore::add_surrogates(Split& split, std::span<const RowIndex> rows, const Response& of) const {
  std::vector<ChildNumber> child(rows.size());
  split.missing_to = 2;   // for now
  children_by_key(columns_, rows, split, child.data());
  std::vector<RowIndex> known;
  Response sides{2, {}, {}, {}};
  std::array<std::int64_t, 2> n_rows{};
  std::array<double, 2> weight{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (child[i] == 2) continue;
    known.push_back(rows[i]);
    sides.label.push_back(child[i]);
    sides.weight.push_back(of.weight[i]);
    ++n_rows[child[i]];
    weight[child[i]] += of.weight[i];
  }
  split.missing_to = n_rows[1] >= n_rows[0];
  if (growth_.max_surrogates == 0) return;
  auto found = std::make_shared<std::vector<Surrogate>>();
  for (const std::int32_t feature : ranked(test(known, sides, split.feature))) {
    if (found->size() == static_cast<std::size_t>(growth_.max_surrogates)) break;
    const Split other = cut(feature, known, sides, 0);
    if (!other) continue;
    std::vector<ChildNumber> side(known.size());
    Test routed = other;
    routed.missing_to = 2;
    children_by_key(columns_, known, routed, side.data());
    std::array<std::array<std::int64_t, 2>, 3> rows_of{};
    std::array<std::array<double, 2>, 3> weight_of{};
    for (std::size_t i = 0; i < known.size(); ++i) {
      ++rows_of[side[i]][sides.label[i]];
      weight_of[side[i]][sides.label[i]] += sides.weight[i];
    }
    const bool reversed = rows_of[0][1] > rows_of[0][0];
    Surrogate surrogate;
    surrogate.feature = feature;
    surrogate.reversed = reversed;
    const double agrees = weight_of[0][reversed] + weight_of[1][!reversed], all = weight[0] + weight[1];
    surrogate.agreement = agrees / all;
    surrogate.adjusted = 1 - (all - agrees) / std::min(weight[0], weight[1]);
    if (other.levels) {
      LevelMap map = *other.levels;
      for (ChildNumber& to : map.child) to = to != static_cast<ChildNumber>(reversed);
      surrogate.levels = std::make_shared<const LevelMap>(std::move(map));
      surrogate.reversed = false;
    } else {
      surrogate.threshold = other.threshold;
      surrogate.key = last_key_left(key_kind(columns_[static_cast<std::size_t>(feature)].type), other.threshold);
    }
    found->push_back(std::move(surrogate));
  }
  if (!found->empty()) split.surrogates = std::move(found);
}

Split PermutationStore::best_split(Node& node, double mass) {
  const Response of = response(node.rows);
  const std::vector<ColumnTest> tests = test(node.rows, of, -1);
  const double weight = std::accumulate(of.weight.begin(), of.weight.end(), 0.0);
  const double least = std::max(growth_.min_weight_leaf, growth_.permutation.min_share * weight);
  Split best;
  std::int64_t n_tried = 0;
  for (const std::int32_t feature : ranked(tests)) {
    if (best || n_tried++ == growth_.permutation.columns_tried || !significant(tests, feature)) break;
    best = cut(feature, node.rows, of, least);
  }
  best.tests = recorded(tests);
  if (!best) return best;
  add_surrogates(best, node.rows, of);
  std::vector<ChildNumber> child(node.rows.size());
  children_by_key(columns_, node.rows, best, child.data());
  for (std::size_t i = 0; i < child.size(); ++i) node.child_rows[child[i]].push_back(node.rows[i]);
  best.gain = mass;
  for (std::size_t k = 0; k < 2; ++k) {
    node.child[k] = criterion_.summary(node.child_rows[k]);
    best.gain -= node.child[k].mass;
  }
  best.gain = std::max(best.gain, 0.0);
  return best;
}

void PermutationStore::best_splits(std::span<const SplitRequest> requests) {
  for (const SplitRequest& request : requests) *request.split = best_split(at(request.node), request.mass);
}

void PermutationStore::route(std::span<const Move> moves, std::span<Summary> children) {
  Summary* summary = children.data();
  for (const Move& move : moves) {
    nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(move.first_child) + 2));
    Node node = std::exchange(at(move.node), {});
    for (NodeIndex k = 0; k < 2; ++k) {
      at(move.first_child + k).rows = std::move(node.child_rows[static_cast<std::size_t>(k)]);
      *summary++ = std::move(node.child[static_cast<std::size_t>(k)]);
    }
  }
}

}   // namespace treewright
