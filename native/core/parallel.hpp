// The only threads of the core: a pool that lives as long as one call, so that a forked child never waits for
// threads it does not have. Work is handed out in pieces; which thread takes a piece never changes a result.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace treewright {

struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("cancelled") {}
};

class Pool {
 public:
  explicit Pool(int n_threads, std::atomic<bool>* cancel = nullptr) : cancel_(cancel) {
    try {
      for (int t = 1; t < n_threads; ++t) threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {   // the system has no more threads: fewer do the same work
    }
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::atomic<bool>* cancel() const { return cancel_; }
  int n_threads() const { return static_cast<int>(threads_.size()) + 1; }

  // Throws Cancelled when somebody asked for an end; long loops call it every few thousand rows.
  void check() const {
    if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) throw Cancelled();
  }

  // Calls work(i) for i in [0, n). The first exception of any piece is thrown here, after all threads have stopped.
  void for_each(std::size_t n, const std::function<void(std::size_t)>& work) {
    if (threads_.empty() || n < 2) {
      for (std::size_t i = 0; i < n; ++i) {
        check();
        work(i);
      }
      return;
    }
    {
      std::lock_guard lock(mutex_);
      work_ = &work;
      n_ = n;
      next_.store(0, std::memory_order_relaxed);
      failure_ = nullptr;
      busy_ = threads_.size();
      ++round_;
    }
    wake_.notify_all();
    take();
    wait_a_moment([this] { return busy_ == 0; });
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // Rounds follow one another within microseconds, and to wake a thread takes longer. Where there are more threads
  // than free cores, the one that is waited for may need this core.
  template <class Ready>
  static void wait_a_moment(Ready ready) {
    for (int i = 1; i <= 4000 && !ready(); ++i) {
      if (i % 64 == 0) std::this_thread::yield();
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  }
  void take() {
    try {
      for (std::size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < n_;) {
        check();
        (*work_)(i);
      }
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_.store(n_, std::memory_order_relaxed);
    }
  }
  void serve() {
    std::size_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      lock.unlock();
      wait_a_moment([&] { return closing_ || round_ != seen; });
      lock.lock();
      wake_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) return;
      seen = round_;
      lock.unlock();
      take();
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t n_ = 0;
  std::atomic<std::size_t> busy_{0}, round_{0};
  std::atomic<std::size_t> next_{0};
  std::exception_ptr failure_;
  std::atomic<bool> closing_{false};
  std::atomic<bool>* cancel_;
};

}   // namespace treewright
