// How a LinearStore compares the splits of nodes: several nodes at a time, so that threads wait for each other seldom.
#include <algorithm>
#include <cmath>

#include "../random.hpp"
#include "linear_store.hpp"

namespace treewright {

namespace {

// The penalty of a slope, in rows, where eight or more are fitted on both sides of a cut. Few slopes follow little noise, and
// need less: 10 (slopes / 8)^2. An intercept has that of one row, or of as much as a slope.
constexpr double growth_ridge = 10, many_slopes = 8;
// Rows of a node on which cuts are compared: so many of all rows in proportion, within these bounds.
constexpr std::size_t rows_in_all = 16'384, most_rows = 8'192, fewest_rows = 1'024;
constexpr std::size_t most_in_search = 16;          // design columns, beside the intercept
constexpr std::size_t most_exact = 8;               // columns whose cuts are all solved; half as many of many rows
constexpr std::size_t ahead = 8, cache_line = 64;   // rows are scattered: they are fetched before they are needed
constexpr std::size_t worth_threads = 4096;         // rows times columns

}   // namespace

void LinearStore::each(std::size_t n, std::size_t n_rows, const std::function<void(std::size_t)>& work) {
  if (n_rows * n >= worth_threads) return pool_.for_each(n, work);
  for (std::size_t i = 0; i < n; ++i) work(i);
}

// One row of each stretch, so that periodic tables do not mislead.
std::vector<RowIndex> LinearStore::sample(const Node& node) {
  const std::span<const RowIndex> all = rows(node);
  const std::size_t wanted = std::clamp(rows_in_all * all.size() / rows_.size(), fewest_rows, most_rows);
  const std::size_t step = std::max<std::size_t>(all.size() / wanted, 1);
  if (step == 1) return {all.begin(), all.end()};
  std::vector<RowIndex> some(all.size() / step);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = all[i * step + mix(i) % step];
  return some;
}

double LinearStore::slope_penalty() const {
  const double share = std::min(1.0, static_cast<double>(table_.n_design - 1) / many_slopes);
  return growth_ridge * share * share;
}

Ridge LinearStore::search_ridge(std::size_t n_design) const {
  return {n_design, table_.n_targets, std::vector<double>(n_design, slope_penalty())};
}

void LinearStore::fit_model(Node& node, const ModelBlock& block) {
  Ridge ridge = search_ridge(table_.n_design);
  if (table_.logistic) std::fill(ridge.penalty.begin(), ridge.penalty.end(), slope_penalty() / 4);
  if (table_.intercept_only) std::fill(ridge.penalty.begin(), ridge.penalty.end(), HUGE_VAL);
  ridge.penalty[0] = node.above ? std::min(1.0, slope_penalty()) : table_.logistic ? 1e-6 : 0.0;
  const std::vector<double> zero(table_.n_design * table_.n_targets, 0.0);
  const std::vector<double>& above = node.above ? *node.above : zero;
  const ModelRows rows{block.values.data(), block.weight.data(), block.size(), block.width};
  node.model = std::make_shared<const std::vector<double>>(
      table_.logistic ? logistic_solution(rows, ridge, above, above, 1e-2)
                      : ridge_solution(gram_of(rows, ridge.size()).data(), ridge, above));
}

// The columns of the largest coefficients in the root.
void LinearStore::choose_search_columns(const std::vector<double>& root) {
  std::vector<std::pair<double, std::uint32_t>> size;
  for (std::size_t j = 1; j < table_.n_design; ++j) {
    double most = 0;
    for (std::size_t t = 0; t < table_.n_targets; ++t) most = std::max(most, std::fabs(root[j * table_.n_targets + t]));
    size.emplace_back(-most, static_cast<std::uint32_t>(j));
  }
  std::sort(size.begin(), size.end());
  size.resize(std::min(size.size(), most_in_search));
  search_ = {0};
  for (const auto& [_, column] : size) search_.push_back(column);
  std::sort(search_.begin(), search_.end());
}

// The rows of a node on which its cuts are compared, its model, and what that leaves of the targets.
void LinearStore::begin_search(Search& search) {
  Node& node = *search.node;
  ModelBlock whole{sample(node), {}, {}, whole_quads(table_.width()), 0};
  const std::size_t n_columns = columns_.size(), row_bytes = table_.width() * sizeof(double);
  whole.values.resize(whole.size() * whole.width);
  search.codes.resize(whole.size() * n_columns);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const RowIndex row = whole.rows[i];
    if (i + ahead < whole.size()) {
      const auto* next = reinterpret_cast<const std::byte*>(table_.values + whole.rows[i + ahead] * table_.width());
      for (std::size_t byte = 0; byte < row_bytes; byte += cache_line) __builtin_prefetch(next + byte);
      __builtin_prefetch(row_codes_.data() + whole.rows[i + ahead] * n_columns);
    }
    std::copy_n(table_.values + row * table_.width(), table_.width(), whole.values.data() + i * whole.width);
    std::copy_n(row_codes_.data() + row * n_columns, n_columns, search.codes.data() + i * n_columns);
    whole.weight.push_back(table_.weight[row]);
    whole.total += whole.weight.back();
  }
  fit_model(node, whole);
  if (search_.empty()) choose_search_columns(*node.model);   // the root is searched alone
  const std::size_t d = search_.size(), m = table_.n_targets;
  ModelBlock& block = search.block;
  block = {std::move(whole.rows), {}, std::move(whole.weight), whole_quads(d + m), whole.total};
  block.values.resize(block.size() * block.width);
  search.left.assign(m, 0.0);
  const Ridge ridge{table_.n_design, m, {}};
  for (std::size_t i = 0; i < block.size(); ++i) {
    const double* from = whole.values.data() + i * whole.width;
    double* to = block.values.data() + i * block.width;
    for (const std::uint32_t column : search_) *to++ = from[column];
    residuals(from, ridge, node.model->data(), table_.logistic, to);
    for (std::size_t t = 0; t < m; ++t) search.left[t] += block.weight[i] * to[t] * to[t];
  }
  search.share = static_cast<double>(block.size()) / static_cast<double>(node.size());
  search.sides = {static_cast<std::int64_t>(std::ceil(static_cast<double>(growth_.min_samples_leaf) * search.share)),
                  growth_.min_weight_leaf / table_.row_weight * search.share};
  search.tests.assign(n_columns, {});
}

