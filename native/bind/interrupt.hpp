// Long work runs on a thread of its own while the calling thread waits, without the GIL, and looks for Ctrl-C.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "../core/parallel.hpp"
#include "gil.hpp"

namespace treewright {

// By this flag one thread stops the long work of others: Ctrl-C reaches the main thread alone.
struct StopFlag {
  std::shared_ptr<std::atomic<bool>> raised = std::make_shared<std::atomic<bool>>(false);
};
inline thread_local std::shared_ptr<std::atomic<bool>> watched_flag;   // the one that stops the work of this thread

// work(cancel) must return soon after *cancel became true. Short work runs where it is.
template <class Work>
void run_interruptibly(bool is_long, Work&& work) {
  namespace nb = nanobind;
  std::atomic<bool> cancel{false};
  const std::shared_ptr<std::atomic<bool>> watched = watched_flag;
  const auto stopped = [&] { return watched && watched->load(std::memory_order_relaxed); };
  if (stopped()) throw Cancelled();
  const ReleasedGil released;
  if (!is_long) return work(&cancel);
  std::mutex mutex;
  std::condition_variable done;
  bool finished = false, interrupted = false;
  std::exception_ptr failure;
  std::thread worker;
  const auto run = [&] {
    try {
      work(&cancel);
    } catch (...) {
      failure = std::current_exception();
    }
    std::lock_guard lock(mutex);
    finished = true;
    done.notify_one();
  };
  try {
    worker = std::thread(run);
  } catch (const std::system_error&) {   // no thread to be had: work here, and Ctrl-C waits
    return work(&cancel);
  }
  std::unique_lock lock(mutex);
  while (!done.wait_for(lock, std::chrono::milliseconds(50), [&] { return finished; })) {
    if (stopped()) cancel = true;
    if (cancel) continue;
    lock.unlock();
    {
      const HeldGil held;
      interrupted = PyErr_CheckSignals() != 0;   // the exception stays set until it is thrown below
    }
    if (interrupted) cancel = true;
    lock.lock();
  }
  lock.unlock();
  worker.join();
  if (interrupted) {
    const HeldGil held;
    throw nb::python_error();
  }
  if (failure) std::rethrow_exception(failure);
}

}   // namespace treewright
