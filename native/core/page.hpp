// A Page is a stretch of the table's rows, held as if it had just been read from a disk: values and codes of its own.
#pragma once
#include "bins.hpp"

namespace treewright {

struct Page {
  std::size_t first_row = 0;
  Columns columns;
  BinnedColumns binned;
  std::vector<std::vector<std::byte>> values;   // what `columns` views
  std::vector<std::vector<std::uint8_t>> missing;
};

// Cuts a table into pages and hands them out one at a time.
class PageSource {
 public:
  PageSource(const Columns& columns, int n_pages, int max_bins);

  int n_pages() const { return n_pages_; }
  int n_bins(std::size_t feature) const { return coders_[feature].n_bins(); }
  Page load(int page) const;

 private:
  std::size_t begin(int page) const;

  const Columns& columns_;
  int n_pages_;
  std::vector<Coder> coders_;
};

}   // namespace treewright
