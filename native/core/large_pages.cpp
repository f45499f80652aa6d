#include "large_pages.hpp"

#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace treewright {

namespace {

constexpr std::size_t page = std::size_t{2} << 20, least = 2 * page;   // smaller blocks are as any others

std::size_t whole_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

struct Block {
  void* at = nullptr;
  std::size_t bytes = 0;
};

// Sanitizers must see which blocks are freed.
#if defined(MADV_FREE) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

class KeptBlocks {
 public:
  // One of hardly more bytes than are wanted, or nothing.
  Block take(std::size_t bytes) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return {};
    auto best = blocks_.end();
    for (auto block = blocks_.begin(); block != blocks_.end(); ++block)
      if (block->bytes >= bytes && block->bytes <= bytes + bytes / 8 &&
          (best == blocks_.end() || block->bytes < best->bytes))
        best = block;
    if (best == blocks_.end()) return {};
    const Block found = *best;
    blocks_.erase(best);
    n_bytes_ -= found.bytes;
    return found;
  }

  // False: it is not kept. Blocks that were kept longest give way.
  bool keep(Block block) {
    static const std::size_t most = std::min<std::size_t>(
        std::size_t{512} << 20, static_cast<std::size_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L)) *
                                    static_cast<std::size_t>(std::max(sysconf(_SC_PAGESIZE), 0L)) / 32);
    if (block.bytes > most || madvise(block.at, block.bytes, MADV_FREE) != 0) return false;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    free_until(most - block.bytes);
    try {
      blocks_.push_back(block);
    } catch (const std::bad_alloc&) {
      return false;
    }
    n_bytes_ += block.bytes;
    return true;
  }

  void free_all() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) free_until(0);
  }

 private:
  void free_until(std::size_t n_bytes) {
    while (n_bytes_ > n_bytes) {
      std::free(blocks_.front().at);
      n_bytes_ -= blocks_.front().bytes;
      blocks_.erase(blocks_.begin());
    }
  }

  std::mutex mutex_;   // never waited for: after a fork it may stay locked for ever
  std::vector<Block> blocks_;
  std::size_t n_bytes_ = 0;
};

KeptBlocks& kept_blocks() {
  static KeptBlocks& kept = *new KeptBlocks;   // arrays may be freed when the process ends
  return kept;
}

#else

struct KeptBlocks {
  Block take(std::size_t) { return {}; }
  bool keep(Block) { return false; }
  void free_all() {}
};
KeptBlocks kept_blocks() { return {}; }

#endif

}   // namespace

void* take_block(std::size_t bytes) {
  void* block = nullptr;
  if (bytes < least) {
    block = std::malloc(bytes + 1);
  } else {
    bytes = whole_pages(bytes);
    if (void* kept = kept_blocks().take(bytes).at; kept != nullptr) return kept;
    block = std::aligned_alloc(page, bytes);
    if (block == nullptr) {
      kept_blocks().free_all();
      block = std::aligned_alloc(page, bytes);
    }
  }
  if (block == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (bytes >= least) madvise(block, bytes, MADV_HUGEPAGE);   // a wish: it does not matter whether it is granted
#endif
  return block;
}

void free_block(void* block, std::size_t bytes) noexcept {
  if (bytes < least || !kept_blocks().keep({block, whole_pages(bytes)})) std::free(block);
}

}   // namespace treewright
