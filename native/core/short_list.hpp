// A list of numbers that is nearly always short: up to N of them need no memory of their own. Every node has two such
// lists, and a full tree has as many nodes as the table has rows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace treewright {

template <class T, std::uint32_t N>
class ShortList {
 public:
  ShortList() = default;
  ShortList(std::initializer_list<T> from) { copy(from.begin(), from.size()); }
  ShortList(const T* from, std::size_t n) { copy(from, n); }
  ShortList(const ShortList& other) { copy(other.data(), other.size()); }
  ShortList(ShortList&& other) noexcept : size_(std::exchange(other.size_, 0)), many_(std::move(other.many_)) {
    std::copy_n(other.few_, N, few_);
  }
  ShortList& operator=(ShortList other) noexcept {
    size_ = other.size_;
    many_ = std::move(other.many_);
    std::copy_n(other.few_, N, few_);
    return *this;
  }

  void assign(std::size_t n, T value) {
    if (n > N) many_ = std::make_unique<T[]>(n);
    else if (many_) many_.reset();
    size_ = static_cast<std::uint32_t>(n);
    std::fill_n(data(), n, value);
  }
  template <std::size_t n>
  void set(const T (&values)[n]) {   // few
    static_assert(n <= N);
    if (many_) many_.reset();
    size_ = n;
    std::copy_n(values, n, few_);
  }

  std::size_t size() const { return size_; }
  T* data() { return many_ ? many_.get() : few_; }
  const T* data() const { return many_ ? many_.get() : few_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

 private:
  void copy(const T* from, std::size_t n) {
    assign(n, T{});
    std::copy_n(from, n, data());
  }

  std::uint32_t size_ = 0;
  T few_[N]{};
  std::unique_ptr<T[]> many_;
};

}   // namespace treewright