TestDesign LinearStore::design_of(const Tested& test) const {
  TestDesign design{search_ridge(search_.size() + !test.own.empty())};
  design.ridge.penalty[test.own.empty() ? 0 : 1] =
      std::min(1.0, slope_penalty());   // the intercept comes after the tested column
  design.own = test.own.empty() ? nullptr : test.own.data();
  return design;
}

std::size_t LinearStore::most_tests(const Search& search) const {
  return search.block.size() <= most_rows / 2 ? most_exact : most_exact / 2;
}

// The bins of a column, and where there are many columns the best cut by its own slope alone.
void LinearStore::code_column_of(Search& search, std::size_t f) {
  const ModelBlock& block = search.block;
  const std::size_t d = search_.size(), m = table_.n_targets;
  Tested& test = search.tests[f];
  test.feature = static_cast<std::int32_t>(f);
  const Column& column = columns_[f];
  if (column.nominal) {
    const auto most = std::max_element(search.left.begin(), search.left.end()) - search.left.begin();
    test.coded = code_levels(column.level_codes(), column.n_levels, block, d + static_cast<std::size_t>(most));
  } else {
    std::vector<std::uint8_t> codes(block.size());
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = search.codes[i * columns_.size() + f];
    test.coded = code_numbers(std::move(codes), static_cast<std::size_t>(binned_[f].n_bins), block);
  }
  if (!test.coded.divides()) return;
  const auto own = static_cast<std::uint32_t>(table_.own[f]);
  const auto found = std::find(search_.begin(), search_.end(), own);
  if (found == search_.end()) {
    test.own.resize(block.size());
    for (std::size_t i = 0; i < block.size(); ++i) test.own[i] = table_.values[block.rows[i] * table_.width() + own];
  }
  if (columns_.size() <= most_tests(search) || d <= 2) return;
  TestDesign design{search_ridge(own == 0 ? 1 : 2), {0}, test.own.empty() ? nullptr : test.own.data()};
  design.ridge.penalty[test.own.empty() ? 0 : 1] = std::min(1.0, slope_penalty());
  if (own != 0 && test.own.empty()) design.columns.push_back(static_cast<std::uint32_t>(found - search_.begin()));
  for (std::size_t t = 0; t < m; ++t) design.columns.push_back(static_cast<std::uint32_t>(d + t));
  test.cut = CutScan(block, test.coded, design).best(search.sides);
}

