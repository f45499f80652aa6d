// Memory for arrays of megabytes. The system hands out memory in pages of 4 kB, each at its first use: of a full tree with its
// lists these are ten thousand, and they take a tenth of the time. Where it may use pages of 2 MB, it hands out a few instead.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace treewright {

// A block of at least so many bytes. One that is freed is kept for a while, so that the next fit need not wait for memory: the
// system must clear what it hands out, which is a tenth of a large fit. A kept block is marked as free (MADV_FREE), so the system
// takes it back where memory becomes scarce. Kept are at most 512 MiB, and at most a 32nd of the memory.
void* take_block(std::size_t bytes);
void free_block(void* block, std::size_t bytes) noexcept;   // as many as were taken

struct FreeBlock {
  std::size_t bytes = 0;
  void operator()(void* block) const noexcept { free_block(block, bytes); }
};
template <class T>
using LargeArray = std::unique_ptr<T[], FreeBlock>;   // of numbers, not initialized

template <class T>
LargeArray<T> large_array(std::size_t n) {
  const std::size_t bytes = n * sizeof(T);
  return LargeArray<T>(static_cast<T*>(take_block(bytes)), FreeBlock{bytes});
}

// Where the nodes of all branches lie, or the arrays of a tree: blocks that threads fill one after the other, freed all at once.
class NodeMemory {
 public:
  explicit NodeMemory(std::size_t block_bytes = std::size_t{4} << 20) : block_bytes_(block_bytes) {}

  void* take(std::size_t bytes) {
    constexpr std::size_t alignment = alignof(std::max_align_t);
    bytes = (bytes + alignment - 1) / alignment * alignment;
    const std::lock_guard lock(mutex_);
    if (bytes > left_) {
      blocks_.push_back(large_array<std::byte>(std::max(bytes, block_bytes_)));
      next_ = blocks_.back().get();
      left_ = std::max(bytes, block_bytes_);
    }
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }

 private:
  const std::size_t block_bytes_;
  std::mutex mutex_;
  std::vector<LargeArray<std::byte>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;   // of the last block
};

// For vectors: of the memory above, or as usual.
template <class T>
struct NodeAllocator {
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  NodeMemory* memory = nullptr;

  NodeAllocator() = default;
  explicit NodeAllocator(NodeMemory* memory) : memory(memory) {}
  template <class U>
  explicit NodeAllocator(const NodeAllocator<U>& other) : memory(other.memory) {}

  T* allocate(std::size_t n) {
    return memory != nullptr ? static_cast<T*>(memory->take(n * sizeof(T))) : std::allocator<T>().allocate(n);
  }
  void deallocate(T* at, std::size_t n) {
    if (memory == nullptr) std::allocator<T>().deallocate(at, n);
  }
  bool operator==(const NodeAllocator& other) const = default;
};

}   // namespace treewright
