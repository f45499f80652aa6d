// Where every inner node sends every row, whether it comes there or not.
#include <algorithm>

#include "predict.hpp"
#include "walk.hpp"

namespace treewright {

namespace {

constexpr std::size_t most_rows = 512;                      // of a block
constexpr std::size_t most_routes = std::size_t{1} << 21;   // 8 MB; a large tree has smaller blocks

}   // namespace

void Predictor::all_routes(const Columns& columns, Pool& pool, const UseRoutes& use) const {
  check(columns);
  const Walker walker(tree_, columns, slot_);
  const std::size_t size = std::clamp<std::size_t>(most_routes / n_nodes(), 16, most_rows);
  pool.for_each((columns.n_rows + size - 1) / size, [&](std::size_t block) {
    const std::size_t begin = block * size, n = std::min(size, columns.n_rows - begin);
    const std::vector<Key> keys = gather_keys(columns, begin, n);
    const auto load = [&](std::size_t row, std::uint32_t slot) { return keys[slot * n + row]; };
    std::vector<std::int32_t> routes(n_nodes() * n);
    for (std::uint32_t i = 0; i < n_nodes(); ++i) {
      if (tree_.nodes[i].n_children == 0) continue;
      std::int32_t* to = routes.data() + i * n;
      if (simple_ && !tree_.nodes[i].combination) {
        walker.compare(i, n, load, to);
      } else {
        for (std::size_t row = 0; row < n; ++row) to[row] = walker.child(i, row, load);
      }
    }
    use(begin, n, routes);
  });
}

}   // namespace treewright
