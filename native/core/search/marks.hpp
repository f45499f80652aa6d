// Marks on some of the ids of a table. They are removed at the end, so that a node costs what it has rows and not what
// the table has. One at a time in each thread: all use the same array.
#pragma once
#include <cstdint>
#include <vector>

namespace treewright {

class Marks {
 public:
  explicit Marks(std::size_t n_ids) : of_id_(array()) {
    if (of_id_.size() < n_ids) of_id_.resize(n_ids, 0);
  }
  Marks(const Marks&) = delete;
  ~Marks() {
    for (const std::uint32_t id : ids_) of_id_[id] = 0;
  }
  void add(std::uint32_t id) {
    ids_.push_back(id);
    of_id_[id] = 1;
  }
  bool operator[](std::uint32_t id) const { return of_id_[id] != 0; }

 private:
  static std::vector<std::uint8_t>& array() {
    thread_local std::vector<std::uint8_t> marks;
    return marks;
  }
  std::vector<std::uint8_t>& of_id_;
  std::vector<std::uint32_t> ids_;
};

}   // namespace treewright
