// GatheredStore: the rows of a node that came from all parts of a table, now in memory.
#pragma once
#include "../memory_store.hpp"

namespace treewright {

struct GatheredTable {
  Columns columns;
  std::vector<std::vector<std::byte>> values;   // what the columns view
  std::vector<std::vector<std::uint8_t>> missing;
  std::unique_ptr<AnyCriterion> criterion;
  BinnedColumns binned;
  Presorted presorted;
  Pool alone;

  // items: rows as the operation `gather` replies; at: where the rows of the node begin.
  GatheredTable(const Columns& shape, const AnyCriterion& like, const std::vector<std::int64_t>& items,
                std::span<const std::size_t> at, std::atomic<bool>* cancel);
};

class GatheredStore final : private GatheredTable, public MemoryStore {
 public:
  // pool: null for one thread.
  GatheredStore(const Columns& shape, const AnyCriterion& like, const std::vector<std::int64_t>& items,
                std::span<const std::size_t> at, const Growth& growth, std::int64_t min_weight, Pool* pool,
                std::atomic<bool>* cancel)
      : GatheredTable(shape, like, items, at, cancel),
        MemoryStore(table(growth, min_weight, pool == nullptr ? alone : *pool), pool == nullptr ? alone : *pool) {}

 private:
  std::shared_ptr<Table> table(const Growth& growth, std::int64_t min_weight, Pool& pool);
};

}   // namespace treewright
