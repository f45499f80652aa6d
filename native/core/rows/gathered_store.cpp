#include "gathered_store.hpp"

#include <cmath>

namespace treewright {

namespace {

template <class T>
Column column_of(const Column& like, Type type, std::vector<T>&& numbers, std::vector<std::uint8_t>&& gone,
                 GatheredTable& table) {
  std::vector<std::byte>& bytes = table.values.emplace_back(numbers.size() * sizeof(T));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  Column column = like;
  column.type = type;
  column.data = bytes.data();
  column.stride = sizeof(T);
  column.missing = nullptr;
  if (std::find(gone.begin(), gone.end(), 1) != gone.end())
    column.missing = table.missing.emplace_back(std::move(gone)).data();
  return column;
}

}   // namespace

GatheredTable::GatheredTable(const Columns& shape, const AnyCriterion& like, const std::vector<std::int64_t>& items,
                             std::span<const std::size_t> at, std::atomic<bool>* cancel)
    : alone(1, cancel) {
  columns.n_rows = at.size();
  const std::size_t n = at.size();
  for (std::size_t f = 0; f < shape.size(); ++f) {
    const Column& from = shape[f];
    std::vector<std::uint8_t> gone(n, 0);
    const auto key = [&](std::size_t i) { return items[at[i] + 1 + f]; };
    const auto read = [&](Type type, auto value_of) {
      std::vector<decltype(value_of(Key{}))> numbers(n);
      for (std::size_t i = 0; i < n; ++i) {
        if (key(i) == missing_key) gone[i] = 1;
        else numbers[i] = value_of(key(i));
      }
      columns.columns.push_back(column_of(from, type, std::move(numbers), std::move(gone), *this));
    };
    if (from.nominal) {
      read(Type::int32, [](Key k) { return static_cast<std::int32_t>(k); });
    } else if (key_kind(from.type) == KeyKind::real) {
      read(Type::float64, [](Key k) { return number_of(k); });
    } else if (key_kind(from.type) == KeyKind::natural) {
      read(Type::uint64, [](Key k) { return (static_cast<std::uint64_t>(k) ^ (std::uint64_t{1} << 63)) - 1; });
    } else {
      read(Type::int64, [](Key k) { return static_cast<std::int64_t>(k - 1); });
    }
  }
  const std::size_t n_words = like.n_row_words();
  std::vector<std::int64_t> words(n * n_words);
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(items.begin() + static_cast<std::ptrdiff_t>(at[i] + 1 + shape.size()), n_words,
                words.begin() + static_cast<std::ptrdiff_t>(i * n_words));
  criterion = like.from_words(words.data(), n, n_words);
}

std::shared_ptr<MemoryStore::Table> GatheredStore::table(const Growth& growth, std::int64_t min_weight, Pool& pool) {
  const auto n = static_cast<std::int64_t>(columns.n_rows);
  if (counts_in_bins(*criterion, columns, n, growth)) binned = bin_columns(columns, growth.max_bins, pool);
  std::vector<RowIndex> rows(columns.n_rows);
  std::iota(rows.begin(), rows.end(), 0);
  return std::make_shared<Table>(Table{columns, growth, *criterion, binned, presorted, std::move(rows), min_weight});
}

}   // namespace treewright
