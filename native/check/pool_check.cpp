// Exercises the thread pool and a threaded fit; built with the thread sanitizer by `make sanitize`.
#include <cstdio>
#include <numeric>

#include "../core/fit.hpp"
#include "../core/parallel.hpp"
#include "../core/random.hpp"

using namespace treewright;

int main() {
  for (int round = 0; round < 200; ++round) {
    Pool pool(1 + round % 4);
    std::vector<std::uint64_t> squares(1000);
    pool.for_each(squares.size(), [&](std::size_t i) { squares[i] = i * i; });
    if (std::accumulate(squares.begin(), squares.end(), std::uint64_t{0}) != 332833500) return 1;
    try {
      pool.for_each(100, [](std::size_t i) {
        if (i == 50) throw std::runtime_error("expected");
      });
      return 1;
    } catch (const std::runtime_error&) {}
  }
  const std::size_t n = 5000, p = 6;
  std::vector<double> x(n * p), y(n);
  std::vector<std::int32_t> labels(n);
  for (std::size_t i = 0; i < n * p; ++i) x[i] = unit_interval(mix(i));
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = x[i * p] + x[i * p + 1] * x[i * p + 2];
    labels[i] = y[i] + 0.2 * unit_interval(mix(i * 7)) > 0.8;
  }
  Columns columns{n, {}};
  for (std::size_t f = 0; f < p; ++f) {
    Column column;
    column.data = reinterpret_cast<const std::byte*>(x.data() + f);
    column.stride = static_cast<std::ptrdiff_t>(p * sizeof(double));
    columns.columns.push_back(column);
  }
  std::vector<std::int64_t> halves[2];
  for (std::size_t i = 0; i < n; ++i) halves[i % 2].push_back(static_cast<std::int64_t>(i));
  std::size_t n_nodes[2] = {0, 0};
  for (int n_threads : {1, 4}) {
    for (const char* criterion : {"gini", "squared_error"}) {
      Target target;
      target.n_rows = n;
      if (criterion[0] == 'g') target.n_classes = {2}, target.labels = labels.data();
      else target.numbers = y.data();
      Growth growth;
      growth.criterion = criterion;
      growth.n_threads = n_threads;
      growth.sort_below = 50;
      growth.share_above = 0;
      for (const bool best : {false, true}) {   // the best leaves first, and those that wait hold nothing
        if (best) growth.order = Order::best, growth.max_leaf_nodes = 200, growth.waiting_bytes = 0;
        for (const Trains& trains : {Trains{}, Trains{true, {halves[0], halves[1]}}}) {
          for (const Grown& grown : fit(columns, target, growth, trains, nullptr))
            n_nodes[n_threads == 4] += grown.tree.size();
        }
      }
    }
  }
  std::printf("%zu nodes with one thread, %zu with four\n", n_nodes[0], n_nodes[1]);
  return n_nodes[0] == n_nodes[1] ? 0 : 1;
}
