#include "page.hpp"

namespace treewright {

PageSource::PageSource(const Columns& columns, int n_pages, int max_bins) : columns_(columns), n_pages_(n_pages) {
  for (const Column& column : columns.columns) {
    if (column.sparse) throw std::invalid_argument("a table in pages must have dense columns.");
    coders_.push_back(column.nominal ? Coder({}, max_bins) : coder_of(column, columns.n_rows, max_bins));
  }
}

std::size_t PageSource::begin(int page) const {
  return columns_.n_rows * static_cast<std::size_t>(page) / static_cast<std::size_t>(n_pages_);
}

Page PageSource::load(int index) const {
  Page page;
  page.first_row = begin(index);
  const std::size_t n = begin(index + 1) - page.first_row;
  page.columns.n_rows = n;
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    Column column = columns_[f];
    const std::byte* from = column.data + static_cast<std::ptrdiff_t>(page.first_row) * column.stride;
    with_reader(column, [&](auto reader) {
      constexpr std::size_t size = sizeof(reader.value(0));
      auto& bytes = page.values.emplace_back(n * size);
      for (std::size_t i = 0; i < n; ++i) {
        std::memcpy(bytes.data() + i * size, from + static_cast<std::ptrdiff_t>(i) * column.stride, size);
      }
      column.stride = static_cast<std::ptrdiff_t>(size);
    });
    column.data = page.values.back().data();
    if (column.missing != nullptr) {
      const auto* mask = column.missing + page.first_row;
      column.missing = page.missing.emplace_back(mask, mask + n).data();
    }
    page.columns.columns.push_back(column);
    page.binned.push_back(column.nominal ? bins_of_levels(column, std::numeric_limits<std::size_t>::max())
                                         : code_column(column, n, coders_[f]));
  }
  return page;
}

}   // namespace treewright
