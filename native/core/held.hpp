// Held: bytes that count as held while something lives, in a total that threads may share.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace treewright {

using TotalHeld = std::shared_ptr<std::atomic<std::int64_t>>;

class Held {
 public:
  Held(TotalHeld total, std::size_t bytes) : total_(std::move(total)), bytes_(static_cast<std::int64_t>(bytes)) {
    *total_ += bytes_;
  }
  Held(Held&& other) noexcept = default;   // the other has no total any more
  Held& operator=(Held&&) = delete;
  ~Held() {
    if (total_) *total_ -= bytes_;
  }

 private:
  TotalHeld total_;
  std::int64_t bytes_;
};

}   // namespace treewright