// Every column that divides the rows, or of many those whose cheap scan found least.
void LinearStore::choose_tests(Search& search) const {
  std::vector<Tested>& all = search.tests;
  const bool ranked = columns_.size() > most_tests(search) && search_.size() > 2;
  std::erase_if(all, [](const Tested& test) { return !test.coded.divides(); });
  if (!ranked || all.size() <= most_tests(search)) return;
  std::stable_sort(all.begin(), all.end(), [](const Tested& a, const Tested& b) { return a.cut.loss < b.cut.loss; });
  all.resize(most_tests(search));
  std::sort(all.begin(), all.end(), [](const Tested& a, const Tested& b) { return a.feature < b.feature; });
}

// Of the tests with the least losses, the one that leaves least where both of its sides are divided once more.
std::size_t LinearStore::look_ahead(const Search& search) {
  const std::vector<Tested>& tests = search.tests;
  std::vector<std::size_t> order(tests.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return tests[a].cut.loss < tests[b].cut.loss; });
  order.resize(std::min(order.size(), std::max<std::size_t>(table_.look_ahead, 1)));
  if (order.size() == 1) return order[0];
  double least = HUGE_VAL;
  std::size_t best = order[0];
  for (const std::size_t candidate : order) {
    if (std::isinf(tests[candidate].cut.loss)) continue;
    const double loss = loss_below(search, tests[candidate]);
    if (loss < least) least = loss, best = candidate;
  }
  return best;
}

// What is left where both sides of a test are divided by the best of all tests.
double LinearStore::loss_below(const Search& search, const Tested& test) {
  const ModelBlock& block = search.block;
  const std::vector<Tested>& tests = search.tests;
  std::vector<std::uint8_t> side(block.size());
  for (std::size_t i = 0; i < block.size(); ++i)
    side[i] = test.coded.bin[i] == missing_bin ? !test.cut.missing_left : test.coded.bin[i] > test.cut.bin;
  double loss = 0;
  for (const std::uint8_t which : {0, 1}) {
    ModelBlock part{{}, {}, {}, block.width, 0};
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (side[i] != which) continue;
      part.rows.push_back(block.rows[i]);
      part.weight.push_back(block.weight[i]);
      part.total += block.weight[i];
      part.values.insert(part.values.end(), block.row(i), block.row(i) + block.width);
    }
    std::vector<Tested> below(tests.size());
    std::vector<double> whole(tests.size());
    each(tests.size(), part.size(), [&](std::size_t k) {
      Tested& own = below[k];
      own.coded = tests[k].coded.only(side, which);
      for (std::size_t i = 0; !tests[k].own.empty() && i < block.size(); ++i)
        if (side[i] == which) own.own.push_back(tests[k].own[i]);
      const CutScan scanned(part, own.coded, design_of(own));
      own.cut = scanned.best(search.sides);
      whole[k] = scanned.whole();
    });
    double least = whole[static_cast<std::size_t>(&test - tests.data())];
    for (const Tested& own : below) least = std::min(least, own.cut.loss);
    loss += least;
  }
  return loss;
}

void LinearStore::best_splits(std::span<const SplitRequest> requests) {
  constexpr std::size_t at_once = 64;   // nodes that are searched together
  for (std::size_t first = 0; first < requests.size(); first += at_once) {
    pool_.check();
    std::vector<Search> searches(std::min(at_once, requests.size() - first));
    std::size_t n_rows = 0;   // of a node, on average
    for (std::size_t s = 0; s < searches.size(); ++s) {
      searches[s].node = &at(requests[first + s].node);
      n_rows += searches[s].node->size() / searches.size();
    }
    each(searches.size(), n_rows, [&](std::size_t s) { begin_search(searches[s]); });
    const std::size_t n_columns = columns_.size();
    each(searches.size() * n_columns, n_rows,
         [&](std::size_t k) { code_column_of(searches[k / n_columns], k % n_columns); });
    std::vector<std::pair<const Search*, Tested*>> tests;
    for (Search& search : searches) {
      choose_tests(search);
      for (Tested& test : search.tests) tests.emplace_back(&search, &test);
    }
    each(tests.size(), n_rows, [&](std::size_t k) {
      const auto [search, test] = tests[k];
      test->scanned = std::make_shared<const CutScan>(search->block, test->coded, design_of(*test));
      test->cut = test->scanned->best(search->sides);
    });
    for (Search& search : searches)
      if (!search.tests.empty()) search.best = look_ahead(search);
    each(searches.size(), n_rows, [&](std::size_t s) { *requests[first + s].split = finished(searches[s]); });
  }
}

}   // namespace treewright
